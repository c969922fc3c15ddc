"""Jobs: work that must be done, but not within a request. The app label is `jobs`.

A task is a function with `django_tasks.task` in the `tasks.py` of its app; it takes small ids only, and is
enqueued inside the transaction that makes the work necessary. What a task may rely on:

- It runs at least once. The worker that runs it may be killed, or paused for minutes: then another one
  takes the task up, and both may run at the same time. So a task finds out from its own rows what is left
  to do, and writes only if its row is still what it has read (an attempt number, a status).
- It may raise `Retry(seconds)` to be called again later, as often as it likes. Any other exception calls it
  again after `BACKOFF`; then it is given up, logged, and kept for `KEPT` with its traceback.
- A long task looks at `stopping()` between its steps and raises `Retry(0)`.

Tasks that mostly wait for the network belong into the queue `IO`: several of them run at a time in a worker,
and none of them keeps a render waiting.
"""

from __future__ import annotations

import threading
from datetime import timedelta

DEFAULT = "default"
IO = "io"
# Threads of one worker for each queue. Rendering is bound by the processor: more workers, not threads.
LANES = {DEFAULT: 1, IO: 4}
# What is asked for one by one, and what comes by the thousand. The queue knows no other priorities.
NORMAL, LOW = 0, -10
PRIORITIES = (NORMAL, LOW)
BACKOFF = (2.0, 10.0, 60.0, 300.0)
KEPT = timedelta(days=7)


class Retry(Exception):
    """The task is not done; call it again after so many seconds."""

    def __init__(self, after_seconds: float) -> None:
        super().__init__(after_seconds)
        self.after_seconds = after_seconds


_stop = threading.Event()


def stopping() -> bool:
    """Tell a long task that its worker was asked to end."""
    return _stop.is_set()
