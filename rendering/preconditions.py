"""The checks of a render, in the contract's order. Nothing is written before they have all passed."""

from __future__ import annotations

from typing import Any

from accounts.caller import Caller
from accounts.scoping import VisibleLookup
from config.api.errors import ApiError
from config.value import dataclass
from rendering.engine import check_content, choose_renderer, limits_from_now
from rendering.errors import no_such_version, template_is_not_published
from rendering.formats import RENDERERS
from rendering.formats.base import Limits, Renderer, RenderError
from rendering.models import Document
from rendering.requests import RenderRequest
from templates_app.content import Content
from templates_app.errors import template_not_found
from templates_app.models import Template
from templates_app.services import version_of

_visible = VisibleLookup(Template.objects.all)


@dataclass(frozen=True)
class Source:
    """What is rendered for whatever data, and who writes it."""

    template: Template
    version: int
    content: Content
    renderer: Renderer


@dataclass(frozen=True)
class RenderPlan(Source):
    """A render that may begin: checked content, and checked data with defaults."""

    values: dict[str, Any]
    limits: Limits


def plan_render(*, caller: Caller, request: RenderRequest) -> RenderPlan:
    """Return the plan of a render; raises ApiError 404 or 400, the first that applies."""
    source = find_source(
        caller=caller,
        template_id=request.template_id,
        version=request.template_version,
        format=request.format,
    )
    return _plan(source, request.data)


def find_source(*, caller: Caller, template_id: str, version: int | None, format: str | None) -> Source:
    """Return what a caller may render; raises ApiError 404 or 400, the first that applies."""
    template = _visible.by_id(caller, template_id)
    if template is None:
        raise template_not_found()
    if template.status != Template.Status.PUBLISHED:
        raise template_is_not_published()
    number, content = _content(template, version)
    return Source(template, number, content, choose_renderer(content, format))


def plan_accepted(document: Document, data: dict[str, Any], content: Content | None = None) -> RenderPlan:
    """Return the plan of a document whose template was checked when its request came; raises ApiError 400.

    The template may have been changed or archived since then: what was accepted is rendered. `content` is
    that version's, where the caller has it.
    """
    if content is None:
        content = accepted_content(document.template, document.template_version)
    source = Source(document.template, document.template_version, content, RENDERERS[document.format])
    return _plan(source, data)


def accepted_content(template: Template, version: int) -> Content:
    """Return the content of a version that was there when a render of it was accepted."""
    return _content(template, version)[1]


def _plan(source: Source, data: dict[str, Any]) -> RenderPlan:
    limits = limits_from_now()
    try:
        values = check_content(source.content, data, limits.check_time)
    except RenderError as error:
        raise ApiError(400, str(error)) from None
    return RenderPlan(source.template, source.version, source.content, source.renderer, values, limits)


def _content(template: Template, version: int | None) -> tuple[int, Content]:
    if version is None or version == template.version:
        return template.version, template.content()
    try:
        return version, version_of(template, version).content()
    except ApiError:
        raise no_such_version() from None
