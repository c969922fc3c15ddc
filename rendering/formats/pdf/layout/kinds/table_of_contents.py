"""Table of contents: headings with dotted leaders and the numbers of their pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from config.value import value
from rendering.formats.directions import numbered
from rendering.formats.pdf.layout.column import drop
from rendering.formats.pdf.layout.context import Entry
from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.items import Item, Late, Link, Rules
from rendering.formats.pdf.layout.measures import BLOCK_GAP
from rendering.formats.pdf.typeset.paragraph import compose, place
from templates_app.resolved import ResolvedContents, ResolvedHeading

INDENT: Final = 14.0  # points for each level without numbers
NUMBER_GAP: Final = 0.7  # between the number of a heading and its title, in font sizes
MOST_NUMBER: Final = 0.2  # of the width; longer numbers run on into their titles
GUTTER: Final = 8.0  # between title, leader and number
LEADER: Final = 4.2  # from dot to dot
WIDEST_NUMBER: Final = "00000"


def render(section: ResolvedContents, flow: Flow) -> None:
    """List the headings; their pages are filled in when the document is complete."""
    entries = [
        entry
        for entry in flow.context.entries
        if (entry.title or entry.number) and entry.level <= section.levels
    ]
    if section.title:
        _title(section, flow)
    flow.gap(BLOCK_GAP)
    top = min((entry.level for entry in entries), default=1)
    columns = _columns(entries, top, flow)
    flow.open("TOC")
    for entry in entries:
        _entry(entry, entry.level - top, columns[entry.level - top], flow)
    flow.close()
    flow.gap(BLOCK_GAP)


@value
class _Column:
    """Where the entries of a level begin, and how wide the column of their numbers is; 0: there are none."""

    indent: float
    numbers: float


def _columns(entries: Sequence[Entry], top: int, flow: Flow) -> list[_Column]:
    """Return the columns of each level: its numbers stand below the titles of the level above."""
    columns: list[_Column] = []
    indent = 0.0
    for depth in range(max((entry.level - top for entry in entries), default=0) + 1):
        style = flow.style(bold=depth == 0)
        font = flow.typesetter.font(style)
        widths = [font.width(entry.number, style.size) for entry in entries if entry.level - top == depth]
        numbers = max(widths, default=0.0)
        numbers = numbers + NUMBER_GAP * style.size if numbers else 0.0
        if numbers > MOST_NUMBER * flow.width:
            numbers = 0.0
        columns.append(_Column(min(indent, flow.width / 4), numbers))
        indent += numbers or INDENT
    return columns


def _title(section: ResolvedContents, flow: Flow) -> None:
    from rendering.formats.pdf.layout.kinds import heading

    outlined, flow.context.outlined = flow.context.outlined, False
    heading.render(ResolvedHeading(section.title, 2, "left"), flow)
    flow.context.outlined = outlined


def _entry(entry: Entry, depth: int, column: _Column, flow: Flow) -> None:
    """Place number and title of an entry, in the language of its heading; its page follows late."""
    style, mirrored = flow.style(bold=depth == 0), flow.typesetter.mirrored
    leading = style.size * 1.6
    page_width = flow.typesetter.font(style).width(WIDEST_NUMBER, style.size)
    taken = column.indent + column.numbers
    room = max(flow.width - taken - page_width - 2 * GUTTER, min(20.0, flow.width - taken))
    left, right = flow.left + column.indent, flow.left + flow.width
    if mirrored:
        left, right = flow.left, right - column.indent
    x = right - column.numbers - room if mirrored else left + column.numbers
    align = flow.aligned("left")
    page = _PageNumber(flow, entry.anchor, (left, right))
    text = entry.title if column.numbers else numbered(entry.number, entry.title, mirrored=mirrored)
    if depth == 0:
        flow.gap(3)
    with flow.speaking(entry.language):
        setter = flow.typesetter
        title = compose(text, style, room, typesetter=setter, align=align, leading=leading, hyphenate="long")
        flow.need(min(title.height, flow.height))
        flow.open("TOCI")
        flow.tag(flow.element("Reference"))
        flow.close()
        if column.numbers and entry.number:
            mark = compose(entry.number, style, column.numbers, typesetter=setter, align=align)
            beside = right - column.numbers if mirrored else left
            flow.put(*place(mark.lines[0], beside, flow.y - drop(mark.lines[0], leading), "toc"))
        for line in title.lines:
            flow.need(leading)
            baseline = flow.y - drop(line, leading)
            flow.put(*place(line, x, baseline, "toc"))
            flow.advance(leading)
            flow.put(Link(left, flow.y, right - left, leading, f"#{entry.anchor}"))
    if title.lines:
        last = title.lines[-1]
        page.stand(x + last.x + (0.0 if mirrored else last.width), baseline)
        flow.put(Late(page.items))


class _PageNumber:
    """The leader and the page number of one entry, between the end of its title and the far side."""

    def __init__(self, flow: Flow, anchor: str, sides: tuple[float, float]) -> None:
        """Take the fonts as they are now: the pages are known when all languages have been spoken."""
        self.setter, self.style, self.anchor = flow.typesetter, flow.style(), anchor
        self.color = flow.theme.rule_strong
        self.left, self.right = sides
        self.end = self.baseline = 0.0

    def stand(self, end: float, baseline: float) -> None:
        """Say where the title ends."""
        self.end, self.baseline = end, baseline

    def items(self, numbers: Mapping[str, int], count: int) -> Sequence[Item]:
        """Return the dots and the number once the page of the heading is known."""
        page = numbers.get(self.anchor)
        if page is None:
            return ()
        style, setter = self.style, self.setter
        font = setter.font(style)
        width = font.width(str(page), style.size)
        free = self.end - self.left if setter.mirrored else self.right - self.end
        if free < width + 1.0:  # a column too narrow for both
            return ()
        line = compose(str(page), style, 10_000, typesetter=setter, hyphenate="none").lines[0]
        items = list(place(line, self.left if setter.mirrored else self.right - width, self.baseline, "toc"))
        # the dots stand on a grid from the side of the numbers, so that they are below each other
        beside = font.width(WIDEST_NUMBER[:3], style.size) + GUTTER / 2
        dots = int((free - beside - GUTTER) // LEADER)
        if dots > 1:
            y = self.baseline + 0.4
            start = self.left + beside if setter.mirrored else self.right - beside - dots * LEADER
            leader = (start, y, start + dots * LEADER, y)
            items.append(Rules((leader,), self.color, 0.8, (0.8, LEADER - 0.8)))
        return items
