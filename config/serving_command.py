"""What the commands that serve share: their options, and the way from a free port to a running service."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.checks import OURS
from config.jobs.periodic import run_due
from config.serving import PortTaken, check_port, serve
from config.shared_secrets import note_start
from config.static import collect_static


class ServingCommand(BaseCommand):
    """Serve until SIGTERM or Ctrl-C; a command says what to prepare and what to print."""

    requires_system_checks = OURS

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what may differ from the settings."""
        parser.add_argument("--host", default=settings.HOST, help="address to listen on")
        parser.add_argument("--port", type=int, default=settings.PORT, help="port to listen on")
        parser.add_argument(
            "--workers",
            type=int,
            default=settings.WORKERS,
            help="worker processes; 0: one per core, at least two",
        )

    def handle(self, *args: Any, host: str, port: int, workers: int, **options: Any) -> None:
        """Check what must hold before the first request, then serve."""
        if not 1 <= port <= 65535:
            raise CommandError("--port must be between 1 and 65535")
        if workers < 0:
            raise CommandError("--workers must not be negative")
        try:
            check_port(host, port)
            self.prepare()
            note_start()
            collect_static()
            serve(
                host=host,
                port=port,
                workers=workers,
                on_ready=lambda: self.announce(host, port),
                housekeeping=run_due,
            )
        except PortTaken as error:
            raise CommandError(f"{error}. Choose another address with HOST and PORT.") from None

    def prepare(self) -> None:
        """Bring the database to where it may be served; leaves no connection open."""
        raise NotImplementedError

    def announce(self, host: str, port: int) -> None:
        """Print where to go, once the port answers."""
        raise NotImplementedError
