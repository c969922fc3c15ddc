"""Header and footer: one line of three texts inside the margins, cut where they would meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rendering.formats.pdf.fonts import face
from rendering.formats.pdf.styles import BAND_EDGE, BAND_GAP, BAND_SIZE, CAP_HEIGHT, MM, MUTED
from rendering.formats.pdf.text import Measure, one_line
from templates_app.resolved import PAGE_COUNT, PAGE_NUMBER, ResolvedBand, ResolvedPage

if TYPE_CHECKING:
    from rendering.formats.pdf.pages import PagedCanvas


def filled(text: str, number: int, count: int) -> str:
    """Return a band's text with the page number and count in place."""
    parts = [part.split(PAGE_COUNT) for part in text.split(PAGE_NUMBER)]
    return one_line(str(number).join(str(count).join(part) for part in parts))


def fitted(texts: tuple[str, str, str], width: float, measure: Measure) -> tuple[str, str, str]:
    """Return left, centre and right text cut so that they stay `BAND_GAP` apart on a line of `width`."""
    left, center, right = texts
    if center:
        sides = max(measure.width(left), measure.width(right))
        room = width - 2 * (sides + BAND_GAP) if sides else width
        center = measure.clipped(center, max(room, width / 3))
        side = (width - measure.width(center)) / 2 - BAND_GAP
        return measure.clipped(left, side), center, measure.clipped(right, side)
    half = (width - BAND_GAP) / 2
    left = measure.clipped(left, max(half, width - BAND_GAP - measure.width(right)) if right else width)
    return left, "", measure.clipped(right, width - BAND_GAP - measure.width(left) if left else width)


@dataclass(frozen=True, slots=True)
class Band:
    """A header or footer with its place on the paper, in points."""

    texts: ResolvedBand
    x: float
    width: float
    baseline: float

    @classmethod
    def of(cls, page: ResolvedPage) -> tuple[Band, ...]:
        """Return the bands of a page, each in the middle of its margin."""
        x = page.margin_left * MM
        width = (page.width - page.margin_left - page.margin_right) * MM
        rise = CAP_HEIGHT * BAND_SIZE
        bands = []
        if page.header:
            inset = max(page.margin_top * MM / 2 - rise / 2, BAND_EDGE)
            bands.append(cls(page.header, x, width, page.height * MM - inset - rise))
        if page.footer:
            bands.append(cls(page.footer, x, width, max(page.margin_bottom * MM / 2 - rise / 2, BAND_EDGE)))
        return tuple(bands)

    def draw(self, canvas: PagedCanvas, number: int, count: int) -> None:
        """Draw the band of page `number` of `count`."""
        measure = Measure(face(), BAND_SIZE)
        left, center, right = (
            filled(text, number, count) for text in (self.texts.left, self.texts.center, self.texts.right)
        )
        left, center, right = fitted((left, center, right), self.width, measure)
        for text, share in ((left, 0.0), (center, 0.5), (right, 1.0)):
            if text:
                x = self.x + (self.width - measure.width(text)) * share
                canvas.text(text, measure.face, BAND_SIZE, MUTED, x, self.baseline)
