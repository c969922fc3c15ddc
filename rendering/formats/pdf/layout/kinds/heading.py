"""Headings: they stay with the block that follows, and make the outline and the table of contents."""

from __future__ import annotations

from typing import Final

from rendering.formats.directions import numbered
from rendering.formats.pdf.layout.column import drop, first_lines
from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.items import Anchor, Item
from rendering.formats.pdf.typeset.clean import one_line
from rendering.formats.pdf.typeset.paragraph import Composer, Paragraph, compose, place
from rendering.formats.pdf.typeset.rich import cleaned
from templates_app.resolved import ResolvedHeading, Span, plain

LEADING: Final = 1.2
LEADING_LARGE: Final = 1.15  # of the first level
NUMBER_GAP: Final = 0.6  # between number and text, in font sizes
MOST_NUMBER: Final = 0.25  # of the width; a longer number runs on into the text


def render(section: ResolvedHeading, flow: Flow) -> None:
    """Draw a heading; an empty one leaves nothing."""
    text, anchor = cleaned(section.text), flow.next_anchor()
    number = one_line(section.numbered)
    setter = flow.typesetter
    mirrored = setter.mirrored
    title = one_line(numbered(number, plain(text), mirrored=mirrored))
    if not title:
        return
    look = flow.theme.headings[section.level]
    style = flow.style(look.size, color=look.color, bold=look.bold, family="heading")
    leading = style.size * (LEADING_LARGE if section.level == 1 else LEADING)
    left, width, role = flow.left, flow.width, f"h{section.level}"
    align = flow.aligned(section.align)
    beside = 0.0
    if number:
        beside = setter.font(style).width(number, style.size) + NUMBER_GAP * style.size
        if section.align != "left" or beside > MOST_NUMBER * width:
            beside = 0.0
            before = numbered(number, "", mirrored=mirrored)
            text = before + text if isinstance(text, str) else (Span(before), *text)
    paragraph = compose(
        text, style, width - beside, typesetter=setter, align=align, leading=leading, hyphenate="long"
    )
    if align == "center" and len(paragraph.lines) > 1:
        composer = Composer(style, width, setter, align, leading, hyphenate="long")
        paragraph = composer.even(text, paragraph)
    mark = compose(number, style, beside, typesetter=setter, align=align, leading=leading) if beside else None
    # the number is where lines begin
    mark_left, text_left = (left + width - beside, left) if mirrored else (left, left + beside)

    element = flow.element(f"H{section.level}")

    def begin() -> None:
        flow.tag(element)
        if anchor:
            flow.put(Anchor(anchor, flow.y, title, section.level))
        if mark is not None:
            flow.put(*_lines(mark, mark_left, flow.y, role))

    def draw() -> None:
        begin()
        flow.put(*_lines(paragraph, text_left, flow.y, role))
        flow.advance(paragraph.height)

    flow.gap(look.before)
    if paragraph.height < flow.height / 2:
        flow.hold(paragraph.height, draw)
    else:
        flow.need(leading * first_lines(len(paragraph.lines)))
        begin()
        flow.paragraph(paragraph, text_left, role)
    flow.gap(look.after)


def _lines(paragraph: Paragraph, x: float, y: float, role: str) -> list[Item]:
    """Return the items of lines whose upper end is `y`."""
    items: list[Item] = []
    for line in paragraph.lines:
        items.extend(place(line, x, y - drop(line, paragraph.leading), role))
        y -= paragraph.leading
    return items
