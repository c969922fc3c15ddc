"""Lines of plain words in one style, as short as they come: few are ever looked at one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import overload

from rendering.formats.pdf.layout.items import TextBlock, TextLine, TextRun
from rendering.formats.pdf.numbers import HUNDREDTHS, precise
from rendering.formats.pdf.typeset.atoms import SOFT_HYPHEN
from rendering.formats.pdf.typeset.lines import SetLine

# Code, the font that it begins in and the one that it leaves behind; width, what every space is wider (as
# page code) and where the line begins, in points; whether it ends the paragraph; the paragraph, of which it
# has the words from one index to another, with a soft hyphen where one was added. (One text: a list of words
# would hold on to memory that the next paragraph could use while it is near.)
Row = tuple[str, str, str, float, str, float, bool, str, int, int]


class PlainLines(Sequence[SetLine]):
    """Lines that become objects only for who asks for one; else they are written as one block."""

    __slots__ = ("_color", "_heights", "_made", "_rows", "size")

    def __init__(self, rows: Sequence[Row], size: float, color: str, heights: tuple[float, float]) -> None:
        self._rows = rows
        self._color = color
        self._heights = heights
        self._made: list[SetLine] | None = None
        self.size = size

    @property
    def whole(self) -> bool:
        """Whether nobody has had a line, which may have been moved."""
        return self._made is None

    @property
    def widest(self) -> float:
        """The width of the widest line."""
        return max([row[3] for row in self._rows])

    def made(self) -> list[SetLine]:
        """Return the lines as objects, always the same."""
        if self._made is None:
            self._made = list(map(self._line, self._rows))
        return self._made

    def _line(self, row: Row) -> SetLine:
        code, font, after, width, spread, x, ends, said, begin, end = row
        text = " ".join(said.split(" ")[begin:end])
        hyphen = text.endswith(SOFT_HYPHEN)
        if hyphen:
            text = text[:-1] + "-"
        run = TextRun(font, self.size, self._color, code, width, text, 0.0, False, float(spread), after)
        return SetLine(x, (run,), width, ends, text, (), *self._heights, SOFT_HYPHEN if hyphen else "")

    def block(self, start: int, stop: int, x: float, baseline: float, leading: float, role: str) -> TextBlock:
        """Return some lines, the first one on `baseline`; `x` is the left edge of the paragraph."""
        rows, n, size = self._rows[start:stop], HUNDREDTHS, precise(self.size)
        parts: list[str] = []
        begun = font = rows[0][1]
        spread, left, level, y = "0", 0, 0, baseline
        edge = round(x * 100)
        for code, first, after, _, wider, shift, _, _, _, _ in rows:
            # Steps, not positions: a paragraph repeats "0 -14.2 Td", which packs to nearly nothing.
            at, low = round((x + shift) * 100) if shift else edge, round(y * 100)
            change = ""
            if first != font:
                change = f"/{first} {size} Tf\n"
            if wider != spread:
                spread = wider
                change = f"{change}{wider} Tw\n"
            parts.append(f"{n[at - left]} {n[low - level]} Td\n{change}[{code}]TJ")
            font, left, level, y = after, at, low, y - leading
        lines = partial(self._placed, rows, x, baseline, leading, role)
        return TextBlock(begun, self.size, self._color, "\n".join(parts), lines, role, font, float(spread))

    def _placed(
        self, rows: Sequence[Row], x: float, y: float, leading: float, role: str
    ) -> Iterator[TextLine]:
        for line in map(self._line, rows):
            yield TextLine(x + line.x, y, line.runs, role, line.ascent, line.descent, line.said)
            y -= leading

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self.made() == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[SetLine]:
        return iter(self.made())

    @overload
    def __getitem__(self, index: int) -> SetLine: ...
    @overload
    def __getitem__(self, index: slice) -> list[SetLine]: ...
    def __getitem__(self, index: int | slice) -> SetLine | list[SetLine]:
        return self.made()[index]
