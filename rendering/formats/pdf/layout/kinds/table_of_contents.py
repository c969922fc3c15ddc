"""Table of contents: headings with dotted leaders and the numbers of their pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rendering.formats.pdf.layout.flow import Entry, Flow, drop
from rendering.formats.pdf.layout.items import Item, Late, Link, Rules
from rendering.formats.pdf.layout.measures import BLOCK_GAP
from rendering.formats.pdf.typeset.paragraph import compose, place
from templates_app.resolved import ResolvedContents, ResolvedHeading

INDENT: Final = 14.0  # points for each level
GUTTER: Final = 8.0  # between title, leader and number
LEADER: Final = 4.2  # from dot to dot
WIDEST_NUMBER: Final = "00000"


def render(section: ResolvedContents, flow: Flow) -> None:
    """List the headings; their pages are filled in when the document is complete."""
    entries = [entry for entry in flow.context.entries if entry.title and entry.level <= section.levels]
    if section.title:
        _title(section, flow)
    flow.gap(BLOCK_GAP)
    top = min((entry.level for entry in entries), default=1)
    for entry in entries:
        _entry(entry, entry.level - top, flow)
    flow.gap(BLOCK_GAP)


def _title(section: ResolvedContents, flow: Flow) -> None:
    from rendering.formats.pdf.layout.kinds import heading

    outlined, flow.context.outlined = flow.context.outlined, False
    heading.render(ResolvedHeading(section.title, 2, "left"), flow)
    flow.context.outlined = outlined


def _entry(entry: Entry, depth: int, flow: Flow) -> None:
    style = flow.style(bold=depth == 0)
    leading = style.size * 1.6
    number_width = flow.typesetter.font(style).width(WIDEST_NUMBER, style.size)
    indent = min(INDENT * depth, flow.width / 4)
    room = max(flow.width - indent - number_width - 2 * GUTTER, min(20.0, flow.width - indent))
    title = compose(entry.title, style, room, typesetter=flow.typesetter, leading=leading, hyphenate=False)
    if depth == 0:
        flow.gap(3)
    flow.need(min(title.height, flow.height))
    left, right = flow.left + indent, flow.left + flow.width
    for line in title.lines:
        flow.need(leading)
        baseline = flow.y - drop(line, leading)
        flow.put(*place(line, left, baseline, "toc"))
        flow.advance(leading)
        flow.put(Link(left, flow.y, right - left, leading, f"#{entry.anchor}"))
    if title.lines:
        end = left + title.lines[-1].x + title.lines[-1].width
        flow.put(Late(_Number(flow, entry.anchor, end, right, baseline).items))


class _Number:
    """The leader and the page number of one entry."""

    def __init__(self, flow: Flow, anchor: str, end: float, right: float, baseline: float) -> None:
        self.flow, self.anchor = flow, anchor
        self.end, self.right, self.baseline = end, right, baseline

    def items(self, numbers: Mapping[str, int], count: int) -> Sequence[Item]:
        """Return the dots and the number once the page of the heading is known."""
        page = numbers.get(self.anchor)
        if page is None:
            return ()
        flow = self.flow
        style = flow.style()
        width = flow.typesetter.font(style).width(str(page), style.size)
        if self.right - width < self.end + 1.0:  # a column too narrow for both
            return ()
        line = compose(str(page), style, 10_000, typesetter=flow.typesetter, hyphenate=False).lines[0]
        items = list(place(line, self.right - width, self.baseline, "toc"))
        # the dots stand on a grid from the right, so that they are below each other
        stop = self.right - flow.typesetter.font(style).width(WIDEST_NUMBER[:3], style.size) - GUTTER / 2
        count_of_dots = int((stop - self.end - GUTTER) // LEADER)
        if count_of_dots > 1:
            y = self.baseline + 0.4
            dots = (stop - count_of_dots * LEADER, y, stop, y)
            items.append(Rules((dots,), flow.theme.rule_strong, 0.8, (0.8, LEADER - 0.8)))
        return items
