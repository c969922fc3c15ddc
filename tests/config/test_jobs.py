"""The queue: who takes which job, and what becomes of it when its worker dies, sleeps or fails."""

from __future__ import annotations

import errno
import subprocess
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone
from django_tasks import task_backends
from django_tasks.exceptions import InvalidTaskError
from django_tasks_db.models import DBTaskResult

from config import jobs
from config.jobs import LOW, periodic, queue, supervisor
from config.jobs import worker as worker_module
from config.jobs.management.commands.worker import make_room
from config.jobs.models import Turn, Worker
from config.processes import worker_name
from tests.config import tasks
from tests.config.tasks import note
from tests.jobs import run_jobs, run_task, waiting

pytestmark = pytest.mark.django_db
LEASE = 20.0


@pytest.fixture(autouse=True)
def _nothing_done() -> Iterator[None]:
    yield
    tasks.done.clear()
    tasks.troubles.clear()


def alive(name: str, ago: float = 0) -> str:
    """Store the heartbeat of a worker."""
    seen = timezone.now() - timedelta(seconds=ago)
    Worker.objects.update_or_create(
        pk=name, defaults={"host": "here", "pid": 1, "started_at": seen, "seen_at": seen}
    )
    return name


def claimed(name: str = "first") -> DBTaskResult:
    """Claim the next job as a worker that lives."""
    task = queue.claim(alive(name), jobs.DEFAULT)
    assert task is not None
    return task


def test_jobs_run_in_their_order_and_leave_nothing() -> None:
    note.using(priority=LOW).enqueue("low")
    for word in "abc":
        note.enqueue(word)
    note.using(run_after=timezone.now() + timedelta(hours=1)).enqueue("later")
    assert run_jobs() == 4
    assert tasks.done == ["a", "b", "c", "low"]
    assert waiting() == 1
    assert run_jobs(later=True) == 1
    assert not DBTaskResult.objects.exists()


def test_many_at_once() -> None:
    assert queue.enqueue_many(note.using(priority=LOW), (str(number) for number in range(1200))) == 1200
    note.enqueue("first")
    assert claimed().args_kwargs["args"] == ["first"]
    assert claimed().args_kwargs["args"] == ["0"]


def test_a_priority_that_nobody_looks_for_is_refused() -> None:
    with pytest.raises(InvalidTaskError):
        note.using(priority=7)


def test_a_queue_has_its_own_jobs() -> None:
    note.using(queue_name=jobs.IO).enqueue("io")
    assert queue.claim("worker", jobs.DEFAULT) is None
    assert queue.claim("worker", jobs.IO) is not None


def test_every_queue_has_threads() -> None:
    assert task_backends["default"].queues == set(jobs.LANES)


def test_a_claimed_job_is_not_claimed_again() -> None:
    note.enqueue("a")
    task = claimed()
    assert (task.status, task.worker_ids) == ("RUNNING", ["first"])
    assert queue.claim("second", jobs.DEFAULT) is None
    assert queue.reap(LEASE) == 0


def test_the_job_of_a_dead_worker_is_taken_up_again() -> None:
    note.enqueue("a")
    claimed()
    alive("first", ago=LEASE + 1)
    alive("second")
    assert queue.reap(LEASE) == 1
    again = queue.claim("second", jobs.DEFAULT)
    assert again is not None
    assert again.worker_ids == ["lost:first", "second"]
    run_task(again)
    assert tasks.done == ["a"]


def test_a_worker_that_nobody_knows_is_dead() -> None:
    note.enqueue("a")
    queue.claim("never signed on", jobs.DEFAULT)
    assert queue.reap(LEASE) == 1


@pytest.mark.parametrize("end", ["finish", "again", "fail"])
def test_a_worker_that_was_taken_for_dead_changes_nothing(end: str) -> None:
    note.enqueue("a")
    zombie = claimed()
    alive("first", ago=LEASE + 1)
    queue.reap(LEASE)
    task = claimed("second")
    if end == "finish":
        queue.finish(zombie)
    elif end == "again":
        queue.put_back(zombie, "again")
    else:
        queue.fail(zombie, ZeroDivisionError())
    (row,) = DBTaskResult.objects.all()
    assert (row.status, row.worker_ids) == ("RUNNING", ["lost:first", "second"])
    queue.finish(task)
    assert not DBTaskResult.objects.exists()


def test_the_jobs_of_one_that_is_known_to_be_dead_go_back_at_once() -> None:
    note.enqueue("a")
    note.enqueue("b")
    claimed("first")
    claimed("second")
    assert queue.bury("first") == 1
    assert claimed("third").args_kwargs["args"] == ["a"]
    assert set(Worker.objects.values_list("pk", flat=True)) == {"second", "third"}


