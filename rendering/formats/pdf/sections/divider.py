"""A horizontal rule over the width of the page body."""

from __future__ import annotations

from rendering.formats.pdf.flow import Flow
from rendering.formats.pdf.styles import BLOCK_GAP
from templates_app.resolved import ResolvedDivider


def render(section: ResolvedDivider, flow: Flow) -> None:
    """Draw the rule; nothing when its thickness is 0."""
    flow.gap(BLOCK_GAP)
    flow.need(section.thickness)
    if section.thickness > 0:
        y = flow.y - section.thickness / 2
        flow.canvas.rule(flow.left, y, flow.width, section.color, section.thickness)
    flow.advance(section.thickness)
    flow.gap(BLOCK_GAP)
