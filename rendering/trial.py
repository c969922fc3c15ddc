"""Trying a request out: what `POST /v1/render` would make of it, shown and forgotten.

The checks, their order and their texts are those of a render; nothing is stored and nothing is counted.
"""

from __future__ import annotations

import io
import time
from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from accounts.caller import Caller
from config.value import dataclass
from rendering import engine
from rendering.formats.base import Renderer
from rendering.images import font_loader, image_loader
from rendering.preconditions import RenderPlan, plan_render
from rendering.preview_sheets import sheets_of
from rendering.requests import parse_render_request
from rendering.resolve import resolve
from rendering.services import as_refusal, filename_for


@dataclass(frozen=True)
class Trial:
    """A document that is shown and forgotten; `sheets` is what a workbook shows, empty for a paged format."""

    renderer: Renderer
    filename: str
    version: int
    file: bytes
    sheets: list[dict[str, Any]]
    milliseconds: int


def try_render(*, caller: Caller, body: Mapping[str, Any]) -> Trial:
    """Render an API body without keeping the document; raises ApiError as a render would."""
    request = parse_render_request(body, is_public=caller.is_public)
    plan = plan_render(caller=caller, request=request)
    started = time.perf_counter()
    try:
        file, sheets = _drawn(caller, plan)
    except Exception as error:
        refusal = as_refusal(error)
        if refusal is None:
            raise
        raise refusal from error
    milliseconds = max(1, round((time.perf_counter() - started) * 1000))
    name = filename_for(request.filename or plan.content.name, plan.renderer.extension)
    return Trial(plan.renderer, name, plan.version, file, sheets, milliseconds)


def _drawn(caller: Caller, plan: RenderPlan) -> tuple[bytes, list[dict[str, Any]]]:
    out, now = io.BytesIO(), timezone.now()
    loaders: dict[str, Any] = {
        "load_image": image_loader(caller.organization),
        "load_font": font_loader(caller.organization),
    }
    if plan.renderer.name != "xlsx":
        engine.write(plan.content, plan.values, plan.renderer, plan.limits, out, created_at=now, **loaders)
        return out.getvalue(), []
    resolved = resolve(
        plan.content, plan.values, created_at=now, check_time=plan.limits.check_time, **loaders
    )
    plan.renderer.render(resolved, out, plan.limits)
    return out.getvalue(), sheets_of(resolved)
