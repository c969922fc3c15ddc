"""`python manage.py run_demo`: migrate, seed, serve, and say where to go. What `make run` runs."""

from __future__ import annotations

from django.core.management import call_command

from config.serving_command import ServingCommand
from dashboard.banner import banner, base_url
from dashboard.seeding import seed_demo


class Command(ServingCommand):
    """Everything a fresh clone needs, in one step; running it again is harmless and quick."""

    help = "Apply migrations, seed the demo, serve, and print the log-in, the keys and a first request."
    # The database may lack its tables until this command has migrated.
    requires_migrations_checks = False

    def prepare(self) -> None:
        """Migrate and seed."""
        call_command("migrate", verbosity=0, interactive=False)
        self.access = seed_demo()

    def announce(self, host: str, port: int) -> None:
        """Print the banner."""
        self.stdout.write(banner(self.access, base_url(host, port)))
        self.stdout.flush()
