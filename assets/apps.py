"""The app of uploaded images."""

from django.apps import AppConfig

from config import housekeeping

DAY = 24 * 3600.0


class AssetsConfig(AppConfig):
    """Register the models."""

    name = "assets"

    def ready(self) -> None:
        """Have files swept whose upload or deletion was killed."""
        from assets.services import sweep

        housekeeping.register(sweep, every=DAY)
