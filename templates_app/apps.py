"""Templates, their versions, and the language they are written in."""

from django.apps import AppConfig


class TemplatesAppConfig(AppConfig):
    """Build the models of templates."""

    name = "templates_app"
    verbose_name = "Templates"

    def ready(self) -> None:
        """Build every model while there is one thread, so that no request has to."""
        from config.api.bodies import build
        from templates_app.bodies import TemplateCreate, TemplateUpdate
        from templates_app.kinds import KINDS
        from templates_app.page import PageSettings
        from templates_app.variables import Variable

        build(*KINDS.values(), Variable, PageSettings, TemplateCreate, TemplateUpdate)
