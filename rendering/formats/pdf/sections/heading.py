"""Headings: they stay with the block that follows, and make the document's outline."""

from __future__ import annotations

from rendering.formats.pdf.blocks import Block, lines_of
from rendering.formats.pdf.flow import Flow
from rendering.formats.pdf.fonts import face
from rendering.formats.pdf.styles import HEADINGS
from rendering.formats.pdf.text import Measure, clean, one_line
from templates_app.resolved import ResolvedHeading


def render(section: ResolvedHeading, flow: Flow) -> None:
    """Draw a heading; an empty one leaves nothing."""
    text = clean(section.text).strip()
    if not text:
        return
    style = HEADINGS[section.level]
    measure = Measure(face(bold=True), style.size)
    lines = lines_of(text, measure, flow.width)
    leading = style.size * style.leading
    block = Block(lines, measure, style.color, section.align, leading, flow.left, flow.width)
    title = one_line(text)

    def draw() -> None:
        flow.canvas.mark(title, section.level, flow.y)
        for line in lines:
            block.draw_line(flow, line)

    flow.gap(style.before)
    if block.height < flow.height / 2:
        flow.hold(block.height, draw)
    else:
        flow.need(leading)
        flow.canvas.mark(title, section.level, flow.y)
        block.draw(flow)
    flow.gap(style.after)
