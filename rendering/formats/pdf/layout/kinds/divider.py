"""A rule across the column."""

from __future__ import annotations

from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.items import Rules
from rendering.formats.pdf.layout.measures import BLOCK_GAP
from templates_app.resolved import ResolvedDivider


def render(section: ResolvedDivider, flow: Flow) -> None:
    """Draw the rule."""
    flow.gap(BLOCK_GAP)
    flow.need(section.thickness)
    y = flow.y - section.thickness / 2
    color = section.color or flow.theme.rule
    flow.put(Rules(((flow.left, y, flow.left + flow.width, y),), color, section.thickness))
    flow.advance(section.thickness)
    flow.gap(BLOCK_GAP)
