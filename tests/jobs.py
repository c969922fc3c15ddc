"""Jobs in tests: they are enqueued and not run, until a test says so."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from config.jobs import LANES, queue
from config.jobs.worker import carry_out

WORKER = "worker of a test"


def run_task(task: DBTaskResult) -> None:
    """Run a claimed task in this thread and note how it ended."""
    carry_out(task)()


def run_jobs(*, later: bool = False) -> int:
    """Run every job that is due until none is left, in this thread; return how many there were.

    With `later` those that wait for their time run at once as well. A job that fails goes back into the
    queue, as it does in a worker, and is run again only with `later`. One that waits for a lost part would be
    run for ever: `patience_ends` says that a day has passed.
    """
    done = 0
    while True:
        if later:
            DBTaskResult.objects.filter(status="READY").update(run_after=timezone.now())
        task = next(filter(None, (queue.claim(WORKER, name) for name in LANES)), None)
        if task is None:
            return done
        run_task(task)
        done += 1


def patience_ends(patch: pytest.MonkeyPatch) -> None:
    """Have jobs wait for a lost part once only."""
    patch.setattr(queue, "PATIENCE", timedelta(0))


def waiting() -> int:
    """Return how many jobs are in the queue, whenever they are due."""
    return DBTaskResult.objects.filter(status="READY").count()
