"""`manage.py doctor`."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.doctor import examine

SIGNS = {"ok": "ok     ", "warning": "WARNING", "error": "ERROR  "}


class Command(BaseCommand):
    """Try the configuration end to end and say what is wrong; exit code 1 when something is."""

    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--no-mail", action="store_true", help="do not ask the mail server")
        parser.add_argument("--strict", action="store_true", help="warnings count as errors")

    def handle(self, *args: Any, no_mail: bool, strict: bool, **options: Any) -> None:
        """Print a line for each part, and what to do below those that are not well."""
        levels = []
        for finding in examine(e_mail=not no_mail):
            levels.append(finding.level)
            self.stdout.write(f"{SIGNS[finding.level]} {finding.part}: {finding.text}")
            if finding.advice:
                self.stdout.write(f"        -> {finding.advice}")
        wrong = [level for level in levels if level == "error" or (strict and level == "warning")]
        if wrong:
            raise CommandError(f"{len(wrong)} of {len(levels)} parts need your attention")
        self.stdout.write("The service can run with this configuration.")
