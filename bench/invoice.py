"""The demo's one-page invoice, drawn without a service around it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, BinaryIO

from dashboard.demo import TEMPLATES, data_with_logo, logo_bytes
from rendering import engine
from rendering.formats import RENDERERS
from rendering.inline_images import checked
from templates_app.content import Content

LOGO = "ast_logo"


def program(data: dict[str, Any]) -> Callable[[int, BinaryIO], None]:
    """Return a function that checks and draws `data`, with another invoice number each time."""
    body = data_with_logo(next(demo.body for demo in TEMPLATES if demo.slug == "invoice"), LOGO)
    logo = checked(logo_bytes())
    renderer = RENDERERS["pdf"]
    created_at = datetime(2026, 1, 1, tzinfo=UTC)

    def write(number: int, out: BinaryIO) -> None:
        content = Content(
            name=body["name"],
            description="",
            formats=body["formats"],
            sections=body["sections"],
            variables=body["variables"],
            page=body["page"],
            sample_data={},
        )
        values = engine.check_content(content, data | {"number": f"2026-{number:04}"})
        limits = engine.limits_from_now()
        engine.write(content, values, renderer, limits, out, load_image=lambda _: logo, created_at=created_at)

    return write
