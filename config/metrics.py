"""What the service counts, for Prometheus (`config/metrics_page.py` answers `/metrics`).

Every process of a machine (request workers, job workers) counts in files of its own under DATA_DIR/metrics,
and whoever is asked adds them up. A process takes the lowest free slot there and holds it by a lock, which
the kernel releases however the process ends: its successor counts on, so there are never more files than
processes and no count goes backwards. No label holds an id: routes are URL patterns.
"""

from __future__ import annotations

import fcntl
import logging
import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.conf import settings

if TYPE_CHECKING:  # imported with the first count: commands that count nothing do not wait for it
    from prometheus_client import Counter, Histogram

logger = logging.getLogger(__name__)

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
BYTES: Final = (2.0**12, 2.0**14, 2.0**16, 2.0**18, 2.0**20, 2.0**22, 2.0**24, 2.0**26)
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
# Known before the first of each: Prometheus sees growth only from a 0 that it has read.
ERRORS: Final = ("500", "503")
FAILURES: Final = ("refused", "unavailable", "fault")
OUTCOMES: Final = ("delivered", "failed", "exhausted", "disabled", "discarded")
_MAX_SLOTS: Final = 1024
_TYPES: Final = ("counter", "histogram")
# Reserved on the disk when a process starts: a full one must not be met in the middle of a memory map.
_RESERVED_BYTES: Final = 2**20
_PAUSE: Final = 60.0  # seconds until a process that could not count tries again


def observe_request(route: str, method: str, status: int, seconds: float) -> None:
    """Count an answered request; `route` is the URL pattern, one word for all unknown paths."""
    if (counted := _instruments()) is not None:
        shown = method if method in METHODS else "other"
        counted.requests.labels(route, shown, str(status)).inc()
        for failing in ERRORS:
            counted.requests.labels(route, shown, failing)
        counted.request_seconds.labels(route, shown).observe(seconds)


def observe_render(format: str, seconds: float, size: int) -> None:
    """Count a completed document: `seconds` from its resolution to its storage, `size` in bytes."""
    if (counted := _instruments()) is not None:
        counted.render_seconds.labels(format).observe(seconds)
        counted.render_bytes.labels(format).observe(size)
        for kind in FAILURES:
            counted.render_failures.labels(format, kind)


def count_render_failure(format: str, kind: str) -> None:
    """Count a document that failed; kind: `refused` (data), `unavailable` (a part), `fault` (ours)."""
    if (counted := _instruments()) is not None:
        counted.render_failures.labels(format, kind).inc()


def count_refusal() -> None:
    """Count a request over its key's rate limit."""
    if (counted := _instruments()) is not None:
        counted.refusals.inc()


def count_webhook(outcome: str) -> None:
    """Count an attempt to deliver; outcome is one of few words such as `delivered`."""
    if (counted := _instruments()) is not None:
        counted.webhooks.labels(outcome).inc()


@dataclass(frozen=True)
class Instruments:
    """Everything that is counted in processes; names and labels are an interface for alerts."""

    requests: Counter
    request_seconds: Histogram
    render_seconds: Histogram
    render_bytes: Histogram
    render_failures: Counter
    refusals: Counter
    webhooks: Counter


_made: Instruments | None = None
_next_try = 0.0  # by the monotonic clock
_making = threading.Lock()


def _instruments() -> Instruments | None:
    """Return the instruments, made with the first count; None while no file can be written to count in."""
    global _made, _next_try
    if _made is None and time.monotonic() >= _next_try:
        with _making:
            if _made is None and time.monotonic() >= _next_try:
                try:
                    _made = _make()
                except OSError:
                    _next_try = time.monotonic() + _PAUSE
                    logger.exception("Metrics cannot be kept under %s: this process counts nothing", folder())
    return _made


def _make() -> Instruments:
    slot = _Slot(folder())
    # The library chooses between memory and files when it is imported, by this variable.
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder())
    from prometheus_client import CollectorRegistry, Counter, Histogram, values

    values.ValueClass = values.MultiProcessValue(slot.number)
    registry = CollectorRegistry()

    def counter(name: str, text: str, *labels: str) -> Counter:
        return Counter(name, text, labels, registry=registry)

    def histogram(name: str, text: str, *labels: str, buckets: tuple[float, ...] = SECONDS) -> Histogram:
        return Histogram(name, text, labels, buckets=buckets, registry=registry)

    made = Instruments(
        counter("documents_http_requests", "Answered requests.", "route", "method", "status"),
        histogram("documents_http_request_seconds", "Time to the answer.", "route", "method"),
        histogram("documents_render_seconds", "Resolving, drawing and storing a document.", "format"),
        histogram("documents_render_bytes", "Size of completed documents.", "format", buckets=BYTES),
        counter("documents_render_failures", "Documents that failed.", "format", "kind"),
        counter("documents_rate_limit_refusals", "Requests over their key's rate limit."),
        counter("documents_webhook_attempts", "Attempts to deliver a webhook.", "outcome"),
    )
    for outcome in OUTCOMES:
        made.webhooks.labels(outcome)
    return made


class _Slot:
    """The number of this process among those that count in one folder; a forked child takes its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._take()

    def number(self) -> int:
        """Return the slot of the process that asks."""
        if os.getpid() != self._pid:
            self._take()
        return self._number

    def _take(self) -> None:
        """Lock the lowest free slot; raises OSError when the disk has no room for its files."""
        for number in range(_MAX_SLOTS):
            if (lock := _lock(self._folder / f"{number}.lock")) is None:
                continue
            try:
                for kind in _TYPES:
                    reserve(self._folder / f"{kind}_{number}.db", _RESERVED_BYTES)
            except OSError:
                os.close(lock)
                raise
            # The lock lasts as long as the descriptor: never closed, and not inherited over an exec.
            self._lock, self._number, self._pid = lock, number, os.getpid()
            return
        raise OSError(f"no free slot in {self._folder}")


def folder() -> Path:
    """Return where the processes of this machine count."""
    return Path(settings.DATA_DIR) / "metrics"


def clean() -> None:
    """Remove the counts of processes that have ended; `serve` starts from nothing, as Prometheus expects.

    Another process that counts in this folder (a worker of its own) keeps what it has.
    """
    for path in folder().glob("*.lock"):
        if (lock := _lock(path)) is None:
            continue
        try:
            for kind in _TYPES:
                path.with_name(f"{kind}_{path.stem}.db").unlink(missing_ok=True)
        finally:
            os.close(lock)


def _lock(path: Path) -> int | None:
    """Return a descriptor that holds the lock of a slot, None when another process holds it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def reserve(path: Path, size: int) -> None:
    """Give a file blocks of its own on the disk, so that writing into its memory map never finds none."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if os.fstat(descriptor).st_size < size:
            os.posix_fallocate(descriptor, 0, size)
    finally:
        os.close(descriptor)
