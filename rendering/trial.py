"""Trying a request out: what `POST /v1/render` would make of it, shown and forgotten.

The checks, their order and their texts are those of a render; nothing is stored and nothing is counted.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from accounts.caller import Caller
from config.value import dataclass
from rendering.formats.base import Renderer
from rendering.preconditions import plan_render
from rendering.preview import drawn
from rendering.requests import parse_render_request
from rendering.services import as_refusal, filename_for


@dataclass(frozen=True)
class Trial:
    """A document that is shown and forgotten.

    `password` opens it; `sheets` is what a workbook shows, empty for a paged format.
    """

    renderer: Renderer
    filename: str
    version: int
    file: bytes
    password: str
    sheets: list[dict[str, Any]]
    milliseconds: int


def try_render(*, caller: Caller, body: Mapping[str, Any]) -> Trial:
    """Render an API body without keeping the document; raises ApiError as a render would."""
    request = parse_render_request(body, is_public=caller.is_public)
    plan = plan_render(caller=caller, request=request)
    started = time.perf_counter()
    try:
        made = drawn(
            caller.organization, plan.content, plan.values, plan.renderer, plan.limits, timezone.now()
        )
    except Exception as error:
        refusal = as_refusal(error)
        if refusal is None:
            raise
        raise refusal from error
    milliseconds = max(1, round((time.perf_counter() - started) * 1000))
    name = filename_for(request.filename or plan.content.name, plan.renderer.extension)
    return Trial(plan.renderer, name, plan.version, made.file, made.password, made.sheets, milliseconds)
