"""The checks of a render, in the contract's order. Nothing is written before they have all passed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from accounts.caller import Caller
from config.api.errors import ApiError, invalid
from rendering.errors import (
    format_not_enabled,
    invalid_stored_expression,
    no_such_version,
    template_is_not_published,
)
from rendering.formats import RENDERERS
from rendering.formats.base import Limits, Renderer, RenderError
from rendering.requests import RenderRequest
from templates_app.checks import Columns, Values, check_data
from templates_app.computed import with_computed
from templates_app.content import BrokenContent, BrokenExpression, Content
from templates_app.errors import template_not_found
from templates_app.models import Template
from templates_app.services import version_of
from templates_app.variables import with_defaults


@dataclass(frozen=True)
class RenderPlan:
    """A render that may begin: checked content, checked data with defaults, and who writes it."""

    template: Template
    version: int
    content: Content
    renderer: Renderer
    values: dict[str, Any]
    limits: Limits


def plan_render(*, caller: Caller, request: RenderRequest) -> RenderPlan:
    """Return the plan of a render; raises ApiError 404 or 400, the first that applies."""
    template = Template.objects.visible_to(caller).by_id(request.template_id)
    if template is None:
        raise template_not_found()
    if template.status != Template.Status.PUBLISHED:
        raise template_is_not_published()
    version, content = _content(template, request.template_version)
    renderer = choose_renderer(content, request.format)
    limits = limits_of_settings()
    try:
        values = check_content(content, request.data, limits.check_time)
    except RenderError as error:
        raise ApiError(400, str(error)) from None
    return RenderPlan(template, version, content, renderer, values, limits)


def limits_of_settings() -> Limits:
    """Return what a render that begins now may use."""
    return Limits(
        max_pages=settings.MAX_PAGES,
        deadline=time.monotonic() + settings.RENDER_TIMEOUT,
        seconds=settings.RENDER_TIMEOUT,
    )


def choose_renderer(content: Content, wanted: str | None) -> Renderer:
    """Return the renderer of the wanted or default format; raises ApiError 400."""
    name = wanted or next((known for known in RENDERERS if known in content.formats), next(iter(RENDERERS)))
    renderer = RENDERERS[name]
    try:
        renderer.check(content.kinds())
    except RenderError as error:
        raise ApiError(400, str(error)) from None
    if name not in content.formats:
        raise format_not_enabled(list(content.formats))
    return renderer


def check_content(
    content: Content, data: dict[str, Any], check_time: Callable[[], None] = lambda: None
) -> dict[str, Any]:
    """Return the values to render with; raises ApiError 400 for broken content or unfit data.

    `check_time` is called while values are computed; what it raises is passed on.
    """
    try:
        compiled = content.compiled
    except BrokenExpression as error:
        raise invalid_stored_expression(error.expression, error.place) from None
    except BrokenContent as error:
        raise ApiError(400, str(error)) from None
    columns = Columns()
    if errors := check_data(compiled.variables, data, columns):
        raise invalid(errors)
    values = Values(with_computed(compiled.plan, with_defaults(compiled.variables, data), check_time))
    values.columns = columns
    return values


def _content(template: Template, version: int | None) -> tuple[int, Content]:
    if version is None or version == template.version:
        return template.version, template.content()
    try:
        return version, version_of(template, version).content()
    except ApiError:
        raise no_such_version() from None
