"""`manage.py purge`."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from assets import services as assets
from config.checks import OURS
from rendering.orphans import sweep_orphans
from rendering.retention import purge


class Command(BaseCommand):
    """Delete what is older than its organization wants it kept, and what killed uploads left."""

    help = __doc__
    requires_system_checks = OURS

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the option."""
        parser.add_argument("--dry-run", action="store_true", help="only say how much there is to delete")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        """Purge everything that is due; it may be interrupted and run again at any time."""
        done = purge(dry_run=dry_run)
        verb = "would be deleted" if dry_run else "deleted"
        self.stdout.write(f"{done.documents} documents of {len(done.organizations)} organizations {verb}")
        self.stdout.write(f"{done.batches} batches {verb}")
        self.stdout.write(f"{done.idempotency_keys} idempotency keys {verb}")
        self.stdout.write(f"{sweep_orphans(dry_run=dry_run)} files without a document or batch {verb}")
        self.stdout.write(f"{done.webhook_events} webhook events {verb}")
        self.stdout.write(f"{done.audit_entries} audit entries {verb}")
        self.stdout.write(f"{assets.sweep(dry_run=dry_run)} files without an asset {verb}")
