"""Webhooks of organizations."""

from django.apps import AppConfig

from config import housekeeping


class WebhooksConfig(AppConfig):
    """Register the webhooks app and its housekeeping."""

    name = "accounts.webhooks"
    label = "webhooks"
    verbose_name = "Webhooks"

    def ready(self) -> None:
        """Have deliveries whose task was lost taken up again."""
        from accounts.webhooks.upkeep import resume_overdue

        housekeeping.register(resume_overdue)
