"""`python manage.py serve`: the service itself, with several worker processes."""

from __future__ import annotations

import logging

from django.conf import settings

from config.health import require_migrations
from config.serving_command import ServingCommand

logger = logging.getLogger(__name__)


class Command(ServingCommand):
    """Serve a database that is migrated."""

    help = "Serve the API, the admin and the files; HOST, PORT, WORKERS and THREADS are the defaults."

    def prepare(self) -> None:
        """Refuse to serve while a migration is missing."""
        require_migrations()

    def announce(self, host: str, port: int) -> None:
        """Say where the service answers, and under which address people know it."""
        shown = f"[{host}]" if ":" in host else host or "0.0.0.0"  # noqa: S104 (shown, not bound)
        known = f" as {settings.BASE_URL}" if settings.BASE_URL else ""
        logger.info("Serving on http://%s:%s%s", shown, port, known)
