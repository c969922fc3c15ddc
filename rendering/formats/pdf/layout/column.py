"""A column of pages, filled from top to bottom: where the next block goes. Lengths are points.

A block asks for room with `need`, is placed at `y`, and `advance` moves on past it; gaps between blocks
collapse, headings stay with what follows, lines of text are parted between pages without widows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from config.value import value
from rendering.formats.pdf.layout.context import Context
from rendering.formats.pdf.layout.frames import Nesting
from rendering.formats.pdf.layout.items import Item, Page, TextLine
from rendering.formats.pdf.layout.measures import CAP_HEIGHT, EPSILON
from rendering.formats.pdf.layout.pages import Surface
from rendering.formats.pdf.typeset.lines import SetLine
from rendering.formats.pdf.typeset.paragraph import Paragraph, place
from rendering.formats.pdf.typeset.plain_lines import PlainLines
from rendering.formats.pdf.typeset.style import TextStyle
from templates_app.resolved import Align, TextAlign

SHARES: Final[Mapping[Align, float]] = {"left": 0.0, "center": 0.5, "right": 1.0}  # of the width left free
WIDEST_LETTER: Final = 0.75  # of the width of a column: the font size at which an emoji just fits


class CannotBeKept(Exception):
    """What is laid out in a galley does not stay on one page: it is too tall, or breaks the page itself."""


class Begun(Exception):
    """The first block of a trial asks for its place; with headings before it, it takes `height`."""

    def __init__(self, height: float) -> None:
        super().__init__()
        self.height = height


@value
class Held:
    """A heading that waits for the block it must stay with, or the last rows of a table."""

    gap: float
    height: float
    draw: Callable[[], None]
    language: str
    leave: Callable[[], None] | None


class Column:
    """The place on the page, and blocks one below the other."""

    def __init__(
        self,
        context: Context,
        surface: Surface,
        *,
        left: float,
        width: float,
        index: int = 0,
        y: float | None = None,
        top_level: bool = False,
        most: float | None = None,
        first_only: bool = False,
    ) -> None:
        self.context = context
        self.typesetter = context.typesetter
        self.theme = context.theme
        self.limits = context.limits
        self.left = left
        self.width = width
        self._most = most  # of a galley on trial: what is taller will not be placed
        self.first_only = first_only
        self._surface = surface
        self._top_level = top_level
        self._start = 0.0  # where the first block of this page goes
        self._gap = 0.0
        self._lead = 0.0  # the gap that the first block of this page asked for
        self._held: list[Held] = []
        self._break = False
        self._inside = Nesting()
        self._turn_to(index)
        if y is not None:
            self.y = y
            self._gapless = y

    # ---------------------------------------------------------------- where we are

    def _turn_to(self, index: int) -> None:
        self.index = index
        self.page: Page = self._surface.page(index)
        body = self._surface.body(index)
        self.top, self.bottom = body.top - self._inside.above, body.bottom + self._inside.below
        self.y = self._gapless = self._start = self.top

    @property
    def height(self) -> float:
        """The height of an empty page."""
        body = self._surface.body(self.index + 1)
        return body.top - body.bottom - self._inside.above - self._inside.below

    @property
    def room(self) -> float:
        """The height that is left on this page."""
        return self.y - self.bottom

    @property
    def at_top(self) -> bool:
        """True while nothing of this flow stands on this page."""
        return self.y >= self._start - EPSILON

    @property
    def used(self) -> float:
        """The height used so far on this page; of a galley, its whole height."""
        return self.top - self.y

    @property
    def items(self) -> list[Item]:
        """The items of this page."""
        return self.page.items

    # ---------------------------------------------------------------- going down

    def gap(self, height: float) -> None:
        """Ask for blank height before the next block; of two such wishes the larger one holds."""
        self._gap = max(self._gap, height * self.theme.spacing)
        if self.at_top and not self._held and not self._inside.frames:
            self._lead = self._gap

    def hold(
        self, height: float, draw: Callable[[], None], *, leave: Callable[[], None] | None = None
    ) -> None:
        """Draw a block of this height together with the next one, on the same page when they fit.

        `draw` moves on by itself. `leave` is called at the end of the page before, where they go to the next.
        """
        self._held.append(Held(self._gap, height, draw, self.typesetter.language, leave))
        self._gap = 0.0

    def need(self, height: float) -> None:
        """Make sure that `height` is there, on a new page if it must be; a page that is empty has to do."""
        if self._most is not None and self.used > self._most + 1:
            raise CannotBeKept
        if self.first_only:
            raise Begun(self._together(height, self._held))
        if self._break and not self.at_top:
            self.new_page()
        self._break = False
        if self._held:
            self._place_held(height)
        gap = self._gap if self.y < self._gapless - EPSILON else 0.0
        if gap + height > self.y - self.bottom + EPSILON and not self.at_top:
            self.new_page()
        else:
            self.y -= gap
        self._gap = 0.0

    def _place_held(self, height: float) -> None:
        """Draw what waits, together with a block of this height."""
        while self._held and not self._fits(height, self._held):
            if not self.at_top:
                for block in self._held:
                    if block.leave:
                        block.leave()
                self.new_page()
                continue
            self._draw_held(self._held.pop(0))  # more headings than a page holds: they go on alone
        held, self._held = self._held, []
        for block in held:
            self._draw_held(block)

    def put(self, *items: Item) -> None:
        """Place items on this page."""
        self.page.items.extend(items)

    def advance(self, height: float) -> None:
        """Move down past what was placed."""
        self.y -= height

    def skip(self, height: float) -> None:
        """Leave blank height; at the end of a page the rest of it is enough."""
        self.need(0)
        if height >= self.room:
            self.new_page()
        else:
            self.y -= height
            self._gapless = self.y

    def break_page(self) -> None:
        """Let the next block begin a page; several breaks in a row make one."""
        self.settle()
        self._break = True

    def settle(self) -> None:
        """Draw the headings that still wait."""
        if self._held:
            self.need(0)

    def new_page(self) -> None:
        """Go on at the top of the next page; raises LimitExceeded after the last one allowed.

        A galley has no next page: one on trial raises CannotBeKept, a header goes on below.
        """
        if self._surface.endless:
            if self._most is not None:
                raise CannotBeKept
            return
        self._leave_page()
        self._turn_to(self.index + 1)
        self._begin_page()
        if self._top_level:
            self._surface.seal(self.index)

    def _fits(self, height: float, held: Sequence[Held]) -> bool:
        return self._together(height, held) <= self.room + EPSILON

    def _together(self, height: float, held: Sequence[Held]) -> float:
        """Return the height of what waits and of a block below it, from here on."""
        blocks = [(block.gap, block.height) for block in held]
        blocks.append((self._gap, height))
        total = sum(gap + block for gap, block in blocks)
        if self.y >= self._gapless - EPSILON:
            total -= blocks[0][0]
        return total

    def _draw_held(self, held: Held) -> None:
        if self.y < self._gapless - EPSILON:
            self.y -= held.gap
        self._draw_block(held)

    # What goes on over pages is known to who opened it.

    def _draw_block(self, held: Held) -> None:
        held.draw()

    def _leave_page(self) -> None:
        """End on this page what goes on."""

    def _begin_page(self) -> None:
        """Go on with it on the next one."""

    # ---------------------------------------------------------------- text

    def aligned(self, align: TextAlign) -> TextAlign:
        """Return the side where lines begin for `left`: the right in a document from right to left.

        There `end` remains, the left whatever letters a text has; else it is the right.
        """
        if self.typesetter.mirrored:
            return "right" if align == "left" else align
        return "right" if align == "end" else align

    def x_of(self, width: float, align: Align) -> float:
        """Return where a block of this width begins: the sides are those of the paper, whatever language."""
        return self.left + (self.width - width) * SHARES[align]

    def style(
        self,
        size: float | None = None,
        *,
        color: str | None = None,
        bold: bool = False,
        italic: bool = False,
        family: str = "body",
    ) -> TextStyle:
        """Return a style of the theme; `size` None is that of running text.

        In a column too narrow for its widest letter the type is smaller: nothing may stand over a neighbour.
        """
        wished = min(size or self.theme.size, self.width * WIDEST_LETTER)
        return TextStyle(wished, color or self.theme.ink, bold, italic, family)

    def paragraph(self, paragraph: Paragraph, x: float, role: str) -> None:
        """Place lines from `y` on, over as many pages as they take, none of them alone on a page."""
        lines, leading = paragraph.lines, paragraph.leading
        start, total = 0, len(lines)
        self.need(leading * first_lines(total))
        while start < total:
            left = total - start
            fits = max(1, int((self.room + EPSILON) // leading))
            if fits < left and fits > 2 and left - fits == 1:
                fits -= 1  # the last line takes one along to the next page
            self.lines(paragraph, x, role, start, start + fits)
            start += fits
            if start < total:
                self.new_page()

    def lines(self, paragraph: Paragraph, x: float, role: str, start: int, stop: int) -> None:
        """Place some lines of a paragraph from `y` on; there is room for them."""
        lines, leading = paragraph.lines, paragraph.leading
        if isinstance(lines, PlainLines) and lines.whole:  # most text
            baseline = self.y - (leading + CAP_HEIGHT * lines.size) / 2
            self.page.items.append(lines.block(start, stop, x, baseline, leading, role))
            self.y -= (min(stop, len(lines)) - start) * leading
            return
        items, y = self.page.items, self.y
        for line in lines[start:stop]:
            runs = line.runs
            if len(runs) == 1 and not line.marks:
                baseline = y - (leading + CAP_HEIGHT * runs[0].size) / 2
                items.append(TextLine(x + line.x, baseline, runs, role, line.ascent, line.descent, line.said))
            else:
                items.extend(place(line, x, y - drop(line, leading), role))
            y -= leading
        self.y = y


def first_lines(total: int) -> int:
    """Return how many of a paragraph's lines its first page has at least.

    Of three none may stand alone: neither the first nor the last.
    """
    return total if total == 3 else min(total, 2)


def drop(line: SetLine, leading: float) -> float:
    """Return how far below the upper end of a line of this leading its baseline is."""
    size = max((run.size for run in line.runs), default=0.0)
    return (leading + CAP_HEIGHT * size) / 2
