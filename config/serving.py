"""Run the service: granian, several worker processes, and the housekeeping of the parent.

Granian is about twice as fast as gunicorn on small answers and as fast on slow ones.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from multiprocessing.connection import wait
from multiprocessing.util import Finalize
from typing import Any, TypeVarTuple, cast

from django.conf import settings
from django.db import connection, connections
from granian import loops
from granian.constants import Interfaces, Loops
from granian.log import LogLevels
from granian.server import MPServer
from granian.server.mp import WorkerProcess

from config import logs, metrics, tracing
from config.backends import limit_answers
from config.housekeeping import INTERVAL, every
from config.jobs.supervisor import Supervisor
from config.processes import Interrupt, cores, end_with_parent, spare_collections

logger = logging.getLogger(__name__)

APPLICATION = "config.asgi:application"
# On SIGTERM a worker may finish its longest render, store it and answer.
STORING_SECONDS = 15
# A worker that dies so often in so many seconds is started again with a pause in between.
CALM_DEATHS, CALM_SECONDS, PAUSE = 20, 5.0, 2.0
_LOOP = "asked once"
Ts = TypeVarTuple("Ts")


class Loop(asyncio.SelectorEventLoop):
    """The loop of a web worker: a worker that is asked to stop again has been asked.

    Granian's own handler (2.8.7) stands still for ever at its third call, holding the interpreter's lock.
    """

    _asked_to_stop = False

    def add_signal_handler(self, sig: int, callback: Callable[[*Ts], Any], *args: *Ts) -> None:
        """Have `callback` called at the first signal of all those that are handled."""
        super().add_signal_handler(sig, self._stop_once, callback, args)

    def _stop_once(self, callback: Callable[[*Ts], Any], args: tuple[*Ts]) -> None:
        if not self._asked_to_stop:
            self._asked_to_stop = True
            callback(*args)


@loops.register(_LOOP)
def make_loop() -> asyncio.AbstractEventLoop:
    """Return the loop of this worker; granian asks for it by its name."""
    loop = Loop()
    asyncio.set_event_loop(loop)
    return loop


class PortTaken(Exception):
    """Something else listens on the address."""


class Worker(WorkerProcess):
    """A web worker that has ended for everybody as soon as it has.

    Granian has a thread wait for each, which takes the exit status away from who else asks: until that thread
    has noted it the worker seems to live, and `_stop_workers` warns of killing one that has ended well.
    """

    def is_alive(self) -> bool:
        """Tell whether the process is there; its end of the pipe closes with it."""
        return super().is_alive() and not wait([self.inner.sentinel], timeout=0)


class Server(MPServer):
    """Granian that never gives up on dead workers, and that any number of signals stops.

    Its own rule ends the service when a worker dies twice within 5.5 seconds; under memory pressure the
    kernel does just that, and the other workers are still answering.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.main_loop_interrupt = cast(threading.Event, Interrupt())
        self._deaths: deque[float] = deque(maxlen=CALM_DEATHS)
        self.on_stop: Callable[[], None] = lambda: None

    def _spawn_worker(self, *args: Any, **kwargs: Any) -> Worker:
        worker: Any = super()._spawn_worker(*args, **kwargs)
        worker.__class__ = Worker  # granian names its own class, with a score of arguments
        return worker

    def _stop_workers(self) -> None:
        self.on_stop()  # before web workers are waited for: both kinds end at the same time
        super()._stop_workers()

    def _respawn_workers(
        self, workers: list[int], spawn_target: Any, target_loader: Any, delay: float = 0
    ) -> None:
        now = time.monotonic()
        self._deaths.extend([now] * len(workers))
        if len(self._deaths) == CALM_DEATHS and now - self._deaths[0] < CALM_SECONDS:
            logger.error("Workers die in a row: starting them again in %s seconds", PAUSE)
            time.sleep(PAUSE)
        if self.interrupt_signal:
            return
        super()._respawn_workers(workers, spawn_target, target_loader, delay)
        self.respawned_wrks.clear()
        # A death between granian's reading of the list and its clearing of the event would go unnoticed.
        if self.interrupt_children or self.interrupt_signal:
            self.main_loop_interrupt.set()


