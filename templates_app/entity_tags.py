"""`ETag` and `If-Match` of templates (RFC 9110, section 13.1.1): change only what the caller has seen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypedDict

from django.utils.http import parse_etags
from rest_framework.request import Request

from config.api.errors import ApiError
from templates_app.errors import if_match_failed, template_not_found
from templates_app.models import Template, TemplateQuerySet


class Expected(TypedDict, total=False):
    """What a service is to find when it has the template for itself; empty: whatever there is."""

    expected_version: int
    expected_status: str


def entity_tag(template: Template) -> str:
    """Return the tag of a state: updates change the version, publishing and archiving the status."""
    return f'"{template.version}-{template.status}"'


@contextmanager
def if_match(request: Request, templates: TemplateQuerySet, template_id: str) -> Iterator[Expected]:
    """Yield what `If-Match` has a service expect of the template with this id among those the caller sees.

    Raises the ApiError 412 of one that is in another state, also for the 409 of a service that finds it
    changed in this moment, and the 404 of none. What is archived stays to the service: that refuses a change
    whatever was expected.
    """
    # A proxy that compresses answers makes our tags weak ones: they name the same state.
    tags = [tag.removeprefix("W/") for tag in parse_etags(request.headers.get("If-Match", "*"))]
    if tags == ["*"]:
        yield {}
        return
    template = _light(templates, template_id)
    if template.is_archived:
        yield {}
        return
    if entity_tag(template) not in tags:
        raise if_match_failed(template.version, template.status)
    try:
        yield {"expected_version": template.version, "expected_status": template.status}
    except ApiError as error:
        if error.status != 409:
            raise
        template = _light(templates, template_id)
        raise if_match_failed(template.version, template.status) from error


def _light(templates: TemplateQuerySet, template_id: str) -> Template:
    template = templates.light().by_id(template_id)
    if template is None:
        raise template_not_found()
    return template
