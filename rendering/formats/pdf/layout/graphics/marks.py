"""The marks of charts with axes: bars, lines, areas, and the values beside them. Points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from rendering.formats.pdf.layout.graphics.axis_labels import places
from rendering.formats.pdf.layout.graphics.chart_data import ChartData, Values
from rendering.formats.pdf.layout.graphics.lettering import Anchor
from rendering.formats.pdf.layout.graphics.palette import on
from rendering.formats.pdf.layout.graphics.sketch import Area, Bars, Sketch

if TYPE_CHECKING:
    from rendering.formats.pdf.layout.graphics.axis_charts import Plot

FILLED: Final = 0.68  # share of a band that its bars take
THICKEST: Final = 42.0
RADIUS: Final = 2.0
BETWEEN: Final = 1.0  # between the bars of a group
SEAM: Final = 0.75  # white between the parts of a stack
STROKE: Final = 1.75
MOST_DOTS: Final = 31
MOST_VALUES: Final = 400
AREA_OPACITY: Final = 0.16


class _Values:
    """Value labels that stay clear of each other and of the edges."""

    def __init__(self, sketch: Sketch, box: Area) -> None:
        self._sketch = sketch
        self._box = box
        self._taken: list[tuple[float, float, float, float]] = []

    def put(self, text: str, x: float, y: float, anchor: Anchor = "middle", color: str | None = None) -> bool:
        """Set a value on the baseline `y` unless something is in its way."""
        style = self._sketch.looks.value
        wide, high = self._sketch.lettering.width(text, style), style.size * 0.7
        left = x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        if not (self._box.x - 0.1 <= left and left + wide <= self._box.right + 0.1):
            return False
        if not (self._box.y - 0.1 <= y and y + high <= self._box.top + 0.1):
            return False
        mine = (left - 1.5, y - 1.0, left + wide + 1.5, y + high + 1.0)
        if any(_meet(mine, other) for other in self._taken):
            return False
        self._taken.append(mine)
        self._sketch.text(text, style.but(color=color) if color else style, x, y, anchor)
        return True


def _meet(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


# ---------------------------------------------------------------- bars


def draw_bars(sketch: Sketch, data: ChartData, plot: Plot, *, stacked: bool, labels: bool) -> None:
    """Draw bars or columns, side by side or on top of each other."""
    across = plot.area.height if plot.sideways else plot.area.width
    band = across / max(len(data.categories), 1)
    slots = 1 if stacked else max(len(data.series), 1)
    thick = min(band * FILLED, THICKEST * slots)
    one = thick / slots
    gap = BETWEEN if slots > 1 and one > 4 else 0.0
    shown = labels and len(data.categories) * len(data.series) <= MOST_VALUES
    values = _Values(sketch, Area(0.0, 0.0, sketch.width, sketch.height))
    ends = _stacks(data) if stacked else _from_zero(data)
    texts: list[tuple[float, Area, str, float]] = []
    for number, (series, spans) in enumerate(zip(data.series, ends, strict=True)):
        bars = Bars(series.color)
        offset = 0.0 if stacked else number * one + gap / 2
        for index, (value, span) in enumerate(zip(series.values, spans, strict=True)):
            if value is None:
                continue
            start = index * band + (band - thick) / 2 + offset
            area = _bar(plot, start, one - gap, span)
            bars.add(_seamed(area, plot) if stacked else area, *_end(plot, value, stacked))
            texts.append((value, area, series.color, one))
        bars.draw(sketch)
    if shown:
        for value, area, color, _ in texts:
            text = data.text(value)
            if stacked:
                _value_inside(values, sketch, text, area, color)
            else:
                _value_at_end(values, sketch, text, area, value, plot)


def _from_zero(data: ChartData) -> list[list[tuple[float, float]]]:
    return [[(0.0, value or 0.0) for value in series.values] for series in data.series]


def _stacks(data: ChartData) -> list[list[tuple[float, float]]]:
    """Return where each part begins and ends; what is below zero is stacked downwards."""
    up, down = [0.0] * len(data.categories), [0.0] * len(data.categories)
    result = []
    for series in data.series:
        spans = []
        for index, value in enumerate(series.values):
            ends = up if (value or 0.0) >= 0 else down
            spans.append((ends[index], ends[index] + (value or 0.0)))
            ends[index] += value or 0.0
        result.append(spans)
    return result


def _bar(plot: Plot, start: float, thick: float, span: tuple[float, float]) -> Area:
    low, high = sorted((plot.at(span[0]), plot.at(span[1])))
    if plot.sideways:
        return Area(low, plot.area.top - start - thick, high - low, thick)
    return Area(plot.area.x + start, low, thick, high - low)


def _seamed(area: Area, plot: Plot) -> Area:
    """Return a part of a stack without the white line at its end."""
    if plot.sideways:
        return Area(area.x, area.y, max(area.width - SEAM, area.width * 0.5), area.height)
    return Area(area.x, area.y, area.width, max(area.height - SEAM, area.height * 0.5))


def _end(plot: Plot, value: float, stacked: bool) -> tuple[str, float]:
    if stacked:
        return "", 0.0
    ends = ("right", "left") if plot.sideways else ("top", "bottom")
    return ends[value < 0], RADIUS


def _value_at_end(values: _Values, sketch: Sketch, text: str, area: Area, value: float, plot: Plot) -> None:
    size = sketch.looks.value.size
    if plot.sideways:
        y = area.y + area.height / 2 - size * 0.33
        if area.height < size * 0.75:
            return
        if value < 0:
            values.put(text, area.x - 3, y, "end")
        else:
            values.put(text, area.right + 3, y, "start")
    else:
        y = area.y - size * 0.95 if value < 0 else area.top + 3
        values.put(text, area.x + area.width / 2, y)


def _value_inside(values: _Values, sketch: Sketch, text: str, area: Area, color: str) -> None:
    style = sketch.looks.value
    if area.height < style.size * 1.15 or area.width < sketch.lettering.width(text, style) + 3:
        return
    place = (area.x + area.width / 2, area.y + area.height / 2 - style.size * 0.33)
    values.put(text, *place, color=on(color, sketch.theme.ink))


# ---------------------------------------------------------------- lines


def draw_lines(sketch: Sketch, data: ChartData, plot: Plot, *, filled: bool, labels: bool) -> None:
    """Draw lines, with the area below them filled; a missing value is a gap."""
    xs = [plot.area.x + x for x in places(max(len(data.categories), 1), plot.area.width, along=True)]
    ground = plot.at(min(max(0.0, plot.scale.low), plot.scale.high))
    if filled:
        for series in data.series:
            for stretch in _stretches(series, xs, plot):
                outline = [(stretch[0][0], ground), *stretch, (stretch[-1][0], ground)]
                sketch.fill(
                    outline, series.color, AREA_OPACITY if len(data.series) > 1 else AREA_OPACITY * 1.3
                )
    dotted = len(data.categories) <= MOST_DOTS and not filled
    for series in data.series:
        for stretch in _stretches(series, xs, plot):
            if len(stretch) > 1:
                sketch.lines(stretch, series.color, STROKE)
            if dotted or len(stretch) == 1:
                for x, y in stretch:
                    sketch.dot(x, y, series.color, 2.3)
    if labels and len(data.categories) * len(data.series) <= MOST_VALUES:
        _values_on_lines(sketch, data, plot, xs)


def _stretches(series: Values, xs: Sequence[float], plot: Plot) -> Iterator[list[tuple[float, float]]]:
    """Yield the points between two gaps."""
    points: list[tuple[float, float]] = []
    for x, value in zip(xs, series.values, strict=False):
        if value is not None:
            points.append((x, plot.at(value)))
        elif points:
            yield points
            points = []
    if points:
        yield points


def _values_on_lines(sketch: Sketch, data: ChartData, plot: Plot, xs: Sequence[float]) -> None:
    values = _Values(sketch, Area(plot.area.x, 0.0, sketch.width - plot.area.x, sketch.height))
    size = sketch.looks.value.size
    for series in data.series:
        for index, value in enumerate(series.values):
            if value is None:
                continue
            y, text = plot.at(value), data.text(value)
            shift, anchor, above = _side(series.values, index)
            places = [y + 5, y - 5 - size * 0.7]
            for place in places if above else reversed(places):
                if place > plot.area.y and values.put(text, xs[index] + shift, place, anchor):
                    break


def _side(values: Sequence[float | None], index: int) -> tuple[float, Anchor, bool]:
    """Return on which side of a point its value is clear of the line: shift, anchor, above or below."""
    value = values[index] or 0.0
    before = values[index - 1] if index else None
    after = values[index + 1] if index + 1 < len(values) else None
    left, right = (0.0 if other is None else value - other for other in (before, after))
    if left >= 0 and right >= 0:
        return 0.0, "middle", True
    if left <= 0 and right <= 0:
        return 0.0, "middle", False
    return (2.5, "end", True) if left > 0 else (-2.5, "start", True)
