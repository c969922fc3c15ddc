"""Create an organization and print its credentials once."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from accounts.services import create_organization
from config.checks import OURS


class Command(BaseCommand):
    """`create_organization NAME [--allowed-domain DOMAIN]... [--json]`."""

    help = "Create an organization and print its id and credentials. They are shown this once."
    requires_system_checks = OURS

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments."""
        parser.add_argument("name", metavar="NAME", help="Name of the organization.")
        parser.add_argument(
            "--allowed-domain",
            dest="allowed_domains",
            metavar="DOMAIN",
            action="append",
            default=[],
            help="Host whose pages may use the public key, subdomains included; may be repeated.",
        )
        parser.add_argument("--json", dest="as_json", action="store_true", help="Print one JSON object.")

    def handle(self, *args: Any, **options: Any) -> None:
        """Create it; a wrong name or domain ends the command with a message."""
        try:
            with transaction.atomic():
                organization, credentials = create_organization(
                    name=options["name"], allowed_domains=options["allowed_domains"]
                )
                shown = {
                    "id": organization.pk,
                    "publicKey": credentials.public_key,
                    "secretKey": credentials.secret_key,
                    "signingSecret": credentials.signing_secret,
                }
                self._show(shown, as_json=options["as_json"])
        except ValueError as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            # Nobody can be shown them again: what was not printed whole is not made.
            raise CommandError(f"Nothing is created: its credentials cannot be printed ({error})") from None

    def _show(self, shown: dict[str, str], *, as_json: bool) -> None:
        """Print to the last byte; raises OSError where nobody takes it."""
        lines = (
            [json.dumps(shown)] if as_json else [f"{f'{key}:':<15}{value}" for key, value in shown.items()]
        )
        for line in lines:
            self.stdout.write(line)
        self.stdout.flush()
