"""`manage.py migrate`: Django's, once at a time."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import migrate

from config.alone import alone


class Command(migrate.Command):
    """Migrate the database; where another `migrate` is at it, wait and do what is left then."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Wait for the other one, then migrate."""

        def waits() -> None:
            if options["verbosity"]:
                self.stdout.write("Waiting for another migrate to end")

        with alone("migrate", waits):
            super().handle(*args, **options)
