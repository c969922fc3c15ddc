"""`/metrics`: the counts of all processes of this machine, and disk and job queues as they are now."""

from __future__ import annotations

import hmac
import logging
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from config import metrics

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry
    from prometheus_client.core import GaugeMetricFamily

logger = logging.getLogger(__name__)


def metrics_page(request: HttpRequest) -> HttpResponse:
    """Answer `/metrics` to who may read it: 401 or 403 otherwise.

    With METRICS_TOKEN its bearer, else nobody unless METRICS_OPEN. Not by address: what a proxy on this
    machine passes on comes from this machine.
    """
    if settings.METRICS_TOKEN:
        offered = request.META.get("HTTP_AUTHORIZATION", "").encode("utf-8", "replace")
        if not hmac.compare_digest(offered, f"Bearer {settings.METRICS_TOKEN}".encode()):
            return _plain(401, "METRICS_TOKEN is needed as bearer token", {"WWW-Authenticate": "Bearer"})
    elif not settings.METRICS_OPEN:
        return _plain(403, "Nobody may read metrics: set METRICS_TOKEN")
    from prometheus_client.exposition import choose_encoder

    encode, content_type = choose_encoder(request.META.get("HTTP_ACCEPT", ""))
    return HttpResponse(encode(collected()), content_type=content_type, headers={"Cache-Control": "no-store"})


def collected() -> CollectorRegistry:
    """Return a registry of all processes' counts, and of disk and job queues as they are now."""
    from prometheus_client import CollectorRegistry
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    if metrics.folder().is_dir():
        MultiProcessCollector(registry, str(metrics.folder()))
    registry.register(DiskCollector())
    registry.register(QueueCollector())
    return registry


def _plain(status: int, text: str, headers: dict[str, str] | None = None) -> HttpResponse:
    return HttpResponse(f"{text}\n", status=status, content_type="text/plain", headers=headers)


class DiskCollector:
    """The disk of DATA_DIR, looked at when somebody asks."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Return its size and what is free of it."""
        from prometheus_client.core import GaugeMetricFamily

        try:
            size, _, free = shutil.disk_usage(settings.DATA_DIR)
        except OSError:
            logger.warning("The disk of DATA_DIR cannot be looked at for metrics", exc_info=True)
            return
        yield GaugeMetricFamily("documents_data_dir_size_bytes", "Size of the disk of DATA_DIR.", value=size)
        yield GaugeMetricFamily("documents_data_dir_free_bytes", "Room on the disk of DATA_DIR.", value=free)


class QueueCollector:
    """Depth and age of every job queue and who works on them, read from the database when somebody asks."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Return three gauges; none while the database cannot be read."""
        from prometheus_client.core import GaugeMetricFamily

        from config.jobs.queue import alive_workers, queue_rows  # models: only once the apps are loaded

        depth = GaugeMetricFamily(
            "documents_queue_jobs",
            "Jobs by queue and state: ready, later, running, failed.",
            labels=["queue", "state"],
        )
        age = GaugeMetricFamily(
            "documents_queue_oldest_ready_seconds",
            "How long the oldest job that could run has been waiting.",
            labels=["queue"],
        )
        try:
            rows = queue_rows()
            workers = alive_workers(settings.JOB_LEASE).count()
        except Exception:
            logger.warning("The job queue cannot be read for metrics", exc_info=True)
            return
        for row in rows:
            for state in ("ready", "later", "running", "failed"):
                depth.add_metric([row.queue, state], getattr(row, state))
            age.add_metric([row.queue], row.oldest_seconds)
        yield depth
        yield age
        yield GaugeMetricFamily(
            "documents_workers", "Job workers that gave a sign of life within JOB_LEASE.", value=workers
        )
