"""The database and what lies in it: tables, secrets, workers."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

from config.doctor.clocks import WORST_SKEW_OF_DATABASE, check_skew
from config.doctor.findings import ADVICE, Wrong
from config.health import missing_migrations

# Migrations that the code before them does not bear: the exceptions of docs/operating.md.
NEED_A_GAP: Final = {"postgresql": {"templates_app.0003_exact_json"}}
QUIET_WORKER: Final = timedelta(minutes=2)


def check_database() -> str:
    """Reach the database; its clock is the one that leases are counted by."""
    if connection.vendor == "postgresql":
        with _without_pool() as alone, alone.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp(), current_setting('server_version')")
            now, version = cursor.fetchone()
        check_skew("database", timezone.now() - now, WORST_SKEW_OF_DATABASE)
        return f"PostgreSQL {version} answers"
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return f"{connection.vendor} answers"


@contextmanager
def _without_pool() -> Iterator[BaseDatabaseWrapper]:
    """Give a connection of its own: the pool tries for ten seconds, and keeps what it met to itself."""
    alone = connection.copy()
    alone.settings_dict["OPTIONS"] = {
        name: value for name, value in alone.settings_dict["OPTIONS"].items() if name != "pool"
    }
    try:
        yield alone
    finally:
        alone.close()


def check_migrations() -> str:
    """Every table is as this version of the code expects it."""
    if missing := missing_migrations():
        gap = any(
            name in missing and f"{name.partition('.')[0]}.0001_initial" not in missing
            for name in NEED_A_GAP.get(connection.vendor, ())
        )
        raise Wrong(
            f"{len(missing)} migrations are not applied, the first is {missing[0]}",
            'Stop serve and worker, then run manage.py migrate: docs/operating.md, "An exception".'
            if gap
            else "Run manage.py migrate; the running service bears that.",
        )
    return "all applied"


def check_writing() -> str:
    """Write a row in a transaction that is undone."""
    from config.jobs.models import Turn

    name = f"doctor-{secrets.token_hex(4)}"
    with transaction.atomic():
        Turn.objects.create(pk=name, due_at=timezone.now())
        found = Turn.objects.filter(pk=name).exists()
        transaction.set_rollback(True)
    if not found or Turn.objects.filter(pk=name).exists():
        raise Wrong("a transaction was not kept apart", ADVICE["writing"])
    return "a row was written and rolled back"


def check_credentials() -> str:
    """The signing secrets of organizations and webhooks can be read, also those that were replaced lately."""
    from accounts.encryption import unreadable_secrets

    unreadable, total = unreadable_secrets()
    if unreadable:
        raise Wrong(
            f"the secrets of {unreadable} of {total} organizations and webhooks cannot be read with "
            "CREDENTIALS_KEYS",
            "Add the key that they were stored with behind the present one. If it is lost, these "
            "organizations must rotate their credentials, and the secrets of these webhooks.",
        )
    return f"the secrets of {total} organizations and webhooks can be read"


def check_shared_secrets() -> str:
    """This machine has the secrets with which the service was started last, wherever that was."""
    from config.shared_secrets import differing_setting, last_start, told

    last = last_start()
    if last is None:
        return "the service has not been started on this database"
    if name := differing_setting(last):
        raise Wrong(
            told(name, last),
            f"Give all machines the same {name}; after a restore, that of the backup. If it was changed on "
            "purpose and for all, the next start takes note of it.",
            "warning",
        )
    return f"those of the start on {last.host} at {last.at:%Y-%m-%d %H:%M} UTC"


def check_worker() -> str:
    """Somebody works on the queue."""
    from config.jobs.models import Worker

    last = Worker.objects.order_by("-seen_at").values_list("seen_at", flat=True).first()
    if last is None or timezone.now() - last > QUIET_WORKER:
        since = f" since {last:%Y-%m-%d %H:%M} UTC" if last else ""
        raise Wrong(
            f"no worker has been seen{since}: asynchronous renders, batches and webhooks wait",
            "Start manage.py worker, or serve with JOB_WORKERS above 0.",
            "warning",
        )
    return f"seen {(timezone.now() - last).total_seconds():.0f} seconds ago"
