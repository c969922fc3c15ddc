"""Lines of text on the page: aligned, justified, and parted between pages without a lone line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rendering.formats.pdf.flow import EPSILON, Flow
from rendering.formats.pdf.text import Measure

SHARES: Final = {"left": 0.0, "justify": 0.0, "center": 0.5, "right": 1.0}  # of the free width, on the left


@dataclass(frozen=True, slots=True)
class Line:
    """One line; `ends` when its paragraph ends here, so that it is not stretched."""

    text: str
    ends: bool


def lines_of(text: str, measure: Measure, width: float) -> list[Line]:
    """Return cleaned text in lines of at most `width` points."""
    lines: list[Line] = []
    for source in text.split("\n"):
        wrapped = measure.wrap(source.rstrip(), width)
        lines.extend(Line(line, False) for line in wrapped[:-1])
        lines.append(Line(wrapped[-1], True))
    return lines


@dataclass(frozen=True, slots=True)
class Block:
    """Lines in one style, at `x` over `width` points."""

    lines: Sequence[Line]
    measure: Measure
    color: str
    align: str
    leading: float
    x: float
    width: float

    @property
    def height(self) -> float:
        """The height of all lines in points."""
        return len(self.lines) * self.leading

    def draw_line(self, flow: Flow, line: Line) -> None:
        """Draw one line at the flow's position and move on."""
        size, free, spread = self.measure.size, 0.0, 0.0
        if self.align != "left" and line.text:
            free = self.width - self.measure.width(line.text)
        if self.align == "justify" and not line.ends and free > 0:
            spaces = line.text.count(" ") + line.text.count("\xa0")
            spread = free / spaces if spaces else 0.0
        x = self.x + max(free, 0) * SHARES[self.align]
        flow.line(line.text, self.measure.face, size, self.color, x, self.leading, spread)

    def draw(self, flow: Flow) -> None:
        """Draw all lines, on further pages when they do not fit."""
        start, total = 0, len(self.lines)
        flow.need(self.leading * min(total, 2))
        while start < total:
            left = total - start
            fits = max(1, int((flow.room + EPSILON) // self.leading))
            if fits < left and fits > 2 and left - fits == 1:
                fits -= 1  # the last line takes one along to the next page
            for line in self.lines[start : start + fits]:
                self.draw_line(flow, line)
            start += fits
            if start < total:
                flow.new_page()
