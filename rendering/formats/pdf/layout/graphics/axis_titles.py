"""What the axes of a chart show: a line below them, and one at their left that reads upwards. Points."""

from __future__ import annotations

from typing import Final

from config.value import dataclass
from rendering.formats.pdf.layout.graphics.sketch import Area, Sketch

HEIGHT: Final = 1.7  # of a title with its gap, in font sizes
DESCENT: Final = 0.3  # of its letters
LEAST: Final = 0.6  # share of a chart's width or height that a title leaves to the rest


@dataclass(frozen=True, slots=True)
class AxisTitles:
    """The titles that there is room for, "" for none; each in the middle of the plot, cut to the chart."""

    left: str
    below: str
    size: float

    @classmethod
    def fitting(cls, sketch: Sketch, left: str, below: str, area: Area) -> AxisTitles:
        """Leave out a title that would take too much of an area."""
        size = sketch.looks.legend.size
        most = size * HEIGHT / (1 - LEAST)
        return cls(
            sketch.lettering.cleaned(left) if area.width >= most else "",
            sketch.lettering.cleaned(below) if area.height >= most else "",
            size,
        )

    def inside(self, area: Area) -> Area:
        """Return what the titles leave of an area."""
        left = self.size * HEIGHT if self.left else 0.0
        below = self.size * HEIGHT if self.below else 0.0
        return Area(area.x + left, area.y + below, area.width - left, area.height - below)

    def draw(self, sketch: Sketch, area: Area, plot: Area) -> None:
        """Write the titles at the edges of the area that holds them too, in the middle of the plot."""
        style = sketch.looks.legend
        if text := _cut(sketch, self.below, area.width):
            x = _middle(plot.x, plot.right, sketch.lettering.width(text, style), area.x, area.right)
            sketch.text(text, style, x, area.y + self.size * DESCENT, "middle")
        if text := _cut(sketch, self.left, area.height):
            y = _middle(plot.y, plot.top, sketch.lettering.width(text, style), area.y, area.top)
            sketch.text(text, style, area.x + self.size * (1 - DESCENT / 2), y, "middle", angle=90.0)


def _middle(start: float, end: float, length: float, low: float, high: float) -> float:
    """Return where the middle of a text stands: between `start` and `end`, all of it within the limits."""
    return min(max((start + end) / 2, low + length / 2), high - length / 2)


def _cut(sketch: Sketch, text: str, width: float) -> str:
    """Return as much of a title as there is room for, nothing where most of it would be missing."""
    short = sketch.lettering.fitted(text, sketch.looks.legend, width)
    return short if len(short) > len(text) / 2 else ""
