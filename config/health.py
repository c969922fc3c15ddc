"""`/healthz`: the process answers. `/readyz`: every part it needs does, and which one does not.

Each check runs in a thread of its own with a deadline, and its result is kept for some seconds: however often
a load balancer asks, a part is asked once, and one that hangs holds one thread. Reasons are class names and
fixed texts: an exception's own words may hold an address with its password.
"""

from __future__ import annotations

import logging
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import orjson
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage
from django.core.management.base import CommandError
from django.db import DatabaseError, InterfaceError, connection, connections
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse

from config import outages
from config.api.errors import error_body
from config.outages import lost_part

logger = logging.getLogger(__name__)

DEADLINE: Final = 2.0
# An object that is looked for and need not be there: reading is enough to see that the bucket answers us.
PROBE_NAME: Final = "probes/ready"


class NotReady(Exception):
    """A part answers, but not as it must; the text is ours and may be shown."""


def check_database() -> None:
    """Ask the database something: PostgreSQL whether it takes writes, which a copy does not."""
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            cursor.execute("SELECT 1")
        else:
            cursor.execute("SELECT current_setting('transaction_read_only')")
            if cursor.fetchone() == ("on",):
                raise NotReady("takes no writes")


def check_cache() -> None:
    """Write to the cache and read it back: the rate limit needs both."""
    name, value = f"probe:{secrets.token_hex(4)}", secrets.token_hex(4)
    cache.set(name, value, 10)
    if cache.get(name) != value:
        raise NotReady("does not keep what is written")
    cache.delete(name)


def check_storage() -> None:
    """Write a file where files are local; ask a bucket for an object, which changes nothing."""
    if isinstance(default_storage, FileSystemStorage):
        name = f"{PROBE_NAME}-{secrets.token_hex(4)}"
        try:
            default_storage.save(name, ContentFile(b"\0" * 4096))
        finally:
            default_storage.delete(name)
    else:
        default_storage.exists(PROBE_NAME)


def check_migrations() -> None:
    """See that the database has every migration of this code."""
    if missing := missing_migrations():
        raise NotReady(f"{len(missing)} are not applied: run manage.py migrate")


def missing_migrations() -> list[str]:
    """Return the names of the migrations that the database lacks, in the order they would run."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _ in plan]


def require_migrations() -> None:
    """Raise CommandError while the database lacks a migration; leaves no connection open."""
    try:
        missing = missing_migrations()
    finally:
        connections.close_all()
    if missing:
        raise CommandError(_not_applied(missing))


def database_refusal(error: Exception) -> str | None:
    """Say why a command met this error of the database; None where it is a fault of the command.

    A table that is missing is missed by whoever needs it first: commands do not ask for migrations before.
    """
    if (part := lost_part(error)) is not None:
        said = "the disk of the database is full" if part == "disk" else "the database does not answer"
        return f"{said}: {error}"
    try:
        missing = missing_migrations()
    except (DatabaseError, InterfaceError):
        return None
    return _not_applied(missing) if missing else None


def _not_applied(missing: list[str]) -> str:
    return f"{len(missing)} migrations are not applied: run manage.py migrate"


@dataclass(frozen=True)
class Result:
    """What a check found: no `reason` when all is well; `at` is a monotonic time."""

    reason: str | None
    at: float


class Check:
    """A named check with its last result, good for `fresh` seconds; a good one for ever where `once`."""

    def __init__(self, name: str, function: Callable[[], None], fresh: float, *, once: bool = False) -> None:
        self.name, self._function, self._fresh, self._once = name, function, fresh, once
        self._result: Result | None = None
        self._running: threading.Thread | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Ask again unless the last answer is still good or somebody is asking already."""
        with self._lock:
            if self._running is None and not self._is_good():
                self._running = threading.Thread(target=self._run, name=f"check {self.name}", daemon=True)
                self._running.start()

    def reason(self, deadline: float) -> str | None:
        """Return why the part is not ready, None when it is; waits until `deadline` (monotonic)."""
        with self._lock:
            running = self._running
        if running is not None:
            running.join(max(0.0, deadline - time.monotonic()))
            if running.is_alive():
                return "no answer in time"
        result = self._result
        return result.reason if result is not None else "no answer in time"

    def _is_good(self) -> bool:
        if (result := self._result) is None:
            return False
        return (self._once and result.reason is None) or time.monotonic() - result.at < self._fresh

    def _run(self) -> None:
        reason = in_full = None
        try:
            self._function()
        except NotReady as error:
            reason = in_full = str(error)
        except Exception as error:
            reason = "the disk is full" if lost_part(error) == "disk" else type(error).__name__
            in_full = outages.reason(error)
        finally:
            connections.close_all()
            self._tell(reason, in_full)
            with self._lock:
                self._result, self._running = Result(reason, time.monotonic()), None

    def _tell(self, reason: str | None, in_full: str | None) -> None:
        """Log a part that is lost or back, once each time, and with the words that no stranger is told."""
        before = self._result.reason if self._result else None
        if reason and reason != before:
            logger.warning("Not ready: %s: %s", self.name, in_full)
        elif before and not reason:
            logger.warning("Ready again: %s", self.name)


CHECKS: Final = (
    Check("database", check_database, 1.0),
    Check("cache", check_cache, 1.0),
    Check("storage", check_storage, 10.0),
    Check("migrations", check_migrations, 5.0, once=True),
)


def healthz(request: HttpRequest) -> HttpResponse:
    """Answer that this process is alive; asks nobody."""
    return _json({"status": "ok"})


def readyz(request: HttpRequest) -> HttpResponse:
    """Answer 200 when every part is ready, else 503 in the error shape; `checks` says which is down."""
    deadline = time.monotonic() + DEADLINE
    for check in CHECKS:
        check.start()
    reasons = {check.name: check.reason(deadline) for check in CHECKS}
    checks = {
        name: {"status": "ok"} if reason is None else {"status": "down", "reason": reason}
        for name, reason in reasons.items()
    }
    if down := [name for name, reason in reasons.items() if reason is not None]:
        body = error_body(f"Not ready: {', '.join(down)}") | {"status": "down", "checks": checks}
        return _json(body, 503, {"Retry-After": "5"})
    return _json({"status": "ok", "checks": checks})


def _json(body: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> HttpResponse:
    return HttpResponse(
        orjson.dumps(body),
        status=status,
        content_type="application/json",
        headers={"Cache-Control": "no-store"} | (headers or {}),
    )
