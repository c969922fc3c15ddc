"""The project package as an app: it owns `serve` and the wire conventions."""

from django.apps import AppConfig

HOUR = 3600.0


class ConfigConfig(AppConfig):
    """Register the project package for its management commands; limits come from the settings."""

    name = "config"

    def ready(self) -> None:
        """Announce the settings; they are asked at each use."""
        from django.conf import settings

        from config import checks, housekeeping, limits, storage  # noqa: F401 (checks register themselves)

        limits.announce(lambda name: getattr(settings, name))
        housekeeping.register(storage.sweep_drafts, every=HOUR)
