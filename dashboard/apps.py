"""The pages for people, and the demo."""

from django.apps import AppConfig


class DashboardConfig(AppConfig):
    """Register the app."""

    name = "dashboard"
    verbose_name = "Dashboard"
