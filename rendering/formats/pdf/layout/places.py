"""Which section drew what: a pen that leaves a Region wherever a section stands. Lengths are points.

For documents whose sections know where they are written (`resolve(..., with_places=True)`). Everything is
placed as a plain Flow places it, so that the file is the same to the byte.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from config.value import dataclass
from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.items import Group, Item, Page, Region, TextLine
from rendering.formats.pdf.layout.measures import EPSILON
from templates_app.resolved import ResolvedDocument, ResolvedPlace

MOST_AREAS: Final = 2_000  # of a document; nobody points at what lies far behind


@dataclass(slots=True)
class _Begun:
    """A section that is being drawn; `top` is where it begins on this page, None before it has a place."""

    place: str
    left: float
    width: float
    top: float | None = None


class PlacedFlow(Flow):
    """A Flow over ResolvedPlaces: what it puts on paper is framed by Regions."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._begun: list[_Begun] = []
        super().__init__(*args, **kwargs)

    def _draw_section(self, section: Any, following: Any) -> None:
        """Lay out a section here, and leave a region for it."""
        if section.__class__ is not ResolvedPlace:
            super()._draw_section(section, following)
            return
        context, open_here = self.context, self._begun
        around = context.place
        context.place = place = f"{around}.{section.place}" if around else section.place
        begun = _Begun(place, self.left, self.width)
        open_here.append(begun)
        try:
            super()._draw_section(section.section, following)
            self._leave(begun)
        finally:
            open_here.pop()
            context.place = around

    def _leave(self, begun: _Begun) -> None:
        """Leave the region of what a section has on this page so far."""
        if begun.top is not None and begun.top - self.y > EPSILON:
            height = begun.top - self.y
            self.put(Region(begun.left, self.y, begun.width, height, begun.place))

    def need(self, height: float) -> None:
        """Make sure of the height; what is drawn now begins here."""
        super().need(height)
        for begun in self._begun:
            if begun.top is None:
                begun.top = self.y

    def hold(
        self, height: float, draw: Callable[[], None], *, leave: Callable[[], None] | None = None
    ) -> None:
        """Let a block wait for the next one; it leaves its region when it is drawn."""
        place, left, width = self.context.place, self.left, self.width

        def placed() -> None:
            begun = _Begun(place, left, width, self.y)
            draw()
            self._leave(begun)

        super().hold(height, placed if place else draw, leave=leave)

    def new_page(self) -> None:
        """Go on at the top of the next page; what was begun goes on there."""
        for begun in self._begun:
            self._leave(begun)
        super().new_page()
        for begun in self._begun:
            if begun.top is not None:
                begun.top = self.y


class Areas:
    """Collects the regions of a document while it is written, as lists for JSON."""

    with_places = True

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._heights: dict[int, float] = {}
        self._found: dict[int, list[tuple[float, ...]]] = {}
        self._places: dict[str, int] = {}
        self._left = MOST_AREAS

    def begin(self, document: ResolvedDocument) -> None:
        """Learn how the bands of the first page are called."""
        page = document.page
        self._first = {
            "header": "header" if page.first_header is None else "firstHeader",
            "footer": "footer" if page.first_footer is None else "firstFooter",
        }

    def page(self, page: Page) -> None:
        """Take the regions of a page."""
        self._heights[page.number] = page.height
        self._take(page.number, page.items, 0.0, 0.0)

    def bands(self, number: int, items: Sequence[Item]) -> None:
        """Take header and footer of a page: regions of sections, or their three texts."""
        self._take(number, items, 0.0, 0.0)
        for item in items:
            if isinstance(item, TextLine):
                name = "header" if item.y > self._heights[number] / 2 else "footer"
                place = f"page.{self._first[name] if number == 1 else name}"
                box = (item.x, item.y - item.descent, item.width, item.ascent + item.descent)
                self._add(number, place, *box)

    def _take(self, number: int, items: Sequence[Item], dx: float, dy: float) -> None:
        for item in items:
            if isinstance(item, Group):
                # Galleys are moved only; what is turned or scaled holds no sections.
                self._take(number, item.items, dx + item.matrix[4], dy + item.matrix[5])
            elif isinstance(item, Region):
                self._add(number, item.place, item.x + dx, item.y + dy, item.width, item.height)

    def _add(self, number: int, place: str, x: float, y: float, width: float, height: float) -> None:
        if self._left and width > 0:
            self._left -= 1
            top = self._heights[number] - y - height
            which = self._places.setdefault(place, len(self._places))
            box = (round(x, 1), round(top, 1), round(width, 1), round(height, 1))
            self._found.setdefault(number, []).append((which, *box))

    def as_json(self) -> dict[str, Any]:
        """Return `places` (paths in the content) and `pages`: for each, areas on it.

        An area is `[index of its place, x, y, width, height]` in points from the upper left corner; of two
        that overlap, the smaller one is inside.
        """
        last = max(self._found, default=0)
        pages = [self._found.get(number, []) for number in range(1, last + 1)]
        return {"places": list(self._places), "pages": pages}
