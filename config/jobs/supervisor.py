"""Keeps worker processes running: beside the web workers of `serve`, or for `worker --processes`."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connections

from config.jobs import LANES
from config.processes import worker_name

logger = logging.getLogger(__name__)

_LOOK_SECONDS = 0.2
# Workers that die so often in so many seconds are started again after a pause.
_CALM_DEATHS, _CALM_SECONDS, _PAUSE = 10, 10.0, 2.0
# What a process needs to end after its last task has.
GRACE = 5.0


class Supervisor:
    """A number of worker processes, each started again when it dies; `stop` ends them all."""

    def __init__(self, processes: int, queues: Sequence[str] = tuple(LANES)) -> None:
        self._processes, self._queues = processes, ",".join(queues)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._deaths: deque[float] = deque(maxlen=_CALM_DEATHS)

    def start(self) -> None:
        """Start the processes and a thread that looks after them."""
        # The kernel ends a child with the thread that started it: this one lives until `stop`.
        self._thread = threading.Thread(target=self._supervise, name="job-workers", daemon=True)
        self._thread.start()

    def ask_to_stop(self) -> None:
        """Have the workers end when their tasks have; does not wait."""
        self._stop.set()

    def stop(self) -> None:
        """End the workers and wait for them; tasks that take too long go back into the queue."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _supervise(self) -> None:
        children: dict[str, subprocess.Popen[bytes]] = {}
        while not self._stop.is_set():
            for name in [name for name, child in children.items() if child.poll() is not None]:
                logger.warning("Job worker %s ended with %s", name, children.pop(name).returncode)
                self._bury(name)
            try:
                while len(children) < self._processes:
                    name = worker_name()
                    children[name] = start_worker(name, self._queues)
            except OSError as error:  # no memory or no process left: the end of this thread ends all workers
                logger.error("A job worker cannot be started: %s", error)
                self._stop.wait(_PAUSE)
            self._stop.wait(_LOOK_SECONDS)
        _end(list(children.values()))

    def _bury(self, name: str) -> None:
        """Put the tasks of a dead worker back at once: nobody needs to wait for its lease to end."""
        # Not before: each web worker imports this module of its parent, and has no apps yet.
        from config.jobs.queue import bury

        self._deaths.append(time.monotonic())
        try:
            bury(name)
        except (DatabaseError, InterfaceError):
            logger.warning("Its lease will end by itself")
        finally:
            connections.close_all()
        if len(self._deaths) == _CALM_DEATHS and time.monotonic() - self._deaths[0] < _CALM_SECONDS:
            logger.error("Job workers die in a row: starting them again in %s seconds", _PAUSE)
            self._stop.wait(_PAUSE)


def start_worker(name: str, queues: str) -> subprocess.Popen[bytes]:
    """Start one worker process that ends with this one."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "worker"]
    command += ["--name", name, "--queues", queues, "--parent", str(os.getpid())]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603 (our own interpreter and file)


def _end(children: list[subprocess.Popen[bytes]]) -> None:
    for child in children:
        child.terminate()
    deadline = time.monotonic() + settings.RENDER_TIMEOUT + GRACE
    for child in children:
        try:
            child.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            logger.warning("Killing a job worker that does not end")
            child.kill()
            child.wait()
