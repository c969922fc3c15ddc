"""Documents and the formats they are written in."""

from django.apps import AppConfig


class RenderingConfig(AppConfig):
    """Tell the lower layers which formats exist and where assets are used; have interrupted renders swept."""

    name = "rendering"
    verbose_name = "Documents"

    def ready(self) -> None:
        """Announce the registry; it is asked at each use."""
        from assets import references
        from config import housekeeping
        from rendering.asset_uses import find_uses
        from rendering.formats import RENDERERS
        from rendering.orphans import scheduled_sweep
        from rendering.retention import scheduled_purge
        from rendering.sweeping import sweep
        from rendering.tasks import resume_given_up
        from templates_app import formats

        formats.announce(lambda: tuple(RENDERERS))
        references.announce(find_uses)
        housekeeping.register(sweep)
        housekeeping.register(resume_given_up, every=300)
        housekeeping.register(scheduled_purge, every=600)
        housekeeping.register(scheduled_sweep, every=600)
