"""`manage.py db_worker`, which comes with django_tasks_db: refused, it is not the worker of this queue."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    """Name the command that is meant: the other one holds no lease, and a lost part is a failure to it."""

    help = "Not for this service: manage.py worker works on its jobs."
    requires_system_checks: list[str] = []

    def run_from_argv(self, argv: list[str]) -> None:
        """Refuse whatever options the other worker would take."""
        super().run_from_argv(argv[:2])

    def handle(self, *args: Any, **options: Any) -> None:
        """Refuse."""
        raise CommandError(
            "db_worker knows no leases and no lost parts of this service; run manage.py worker instead"
        )
