"""Sections drawn onto paper of any size, without a document around them and without a file."""

from __future__ import annotations

import time
from collections.abc import Callable

from rendering.formats.base import Limits
from rendering.formats.pdf.layout.context import Context
from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.items import Page
from rendering.formats.pdf.layout.kinds import KINDS
from rendering.formats.pdf.layout.pages import Body, Pages
from rendering.formats.pdf.typeset.typesetter import Typesetter
from templates_app.resolved import Theme


def drawn(
    draw: Callable[[Flow], None], *, width: float, height: float, margin: float = 0.0, language: str = "en"
) -> list[Page]:
    """Return the pages that a function draws; sizes in points, the same margin on each side."""
    theme, limits = Theme(), Limits(5_000, time.monotonic() + 600, 600)
    context = Context(Typesetter(theme, language), theme, limits, KINDS)
    pages: list[Page] = []
    body = Body(height - margin, margin)
    paper = Pages(
        size=(width, height), first=body, rest=body, backdrops=((), ()), limits=limits, emit=pages.append
    )
    flow = Flow(context, paper, left=margin, width=width - 2 * margin, top_level=True)
    draw(flow)
    flow.settle()
    paper.seal(paper.count)
    return pages
