"""What our processes have in common, whatever they do: how many there are, and that none is left behind."""

from __future__ import annotations

import gc
import os
import secrets
import signal
import socket
import sys
import threading
import time
from queue import SimpleQueue

_LOOK_SECONDS = 0.5
# A render makes some ten thousand objects, and nearly all of them go without the collector's help.
_OBJECTS_BETWEEN_COLLECTIONS = 20_000


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def worker_name() -> str:
    """Return an id for a worker process that no other ever has, on any machine."""
    return f"{socket.gethostname()[:80]}:{os.getpid()}:{secrets.token_hex(4)}"


class Interrupt:
    """An event that signal handlers may set whatever they interrupt.

    `threading.Event` has a lock. A handler that comes while the same thread holds it, in `wait` or in the
    handler of the signal before, waits for itself: the service would never stop.
    """

    def __init__(self) -> None:
        self._happened = False
        self._calls = SimpleQueue[None]()  # its `put` may interrupt its `put` and `get`

    def set(self) -> None:
        """Let `wait` return, now and until `clear`."""
        self._happened = True
        self._calls.put(None)

    def clear(self) -> None:
        """Let `wait` wait again."""
        self._happened = False

    def wait(self) -> None:
        """Return as soon as it is set; one thread at a time."""
        while not self._happened:
            self._calls.get()


def end_with_parent(parent: int, grace: float) -> None:
    """Have this process end when its parent does, within `grace` seconds; exits when it already has.

    A thread looks after the parent. It asks for the end by SIGTERM, again and again: one that comes while a
    process still sets itself up may be lost. When time is up the kernel ends the process, whatever keeps its
    threads from running.
    """
    if os.getppid() != parent:
        sys.exit(1)
    threading.Thread(target=_end_after, args=(parent, grace), name="parent", daemon=True).start()


def _end_after(parent: int, grace: float) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    signal.setitimer(signal.ITIMER_REAL, max(grace, _LOOK_SECONDS))
    while True:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(_LOOK_SECONDS)


def spare_collections() -> None:
    """Have the garbage collector leave alone what is loaded by now, and run less often from now on.

    By default it looks at every 700 objects, and now and then at all modules: a tenth of a render.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
