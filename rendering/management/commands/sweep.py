"""`manage.py sweep`."""

from typing import Any

from django.core.management.base import BaseCommand

from config.checks import OURS
from rendering.sweeping import sweep


class Command(BaseCommand):
    """Fail documents whose render was killed, and remove what it left behind; `serve` does so by itself."""

    help = __doc__
    requires_system_checks = OURS

    def handle(self, *args: Any, **options: Any) -> None:
        """Sweep once."""
        self.stdout.write(f"{sweep()} interrupted renders swept")
