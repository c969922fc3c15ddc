"""Content and data to a file: what the service, the command line and the benchmark do alike.

Knows no request, no database and no Django: `import rendering.engine` loads none of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from typing import Any, BinaryIO

from config import tracing
from config.api.errors import ApiError, invalid
from config.limits import limit
from rendering.errors import format_not_enabled, invalid_stored_expression
from rendering.formats import RENDERERS
from rendering.formats.base import Limits, Renderer, RenderError, Watcher
from rendering.resolve import no_fonts, resolve
from templates_app.checks import Columns, Values, check_data
from templates_app.compiled import Compiled
from templates_app.computed import with_computed
from templates_app.content import BrokenContent, BrokenExpression, Content
from templates_app.resolved import ImageFile, ResolvedDocument
from templates_app.scope import ResolveError
from templates_app.variables import with_defaults


def limits_from_now() -> Limits:
    """Return what a render that begins now may use."""
    seconds = limit("RENDER_TIMEOUT")
    return Limits(max_pages=limit("MAX_PAGES"), deadline=time.monotonic() + seconds, seconds=seconds)


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


def check_stored(content: Content) -> Compiled:
    """Return stored content ready to resolve; raises ApiError 400 when it is broken."""
    try:
        return content.compiled
    except BrokenExpression as error:
        raise invalid_stored_expression(error.expression, error.place) from None
    except BrokenContent as error:
        raise ApiError(400, str(error)) from None


def check_content(
    content: Content, data: dict[str, Any], check_time: Callable[[], None] = lambda: None
) -> dict[str, Any]:
    """Return the values to render with; raises ApiError 400 for broken content or unfit data.

    `check_time` is called while values are computed; what it raises is passed on.
    """
    compiled = check_stored(content)
    columns = Columns()
    if errors := check_data(compiled.variables, data, columns):
        raise invalid(errors)
    values = Values(with_computed(compiled.plan, with_defaults(compiled.variables, data), check_time))
    values.columns = columns
    return values


def write(
    content: Content,
    values: dict[str, Any],
    renderer: Renderer,
    limits: Limits,
    out: BinaryIO,
    *,
    load_image: Callable[[str], ImageFile],
    load_font: Callable[[str], bytes] = no_fonts,
    created_at: datetime,
    watcher: Watcher | None = None,
) -> ResolvedDocument:
    """Resolve checked content with checked values, write it, and return what was written.

    `watcher` sees the layout of a format with pages. Raises ResolveError or RenderError.
    """
    watcher = watcher if renderer.has_pages else None
    with tracing.span("render.resolve"):
        resolved = resolve(
            content,
            values,
            load_image=load_image,
            load_font=load_font,
            check_time=limits.check_time,
            created_at=created_at,
            with_places=watcher is not None and watcher.with_places,
        )
    limits.check_time()
    with tracing.span("render.draw"):
        renderer.render(resolved, out, limits, watcher)
    return resolved


def as_refusal(error: BaseException) -> ApiError | None:
    """Return the refusal that a failure of these functions amounts to, None for a fault of ours."""
    match error:
        case ApiError():
            return error
        case ResolveError():
            return invalid(error.errors)
        case RenderError():
            return ApiError(400, str(error))
    return None
