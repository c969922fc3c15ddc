"""The marks of charts with axes: bars, lines, areas, and the values beside them. Points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from rendering.formats.palette import area_opacity, on
from rendering.formats.pdf.layout.graphics.axis_labels import places
from rendering.formats.pdf.layout.graphics.chart_data import ChartData, Values
from rendering.formats.pdf.layout.graphics.lettering import Anchor
from rendering.formats.pdf.layout.graphics.sketch import Area, Bars, Sketch
from rendering.formats.pdf.layout.graphics.value_labels import Obstacles, Strokes, ValueLabels, best

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
ENDS: Final[tuple[Anchor, Anchor]] = ("end", "start")  # of a text to the left and to the right of a place
MIDDLE: Final[Anchor] = "middle"


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
    ends = _stacks(data) if stacked else _from_zero(data)
    made: list[tuple[float, Area, str]] = []
    for number, (series, spans) in enumerate(zip(data.series, ends, strict=True)):
        bars = Bars(series.color)
        offset = 0.0 if stacked else number * one + gap / 2
        for index, (value, span) in enumerate(zip(series.values, spans, strict=True)):
            if value is None:
                continue
            start = index * band + (band - thick) / 2 + offset
            area = _bar(plot, start, one - gap, span)
            bars.add(_seamed(area, plot) if stacked else area, *_end(plot, value, stacked))
            made.append((value, area, series.color))
        bars.draw(sketch)
    if shown:
        _values_of_bars(sketch, data, plot, made, stacked=stacked)


def _values_of_bars(
    sketch: Sketch, data: ChartData, plot: Plot, bars: Sequence[tuple[float, Area, str]], *, stacked: bool
) -> None:
    """Set the values at the ends of bars, or inside the parts of stacks."""
    left = 0.0 if plot.sideways else plot.area.x
    box = Area(left, plot.area.y, sketch.width - left, sketch.height - plot.area.y)
    obstacles = Obstacles([area for _, area, _ in bars], sideways=plot.sideways)

    def place(values: ValueLabels) -> None:
        for value, area, color in bars:
            text = values.write(value)
            inside = stacked and _value_inside(values, text, area, color)
            if not inside and (
                stacked or not _value_at_end(values, text, (value, area, color), plot, obstacles)
            ):
                values.missing += 1

    best(sketch, data, box, place).draw()


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


def _value_at_end(
    values: ValueLabels, text: str, bar: tuple[float, Area, str], plot: Plot, obstacles: Obstacles
) -> bool:
    """Place a value beyond the end of its bar, or within that; return whether there is room."""
    (value, area, color), size = bar, values.style.size
    if plot.sideways:
        y = area.y + area.height / 2 - size * 0.33
        if area.height < size * 0.75:
            return False
        x, anchor = (area.x - 3, ENDS[0]) if value < 0 else (area.right + 3, ENDS[1])
        return values.put(text, x, y, anchor, plate=True, free=obstacles.free)
    x, y = area.x + area.width / 2, area.y - size * 0.95 if value < 0 else area.top + 3
    if values.put(text, x, y, plate=True, free=obstacles.free):
        return True
    if area.width < values.width(text) + 2 or area.height < size * 1.6:
        return False
    y = area.y + size * 0.4 if value < 0 else area.top - size * 1.1
    return values.put(text, x, y, color=on(color, values.sketch.theme.ink))


def _value_inside(values: ValueLabels, text: str, area: Area, color: str) -> bool:
    style = values.style
    if area.height < style.size * 1.15 or area.width < values.width(text) + 3:
        return False
    place = (area.x + area.width / 2, area.y + area.height / 2 - style.size * 0.33)
    return values.put(text, *place, color=on(color, values.sketch.theme.ink))


# ---------------------------------------------------------------- lines


def draw_lines(sketch: Sketch, data: ChartData, plot: Plot, *, filled: bool, labels: bool) -> None:
    """Draw lines, with the area below them filled; a missing value is a gap."""
    xs = [plot.area.x + x for x in places(max(len(data.categories), 1), plot.area.width, along=True)]
    ground = plot.at(min(max(0.0, plot.scale.low), plot.scale.high))
    if filled:
        for series in data.series:
            for stretch in _stretches(series, xs, plot):
                outline = [(stretch[0][0], ground), *stretch, (stretch[-1][0], ground)]
                sketch.fill(outline, series.color, area_opacity(len(data.series)))
    dotted = len(data.categories) <= MOST_DOTS and not filled
    for series in data.series:
        for stretch in _stretches(series, xs, plot):
            if len(stretch) > 1:
                sketch.lines(stretch, series.color, STROKE)
            if dotted or len(stretch) == 1:
                for x, y in stretch:
                    sketch.dot(x, y, series.color, 2.3)
    if labels and len(data.categories) * len(data.series) <= MOST_VALUES:
        _values_on_lines(sketch, data, plot, xs, plates=not filled)


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


def _values_on_lines(
    sketch: Sketch, data: ChartData, plot: Plot, xs: Sequence[float], *, plates: bool
) -> None:
    box = Area(plot.area.x, plot.area.y + 1, sketch.width - plot.area.x, sketch.height - plot.area.y)
    lines = [stretch for series in data.series for stretch in _stretches(series, xs, plot)]
    if plot.scale.low < 0 < plot.scale.high:  # the axis goes through the plot
        lines.append([(plot.area.x, plot.at(0.0)), (plot.area.right, plot.at(0.0))])
    strokes = Strokes(lines)

    def place(values: ValueLabels) -> None:
        for series in data.series:
            for index, value in enumerate(series.values):
                if value is None:
                    continue
                text = values.write(value)
                for x, y, anchor in _around(
                    series.values, index, xs[index], plot.at(value), values.style.size
                ):
                    if values.put(text, x, y, anchor, plate=plates, free=strokes.free):
                        break
                else:
                    values.missing += 1

    best(sketch, data, box, place).draw()


def _around(
    values: Sequence[float | None], index: int, x: float, y: float, size: float
) -> Iterator[tuple[float, float, Anchor]]:
    """Yield the places of a value around its point, the best one first."""
    shift, anchor, above = _side(values, index)
    over, under = y + 5, y - 5 - size * 0.7
    for height in (over, under) if above else (under, over):
        yield x + shift, height, anchor
    for height in (over, under) if above else (under, over):
        for sideways, end in ((0.0, MIDDLE), (3.0, ENDS[1]), (-3.0, ENDS[0])):
            yield x + sideways, height, end
    for sideways, end in ((5.0, ENDS[1]), (-5.0, ENDS[0])):
        yield x + sideways, y - size * 0.33, end


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
