"""`manage.py rotate_encryption`."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.encryption import rotate_encryption
from config.checks import OURS


class Command(BaseCommand):
    """Encrypt every stored secret with the first of CREDENTIALS_KEYS; harmless to repeat."""

    help = __doc__
    requires_system_checks = OURS

    def handle(self, *args: Any, **options: Any) -> None:
        """Rewrite what is stored under an earlier key; exit code 1 when something cannot be read."""
        done = rotate_encryption()
        self.stdout.write(
            f"{done.rewritten} secrets encrypted with the current key, {done.current} were already"
        )
        if done.unreadable:
            raise CommandError(
                f"{done.unreadable} secrets cannot be read with any of CREDENTIALS_KEYS: add the key that "
                "they were stored with, or let their organizations rotate"
            )