def serve(
    *,
    host: str,
    port: int,
    workers: int,
    on_ready: Callable[[], None] | None = None,
    housekeeping: Callable[[], None] | None = None,
) -> None:
    """Serve on `host`:`port` until SIGTERM or SIGINT; `workers` 0 means one per core, at least two.

    `on_ready` is called once in this process when the port answers, then `housekeeping` every half minute.
    Killed workers, those of JOB_WORKERS too, are started again, and end with this process whatever ends it.
    Raises PortTaken when another process has the port. Must run in the main thread.
    """
    claimed = claim(host, port)
    check_port(host, port)
    # Workers are fresh interpreters, not forks: no lock or connection of a thread here reaches them.
    multiprocessing.set_start_method("spawn", force=True)
    connections.close_all()
    metrics.clean()
    os.environ |= {"HOST": host, "PORT": str(port)}
    server = _server(host, port, workers or default_workers())
    stop = threading.Event()
    watcher = threading.Thread(
        target=_when_ready, args=(host, port, stop, on_ready, housekeeping), name="ready", daemon=True
    )
    server.on_startup(watcher.start)
    job_workers = settings.JOB_WORKERS
    supervisor = Supervisor(default_job_workers() if job_workers is None else job_workers)
    server.on_startup(supervisor.start)

    def stopping() -> None:
        claimed.close()  # who is to follow may start while the last requests finish
        supervisor.ask_to_stop()

    server.on_stop = stopping
    try:
        server.serve(target_loader=load_application, wrap_loader=False)
    finally:
        claimed.close()
        stop.set()
        supervisor.stop()


def _server(host: str, port: int, workers: int) -> Server:
    """Return the web workers, which begin with `serve`."""
    return Server(
        APPLICATION,
        address=resolve(host),
        port=port,
        interface=Interfaces.ASGINL,
        loop=cast(Loops, _LOOP),
        workers=workers,
        backlog=2048,
        websockets=False,
        log_level=LogLevels.warning,
        log_dictconfig=logs.GRANIAN,
        respawn_failed_workers=True,
        workers_kill_timeout=settings.RENDER_TIMEOUT + STORING_SECONDS,
    )


def default_workers() -> int:
    """Return one worker per usable core, at least two: one slow render must not stop everything."""
    return max(2, cores())


def default_job_workers() -> int:
    """Return how many job workers run beside the web workers when JOB_WORKERS does not say it.

    One beside the embedded database; elsewhere `manage.py worker` runs where the operator wants it.
    """
    return 1 if connection.vendor == "sqlite" else 0


def check_port(host: str, port: int) -> None:
    """Raise PortTaken unless `host`:`port` can be listened on.

    Granian shares ports (SO_REUSEPORT), so a second service would silently take half of the requests.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen(1)
    except OSError as error:
        raise PortTaken(f"cannot listen on {host or '*'}:{port}: {error.strerror or error}") from None


def claim(host: str, port: int) -> socket.socket:
    """Keep `host`:`port` for this process until the socket is closed, or raise PortTaken.

    Workers listen seconds after `check_port`; a second service that starts meanwhile finds the port free too.
    The claim is a name that the kernel gives to one process at a time; systems without such names go without.
    """
    holder = socket.socket(socket.AF_UNIX)
    if sys.platform == "linux":
        try:
            holder.bind(f"\0documents-serve {resolve(host)}:{port}")
        except OSError:
            holder.close()
            raise PortTaken(f"cannot listen on {host or '*'}:{port}: another service starts there") from None
    return holder


def resolve(host: str) -> str:
    """Return the IP address of `host`: granian takes no names; an empty one means every interface."""
    if not host:
        return "0.0.0.0"  # noqa: S104 (what an empty HOST asks for)
    return str(socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][4][0])


def load_application() -> Any:
    """Return the ASGI application; runs in each worker, before it listens.

    A worker ends with its parent, whatever ends that: an orphan would keep the port.
    """
    parent = multiprocessing.parent_process()
    if parent is not None and parent.pid is not None:
        end_with_parent(parent.pid, settings.RENDER_TIMEOUT + STORING_SECONDS)
    limit_answers(settings.DATABASES, settings.DATABASE_TIMEOUT)
    tracing.start(settings.OTEL_EXPORTER_OTLP_ENDPOINT)
    Finalize(None, tracing.stop, exitpriority=0)  # `atexit` is not run in such processes
    Finalize(None, _end, exitpriority=-100)  # the last one
    from config.asgi import application

    spare_collections()
    return application


def _end() -> None:
    """End a worker that has served, before the interpreter takes itself apart.

    Granian's threads still hold objects of it then: now and then one panics and aborts the process.
    """
    if sys.exc_info()[0] is None:
        logging.shutdown()
        os._exit(0)


def _when_ready(
    host: str,
    port: int,
    stop: threading.Event,
    on_ready: Callable[[], None] | None,
    housekeeping: Callable[[], None] | None,
) -> None:
    while not stop.is_set() and not answers(host, port):
        stop.wait(0.05)
    if stop.is_set():
        return
    if on_ready is not None:
        try:
            on_ready()
        except Exception:
            logger.exception("The call at readiness failed")
        finally:
            connections.close_all()
    if housekeeping is not None:
        every(INTERVAL, housekeeping, stop)


def answers(host: str, port: int) -> bool:
    """Tell whether something accepts connections on `host`:`port` (loopback for a wildcard address)."""
    loopback = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (compared, not bound)
    try:
        with socket.create_connection((loopback.get(host, host), port), timeout=1):
            return True
    except OSError:
        return False
