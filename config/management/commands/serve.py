"""`python manage.py serve`: the service itself, with several worker processes."""

from __future__ import annotations

from django.conf import settings

from config.health import require_migrations
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
