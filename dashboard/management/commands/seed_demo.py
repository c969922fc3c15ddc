"""`python manage.py seed_demo`: the demo organization, its templates and how to use them."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from config.checks import OURS
from dashboard.banner import banner, base_url
from dashboard.seeding import seed_demo


class Command(BaseCommand):
    """Create what is missing of the demo; running it again changes nothing."""

    help = "Create the demo organization with its templates, and print how to log in and render."
    requires_system_checks = OURS

    def handle(self, *args: Any, **options: Any) -> None:
        """Seed and print."""
        self.stdout.write(banner(seed_demo(), base_url(settings.HOST, settings.PORT)))
