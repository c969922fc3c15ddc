"""Running text: newlines are kept, an empty line parts paragraphs."""

from __future__ import annotations

import re
from typing import Final

from rendering.formats.pdf.blocks import Block, lines_of
from rendering.formats.pdf.flow import Flow
from rendering.formats.pdf.fonts import face
from rendering.formats.pdf.styles import BLOCK_GAP, INK, LEADING, PARAGRAPH_GAP
from rendering.formats.pdf.text import Measure, clean
from templates_app.resolved import ResolvedText

_PARAGRAPHS: Final = re.compile(r"\n[ \t\n]*\n")


def render(section: ResolvedText, flow: Flow) -> None:
    """Draw the paragraphs of a text."""
    text = clean(section.text).strip("\n ")
    if not text:
        return
    measure = Measure(face(bold=section.bold, italic=section.italic), section.size)
    leading = section.size * LEADING
    flow.gap(BLOCK_GAP)
    for number, paragraph in enumerate(_PARAGRAPHS.split(text)):
        if number:
            flow.gap(PARAGRAPH_GAP * section.size / 10)
            if number % 50 == 0:
                flow.limits.check_time()
        lines = lines_of(paragraph, measure, flow.width)
        color = section.color or INK
        Block(lines, measure, color, section.align, leading, flow.left, flow.width).draw(flow)
    flow.gap(BLOCK_GAP)
