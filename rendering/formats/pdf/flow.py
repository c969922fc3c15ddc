"""Where the next block goes: one column of pages, filled from top to bottom. Lengths are points.

A section asks for room with `need`, draws at `y`, and moves on with `advance`; only `Flow` begins pages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rendering.formats.base import Limits, RenderError
from rendering.formats.pdf.fonts import Face
from rendering.formats.pdf.styles import CAP_HEIGHT, MM
from templates_app.resolved import ImageFile, ResolvedPage

if TYPE_CHECKING:
    from reportlab.lib.utils import ImageReader

    from rendering.formats.pdf.pages import PagedCanvas

LEAST: Final = 10 * MM  # a page body smaller than this in either direction is refused
EPSILON: Final = 0.01


@dataclass(frozen=True, slots=True)
class _Held:
    """A heading that waits for the block it must stay with."""

    gap: float
    height: float
    draw: Callable[[], None]


class Flow:
    """The sections' pen: place on the page, spacing that collapses, headings that stay with what follows."""

    def __init__(self, canvas: PagedCanvas, page: ResolvedPage, limits: Limits) -> None:
        """Start the first page; raises RenderError when the margins leave no room."""
        self.canvas = canvas
        self.limits = limits
        self.left = page.margin_left * MM
        self.width = (page.width - page.margin_left - page.margin_right) * MM
        self.top = (page.height - page.margin_top) * MM
        self.bottom = page.margin_bottom * MM
        if self.width < LEAST or self.height < LEAST:
            raise RenderError("Page margins leave no room for content")
        self.y = self.top
        self.pages = 1
        self.images: dict[ImageFile, ImageReader] = {}
        self._gap = 0.0
        self._held: list[_Held] = []
        self._break = False
        limits.check_pages(1)

    @property
    def height(self) -> float:
        """The height of an empty page."""
        return self.top - self.bottom

    @property
    def room(self) -> float:
        """The height that is left on this page."""
        return self.y - self.bottom

    @property
    def at_top(self) -> bool:
        """True while nothing stands on this page."""
        return self.y >= self.top - EPSILON

    def gap(self, height: float) -> None:
        """Ask for blank height before the next block; of two such wishes the larger one holds."""
        self._gap = max(self._gap, height)

    def hold(self, height: float, draw: Callable[[], None]) -> None:
        """Draw a block of this height together with the next one, on the same page when they fit.

        `draw` moves on by itself.
        """
        self._held.append(_Held(self._gap, height, draw))
        self._gap = 0.0

    def need(self, height: float) -> None:
        """Make sure that `height` is there, on a new page if it must be; a page that is empty has to do."""
        if self._break and not self.at_top:
            self.new_page()
        self._break = False
        while self._held and not self._fits(height, self._held):
            if not self.at_top:
                self.new_page()
                continue
            self._place(self._held.pop(0))  # more headings than a page holds: they go on alone
        for held in self._held:
            self._place(held)
        self._held = []
        if not self._fits(height, ()) and not self.at_top:
            self.new_page()
        elif not self.at_top:
            self.y -= self._gap
        self._gap = 0.0

    def advance(self, height: float) -> None:
        """Move down past what was drawn."""
        self.y -= height

    def skip(self, height: float) -> None:
        """Leave blank height; at the end of a page the rest of it is enough."""
        self.need(0)
        if height >= self.room:
            self.new_page()
        else:
            self.y -= height

    def break_page(self) -> None:
        """Let the next block begin a page; several breaks in a row make one."""
        self.settle()
        self._break = True

    def settle(self) -> None:
        """Draw the headings that still wait."""
        if self._held:
            self.need(0)

    def new_page(self) -> None:
        """End this page; raises LimitExceeded at the page after the last one allowed."""
        self.limits.check_pages(self.pages + 1)
        self.limits.check_time()
        self.canvas.end_page()
        self.pages += 1
        self.y = self.top

    def line(
        self, text: str, face: Face, size: float, color: str, x: float, leading: float, spread: float = 0
    ) -> None:
        """Draw one line of text in the `leading` points below `y` and move on; `spread` widens its spaces."""
        self.canvas.text(text, face, size, color, x, self.y - (leading + CAP_HEIGHT * size) / 2, spread)
        self.y -= leading

    def _fits(self, height: float, held: list[_Held] | tuple[()]) -> bool:
        blocks = [(block.gap, block.height) for block in held]
        blocks.append((self._gap, height))
        total = sum(gap + block for gap, block in blocks)
        if self.at_top:
            total -= blocks[0][0]
        return total <= self.room + EPSILON

    def _place(self, held: _Held) -> None:
        if not self.at_top:
            self.y -= held.gap
        held.draw()