def test_a_job_that_kills_its_workers_is_given_up() -> None:
    note.enqueue("poison")
    for number in range(queue.MOST_LOST + 1):
        claimed(f"worker {number}")
        alive(f"worker {number}", ago=LEASE + 1)
        assert queue.reap(LEASE) == 1
    row = DBTaskResult.objects.get()
    assert (row.status, row.exception_class_path) == ("FAILED", "config.jobs.queue.WorkerLost")


def test_what_a_worker_knows_nothing_of_goes_back() -> None:
    note.enqueue("known")
    note.enqueue("stray")
    known, _ = claimed(), claimed()
    assert queue.reconcile("first", {known.pk}) == 1
    assert queue.reconcile("first", {known.pk}) == 0
    assert claimed("second").args_kwargs["args"] == ["stray"]


def test_a_job_that_asks_for_it_is_called_again_as_often_as_it_likes() -> None:
    tasks.troubles["a"] = tasks.again
    note.enqueue("a")
    for _ in range(20):
        run_task(claimed())
    tasks.troubles.clear()
    run_task(claimed())
    assert tasks.done == ["a"]
    assert not DBTaskResult.objects.exists()


def test_the_history_of_a_job_does_not_grow_with_its_slices() -> None:
    """A chunk of a large batch comes back thousands of times, and its row is written each time."""
    tasks.troubles["a"] = tasks.again
    note.enqueue("a")
    claimed("killed")
    queue.bury("killed")
    for number in range(20):
        run_task(claimed(f"worker {number}"))
    assert DBTaskResult.objects.get().worker_ids == ["lost:killed", "again:worker 19"]


def test_a_job_waits_for_a_lost_part_and_uses_up_no_attempt() -> None:
    tasks.troubles["a"] = tasks.away
    note.enqueue("a")
    for _ in range(3 * len(jobs.BACKOFF)):
        begun = timezone.now()
        assert run_jobs() == 1
        row = DBTaskResult.objects.get()
        assert (row.status, len(row.worker_ids), row.worker_ids[0][:5]) == ("READY", 1, "away:")
        assert row.run_after >= begun + timedelta(seconds=1)
        DBTaskResult.objects.update(run_after=timezone.now())
    tasks.troubles.clear()
    assert run_jobs() == 1
    assert tasks.done == ["a"]


@pytest.mark.parametrize(("waited", "pause"), [(0, 1), (10, 5), (60, 30), (600, 60), (80_000, 60)])
def test_its_pauses_grow(waited: int, pause: float) -> None:
    tasks.troubles["a"] = tasks.away
    note.enqueue("a")
    now = time.time()
    DBTaskResult.objects.update(worker_ids=[f"away:{now - waited:.0f}-{now:.0f}"])
    run_jobs()
    ended = time.time()
    again = DBTaskResult.objects.get().run_after.timestamp()
    assert now + pause * 0.5 < again < ended + pause * 1.5 + 1


def test_after_a_day_without_the_part_a_job_fails() -> None:
    tasks.troubles["a"] = tasks.away
    note.enqueue("a")
    now = time.time()
    DBTaskResult.objects.update(worker_ids=[f"away:{now - 86_500:.0f}-{now:.0f}"])
    assert run_jobs(later=True) == len(jobs.BACKOFF) + 1
    row = DBTaskResult.objects.get()
    assert (row.status, row.exception_class_path) == ("FAILED", "builtins.OSError")


def test_what_a_job_counted_is_taken_back_when_the_database_is_there_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its worker notes the end as soon as it can; until then nobody else takes the job for lost."""
    monkeypatch.setattr(worker_module, "_OUTAGE_PAUSE", 0)
    monkeypatch.setattr(worker_module, "close_old_connections", lambda: None)
    monkeypatch.setattr(worker_module.connections, "close_all", lambda: None)
    asked: list[str] = []

    def take_back() -> None:
        asked.append("")
        if len(asked) < 4:
            raise OperationalError("away")

    def counted() -> None:
        raise jobs.Outage(take_back) from OperationalError("away")

    tasks.troubles["a"] = counted
    note.enqueue("a")
    (lane,) = worker_module.Worker(name="first", queues=[jobs.DEFAULT]).lanes
    lane._run(claimed())
    assert len(asked) == 4
    row = DBTaskResult.objects.get()
    assert (row.status, len(row.worker_ids)) == ("READY", 1)


@pytest.mark.parametrize("error", [OperationalError("away"), ZeroDivisionError("a fault"), OSError("odd")])
def test_a_heart_goes_on_beating_whatever_happens(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "close_old_connections", lambda: None)
    monkeypatch.setattr(worker_module.connections, "close_all", lambda: None)
    worker = worker_module.Worker(name="first")

    def fail(lease: float) -> int:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(queue, "reap", fail)
        worker._beat()
    assert not worker._steady
    worker._beat()
    assert worker._steady


def test_a_worker_that_is_asked_to_end_does_so_while_the_database_is_away(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it runs goes back when it can; else others take it up when its lease is over."""
    monkeypatch.setattr(worker_module, "close_old_connections", lambda: None)
    monkeypatch.setattr(worker_module.connections, "close_all", lambda: None)
    settings.RENDER_TIMEOUT = 0
    note.enqueue("a")
    worker = worker_module.Worker(name="first", queues=[jobs.DEFAULT])
    task = claimed()
    worker.lanes[0].running[task.pk] = task

    def lost(*arguments: Any) -> Any:
        raise OperationalError("away")

    for name in ("running", "put_back"):
        with monkeypatch.context() as patch:
            patch.setattr(queue, name, lost)
            assert worker._drain() is False
        assert DBTaskResult.objects.get().status == "RUNNING"
    assert worker._drain() is False
    assert DBTaskResult.objects.get().status == "READY"


