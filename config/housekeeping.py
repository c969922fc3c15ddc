"""Work that one process does every half minute while the service runs.

Apps register theirs in `AppConfig.ready()`; `serve` runs all of it in its parent process. Every job must bear
being run by several services at once and being killed halfway.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from django.db import connections

logger = logging.getLogger(__name__)

_jobs: dict[str, Callable[[], object]] = {}


def register(job: Callable[[], object]) -> None:
    """Have `job` run regularly; raises ValueError when its name is taken by another one."""
    name = f"{job.__module__}.{job.__qualname__}"
    if _jobs.setdefault(name, job) is not job:
        raise ValueError(f"a housekeeping job named {name} is registered already")


def run_registered() -> None:
    """Run every registered job once; one that fails is logged and does not keep the others from running."""
    for name, job in _jobs.items():
        try:
            job()
        except Exception:
            logger.exception("Housekeeping job %s failed", name)


def every(
    seconds: float, function: Callable[[], None], stop: threading.Event | None = None
) -> threading.Event:
    """Call `function` at once and then each `seconds` in a daemon thread; return the event that ends it.

    Exceptions are logged. Database connections are closed after each run, so that none idles in between.
    """
    stop = stop or threading.Event()
    thread = threading.Thread(
        target=_repeat, args=(seconds, function, stop), name="housekeeping", daemon=True
    )
    thread.start()
    return stop


def _repeat(seconds: float, function: Callable[[], None], stop: threading.Event) -> None:
    while not stop.is_set():
        try:
            function()
        except Exception:
            logger.exception("Housekeeping failed")
        finally:
            connections.close_all()
        stop.wait(seconds)
