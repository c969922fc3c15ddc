"""Where the next block goes: a column of pages, filled from top to bottom. Lengths are points.

A kind asks for room with `need`, puts items at `y` and moves on with `advance`; only `Flow` goes to the next
page. Side by side run several flows over the same pages; what must be measured first goes into a galley.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from config.value import value
from rendering.formats.pdf.layout.context import Context
from rendering.formats.pdf.layout.frames import (
    ACCENT,
    LEAST_INSIDE,
    DrawnFrame,
    Nesting,
    OpenFrame,
    frame_items,
)
from rendering.formats.pdf.layout.items import Group, Item, Language, Page, TextLine
from rendering.formats.pdf.layout.measures import CAP_HEIGHT, EPSILON, MM
from rendering.formats.pdf.layout.pages import Strip, Surface
from rendering.formats.pdf.typeset.lines import SetLine
from rendering.formats.pdf.typeset.paragraph import Paragraph, place
from rendering.formats.pdf.typeset.plain_lines import PlainLines
from rendering.formats.pdf.typeset.style import TextStyle
from templates_app.resolved import Frame, ResolvedLanguage, TextAlign

if TYPE_CHECKING:
    from rendering.formats.pdf.layout.structure import Attributes, Element

WIDEST_LETTER = 0.75  # of the width of a column: the font size at which an emoji just fits
_END_OF_LANGUAGE: Final = Language("")

# Headings so far, and elements where the next one goes.
Milestone = tuple[int, int]


class CannotBeKept(Exception):
    """What is laid out in a galley does not stay on one page: it is too tall, or breaks the page itself."""


@value
class _Held:
    """A heading that waits for the block it must stay with, or the last rows of a table."""

    gap: float
    height: float
    draw: Callable[[], None]
    language: str
    leave: Callable[[], None] | None


class Flow:
    """The kinds' pen: place on the page, spacing that collapses, headings that stay with what follows."""

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
    ) -> None:
        self.context = context
        self.typesetter = context.typesetter
        self.theme = context.theme
        self.limits = context.limits
        self.left = left
        self.width = width
        self._most = most  # of a galley on trial: what is taller will not be placed
        self._surface = surface
        self._top_level = top_level
        self._gap = 0.0
        self._held: list[_Held] = []
        self._languages: list[str] = []  # that are marked on this page, the innermost last
        self._break = False
        self._inside = Nesting()
        self._ended: DrawnFrame | None = None  # the last frame, for which it may be the end of a galley
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
        self.y = self._gapless = self.top

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
        return self.y >= self.top - EPSILON

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

    def hold(
        self, height: float, draw: Callable[[], None], *, leave: Callable[[], None] | None = None
    ) -> None:
        """Draw a block of this height together with the next one, on the same page when they fit.

        `draw` moves on by itself. `leave` is called at the end of the page before, where they go to the next.
        """
        self._held.append(_Held(self._gap, height, draw, self.typesetter.language, leave))
        self._gap = 0.0

    def need(self, height: float) -> None:
        """Make sure that `height` is there, on a new page if it must be; a page that is empty has to do."""
        if self._most is not None and self.used > self._most + 1:
            raise CannotBeKept
        if self._break and not self.at_top:
            self.new_page()
        self._break = False
        if self._held:
            self._place_held(height)
        gap = self._gap if self.y < self._gapless - EPSILON else 0.0
        if gap + height > self.y - self.bottom + EPSILON and self.y < self.top - EPSILON:
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
        self._draw_frames()
        for _ in self._languages:
            self.put(_END_OF_LANGUAGE)
        self._turn_to(self.index + 1)
        for language in self._languages:
            self.put(Language(language))
        for frame in self._inside.frames:
            frame.index, frame.top = len(self.page.items), self._surface.body(self.index).top
        if self._top_level:
            self._surface.seal(self.index)

    def _fits(self, height: float, held: Sequence[_Held]) -> bool:
        blocks = [(block.gap, block.height) for block in held]
        blocks.append((self._gap, height))
        total = sum(gap + block for gap, block in blocks)
        if self.y >= self._gapless - EPSILON:
            total -= blocks[0][0]
        return total <= self.room + EPSILON

    def _draw_held(self, held: _Held) -> None:
        if self.y < self._gapless - EPSILON:
            self.y -= held.gap
        if held.language == self.typesetter.language:
            held.draw()
            return
        with self.speaking(held.language):
            held.draw()

    # ---------------------------------------------------------------- text

    def aligned(self, align: TextAlign) -> TextAlign:
        """Return the side where lines begin for `left`: the right in a document from right to left."""
        return "right" if align == "left" and self.typesetter.mirrored else align

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

    def paragraph(self, paragraph: Paragraph, x: float, role: str, *, keep: bool = False) -> None:
        """Place lines from `y` on, over as many pages as they take, none of them alone on a page.

        `keep` moves them to the next page as a whole when they fit there.
        """
        lines, leading = paragraph.lines, paragraph.leading
        start, total = 0, len(lines)
        whole = keep and total * leading <= self.height
        # Of three lines none may stand alone: neither the first nor the last.
        self.need(leading * (total if whole or total == 3 else min(total, 2)))
        while start < total:
            left = total - start
            fits = max(1, int((self.room + EPSILON) // leading))
            if fits < left and fits > 2 and left - fits == 1:
                fits -= 1  # the last line takes one along to the next page
            if isinstance(lines, PlainLines) and lines.whole:  # most text
                baseline = self.y - (leading + CAP_HEIGHT * lines.size) / 2
                self.page.items.append(lines.block(start, start + fits, x, baseline, leading, role))
                self.y -= min(fits, left) * leading
            else:
                self._lines(lines[start : start + fits], leading, x, role)
            start += fits
            if start < total:
                self.new_page()

    def _lines(self, lines: Sequence[SetLine], leading: float, x: float, role: str) -> None:
        """Place lines from `y` on; there is room for them."""
        items, y = self.page.items, self.y
        for line in lines:
            runs = line.runs
            if len(runs) == 1 and not line.marks:
                baseline = y - (leading + CAP_HEIGHT * runs[0].size) / 2
                items.append(TextLine(x + line.x, baseline, runs, role, line.ascent, line.descent, line.said))
            else:
                items.extend(place(line, x, y - drop(line, leading), role))
            y -= leading
        self.y = y

    def next_anchor(self) -> str:
        """Return the name of the place of the next heading, by which the table of contents knows it.

        To be asked for when the heading comes, in the order of sections: it may be drawn later.
        """
        if not self.context.outlined:
            return ""
        self.context.anchors += 1
        return f"h{self.context.anchors}"

    # ---------------------------------------------------------------- structure

    # What is said here makes the tree of a tagged document (`tagged_flow.py`); of others it is nothing.

    @property
    def container(self) -> Element | None:
        """The element that was opened last."""
        return None

    def element(self, kind: str, *, alt: str = "") -> Element | None:
        """Return a new element of the structure, behind those so far; to be made in the order of reading."""
        return None

    def tag(self, element: Element | None) -> None:
        """Say that what is placed from here on belongs to an element; None: it only decorates."""

    def open(self, kind: str, attributes: Attributes | None = None) -> None:
        """Begin an element of elements: those that come belong to it, up to its `close`."""

    def close(self) -> None:
        """End the element that was opened last."""

    # ---------------------------------------------------------------- sections within sections

    def draw(self, sections: Sequence[Any]) -> None:
        """Lay out sections here, one below the other."""
        for section in sections:
            self.limits.check_time()
            render = self.context.kinds.get(section.kind)
            if render is not None:
                render(section, self)
            elif section.__class__ is ResolvedLanguage:
                with self.speaking(section.language):
                    self.draw((section.section,))

    @contextmanager
    def speaking(self, language: str) -> Iterator[None]:
        """Set texts inside in a language (BCP 47), and mark them so on the pages."""
        before, after = self.typesetter, self.context.speaking(language)
        if after is before:
            yield
            return
        self.typesetter = after
        self._languages.append(after.language)
        self.put(Language(after.language))
        yield
        self.put(_END_OF_LANGUAGE)
        self._languages.pop()
        self.typesetter = before

    def _go_on_as(self, other: Flow) -> None:
        """Take over from the flow that this one is laid out for."""
        self.typesetter = other.typesetter

    def milestone(self) -> Milestone:
        """Return how far the document is, for `go_back_to`."""
        return self.context.anchors, 0

    def go_back_to(self, milestone: Milestone) -> None:
        """Forget what was laid out in galleys since then: it will be laid out again."""
        self.context.anchors = milestone[0]

    def galley(self, width: float, sections: Sequence[Any], most: float) -> Flow | None:
        """Return sections laid out from 0 downwards, to be placed; None when they are taller than `most`.

        The first thing that is too much ends the trial, and those around it: however deep sections stand in
        each other, each is tried once and laid out once.
        """
        tried = self._most is not None
        if self._most is not None:
            most = min(most, self._most - self.used)
        before = self.milestone()
        galley = type(self)(self.context, Strip(width), left=0.0, width=width, most=most)
        galley._go_on_as(self)
        try:
            galley.draw(sections)
            galley.settle()
            if galley.used > most and not tried:  # inside a trial, the outermost one has the last word
                raise CannotBeKept
        except CannotBeKept:
            if tried:
                raise
            self.go_back_to(before)
            return None
        return galley

    def place_galley(self, galley: Flow, x: float) -> None:
        """Put a galley's items with its upper end at `y`; does not move on."""
        if galley.items:
            self.put(Group.moved(galley.items, x, self.y))

    def beside(self, x: float, width: float) -> Flow:
        """Return a flow over the same pages that begins here, `width` wide at `x`; to be joined."""
        flow = type(self)(self.context, self._surface, left=x, width=width, index=self.index, y=self.y)
        flow._go_on_as(self)
        flow._languages = self._languages[-1:]
        for language in flow._languages:
            flow.put(Language(language))
        flow._inside = Nesting(self._inside.above, self._inside.below)
        flow.top, flow.bottom = self.top, self.bottom
        return flow

    def join(self, flows: Sequence[Flow]) -> None:
        """Go on below the longest of the flows that began here."""
        for flow in flows:
            for _ in flow._languages:
                flow.put(_END_OF_LANGUAGE)
        last = max(flow.index for flow in flows)
        lowest = min(flow.y for flow in flows if flow.index == last)
        while self.index < last:
            self.new_page()
        self.y = min(self.y, lowest)

    @contextmanager
    def framed(self, frame: Frame) -> Iterator[None]:
        """Draw a frame around what is placed inside, on every page that it goes over."""
        pad = frame.padding * MM
        self.need(2 * pad + LEAST_INSIDE)
        before = self.left, self.width, self._inside.above, self._inside.below
        mirrored = self.typesetter.mirrored
        opened = OpenFrame(frame, self.left, self.width, len(self.page.items), self.y, mirrored)
        self._inside.frames.append(opened)
        self._indent(pad, frame)
        self._inside.above += pad
        self._inside.below += pad
        self.bottom += pad
        self.y -= pad
        self._gapless = self.y
        yield
        self.settle()
        self._gap = 0.0
        self.y -= pad
        self._draw_frames(only_last=True)
        self._inside.frames.pop()
        self.left, self.width, self._inside.above, self._inside.below = before
        body = self._surface.body(self.index)
        self.top, self.bottom = body.top - self._inside.above, body.bottom + self._inside.below

    def framed_galley(self, frame: Frame, sections: Sequence[Any]) -> bool:
        """Place framed sections on one page; returns False, with nothing placed, when they are too tall."""
        pad = frame.padding * MM
        side = pad + (ACCENT if frame.accent else 0.0)
        galley = self.galley(max(self.width - pad - side, 1.0), sections, self.height - 2 * pad)
        if galley is None:
            return False
        height = galley.used + 2 * pad
        self.need(height)
        box = (self.left, self.y, self.width, height)
        mirrored, index = self.typesetter.mirrored, len(self.items)
        self.put(*frame_items(frame, *box, mirrored=mirrored))
        drawn = DrawnFrame(frame, index, len(self.items) - index, box, mirrored)
        self.y -= pad
        self.place_galley(galley, self.left + (pad if self.typesetter.mirrored else side))
        self.y -= height - pad
        self._ended = drawn
        return True

    def stretch(self, height: float) -> None:
        """Let a frame with which this galley ends reach down to `height`."""
        drawn = self._ended
        if drawn is None:
            return
        _, top, _, high = drawn.box
        if abs(top - high - self.y) < EPSILON:
            self.items[drawn.index : drawn.index + drawn.count] = drawn.grown(height - self.used)

    def _indent(self, pad: float, frame: Frame) -> None:
        side = pad + (ACCENT if frame.accent else 0.0)
        self.left += pad if self.typesetter.mirrored else side
        self.width = max(self.width - pad - side, 1.0)

    def _draw_frames(self, *, only_last: bool = False) -> None:
        """Draw the open frames behind what they hold on this page, the innermost first."""
        frames = self._inside.frames[-1:] if only_last else self._inside.frames
        below = 0.0
        for opened in reversed(frames):
            end = self.y if only_last else self.bottom - below - opened.frame.padding * MM
            below += 0.0 if only_last else opened.frame.padding * MM
            box = (opened.left, opened.top, opened.width, opened.top - end)
            items = frame_items(opened.frame, *box, mirrored=opened.mirrored)
            self.page.items[opened.index : opened.index] = items
            self._ended = DrawnFrame(opened.frame, opened.index, len(items), box, opened.mirrored)


def drop(line: Any, leading: float) -> float:
    """Return how far below the upper end of a line of this leading its baseline is."""
    size = max((run.size for run in line.runs), default=0.0)
    return (leading + CAP_HEIGHT * size) / 2
