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
    """Place the title of an entry, its language's letters among it; its number follows late."""
    style, mirrored = flow.style(bold=depth == 0), flow.typesetter.mirrored
    leading = style.size * 1.6
    number_width = flow.typesetter.font(style).width(WIDEST_NUMBER, style.size)
    indent = min(INDENT * depth, flow.width / 4)
    room = max(flow.width - indent - number_width - 2 * GUTTER, min(20.0, flow.width - indent))
    left, right = flow.left + indent, flow.left + flow.width
    if mirrored:
        left, right = flow.left, flow.left + flow.width - indent
    x = right - room if mirrored else left
    align = flow.aligned("left")
    number = _Number(flow, entry.anchor, (left, right))
    if depth == 0:
        flow.gap(3)
    with flow.speaking(entry.language):
        setter = flow.typesetter
        title = compose(
            entry.title, style, room, typesetter=setter, align=align, leading=leading, hyphenate=False
        )
        flow.need(min(title.height, flow.height))
        for line in title.lines:
            flow.need(leading)
            baseline = flow.y - drop(line, leading)
            flow.put(*place(line, x, baseline, "toc"))
            flow.advance(leading)
            flow.put(Link(left, flow.y, right - left, leading, f"#{entry.anchor}"))
    if title.lines:
        last = title.lines[-1]
        number.stand(x + last.x + (0.0 if mirrored else last.width), baseline)
        flow.put(Late(number.items))


class _Number:
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
        line = compose(str(page), style, 10_000, typesetter=setter, hyphenate=False).lines[0]
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
