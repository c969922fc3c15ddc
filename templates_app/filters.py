"""The filters of `GET /v1/templates`."""

from __future__ import annotations

from collections.abc import Mapping

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from config.api.parameters import choice, where
from templates_app.models import Template, TemplateQuerySet

# Archived ones are in no list (specification section 3).
LISTED_STATUSES = (Template.Status.DRAFT, Template.Status.PUBLISHED)

FILTER_PARAMETERS = [
    OpenApiParameter(
        "status", OpenApiTypes.STR, enum=[str(s) for s in LISTED_STATUSES], description="Only in this state."
    ),
    OpenApiParameter(
        "externalUserId",
        OpenApiTypes.STR,
        description="Only of this end user. A public key sees its own user's alone, whatever it sends.",
    ),
]


def select(
    templates: TemplateQuerySet, query: Mapping[str, str], *, is_public: bool
) -> tuple[TemplateQuerySet, dict[str, str]]:
    """Return the templates that a query asks for, and what is wrong with it, by parameter."""
    errors: dict[str, str] = {}
    if (status := choice(query, "status", LISTED_STATUSES, errors)) is not None:
        templates = templates.filter(status=status)
    if not is_public:
        templates = where(templates, query, "externalUserId", "external_user_id")
    return templates, errors
