"""Create an organization and print its credentials once."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

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
            organization, credentials = create_organization(
                name=options["name"], allowed_domains=options["allowed_domains"]
            )
        except ValueError as error:
            raise CommandError(str(error)) from None
        shown = {
            "id": organization.pk,
            "publicKey": credentials.public_key,
            "secretKey": credentials.secret_key,
            "signingSecret": credentials.signing_secret,
        }
        if options["as_json"]:
            self.stdout.write(json.dumps(shown))
            return
        for name, value in shown.items():
            self.stdout.write(f"{name + ':':<15}{value}")
