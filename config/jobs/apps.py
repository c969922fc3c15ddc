"""The queue and its workers as an app."""

from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Own what `django_tasks_db` lacks: workers with a heartbeat, leases, and turns for periodic work."""

    name = "config.jobs"
    label = "jobs"
    verbose_name = "Jobs"

    def ready(self) -> None:
        """Have what was given up long ago deleted."""
        from config import housekeeping
        from config.jobs.queue import prune

        housekeeping.register(prune, every=3600)
