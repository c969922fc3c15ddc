"""The kinds' pen: a column of pages that sections are laid out in, and sections within those.

Side by side run several flows over the same pages; what must be measured first goes into a galley.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from rendering.formats.pdf.layout.column import Begun, CannotBeKept, Column, Held
from rendering.formats.pdf.layout.frames import (
    ACCENT,
    LEAST_INSIDE,
    DrawnFrame,
    Nesting,
    OpenFrame,
    frame_items,
    inset,
)
from rendering.formats.pdf.layout.items import UNSEEN, Group, Item, Language
from rendering.formats.pdf.layout.measures import EPSILON
from rendering.formats.pdf.layout.pages import Strip
from templates_app.resolved import Frame, ResolvedLanguage, ResolvedPlace, ResolvedSection

if TYPE_CHECKING:
    from rendering.formats.pdf.layout.structure import Attributes, Element
    from rendering.formats.pdf.typeset.paragraph import Paragraph

_END_OF_LANGUAGE: Final = Language("")

# Headings so far, and elements where the next one goes.
Milestone = tuple[int, int]
Clip = tuple[float, float, float, float]  # x, y, width, height, as the items of a figure have them


class Flow(Column):
    """A column that knows how each kind is drawn, what is inside of what, and which language it speaks."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Begin as a Column does."""
        self._languages: list[str] = []  # that are marked on this page, the innermost last
        self._following: ResolvedSection | None = None  # comes behind the section that begins to be drawn
        self._ended: DrawnFrame | None = None  # the last frame, for which it may be the end of a galley
        super().__init__(*args, **kwargs)

    def _draw_block(self, held: Held) -> None:
        if held.language == self.typesetter.language:
            held.draw()
            return
        with self.speaking(held.language):
            held.draw()

    def _leave_page(self) -> None:
        self._draw_frames()
        for _ in self._languages:
            self.put(_END_OF_LANGUAGE)

    def _begin_page(self) -> None:
        for language in self._languages:
            self.put(Language(language))
        top = self.top
        for frame in reversed(self._inside.frames):  # each stands inside of those around it
            top += inset(frame.frame)
            frame.index, frame.top = len(self.page.items), top

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

    def figure(
        self, items: Sequence[Item], x: float, y: float, *, alt: str, clip: Clip | None = None
    ) -> None:
        """Place items as one figure, what is 0, 0 for them at `x`, `y`; `alt` says what it shows."""
        self.tag(self.element("Figure", alt=alt))
        self.put(Group(items, (1, 0, 0, 1, x, y), clip=clip, role="figure", alt=alt))

    def next_anchor(self) -> str:
        """Return the name of the place of the next heading, by which the table of contents knows it.

        To be asked for when the heading comes, in the order of sections: it may be drawn later.
        """
        if not self.context.outlined:
            return ""
        self.context.anchors += 1
        return f"h{self.context.anchors}"

    # ---------------------------------------------------------------- sections within sections

    def draw(self, sections: Sequence[ResolvedSection]) -> None:
        """Lay out sections here, one below the other."""
        last = len(sections) - 1
        for number, section in enumerate(sections):
            self._draw_section(section, None if number == last else sections[number + 1])

    def _draw_section(self, section: Any, following: ResolvedSection | None) -> None:
        """Lay out a section, behind which another or None comes."""
        self.limits.check_time()
        self._following = following
        render = self.context.kinds.get(section.kind)
        if render is not None:
            render(section, self)
        elif section.__class__ is ResolvedLanguage:
            with self.speaking(section.language):
                self._draw_section(section.section, following)

    @property
    def announces(self) -> bool:
        """Whether the section that begins to be drawn stands before one that texts introduce."""
        following = self._following
        while isinstance(following, ResolvedPlace | ResolvedLanguage):
            following = following.section
        return following is not None and following.announced

    def hold_paragraph(self, paragraph: Paragraph, x: float, role: str) -> None:
        """Draw a short paragraph together with the next block."""
        element = self.element("P")

        def draw() -> None:
            self.tag(element)
            self.lines(paragraph, x, role, 0, len(paragraph.lines))

        self.hold(paragraph.height, draw)

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

    def galley(self, width: float, sections: Sequence[ResolvedSection], most: float) -> Flow | None:
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

    def first_height(self, width: float, sections: Sequence[ResolvedSection]) -> float:
        """Return the height that sections begin with on a page: their first block and headings before it."""
        before = self.milestone()
        trial = type(self)(self.context, Strip(width, self.height), left=0.0, width=width, first_only=True)
        trial._go_on_as(self)
        try:
            trial.draw(sections)
            trial.settle()
        except Begun as begun:
            return min(begun.height, self.height)
        finally:
            self.go_back_to(before)
        return 0.0

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
        flow.top, flow.bottom, flow._start = self.top, self.bottom, self._start
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
            for frame in self._inside.frames:
                frame.index = self.page.ground  # behind what the flows have placed there
        self.y = min(self.y, lowest)

    @contextmanager
    def framed(self, frame: Frame) -> Iterator[None]:
        """Draw a frame around what is placed inside, on every page that it goes over."""
        pad = inset(frame)
        self.need(2 * pad + LEAST_INSIDE)
        before = self.left, self.width, self._inside.above, self._inside.below
        mirrored = self.typesetter.mirrored
        opened = OpenFrame(frame, self.left, self.width, len(self.page.items), self.y, mirrored)
        self._inside.frames.append(opened)
        self._indent(pad, frame)
        self._inside.above += pad
        self._inside.below += pad
        self.bottom += pad
        if self.at_top:
            self._start -= pad
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

    def framed_galley(self, frame: Frame, sections: Sequence[ResolvedSection], *, gaps: bool = False) -> bool:
        """Place framed sections on one page; returns False, with nothing placed, when they are too tall.

        `gaps`: they keep the gaps above and below that they would have without being kept together.
        """
        pad = inset(frame)
        side = pad + (ACCENT if frame.accent else 0.0)
        galley = self.galley(max(self.width - pad - side, 1.0), sections, self.height - 2 * pad)
        if galley is None:
            return False
        height = galley.used + 2 * pad
        if gaps:
            self._gap = max(self._gap, galley._lead)
        self.need(height)
        box = (self.left, self.y, self.width, height)
        mirrored, index = self.typesetter.mirrored, len(self.items)
        self.put(*frame_items(frame, *box, mirrored=mirrored))
        drawn = DrawnFrame(frame, index, len(self.items) - index, box, mirrored)
        self.y -= pad
        self.place_galley(galley, self.left + (pad if self.typesetter.mirrored else side))
        self.y -= height - pad
        if gaps:
            self._gap = galley._gap
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
        """Draw the open frames behind what they hold on this page, the innermost first.

        One that has nothing to hold there begins on the next page.
        """
        frames = self._inside.frames[-1:] if only_last else self._inside.frames
        below = 0.0
        for opened in reversed(frames):
            pad = inset(opened.frame)
            end = self.y if only_last else self.bottom - below - pad
            below += 0.0 if only_last else pad
            if not only_last and all(isinstance(item, UNSEEN) for item in self.page.items[opened.index :]):
                continue
            box = (opened.left, opened.top, opened.width, opened.top - end)
            items = frame_items(opened.frame, *box, mirrored=opened.mirrored)
            self.page.items[opened.index : opened.index] = items
            self._ended = DrawnFrame(opened.frame, opened.index, len(items), box, opened.mirrored)
