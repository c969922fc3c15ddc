"""Where the texts of a column stand: an anchor, and how far before it each text begins. Points."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from babel import numbers

from config.value import value
from templates_app.resolved import CellAlign, TextAlign

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.typesetter import Font

SHARES: Final = {"center": 0.5, "right": 1.0}  # of the width, on the left of an anchor
_LAST_DIGIT: Final = re.compile(r".*\d", re.DOTALL)


@value
class Track:
    """The inside of a column. A text begins its *pull* (thousandths of its size) to the left of `anchor`.

    One number per text places it, whatever the alignment: nothing for left, its width for right, the half
    for centre, the width of its whole digits for decimal.
    """

    left: float
    width: float
    align: CellAlign
    anchor: float
    symbol: str = ""  # the decimal separator

    @classmethod
    def of(
        cls, left: float, width: float, align: CellAlign, *, symbol: str = "", after: float = 0.0
    ) -> Track:
        """Return a track; `after` is the width that decimals may take, separator included."""
        anchor = left
        if align != "left":
            anchor += max(width - after, 0.0) if align == "decimal" else width * SHARES[align]
        return cls(round(left, 2), width, align, round(anchor, 2), symbol)

    @property
    def right(self) -> float:
        """The right end."""
        return self.left + self.width

    @property
    def text_align(self) -> TextAlign:
        """The alignment of paragraphs."""
        return "right" if self.align == "decimal" else self.align

    def limit(self, size: float) -> float:
        """Return the width in thousandths of a size, and a sliver: widths come from sums in other orders."""
        return (self.width + 0.01) * 1000 / size

    def pulls(
        self, font: Font, texts: Sequence[str], advances: Sequence[float], size: float
    ) -> Sequence[float] | None:
        """Return the pull of each text, None when all begin at the anchor."""
        match self.align:
            case "left":
                return None
            case "right":
                return advances
            case "center":
                return [advance / 2 for advance in advances]
        scale = 1000 / size
        before, after = (self.anchor - self.left) * scale, (self.right - self.anchor) * scale
        leads = font.advances(leads_of(texts, self.symbol))
        return [
            min(max(lead, advance - after), before) for lead, advance in zip(leads, advances, strict=True)
        ]

    def pull(self, advance: float, size: float) -> float:
        """Return the pull of a text whose decimals do not matter."""
        match self.align:
            case "left":
                return 0.0
            case "center":
                return advance / 2
            case "right":
                return advance
        return advance - (self.right - self.anchor) * 1000 / size


def leads_of(texts: Sequence[str], symbol: str) -> list[str]:
    """Return what stands before the decimal separator of each text; after the last digit when it has none."""
    return [text[: text.rfind(symbol)] if symbol in text else _whole(text) for text in texts]


def _whole(text: str) -> str:
    found = _LAST_DIGIT.match(text)
    return found.group() if found else text


def decimal_symbol(locale: str) -> str:
    """Return the decimal separator of a locale; a point when there is no such locale."""
    try:
        return numbers.get_decimal_symbol(locale.replace("-", "_"))
    except Exception:
        return "."