def test_a_failing_job_is_tried_again_after_growing_pauses_then_kept(
    caplog: pytest.LogCaptureFixture,
) -> None:
    tasks.troubles["a"] = tasks.broken
    note.enqueue("a")
    for pause in jobs.BACKOFF:
        begun = timezone.now()
        assert run_jobs() == 1
        ended = timezone.now()
        assert waiting() == 1
        row = DBTaskResult.objects.get()
        assert begun <= row.run_after - timedelta(seconds=pause) <= ended
        DBTaskResult.objects.update(run_after=timezone.now())
    assert run_jobs() == 1
    row = DBTaskResult.objects.get()
    assert (row.status, row.exception_class_path) == ("FAILED", "builtins.ZeroDivisionError")
    assert "broken" in row.traceback
    assert "is given up" in caplog.text
    assert queue.prune() == 0
    DBTaskResult.objects.update(finished_at=timezone.now() - jobs.KEPT - timedelta(hours=1))
    assert queue.prune() == 1


def test_however_many_were_given_up_long_ago_all_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "_PRUNED_AT_ONCE", 2)
    queue.enqueue_many(note, "abcde")
    DBTaskResult.objects.update(status="FAILED", finished_at=timezone.now() - jobs.KEPT - timedelta(hours=1))
    assert queue.prune() == 5
    assert not DBTaskResult.objects.exists()


def test_a_job_whose_function_is_gone_is_kept_for_people() -> None:
    note.enqueue("a")
    DBTaskResult.objects.update(task_path="tests.config.tasks.gone")
    assert run_jobs(later=True) == len(jobs.BACKOFF) + 1
    assert DBTaskResult.objects.get().status == "FAILED"


def test_one_of_many_processes_has_the_turn() -> None:
    assert periodic.has_turn("job", 30)
    assert not periodic.has_turn("job", 30)
    Turn.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    assert periodic.has_turn("job", 30)
    assert not periodic.has_turn("job", 30)
    assert periodic.has_turn("another", 30)


def test_names_of_workers_are_their_own() -> None:
    assert len({worker_name() for _ in range(100)}) == 100


def test_a_worker_has_a_connection_for_each_thread(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = {"max_size": 4}
    monkeypatch.setitem(settings.DATABASES["default"], "OPTIONS", {"pool": pool})
    make_room()
    assert pool["max_size"] == sum(jobs.LANES.values()) + 3


def test_a_claim_reads_the_first_entry_of_one_range(django_assert_num_queries: Any) -> None:
    queue.enqueue_many(note, (str(number) for number in range(50)))
    due = DBTaskResult.objects.filter(
        status="READY", queue_name=jobs.DEFAULT, priority=0, run_after__lte=timezone.now()
    ).order_by("run_after")
    if connection.vendor == "sqlite":
        plan = due[:1].explain()
        assert "SEARCH" in plan
        assert "TEMP B-TREE" not in plan
    with django_assert_num_queries(2 if connection.vendor == "sqlite" else 4):
        claimed_task = queue.claim("worker", jobs.DEFAULT)
    assert claimed_task is not None


def test_a_worker_that_cannot_be_started_now_is_started_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread that looks after the workers outlives a moment without memory, and so do its workers."""
    started: list[str] = []
    done = threading.Event()

    def start(name: str, queues: str) -> Any:
        started.append(name)
        if len(started) == 2:
            raise OSError(errno.ENOMEM, "no memory")
        if len(started) == 3:
            done.set()
        return subprocess.Popen(["sleep", "60"])

    monkeypatch.setattr(supervisor, "start_worker", start)
    monkeypatch.setattr(supervisor, "_PAUSE", 0.01)
    workers = supervisor.Supervisor(2)
    workers.start()
    try:
        assert done.wait(60)
    finally:
        workers.stop()
