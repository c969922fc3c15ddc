"""Lists with bullets or numbers; texts hang beside their mark."""

from __future__ import annotations

from rendering.formats.pdf.blocks import Block, lines_of
from rendering.formats.pdf.flow import Flow
from rendering.formats.pdf.fonts import face
from rendering.formats.pdf.styles import ACCENT, BLOCK_GAP, BODY_SIZE, INK, LEADING, LIST_GAP, LIST_INDENT
from rendering.formats.pdf.styles import CAP_HEIGHT as CAP
from rendering.formats.pdf.text import Measure, clean
from templates_app.resolved import ResolvedList


def render(section: ResolvedList, flow: Flow) -> None:
    """Draw the items, each with its bullet or number."""
    if not section.items:
        return
    measure = Measure(face(), BODY_SIZE)
    leading = BODY_SIZE * LEADING
    widest = measure.width(f"{len(section.items)}.") if section.ordered else 0.0
    indent = min(max(LIST_INDENT, widest + 8), flow.width / 2)
    flow.gap(BLOCK_GAP)
    for number, item in enumerate(section.items, start=1):
        if number % 200 == 0:
            flow.limits.check_time()
        lines = lines_of(clean(item).strip(), measure, flow.width - indent)
        flow.need(leading * min(len(lines), 2))
        baseline = flow.y - (leading + CAP * BODY_SIZE) / 2
        mark = f"{number}." if section.ordered else "•"
        end = flow.left + (widest if section.ordered else indent - 7)
        x = end - measure.width(mark)
        flow.canvas.text(mark, measure.face, BODY_SIZE, ACCENT, x, baseline)
        Block(lines, measure, INK, "left", leading, flow.left + indent, flow.width - indent).draw(flow)
        flow.gap(LIST_GAP)
    flow.gap(BLOCK_GAP)
