"""Values beside the marks of a chart: none over another, over a mark or over a line. Points."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from config.value import dataclass
from rendering.formats.pdf.layout.graphics.chart_data import ChartData
from rendering.formats.pdf.layout.graphics.lettering import Anchor
from rendering.formats.pdf.layout.graphics.sketch import Area, Sketch
from rendering.formats.pdf.typeset.style import TextStyle

SHARES: Final[dict[Anchor, float]] = {"start": 0.0, "middle": 0.5, "end": 1.0}  # of a text, left of its place
HIGH: Final = 0.7  # of digits, in font sizes
AIR: Final = 1.5  # beside a value
SMALLER: Final = 0.84  # type of values that would not fit otherwise
WORTH: Final = 16  # a shorter form is taken when it shows one more value of so many
PAPER: Final = "#ffffff"

Box = tuple[float, float, float, float]  # left, lower, right and upper edge
Write = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class _Placed:
    text: str
    style: TextStyle
    x: float
    y: float
    anchor: Anchor
    box: Box
    plate: bool  # covers the lines of the grid


class ValueLabels:
    """Values in one form; `put` finds a place for one, `draw` sets them all."""

    def __init__(self, sketch: Sketch, box: Area, write: Write, style: TextStyle) -> None:
        self.sketch = sketch
        self.write = write
        self.style = style
        self.missing = 0
        self._box = box
        self._placed: list[_Placed] = []

    def width(self, text: str) -> float:
        """Return the width of a value."""
        return self.sketch.lettering.width(text, self.style)

    def put(
        self,
        text: str,
        x: float,
        y: float,
        anchor: Anchor = "middle",
        *,
        color: str | None = None,
        plate: bool = False,
        free: Callable[[Box], bool] = lambda box: True,
    ) -> bool:
        """Place a value on the baseline `y` unless something is in its way."""
        wide, high = self.width(text), self.style.size * HIGH
        left = x - wide * SHARES[anchor]
        if not (self._box.x - 0.1 <= left and left + wide <= self._box.right + 0.1):
            return False
        if not (self._box.y - 0.1 <= y and y + high <= self._box.top + 0.1):
            return False
        mine = (left - AIR, y - 1.0, left + wide + AIR, y + high + 1.0)
        if any(meet(mine, other.box) for other in self._placed) or not free(mine):
            return False
        style = self.style.but(color=color) if color else self.style
        self._placed.append(_Placed(text, style, x, y, anchor, mine, plate))
        return True

    def draw(self) -> None:
        """Set the values that have found a place."""
        for label in self._placed:
            if label.plate:
                left, low, right, high = label.box
                self.sketch.box(Area(left + 0.5, low, right - left - 1.0, high - low), PAPER)
        for label in self._placed:
            self.sketch.text(label.text, label.style, label.x, label.y, label.anchor)


def meet(a: Box, b: Box) -> bool:
    """Return whether two boxes overlap."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def best(sketch: Sketch, data: ChartData, box: Area, place: Callable[[ValueLabels], None]) -> ValueLabels:
    """Return the values in the first form that shows them: in full, smaller, shortened, or both.

    `place` puts each value, and counts those `missing`.
    """
    style = sketch.looks.value
    small = style.but(size=style.size * SMALLER)
    found: ValueLabels | None = None
    forms: tuple[tuple[Write, TextStyle], ...] = (
        (data.text, style),
        (data.text, small),
        (data.short_text, style),
        (data.short_text, small),
    )
    count = sum(1 for _ in data.all())
    for write, wanted in forms:
        labels = ValueLabels(sketch, box, write, wanted)
        place(labels)
        if found is None or found.missing - labels.missing >= max(count / WORTH, 1):
            found = labels
        if not found.missing:
            break
    assert found is not None
    return found


class Obstacles:
    """Bars of a chart, which values must not stand on; found by where they begin along the categories."""

    def __init__(self, bars: Sequence[Area], *, sideways: bool) -> None:
        side = 1 if sideways else 0
        boxes: list[Box] = [(bar.x, bar.y, bar.right, bar.top) for bar in bars]
        self._boxes = sorted(boxes, key=lambda box: box[side])
        self._side = side
        self._starts = [box[side] for box in self._boxes]
        self._thickest = max((box[side + 2] - box[side] for box in boxes), default=0.0)

    def free(self, box: Box) -> bool:
        """Return whether no bar is in a box, beyond its edge."""
        inner = (box[0] + 1.0, box[1] + 0.9, box[2] - 1.0, box[3] - 0.9)
        first = bisect_left(self._starts, box[self._side] - self._thickest)
        last = bisect_right(self._starts, box[self._side + 2])
        return not any(meet(inner, other) for other in self._boxes[first:last])


class Strokes:
    """Lines through points from left to right, which values must not stand on."""

    def __init__(self, lines: Iterable[Sequence[tuple[float, float]]]) -> None:
        self._lines = [(line, [x for x, _ in line]) for line in lines]

    def free(self, box: Box) -> bool:
        """Return whether no line goes through a box."""
        for points, xs in self._lines:
            first, last = max(bisect_left(xs, box[0]) - 1, 0), bisect_right(xs, box[2])
            for (x1, y1), (x2, y2) in zip(points[first:last], points[first + 1 : last + 1], strict=False):
                if _crosses(x1, y1, x2, y2, box):
                    return False
            if len(points) == 1 and meet((xs[0], points[0][1], xs[0] + 0.1, points[0][1] + 0.1), box):
                return False
        return True


def _crosses(x1: float, y1: float, x2: float, y2: float, box: Box) -> bool:
    """Return whether a line between two points, the first one not to the right, goes through a box."""
    left, right = max(x1, box[0]), min(x2, box[2])
    if left > right:
        return False
    slope = (y2 - y1) / (x2 - x1) if x2 > x1 else 0.0
    low, high = sorted((y1 + slope * (left - x1), y1 + slope * (right - x1)))
    return low < box[3] and box[1] < high
