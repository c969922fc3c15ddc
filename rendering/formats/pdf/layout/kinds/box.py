"""Sections in a frame."""

from __future__ import annotations

from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.measures import FRAME_GAP
from templates_app.resolved import ResolvedBox


def render(section: ResolvedBox, flow: Flow) -> None:
    """Draw the frame around the sections; one that is kept together moves to the next page when it must."""
    flow.gap(FRAME_GAP)
    flow.open("Div")
    if not section.keep_together or not flow.framed_galley(section.frame, section.sections):
        with flow.framed(section.frame):
            flow.draw(section.sections)
    flow.close()
    flow.gap(FRAME_GAP)
