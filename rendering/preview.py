"""Previews: content that nobody stored, with data that nobody sent, through the stages of a render.

Nothing is stored and nothing is counted. Limits hold as in a render.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from accounts.models import Organization
from config.api.errors import ApiError
from rendering import engine
from rendering.formats.base import Limits, Renderer, RenderError, Watcher
from rendering.images import font_loader, image_loader
from rendering.preview_sheets import sheets_of
from templates_app.bodies import TemplateCreate, parse_body
from templates_app.compiled import check_nesting
from templates_app.content import BrokenContent, Content
from templates_app.services import complete_variables


@dataclass(frozen=True)
class Preview:
    """A document that is shown and forgotten.

    `sheets` is what is shown of a format without pages (`preview_sheets.sheets_of`), empty for a paged one;
    `variables` are the declared and inferred ones in stored form; `data` is what it was made with; `password`
    opens the file, empty where it needs none.
    """

    renderer: Renderer
    file: bytes
    password: str
    sheets: list[dict[str, Any]]
    variables: list[dict[str, Any]]
    data: dict[str, Any]
    milliseconds: int


# Makes data from variables in stored form.
MakeData = Callable[[Sequence[Mapping[str, Any]]], dict[str, Any]]


def preview(
    *,
    organization: Organization,
    body: Mapping[str, Any],
    data: dict[str, Any] | MakeData,
    format: str | None = None,
    now: datetime | None = None,
    limits: Limits | None = None,
    watcher: Watcher | None = None,
) -> Preview:
    """Render an API body with `data`; raises ApiError 400 as creating and rendering it would.

    Data may be a function that makes it from the body's variables. `now` is what the document takes for the
    present time, so that two of them can be compared; `limits` are those of a render unless they are given.
    `watcher` sees the layout of a PDF.
    """
    started = time.perf_counter()
    content = content_of(body)
    try:
        renderer = engine.choose_renderer(content, format)
        limits = limits or engine.limits_from_now()
        if not isinstance(data, dict):
            data = data(complete_variables(content))
        values = engine.check_content(content, data, limits.check_time)
        check_nesting(content.typed_sections)
        made = drawn(organization, content, values, renderer, limits, now or timezone.now(), watcher)
    except Exception as error:
        # What a check of the body says is more exact: it names the field.
        parse_body(TemplateCreate, body)
        if isinstance(error, ValueError) and not isinstance(error, ApiError | RenderError):
            raise ApiError(400, str(error)) from None
        refusal = engine.as_refusal(error)
        if refusal is None:
            raise
        raise refusal from error
    milliseconds = max(1, round((time.perf_counter() - started) * 1000))
    return Preview(
        renderer, made.file, made.password, made.sheets, complete_variables(content), data, milliseconds
    )


@dataclass(frozen=True)
class Drawn:
    """The file of checked content and values; `sheets` and `password` are those of a `Preview`."""

    file: bytes
    sheets: list[dict[str, Any]]
    password: str


def drawn(
    organization: Organization,
    content: Content,
    values: dict[str, Any],
    renderer: Renderer,
    limits: Limits,
    now: datetime,
    watcher: Watcher | None = None,
) -> Drawn:
    """Write checked content and values; raises what `engine.write` does."""
    out = io.BytesIO()
    resolved = engine.write(
        content,
        values,
        renderer,
        limits,
        out,
        load_image=image_loader(organization),
        load_font=font_loader(organization),
        created_at=now,
        watcher=watcher,
    )
    return Drawn(
        out.getvalue(),
        [] if renderer.has_pages else sheets_of(resolved),
        resolved.protection.user_password if resolved.protection else "",
    )


def variables_of(body: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """Return the declared and inferred variables of a body in stored form, None while it has errors."""
    try:
        return complete_variables(content_of(body))
    except (ApiError, BrokenContent):
        return None


def content_of(body: Mapping[str, Any]) -> Content:
    """Return the content of a body whose outermost shapes are right; raises ApiError 400."""
    sections, variables, page = body.get("sections"), body.get("variables") or [], body.get("page") or {}
    formats = body.get("formats")
    if not (
        isinstance(body.get("name"), str)
        and isinstance(formats, list)
        and all(isinstance(name, str) for name in formats)
        and isinstance(sections, list)
        and sections
        and isinstance(variables, list)
        and isinstance(page, dict)
    ):
        parse_body(TemplateCreate, body)
    return Content(
        name=str(body["name"]),
        description="",
        formats=formats or [],
        sections=sections or [],
        variables=[variable for variable in variables if not _is_inferred(variable)],
        page=page,
        sample_data={},
    )


def _is_inferred(variable: Any) -> bool:
    return isinstance(variable, dict) and variable.get("inferred") is True
