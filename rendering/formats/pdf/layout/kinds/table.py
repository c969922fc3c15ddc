"""Tables: the title, then the rows."""

from __future__ import annotations

from typing import Final

from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.measures import CAP_HEIGHT, FRAME_GAP
from rendering.formats.pdf.layout.tables.rows import TableWalk
from rendering.formats.pdf.typeset.paragraph import compose, place
from templates_app.resolved import ResolvedTable

CAPTION_SIZE: Final = 1.05  # in font sizes of running text
CAPTION_LEADING: Final = 1.3
CAPTION_GAP: Final = 5.0


def render(section: ResolvedTable, flow: Flow) -> None:
    """Draw the table, its title above it; a row without values is still drawn."""
    if not section.columns:
        return
    flow.gap(FRAME_GAP)
    flow.open("Table")
    if section.title:
        _caption(section, flow)
    flow.tag(None)  # rows and cells have tags of their own, heads that are repeated none
    TableWalk(section, flow).draw()
    flow.close()
    flow.gap(FRAME_GAP)


def _caption(section: ResolvedTable, flow: Flow) -> None:
    """Let the title wait for the table; one that takes a good part of the page goes ahead."""
    style = flow.style(round(flow.theme.size * CAPTION_SIZE, 2), bold=True)
    leading = style.size * CAPTION_LEADING
    paragraph = compose(
        section.title,
        style,
        flow.width,
        typesetter=flow.typesetter,
        align=flow.aligned("left"),
        leading=leading,
        hyphenate="long",
    )

    element = flow.element("Caption")

    def draw() -> None:
        flow.tag(element)
        for line in paragraph.lines:
            if line.runs:
                baseline = flow.y - (leading + CAP_HEIGHT * style.size) / 2
                flow.put(*place(line, flow.left, baseline, "caption"))
            flow.advance(leading)

    if paragraph.height > flow.height / 3:
        flow.tag(element)
        flow.paragraph(paragraph, flow.left, "caption")
    else:
        flow.hold(paragraph.height, draw)
    flow.gap(CAPTION_GAP)
