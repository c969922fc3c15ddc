"""The demo's documents as the service renders them: fixed time of creation, the logo in its place."""

from __future__ import annotations

import base64
import time
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

from dashboard.demo import DemoTemplate, data_with_logo, logo_bytes
from rendering.engine import check_content
from rendering.formats import RENDERERS
from rendering.formats.base import Limits
from rendering.resolve import resolve
from templates_app.bodies import TemplateCreate, parse_body
from templates_app.content import Content
from tests.gallery.base import load_image

CREATED = datetime(2025, 10, 6, 9, 30, tzinfo=UTC)
LOGO = f"data:image/png;base64,{base64.b64encode(logo_bytes()).decode()}"


def content_of(demo: DemoTemplate) -> Content:
    """Return the checked content of a demo template."""
    return Content(**parse_body(TemplateCreate, demo.body))


def values_of(demo: DemoTemplate) -> dict[str, Any]:
    """Return the checked data with what the template computes."""
    return check_content(content_of(demo), data_with_logo(demo.data, LOGO))


def document(demo: DemoTemplate, name: str) -> bytes:
    """Return the document in one of its formats."""
    resolved = resolve(content_of(demo), values_of(demo), load_image=load_image, created_at=CREATED)
    out = BytesIO()
    RENDERERS[name].render(resolved, out, Limits(1000, time.monotonic() + 60, 60))
    return out.getvalue()
