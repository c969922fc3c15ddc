"""The same sections for each entry of a list."""

from __future__ import annotations

from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.measures import BLOCK_GAP, FRAME_GAP, MM
from templates_app.resolved import Frame, ResolvedGroup


def render(section: ResolvedGroup, flow: Flow) -> None:
    """Draw entry after entry, each on a page of its own or together where that is asked for."""
    bare = section.frame == Frame()
    # Without a frame and a gap of their own, entries stand as far apart as their sections wish.
    loose = bare and section.gap is None
    gap = 0.0 if loose else FRAME_GAP if section.gap is None else section.gap * MM
    for number, sections in enumerate(section.entries):
        flow.limits.check_time()
        if number and section.page_break:
            flow.break_page()
        else:
            flow.gap(gap if number else BLOCK_GAP)
        flow.open("Div")
        if section.keep_together and flow.framed_galley(section.frame, sections, gaps=loose):
            pass
        elif bare:
            flow.draw(sections)
        else:
            with flow.framed(section.frame):
                flow.draw(sections)
        flow.close()
    flow.gap(BLOCK_GAP)
