"""Widths of many texts at once, in thousandths of their size, for texts that the 8-bit font can show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.typesetter import Font

_DIGITS: Final = "0123456789"
_ZERO: Final = ord("0")
_SAME: Final = str.maketrans(_DIGITS, "0" * 10)
_SEPARATOR: Final = "\0"
FEW: Final = 8  # so many times fewer shapes than texts are worth looking at
PROBE: Final = 24  # texts that tell whether a column has few shapes


class Advances:
    """The widths of texts in one face; knows shortcuts that hold for whole columns."""

    def __init__(self, font: Font) -> None:
        self._font = font
        self._tabular: bool | None = None
        self._widest: float | None = None

    def of(self, texts: Sequence[str]) -> Sequence[float]:
        """Return the width of each text.

        Where all digits are equally wide, numbers and dates have few shapes: one width stands for many.
        """
        if len(texts) < PROBE or not self._all_tabular:
            return self._font.advances(texts)
        if len({text.translate(_SAME) for text in texts[:PROBE]}) * 2 > PROBE:
            return self._font.advances(texts)  # words: as many shapes as texts
        shapes = _SEPARATOR.join(texts).translate(_SAME).split(_SEPARATOR)
        distinct = dict.fromkeys(shapes)
        if len(distinct) * FEW > len(texts):
            return self._font.advances(texts)
        widths: Mapping[str, float] = dict(zip(distinct, self._font.advances(list(distinct)), strict=True))
        return list(map(widths.__getitem__, shapes))

    def wider(self, texts: Sequence[str], limit: float) -> list[int]:
        """Return which texts are wider than `limit`; most need only be counted, not measured."""
        least = int(limit / self._widest_ascii) if "".join(texts).isascii() else 0
        lengths = list(map(len, texts))
        if max(lengths, default=0) <= least:
            return []
        if min(lengths) > least:
            rows: Sequence[int] = range(len(texts))
        else:
            rows = [row for row, length in enumerate(lengths) if length > least]
            texts = [texts[row] for row in rows]
        widths = self.of(texts)
        if max(widths) <= limit:
            return []
        return [row for row, width in zip(rows, widths, strict=True) if width > limit]

    @property
    def _all_tabular(self) -> bool:
        if self._tabular is None:
            self._tabular = len(set(self._font.face.widths[_ZERO : _ZERO + 10])) == 1
        return self._tabular

    @property
    def _widest_ascii(self) -> float:
        if self._widest is None:
            self._widest = max(*self._font.face.widths[32:127], 1.0)
        return self._widest
