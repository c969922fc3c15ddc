"""The filters of `GET /v1/templates`."""

from __future__ import annotations

from collections.abc import Mapping

from config.api.parameters import EXTERNAL_USER_ID, selected, status_parameter
from templates_app.models import Template, TemplateQuerySet

# Archived ones are in no list (specification section 3).
LISTED_STATUSES = (Template.Status.DRAFT, Template.Status.PUBLISHED)

FILTER_PARAMETERS = [status_parameter(LISTED_STATUSES), EXTERNAL_USER_ID]


def select(
    templates: TemplateQuerySet, query: Mapping[str, str], *, is_public: bool
) -> tuple[TemplateQuerySet, dict[str, str]]:
    """Return the templates that a query asks for, and what is wrong with it, by parameter."""
    errors: dict[str, str] = {}
    return selected(templates, query, LISTED_STATUSES, errors, is_public=is_public), errors
