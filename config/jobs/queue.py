"""The queue: who takes which task, and what becomes of it. No process, no thread.

A task is READY, then RUNNING while the last of its `worker_ids` runs it. That list is the history of its
attempts, and how one ended stands before the name: `lost:`, `failed:` or `again:`; of the last kind, which
may come thousands of times, only the latest is kept. `away:` stands before the times, in Unix seconds, of the
first and the last attempt that met the outage of a part. A task that is done is deleted; one that is given up
stays as FAILED for a while. Every change is conditional on the claim that it ends, so that a worker that was
taken for dead changes nothing any more.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import Count, F, Min, Q, QuerySet
from django.db.models.functions import Greatest, Now
from django.utils import timezone
from django_tasks.base import Task, TaskResultStatus
from django_tasks_db.models import DBTaskResult

from config.clocks import shared_now
from config.jobs import BACKOFF, KEPT, LANES, LONGEST_PAUSE, PATIENCE, PRIORITIES
from config.jobs.models import Worker
from config.logs import told
from config.outages import reason

logger = logging.getLogger(__name__)

# A task that was running when so many workers died is likely what they died of.
MOST_LOST = 10
# Two outages with less between them are one.
_SAME_OUTAGE = 3600.0
_PRUNED_AT_ONCE = 1000
_INSERTED_AT_ONCE = 500


def enqueue_many(task: Task[..., Any], arguments: Iterable[str]) -> int:
    """Store one task for each argument with a statement per 500, and return how many there were.

    All are due, and claimed in their order: each has a time of its own, a microsecond after the one before.
    """
    now = timezone.now()
    rows: list[Any] = [
        DBTaskResult(
            args_kwargs={"args": [argument], "kwargs": {}},
            priority=task.priority,
            task_path=task.module_path,
            queue_name=task.queue_name,
            backend_name=task.backend,
        )
        for argument in arguments
    ]
    for number, row in enumerate(rows, start=1):
        row.run_after = now - timedelta(microseconds=len(rows) - number)
    DBTaskResult.objects.bulk_create(rows, batch_size=_INSERTED_AT_ONCE)
    return len(rows)


def awaited(task: Task[..., Any], arguments: Collection[str]) -> set[str]:
    """Return those first arguments with which the task is in the queue, or runs."""
    if not arguments:
        return set()
    unfinished = DBTaskResult.objects.filter(
        status__in=(TaskResultStatus.READY, TaskResultStatus.RUNNING),
        queue_name=task.queue_name,
        task_path=task.module_path,
        args_kwargs__args__0__in=arguments,
    )
    return set(unfinished.values_list("args_kwargs__args__0", flat=True))


def claim(worker: str, queue: str) -> DBTaskResult | None:
    """Take the oldest due task of the highest priority in `queue`; None when there is none."""
    for priority in PRIORITIES:
        # The first entry of one range of the index `jobs_queue`, however long the queue is.
        due = DBTaskResult.objects.filter(
            status=TaskResultStatus.READY, queue_name=queue, priority=priority, run_after__lte=shared_now()
        ).order_by("run_after")
        if task := _take_first(due, worker):
            return task
    return None


def _take_first(due: QuerySet[DBTaskResult], worker: str) -> DBTaskResult | None:
    if connection.features.has_select_for_update_skip_locked:
        with transaction.atomic():
            task = due.select_for_update(skip_locked=True).first()
            return task if task and _take(task, worker) else None
    # SQLite has one write lock: it is not taken for a look at an empty queue.
    while task := due.first():
        if _take(task, worker):
            return task
    return None


def _take(task: DBTaskResult, worker: str) -> bool:
    task.status, task.started_at = TaskResultStatus.RUNNING, timezone.now()
    task.worker_ids = [*task.worker_ids, worker]
    changes = {"status": task.status, "started_at": task.started_at, "worker_ids": task.worker_ids}
    return DBTaskResult.objects.filter(pk=task.pk, status=TaskResultStatus.READY).update(**changes) == 1


def finish(task: DBTaskResult) -> None:
    """Forget a task that is done."""
    _claimed(task).delete()


def put_back(task: DBTaskResult, ended: str, after_seconds: float = 0) -> None:
    """Let a running task be claimed again after so many seconds; `ended` says why: lost, failed or again."""
    _put_back(task, _history(task, ended), after_seconds)


def _put_back(task: DBTaskResult, history: list[str], after_seconds: float) -> None:
    _claimed(task).update(
        status=TaskResultStatus.READY,
        run_after=shared_now() + timedelta(seconds=after_seconds),
        started_at=None,
        worker_ids=history,
    )


def fail(task: DBTaskResult, error: BaseException) -> None:
    """Try a task that raised again after a pause; give it up after the last one of BACKOFF."""
    failures = sum(entry.startswith("failed:") for entry in task.worker_ids)
    if failures < len(BACKOFF):
        put_back(task, "failed", BACKOFF[failures])
    else:
        give_up(task, "failed", error)


def wait_for_part(task: DBTaskResult, error: BaseException) -> None:
    """Let a task that met an outage be claimed again, after pauses that grow as the outage lasts.

    One that has waited for PATIENCE has failed.
    """
    if out_of_patience(task):
        fail(task, error)
        return
    now = time.time()
    since = _away_since(task, now) or now
    pause = min(max(1.0, (now - since) / 2), LONGEST_PAUSE) * random.uniform(1, 1.2)  # noqa: S311 (spreads load)
    history = [entry for entry in task.worker_ids[:-1] if not entry.startswith("away:")]
    logger.warning("Task %s (%s) waits for a lost part: %s", task.pk, task.task_path, reason(error))
    _put_back(task, [f"away:{since:.0f}-{now:.0f}", *history], pause)


def out_of_patience(task: DBTaskResult) -> bool:
    """Tell whether the outage that the task waits for has lasted for PATIENCE."""
    now = time.time()
    since = _away_since(task, now)
    return since is not None and now - since >= PATIENCE.total_seconds()


def _away_since(task: DBTaskResult, now: float) -> float | None:
    """Return when the outage that the task has met began, None when it has met none of late."""
    for entry in task.worker_ids:
        if entry.startswith("away:"):
            first, last = entry.removeprefix("away:").split("-")
            return float(first) if now - float(last) < _SAME_OUTAGE else None
    return None


def give_up(task: DBTaskResult, ended: str, error: BaseException) -> None:
    """Keep a task as FAILED, for people to look at."""
    logger.error("Task %s (%s) is given up: %s", task.pk, task.task_path, type(error).__name__)
    _claimed(task).update(
        status=TaskResultStatus.FAILED,
        finished_at=timezone.now(),
        worker_ids=_history(task, ended),
        exception_class_path=f"{type(error).__module__}.{type(error).__qualname__}",
        traceback=told(error),  # without the texts that may quote a caller's data
    )


def revive(tasks: Iterable[Task[..., Any]], after: timedelta) -> int:
    """Put tasks that were given up so long ago back, as if they were new; return how many there were."""
    given_up = DBTaskResult.objects.filter(
        status=TaskResultStatus.FAILED,
        task_path__in=[task.module_path for task in tasks],
        finished_at__lt=timezone.now() - after,
    )
    return given_up.update(
        status=TaskResultStatus.READY,
        run_after=timezone.now(),
        started_at=None,
        finished_at=None,
        worker_ids=[],
        exception_class_path="",
        traceback="",
    )


def _claimed(task: DBTaskResult) -> QuerySet[DBTaskResult]:
    """Return the row of the task, empty once somebody else has changed it."""
    return DBTaskResult.objects.filter(
        pk=task.pk, status=TaskResultStatus.RUNNING, started_at=task.started_at
    )


def _history(task: DBTaskResult, ended: str) -> list[str]:
    *earlier, worker = task.worker_ids
    if ended == "again":
        earlier = [entry for entry in earlier if not entry.startswith("again:")]
    return [*earlier, f"{ended}:{worker}"]


class WorkerLost(Exception):
    """Worker after worker died with this task."""


def running(worker: str | None = None) -> list[DBTaskResult]:
    """Return the running tasks, of all workers or of one: as many as there are busy threads."""
    tasks = DBTaskResult.objects.filter(status=TaskResultStatus.RUNNING)
    return [task for task in tasks if worker is None or task.worker_ids[-1:] == [worker]]


def alive_workers(lease: float) -> QuerySet[Worker]:
    """Return the workers that gave a sign of life within `lease` seconds, by the clock of the database."""
    return Worker.objects.filter(seen_at__gte=Now() - timedelta(seconds=lease))


def reap(lease: float) -> int:
    """Put back the tasks of workers that were not seen for `lease` seconds; return how many there were."""
    # In this order: a worker is seen before it claims.
    tasks = running()
    if not tasks:
        return 0
    alive = set(alive_workers(lease).values_list("pk", flat=True))
    lost = [task for task in tasks if not alive.intersection(task.worker_ids[-1:])]
    for task in lost:
        _lose(task)
    return len(lost)


def bury(worker: str) -> int:
    """Put back the tasks of a worker that is known to be dead; return how many there were."""
    Worker.objects.filter(pk=worker).delete()
    return reconcile(worker, ())


def reconcile(worker: str, pks: Collection[Any]) -> int:
    """Put back what is marked as running in `worker` but is not among its `pks`; return how many there were.

    The answer to a claim, or the note of an end, was lost with a database connection.
    """
    strays = [task for task in running(worker) if task.pk not in pks]
    for task in strays:
        _lose(task)
    return len(strays)


def _lose(task: DBTaskResult) -> None:
    logger.warning("Task %s (%s) was lost with its worker", task.pk, task.task_path)
    if sum(entry.startswith("lost:") for entry in task.worker_ids) < MOST_LOST:
        put_back(task, "lost")
    else:
        give_up(task, "lost", WorkerLost(f"{MOST_LOST} workers were lost with it"))


def prune() -> int:
    """Delete tasks that were given up long ago, and workers long gone; return how many tasks there were."""
    old = DBTaskResult.objects.filter(status=TaskResultStatus.FAILED, finished_at__lt=timezone.now() - KEPT)
    deleted = 0
    while pks := list(old.values_list("pk", flat=True)[:_PRUNED_AT_ONCE]):
        deleted += DBTaskResult.objects.filter(pk__in=pks).delete()[0]
    Worker.objects.filter(seen_at__lt=Now() - timedelta(hours=1)).delete()
    return deleted


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
    """Return every queue, also those that hold no jobs; one query."""
    now = timezone.now()
    ready = Q(status=TaskResultStatus.READY)
    due = ready & Q(run_after__lte=now)
    found = (
        DBTaskResult.objects.filter(
            status__in=(TaskResultStatus.READY, TaskResultStatus.RUNNING, TaskResultStatus.FAILED)
        )
        .order_by()
        .values("queue_name")
        .annotate(
            ready=Count("pk", filter=due),
            unstarted=Count("pk", filter=ready),
            running=Count("pk", filter=Q(status=TaskResultStatus.RUNNING)),
            failed=Count("pk", filter=Q(status=TaskResultStatus.FAILED)),
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
            oldest_seconds=max(0.0, (now - (row["due_since"] or now)).total_seconds()),
        )
        for row in found
    ]
    return [*rows, *(QueueRow(name) for name in LANES if all(row.queue != name for row in rows))]
