"""The upright lines of a table with a grid on one page, left out where a cell spans columns. Points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rendering.formats.pdf.layout.tables.strips import Strip

LATITUDE: Final = 0.01

Line = tuple[float, float, float, float]  # x1, y1, x2, y2


class Grid:
    """Lines between columns at `edges`, from left to right; the outermost are never interrupted."""

    def __init__(self, edges: Sequence[float]) -> None:
        self._edges = edges
        self._spans: list[Line] = []  # left, upper end, right, lower end

    def pass_by(self, strip: Strip, top: float) -> None:
        """Take note of a strip that is drawn with its upper end at `top`: its wide cells are not crossed."""
        for left, right, above, below in strip.spans:
            self._spans.append((left, top - above, right, top - below))

    def lines(self, start: float, end: float) -> list[Line]:
        """Return the lines from `start` down to `end`, and forget the strips."""
        spans = sorted(self._spans, key=lambda span: -span[1])
        self._spans = []
        found: list[Line] = []
        for x in self._edges:
            y = start
            for left, upper, right, lower in spans:
                if left + LATITUDE < x < right - LATITUDE:
                    if y > upper + LATITUDE:
                        found.append((x, y, x, upper))
                    y = min(y, lower)
            if y > end + LATITUDE:
                found.append((x, y, x, end))
        return found
