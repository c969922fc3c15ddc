"""Templates, their versions, and the language they are written in."""

from django.apps import AppConfig


class TemplatesAppConfig(AppConfig):
    """Register the templates app."""

    name = "templates_app"
    verbose_name = "Templates"
