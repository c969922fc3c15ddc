"""Documents and the formats they are written in."""

from django.apps import AppConfig


class RenderingConfig(AppConfig):
    """Tell the lower layers which formats exist, and have interrupted renders swept."""

    name = "rendering"
    verbose_name = "Documents"

    def ready(self) -> None:
        """Announce the registry; it is asked at each use."""
        from config import housekeeping
        from rendering.formats import RENDERERS
        from rendering.services import sweep
        from templates_app import formats

        formats.announce(lambda: tuple(RENDERERS))
        housekeeping.register(sweep)
