"""Jobs: work that must be done, but not within a request. The app label is `jobs`.

A task is a function with `django_tasks.task` in the `tasks.py` of its app; it takes ids, or what is as
small, and is enqueued inside the transaction that makes the work necessary. What a task may rely on:

- It runs at least once. The worker that runs it may be killed, or paused for minutes: then another one
  takes the task up, and both may run at the same time. So a task finds out from its own rows what is left
  to do, and writes only if its row is still what it has read (an attempt number, a status).
- It may raise `Retry(seconds)` to be called again later, as often as it likes. Any other exception calls it
  again after `BACKOFF`; then it is given up, logged, and kept for `KEPT` with its traceback.
- A lost part (`config.outages`) is no failure of the task: it is called again until the part is back, after
  growing pauses (`LONGEST_PAUSE`), for `PATIENCE`. Whatever it has counted for itself it takes back by
  raising `Outage`; `may_wait()` tells whether it will be called again.
- A long task looks at `stopping()` between its steps and raises `Retry(0)`.

Tasks that mostly wait for the network belong into the queue `IO`: several of them run at a time in a worker,
and none of them keeps a render waiting. Files that are put together from many belong into `ASSEMBLY`: that
takes minutes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import timedelta

from django.db import connection

DEFAULT = "default"
ASSEMBLY = "assembly"
IO = "io"
# Threads of one worker for each queue. Rendering is bound by the processor: more workers, not threads.
LANES = {DEFAULT: 1, ASSEMBLY: 1, IO: 8}
# What is asked for one by one, and what comes by the thousand. The queue knows no other priorities.
NORMAL, LOW = 0, -10
PRIORITIES = (NORMAL, LOW)
BACKOFF = (2.0, 10.0, 60.0, 300.0)
KEPT = timedelta(days=7)
# How long a task waits for a lost part, and the seconds after which it is called again at the latest.
PATIENCE = timedelta(days=1)
LONGEST_PAUSE = 60.0


class Retry(Exception):
    """The task is not done; call it again after so many seconds."""

    def __init__(self, after_seconds: float) -> None:
        super().__init__(after_seconds)
        self.after_seconds = after_seconds


class Outage(Exception):
    """A part that the task needs is lost; it was no failure of the task.

    `take_back` undoes what the task has counted for itself. It is called until it succeeds: the part that is
    lost may be the database.
    """

    def __init__(self, take_back: Callable[[], object]) -> None:
        super().__init__()
        self.take_back = take_back


# Whether the outage that the running task waits for has lasted for PATIENCE.
_out_of_patience: ContextVar[bool] = ContextVar("out_of_patience", default=False)


def may_wait() -> bool:
    """Tell the running task whether it will be called again after an outage."""
    return not _out_of_patience.get()


@contextmanager
def patience(*, is_over: bool) -> Iterator[None]:
    """Settle what `may_wait` says inside of the `with`; for workers."""
    token = _out_of_patience.set(is_over)
    try:
        yield
    finally:
        _out_of_patience.reset(token)


def give_connection_back() -> None:
    """Close the thread's connection to the database before a task waits or works long without it.

    Others may need it, and one that idles for minutes may be cut.
    """
    if not connection.in_atomic_block:  # (only tests run within one)
        connection.close()


# No `Event`: a signal that comes while another sets it would wait for the lock of its own thread.
_asked_to_stop = False


def stopping() -> bool:
    """Tell a long task that its worker was asked to end."""
    return _asked_to_stop


def ask_to_stop() -> None:
    """Have long tasks end; for workers, also in the handler of a signal."""
    global _asked_to_stop
    _asked_to_stop = True


def go_on() -> None:
    """Take `ask_to_stop` back: another worker begins in this process."""
    global _asked_to_stop
    _asked_to_stop = False
