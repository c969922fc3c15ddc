"""The pages of one document while they are filled: made on demand, handed on in order. Lengths are points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from config.value import value
from rendering.formats.base import Limits
from rendering.formats.pdf.layout.items import Item, Page
from rendering.formats.pdf.layout.measures import ENDLESS


@value
class Body:
    """What header and footer leave of a page: its upper and lower end."""

    top: float
    bottom: float


class Surface(Protocol):
    """Where a flow draws: pages by index from 0, and the free part of each."""

    endless: bool  # there is one page only, of unlimited height

    def page(self, index: int) -> Page:
        """Return a page; the first call for an index makes it."""

    def body(self, index: int) -> Body:
        """Return the free part of a page."""

    def seal(self, before: int) -> None:
        """Hand on the pages below an index: nothing will be added to them."""


class Pages:
    """The paper of a document; `emit` gets each page once, when it is complete."""

    endless = False

    def __init__(
        self,
        *,
        size: tuple[float, float],
        first: Body,
        rest: Body,
        backdrops: tuple[Sequence[Item], Sequence[Item]],
        limits: Limits,
        emit: Callable[[Page], None],
    ) -> None:
        self._size = size
        self._first, self._rest = first, rest
        self._backdrops = backdrops  # of the first page and of the others
        self._limits = limits
        self._emit = emit
        self._open: list[Page] = []
        self._sealed = 0

    @property
    def count(self) -> int:
        """How many pages there are so far."""
        return self._sealed + len(self._open)

    def page(self, index: int) -> Page:
        """Return a page that is not sealed; raises LimitExceeded at the page after the last one allowed."""
        while self.count <= index:
            self._limits.check_pages(self.count + 1)
            self._limits.check_time()
            width, height = self._size
            backdrop = list(self._backdrops[self.count > 0])
            self._open.append(Page(self.count + 1, width, height, backdrop, ground=len(backdrop)))
        return self._open[index - self._sealed]

    def body(self, index: int) -> Body:
        """Return the free part of a page: the first one may differ."""
        return self._rest if index else self._first

    def seal(self, before: int) -> None:
        """Hand on the pages below an index."""
        while self._sealed < before and self._open:
            self._emit(self._open.pop(0))
            self._sealed += 1


class Strip:
    """One page without end: a galley. Its upper end is 0, content goes below; a page has the height given."""

    endless = True

    def __init__(self, width: float, height: float = ENDLESS) -> None:
        self._page = Page(1, width, height, [])

    def page(self, index: int) -> Page:
        """Return the only page."""
        return self._page

    def body(self, index: int) -> Body:
        """Return all of it."""
        return Body(0.0, -self._page.height)

    def seal(self, before: int) -> None:
        """Keep the page."""
