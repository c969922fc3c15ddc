"""Running text: newlines are kept, an empty line parts paragraphs."""

from __future__ import annotations

from typing import Final

from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.measures import BLOCK_GAP, PARAGRAPH_GAP
from rendering.formats.pdf.typeset.paragraph import Composer
from rendering.formats.pdf.typeset.rich import paragraphs
from templates_app.resolved import ResolvedText

CHECKED: Final = 20  # paragraphs between two looks at the clock


def render(section: ResolvedText, flow: Flow) -> None:
    """Draw the paragraphs of a text; an empty one leaves nothing."""
    parts = paragraphs(section.text)
    if not parts:
        return
    style = flow.style(section.size, color=section.color, bold=section.bold, italic=section.italic)
    align = flow.aligned(section.align)
    composer = Composer(
        style, flow.width, flow.typesetter, align, hyphenate="all" if section.hyphenate else "none"
    )
    flow.gap(BLOCK_GAP)
    for number, part in enumerate(parts):
        if number:
            flow.gap(PARAGRAPH_GAP * style.size / 10)
            if number % CHECKED == 0:
                flow.limits.check_time()
        flow.tag(flow.element("P"))
        flow.paragraph(composer.paragraph(part), flow.left, "p")
    flow.gap(BLOCK_GAP)
