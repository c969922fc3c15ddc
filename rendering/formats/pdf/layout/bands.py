"""Header and footer: three texts on a line inside the margin, or sections. Lengths are points.

They are laid out when the number of pages is known; one that names no page number is laid out once.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cache
from operator import is_not
from typing import Any, Final

from rendering.formats.pdf.layout.context import Context
from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.items import Group, Item
from rendering.formats.pdf.layout.measures import (
    BAND_AIR,
    BAND_EDGE,
    BAND_GAP,
    BAND_SIZE,
    CAP_HEIGHT,
    ENDLESS_LINE,
    MM,
)
from rendering.formats.pdf.layout.pages import Body, Strip
from rendering.formats.pdf.typeset.clean import clean
from rendering.formats.pdf.typeset.paragraph import Paragraph, compose, place
from rendering.formats.pdf.typeset.style import TextStyle
from templates_app.resolved import PAGE_COUNT, PAGE_NUMBER, ResolvedBand, ResolvedPage, Rich

WIDEST: Final = 888  # the page number a header of sections is measured with
LINE_AIR: Final = 8.0  # between a band of one line and the body
MOST_LINE: Final = 0.25  # of the height between the margins: of less than that a line takes nothing
KEPT_LINES: Final = 64  # of a band that are not set again for the next page


class Bands:
    """The headers and footers of a document and the room that they take."""

    def __init__(self, page: ResolvedPage, context: Context, flow: type[Flow] = Flow) -> None:
        self._context = context
        self._flow = flow
        self._page = page
        self._left = page.margin_left * MM
        self._width = (page.width - page.margin_left - page.margin_right) * MM
        self._high = page.height * MM
        header, footer = page.header, page.footer
        first_header = header if page.first_header is None else page.first_header
        first_footer = footer if page.first_footer is None else page.first_footer
        self._rest = (self._band(header, top=True), self._band(footer, top=False))
        self._first = (
            self._rest[0] if first_header is header else self._band(first_header, top=True),
            self._rest[1] if first_footer is footer else self._band(first_footer, top=False),
        )

    def _band(self, band: ResolvedBand | None, *, top: bool) -> _Band | None:
        if band is None or not (band.left or band.center or band.right or band.sections):
            return None
        return _Band(band, self, top=top)

    def body(self, *, first: bool) -> Body:
        """Return what is left for the content: inside the margins, and clear of tall headers and footers."""
        header, footer = self._first if first else self._rest
        top = self._high - self._page.margin_top * MM
        bottom = self._page.margin_bottom * MM
        if header is not None:
            top = min(top, self._high - header.depth)
        if footer is not None:
            bottom = max(bottom, footer.depth)
        return Body(top, bottom)

    @property
    def room(self) -> float:
        """Return the height between the margins."""
        return self._high - (self._page.margin_top + self._page.margin_bottom) * MM

    def edge(self, *, top: bool) -> float:
        """Return the distance of a band of sections from the edge of the paper."""
        margin = (self._page.margin_top if top else self._page.margin_bottom) * MM
        return max(min(margin * 0.45, 12 * MM), BAND_EDGE)

    def items(self, number: int, count: int) -> list[Item]:
        """Return header and footer of one page."""
        bands = self._first if number == 1 else self._rest
        return [item for band in bands if band is not None for item in band.items(number, count)]


class _Band:
    """One header or footer."""

    def __init__(self, band: ResolvedBand, bands: Bands, *, top: bool) -> None:
        self._band = band
        self._bands = bands
        self._top = top
        self._static: Sequence[Item] | None = None
        self._numbered = names_pages((band.left, band.center, band.right, *band.sections))
        self._lines: dict[Rich, Paragraph | None] = {}
        self.height = 0.0
        if band.sections:
            measured = self._galley(WIDEST, WIDEST)
            self.height = max(measured.used, (band.height or 0.0) * MM)
            if not self._numbered:  # every page shows what was measured
                self._static = self._placed(measured)

    @property
    def depth(self) -> float:
        """The distance from the edge of the paper that the content keeps at least."""
        if not self._band.sections:
            depth = self._inset + CAP_HEIGHT * BAND_SIZE + LINE_AIR
            return depth if depth < MOST_LINE * self._bands.room else 0.0
        return self._bands.edge(top=self._top) + self.height + BAND_AIR if self.height else 0.0

    @property
    def _inset(self) -> float:
        """The distance of a line from the edge of the paper: in the middle of the margin."""
        margin = self._bands._page.margin_top if self._top else self._bands._page.margin_bottom
        return max((margin * MM - CAP_HEIGHT * BAND_SIZE) / 2, BAND_EDGE)

    def items(self, number: int, count: int) -> Sequence[Item]:
        """Return what the band shows on a page."""
        if self._static is not None:
            return self._static
        made = self._of_sections(number, count) if self._band.sections else self._of_texts(number, count)
        if not self._numbered:
            self._static = made
        return made

    def _galley(self, number: int, count: int) -> Flow:
        bands = self._bands
        context = dataclasses.replace(bands._context, outlined=False, anchors=0)
        galley = bands._flow(context, Strip(bands._width), left=0.0, width=bands._width)
        sections = self._band.sections
        galley.draw(numbered(sections, number, count) if self._numbered else sections)
        galley.settle()
        return galley

    def _of_sections(self, number: int, count: int) -> list[Item]:
        return self._placed(self._galley(number, count))

    def _placed(self, galley: Flow) -> list[Item]:
        bands = self._bands
        edge = bands.edge(top=self._top)
        y = bands._high - edge if self._top else edge + galley.used
        return [Group.moved(galley.items, bands._left, y)] if galley.items else []

    # ---------------------------------------------------------------- three texts on a line

    def _of_texts(self, number: int, count: int) -> list[Item]:
        bands = self._bands
        baseline = self._inset
        if self._top:
            baseline = bands._high - baseline - CAP_HEIGHT * BAND_SIZE
        left, center, right = (
            self._line(numbered(text, number, count))
            for text in (self._band.left, self._band.center, self._band.right)
        )
        items: list[Item] = []
        for line, share in self._fitted(left, center, right):
            x = bands._left + (bands._width - line.natural_width) * share
            items += place(line.lines[0], x, baseline, "artifact")
        return items

    def _line(self, text: Rich) -> Paragraph | None:
        """Return a text as a line, kept for the next page: most say the same on each."""
        try:
            return self._lines[text]
        except KeyError:
            if len(self._lines) >= KEPT_LINES:
                self._lines.clear()
            line = self._lines[text] = self._compose(text)
            return line

    def _compose(self, text: Rich) -> Paragraph | None:
        if not text:
            return None
        context = self._bands._context
        style = TextStyle(BAND_SIZE, context.theme.muted)
        text = one_line(text)
        line = compose(text, style, ENDLESS_LINE, typesetter=context.typesetter, hyphenate="none")
        if line.lines:
            line.lines[0].x = 0.0  # text from right to left stands at the far end of its endless line
        return line

    def _cut(self, line: Paragraph | None, width: float) -> Paragraph | None:
        """Return the line no wider than `width`, ended by an ellipsis when something was cut."""
        if line is None or line.natural_width <= width:
            return line
        text = line.lines[0].text
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            shorter = self._compose(text[:middle].rstrip() + "…")
            if shorter is not None and shorter.natural_width <= width:
                low = middle
            else:
                high = middle - 1
        return self._compose(text[:low].rstrip() + "…") if low else None

    def _fitted(
        self, left: Paragraph | None, center: Paragraph | None, right: Paragraph | None
    ) -> list[tuple[Paragraph, float]]:
        """Return the texts with their share of free width on the left, cut so that they stay apart."""
        width = self._bands._width
        size = [line.natural_width if line else 0.0 for line in (left, center, right)]
        if center is not None:
            sides = max(size[0], size[2])
            room = width - 2 * (sides + BAND_GAP) if sides else width
            center = self._cut(center, max(room, width / 3))
            side = (width - (center.natural_width if center else 0.0)) / 2 - BAND_GAP
            left, right = self._cut(left, side), self._cut(right, side)
        else:
            half = (width - BAND_GAP) / 2
            left = self._cut(left, max(half, width - BAND_GAP - size[2]) if right else width)
            used = left.natural_width + BAND_GAP if left else 0.0
            right = self._cut(right, width - used)
        lines = ((left, 0.0), (center, 0.5), (right, 1.0))
        return [(line, share) for line, share in lines if line is not None and line.lines]


def one_line(text: Rich) -> Rich:
    """Return text without line ends; in one without marks, runs of blanks become one."""
    if isinstance(text, str):
        return " ".join(text.split())
    return tuple(dataclasses.replace(span, text=clean(span.text).replace("\n", " ")) for span in text)


def names_pages(value: Any) -> bool:
    """Tell whether anything in a resolved value stands for a page number or the number of pages."""
    if isinstance(value, str):
        return PAGE_NUMBER in value or PAGE_COUNT in value
    if isinstance(value, list | tuple):
        return any(names_pages(item) for item in value)
    return any(names_pages(getattr(value, name)) for name in _fields(value.__class__))


def numbered(value: Any, number: int, count: int) -> Any:
    """Return a resolved value with the numbers in place of what stands for them; itself when nothing does."""
    if isinstance(value, str):
        if PAGE_NUMBER in value or PAGE_COUNT in value:
            return value.replace(PAGE_NUMBER, str(number)).replace(PAGE_COUNT, str(count))
        return value
    if isinstance(value, list | tuple):
        items = [numbered(item, number, count) for item in value]
        return value.__class__(items) if any(map(is_not, items, value)) else value
    before = [getattr(value, name) for name in _fields(value.__class__)]
    after = [numbered(item, number, count) for item in before]
    return value.__class__(*after) if any(map(is_not, after, before)) else value


@cache
def _fields(kind: type) -> Sequence[str]:
    """Return the names of a resolved value's fields, in the order in which it is made of them.

    Empty for what has no fields, such as a number.
    """
    return [field.name for field in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else ()
