"""Work that one process does now and then while the service runs.

Apps register theirs in `AppConfig.ready()`. The parent process of `serve` and every worker offer to do it
each half minute; `config.jobs.periodic` gives the turn to one of them. A job must bear being run by several
at once, and being killed halfway.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from django.db import connections

logger = logging.getLogger(__name__)

# How often `serve` and the workers look whether a job is due.
INTERVAL = 30.0

# Tells a long job whether its time is over: others wait for it, and it comes again.
IsOver = Callable[[], bool]

_jobs: dict[str, tuple[Callable[[], object], float]] = {}


def over_after(seconds: float) -> IsOver:
    """Return what tells whether so many seconds have passed since now."""
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def never() -> bool:
    """Be the `IsOver` of a job that goes on until all is done."""
    return False


def register(job: Callable[[], object], *, every: float = INTERVAL) -> None:
    """Have `job` run each so many seconds; raises ValueError when its name is taken by another one."""
    name = f"{job.__module__}.{job.__qualname__}"
    if _jobs.setdefault(name, (job, every))[0] is not job:
        raise ValueError(f"a housekeeping job named {name} is registered already")


def run_registered(is_due: Callable[[str, float], bool]) -> None:
    """Run every registered job that `is_due(name, every)`.

    One that fails is logged and does not keep the others from running.
    """
    for name, (job, seconds) in list(_jobs.items()):
        try:
            if is_due(name, seconds):
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
