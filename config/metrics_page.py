"""`/metrics`: the counts of all processes of this machine, and the job queue as it is now."""

from __future__ import annotations

import hmac
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.apps import apps
from django.conf import settings
from django.db.models import Count, F, Min, Q
from django.db.models.functions import Greatest
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

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
    """Return a registry of all processes' counts and of the job queue as it is now."""
    from prometheus_client import CollectorRegistry
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    if metrics.folder().is_dir():
        MultiProcessCollector(registry, str(metrics.folder()))
    registry.register(QueueCollector())
    return registry


def _plain(status: int, text: str, headers: dict[str, str] | None = None) -> HttpResponse:
    return HttpResponse(f"{text}\n", status=status, content_type="text/plain", headers=headers)


class QueueCollector:
    """Depth and age of the job queue, read from the database when somebody asks."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Return two gauges; none while the database cannot be read."""
        from prometheus_client.core import GaugeMetricFamily

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
        except Exception:
            logger.warning("The job queue cannot be read for metrics", exc_info=True)
            return
        for row in rows:
            for state in ("ready", "later", "running", "failed"):
                depth.add_metric([row.queue, state], getattr(row, state))
            age.add_metric([row.queue], row.oldest_seconds)
        yield depth
        yield age


@dataclass(frozen=True)
class QueueRow:
    """One queue: jobs that can run, wait for their time, run, were given up; age of the oldest ready one."""

    queue: str
    ready: int = 0
    later: int = 0
    running: int = 0
    failed: int = 0
    oldest_seconds: float = 0.0


def queue_rows() -> list[QueueRow]:
    """Return the queues that hold jobs, and the default one always; one query."""
    if not apps.is_installed("django_tasks_db"):
        return []
    now = timezone.now()
    ready = Q(status="READY")
    # The engine writes the last year there is for "at once".
    at_once, due = ready & Q(run_after__year=9999), ready & Q(run_after__lte=now)
    found = (
        apps.get_model("django_tasks_database", "DBTaskResult")
        ._default_manager.filter(status__in=["READY", "RUNNING", "FAILED"])
        .order_by()
        .values("queue_name")
        .annotate(
            ready=Count("pk", filter=at_once | due),
            unstarted=Count("pk", filter=ready),
            running=Count("pk", filter=Q(status="RUNNING")),
            failed=Count("pk", filter=Q(status="FAILED")),
            at_once_since=Min("enqueued_at", filter=at_once),
            due_since=Min(Greatest(F("enqueued_at"), F("run_after")), filter=due),
        )
    )
    rows = [
        QueueRow(
            row["queue_name"],
            ready=row["ready"],
            later=row["unstarted"] - row["ready"],
            running=row["running"],
            failed=row["failed"],
            oldest_seconds=_age(now, row["at_once_since"], row["due_since"]),
        )
        for row in found
    ]
    return rows if any(row.queue == "default" for row in rows) else [*rows, QueueRow("default")]


def _age(now: datetime, *moments: datetime | None) -> float:
    """Return the seconds since the earliest of the moments, 0 when there is none."""
    since = [moment for moment in moments if moment is not None]
    return max(0.0, (now - min(since)).total_seconds()) if since else 0.0
