"""`python manage.py serve`: the service itself, with several worker processes."""

from __future__ import annotations

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor

from config.serving_command import ServingCommand


class Command(ServingCommand):
    """Serve a database that is migrated."""

    help = "Serve the API, the admin and the files; HOST, PORT, WORKERS and THREADS are the defaults."

    def prepare(self) -> None:
        """Refuse to serve while a migration is missing."""
        require_migrations()

    def announce(self, host: str, port: int) -> None:
        """Say where the service answers."""
        shown = f"[{host}]" if ":" in host else host or "0.0.0.0"  # noqa: S104 (shown, not bound)
        self.stdout.write(f"Serving on {settings.BASE_URL or f'http://{shown}:{port}'}")
        self.stdout.flush()


def require_migrations() -> None:
    """Raise CommandError while the database lacks a migration; leaves no connection open."""
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    finally:
        connections.close_all()
    if missing:
        raise CommandError(f"{len(missing)} migrations are not applied: run manage.py migrate")
