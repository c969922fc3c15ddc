"""One worker process: it claims tasks, runs them in threads, and says that it is alive.

The main thread claims and takes signals; each queue has its own threads; one more beats the heart. What may
go wrong goes wrong all the time: the database is away, the process is paused, the answer to a claim is lost.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, close_old_connections, connection, connections
from django.db.models.functions import Now
from django_tasks.base import TaskContext
from django_tasks_db.models import DBTaskResult

from config import housekeeping, jobs, tracing
from config.api.request_id import start_request
from config.jobs import periodic, queue
from config.jobs.models import Worker as WorkerRow
from config.outages import as_outage
from config.processes import worker_name

logger = logging.getLogger(__name__)

# Seconds between two looks at an empty queue, growing from the first to the last.
SHORTEST_WAIT, LONGEST_WAIT = 0.05, 0.5
# Beats in one lease: several may fail before others take the worker for dead.
BEATS = 4
_OUTAGE_PAUSE = 1.0


class Worker:
    """A worker of some queues, run in the main thread of its process."""

    def __init__(self, *, name: str | None = None, queues: Iterable[str] = jobs.LANES) -> None:
        self.name = name or worker_name()
        self.lanes = [Lane(self, lane_queue, jobs.LANES[lane_queue]) for lane_queue in queues]
        self.lease = float(settings.JOB_LEASE)
        self.wake = threading.Event()
        self._ended = threading.Event()
        self._steady = True

    def run(self) -> bool:
        """Work until SIGTERM or SIGINT; False when a running task took too long to end, and went back."""
        jobs.go_on()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_signal)
        self._beat()
        heart = threading.Thread(target=self._keep_beating, name="heartbeat", daemon=True)
        heart.start()
        housekeeping.every(housekeeping.INTERVAL, periodic.run_due, self._ended)
        try:
            self._claim_until_stopped()
            return self._drain()
        finally:
            self._ended.set()
            heart.join(1)
            self._leave()

    def stop(self) -> None:
        """Claim nothing more; `run` returns when the running tasks have ended."""
        # Not `wake`: a signal may come while this very thread holds the event's lock.
        jobs.ask_to_stop()

    def _on_signal(self, number: int, frame: Any) -> None:
        self.stop()

    def _claim_until_stopped(self) -> None:
        wait = SHORTEST_WAIT
        next_look = 0.0
        while not jobs.stopping():
            self.wake.clear()
            try:
                close_old_connections()
                if time.monotonic() >= next_look:
                    queue.reconcile(self.name, self.running())
                    next_look = time.monotonic() + self.lease / BEATS
                claimed = sum(lane.claim() for lane in self.lanes)
            except (DatabaseError, InterfaceError) as error:
                logger.warning("The queue cannot be read: %s", type(error).__name__)
                connections.close_all()
                next_look, claimed = 0.0, 0
                self.wake.wait(_OUTAGE_PAUSE)
            close_old_connections()
            wait = SHORTEST_WAIT if claimed else min(wait * 1.5, LONGEST_WAIT)
            if not claimed and not jobs.stopping():
                # A task that ends wakes us: its thread is free for the next one.
                self.wake.wait(wait)

    def running(self) -> set[Any]:
        """Return the ids of the tasks that run in this process."""
        return {pk for lane in self.lanes for pk in list(lane.running)}

    def _drain(self) -> bool:
        """Wait for the running tasks, then give back those that take too long."""
        deadline = time.monotonic() + settings.RENDER_TIMEOUT
        while self.running() and time.monotonic() < deadline:
            self.wake.clear()
            self.wake.wait(0.2)
        left = self.running()
        if left:
            self._put_all_back()
        return not left

    def _put_all_back(self) -> None:
        """Give back what still runs; while the database is away, others take it up when the lease is over."""
        try:
            close_old_connections()
            for task in queue.running(self.name):
                queue.put_back(task, "again")
        except (DatabaseError, InterfaceError) as error:
            logger.warning("Running tasks could not be given back: %s", type(error).__name__)
            connections.close_all()

    def _keep_beating(self) -> None:
        while not self._ended.wait(self.lease / BEATS):
            self._beat()

    def _beat(self) -> None:
        """Say that we are alive, and take the tasks of those who are not."""
        try:
            close_old_connections()
            if not WorkerRow.objects.filter(pk=self.name).update(seen_at=Now()):
                WorkerRow.objects.create(
                    pk=self.name, host=socket.gethostname(), pid=os.getpid(), started_at=Now(), seen_at=Now()
                )
            # After an outage everybody's last beat is old: all may beat once before any is taken for dead.
            if self._steady:
                queue.reap(self.lease)
            self._steady = True
        except (DatabaseError, InterfaceError) as error:
            logger.warning("No heartbeat: %s", type(error).__name__)
            self._steady = False
            connections.close_all()
        except Exception:  # a worker without a heart runs its tasks while others take them up
            logger.exception("No heartbeat")
            self._steady = False
        finally:
            close_old_connections()

    def _leave(self) -> None:
        try:
            WorkerRow.objects.filter(pk=self.name).delete()
        except (DatabaseError, InterfaceError):
            logger.warning("The worker could not sign off")
        connections.close_all()


class Lane:
    """The threads of one queue in a worker."""

    def __init__(self, worker: Worker, lane_queue: str, threads: int) -> None:
        self.worker, self.queue, self.threads = worker, lane_queue, threads
        self.running: dict[Any, DBTaskResult] = {}
        self._pool = ThreadPoolExecutor(threads, f"queue-{lane_queue}")

    def claim(self) -> bool:
        """Take one task if a thread is free; tell whether there was one."""
        if len(self.running) >= self.threads:
            return False
        task = queue.claim(self.worker.name, self.queue)
        if task is None:
            return False
        self.running[task.pk] = task
        self._pool.submit(self._run, task)
        return True

    def _run(self, task: DBTaskResult) -> None:
        try:
            close_old_connections()
            note = carry_out(task)
            while not self._is_noted(task, note):
                time.sleep(_OUTAGE_PAUSE)
        except Exception:
            # `reconcile` will find it running, and here it is not.
            logger.exception("The end of task %s was not noted", task.pk)
        finally:
            close_old_connections()
            self.running.pop(task.pk, None)
            self.worker.wake.set()

    def _is_noted(self, task: DBTaskResult, note: Callable[[], None]) -> bool:
        """Note how a task ended; False while the database is away and the worker is not asked to end."""
        try:
            close_old_connections()
            note()
        except (DatabaseError, InterfaceError) as error:
            logger.warning("The end of task %s is not noted yet: %s", task.pk, type(error).__name__)
            connections.close_all()
            return as_outage(error) is None or jobs.stopping()
        return True


def carry_out(task: DBTaskResult) -> Callable[[], None]:
    """Run a claimed task in this thread; return what notes how it ended, to be called until it succeeds."""
    start_request(str(task.pk))
    try:
        with (
            jobs.patience(is_over=queue.out_of_patience(task)),
            tracing.span("job", **{"job.task": task.task_path}),
        ):
            call(task)
    except jobs.Retry as retry:
        return partial(queue.put_back, task, "again", retry.after_seconds)
    except jobs.Outage as outage:
        return partial(_await_part, task, outage)
    except Exception as error:
        # It may have failed with its connection. (Inside of a transaction only tests run tasks.)
        if not connection.in_atomic_block:
            close_old_connections()
        if as_outage(error):
            return partial(queue.wait_for_part, task, error)
        logger.exception("Task %s failed", task.task_path)
        return partial(queue.fail, task, error)
    return partial(queue.finish, task)


def _await_part(task: DBTaskResult, outage: jobs.Outage) -> None:
    outage.take_back()
    queue.wait_for_part(task, outage.__cause__ or outage)


def call(task: DBTaskResult) -> None:
    """Call the function of a task with its arguments."""
    result = task.task_result
    context: tuple[Any, ...] = ()
    if result.task.takes_context:
        context = (TaskContext(task_result=result),)  # type: ignore[arg-type]  # typed for Django 6
    result.task.call(*context, *result.args, **result.kwargs)
