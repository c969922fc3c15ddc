"""The project package as an app: it owns `serve` and the wire conventions."""

from typing import Any

from django.apps import AppConfig
from django.contrib.admin.apps import SimpleAdminConfig
from django.contrib.admin.checks import check_admin_app, check_dependencies
from django.core import checks

HOUR = 3600.0


class AdminConfig(SimpleAdminConfig):
    """The admin, whose pages are loaded with the URLs.

    Commands and job workers have none of them: with the API that they bring along they are half of a start.
    """

    def ready(self) -> None:
        """Register the checks."""
        checks.register(check_dependencies, checks.Tags.admin)
        checks.register(_check_admin, checks.Tags.admin)


def _check_admin(app_configs: Any, **options: Any) -> list[checks.CheckMessage]:
    from importlib import import_module

    from django.conf import settings

    import_module(settings.ROOT_URLCONF)
    found: list[checks.CheckMessage] = check_admin_app(app_configs, **options)
    return found


class ConfigConfig(AppConfig):
    """Register the project package for its management commands; limits come from the settings."""

    default = True  # of the two in this module
    name = "config"

    def ready(self) -> None:
        """Announce the settings; they are asked at each use."""
        from django.conf import settings

        from config import checks, housekeeping, limits, storage  # noqa: F401 (checks register themselves)

        limits.announce(lambda name: getattr(settings, name))
        housekeeping.register(storage.sweep_drafts, every=HOUR)
