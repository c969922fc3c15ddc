"""Bars, columns, lines and areas: charts with an axis of values and one of categories. Points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from config.value import dataclass
from rendering.formats.pdf.layout.graphics import axis_labels, marks
from rendering.formats.pdf.layout.graphics.axis_titles import AxisTitles
from rendering.formats.pdf.layout.graphics.chart_data import ChartData
from rendering.formats.pdf.layout.graphics.scales import Scale, scale_for
from rendering.formats.pdf.layout.graphics.sketch import Area, Sketch

if TYPE_CHECKING:
    from templates_app.resolved import ResolvedChart

TICK_DISTANCE: Final = 24.0  # least height between two ticks
TICK_WIDTH: Final = 44.0  # least width between two ticks
MOST_TICKS: Final = 6
TICK_AIR: Final = 6.0  # between the texts of two ticks side by side
LABEL_GAP: Final = 5.0  # between labels of an axis and the marks
LEAST_PLOT: Final = 20.0
STACKED: Final = frozenset({"stacked_bar", "stacked_column"})
SIDEWAYS: Final = frozenset({"bar", "stacked_bar"})


@dataclass(frozen=True, slots=True)
class Plot:
    """Where the marks are drawn, and how values become places."""

    area: Area
    scale: Scale
    sideways: bool

    def at(self, value: float) -> float:
        """Return where a value is on its axis."""
        share = self.scale.share(value)
        if self.sideways:
            return self.area.x + share * self.area.width
        return self.area.y + share * self.area.height


def draw(sketch: Sketch, data: ChartData, area: Area, section: ResolvedChart) -> None:
    """Draw axes with their titles and marks of a chart into an area."""
    sideways = section.chart in SIDEWAYS
    left, below = section.value_title, section.category_title
    if sideways:
        left, below = below, left
    titles = AxisTitles.fitting(sketch, left, below, area)
    whole, area = area, titles.inside(area)
    values = list(data.sums() if section.chart in STACKED else data.all())
    steps = area.width * 0.7 / TICK_WIDTH if sideways else area.height * 0.8 / TICK_DISTANCE
    count = min(max(int(steps), 1), MOST_TICKS)
    scale = scale_for(values, data.format, count, from_zero=section.chart != "line")
    if section.labels and section.chart in ("bar", "column") and values and min(values) < 0:
        room = min(values) - 0.12 * (scale.high - min(values))  # for the values below the bars
        scale = replace(scale, low=min(scale.low, room))
    if not any(True for _ in data.all()):
        scale = Scale(0.0, 1.0, (0.0,), ("",))
    if sideways:
        plot = _sideways_axes(sketch, data, area, scale, section.labels)
    else:
        plot = _upright_axes(sketch, data, area, scale, section)
    if plot.area.width < 4 or plot.area.height < 4:
        return
    titles.draw(sketch, whole, plot.area)
    if scale.texts == ("",):
        empty(sketch, plot.area)
    if section.chart in ("line", "area"):
        marks.draw_lines(sketch, data, plot, filled=section.chart == "area", labels=section.labels)
    else:
        marks.draw_bars(sketch, data, plot, stacked=section.chart in STACKED, labels=section.labels)
    _zero_line(sketch, plot)


def empty(sketch: Sketch, area: Area) -> None:
    """Show that there is nothing to show."""
    style = sketch.looks.category
    sketch.text("–", style, area.x + area.width / 2, area.y + area.height / 2 - style.size / 3, "middle")


# ---------------------------------------------------------------- values upwards


def _upright_axes(sketch: Sketch, data: ChartData, area: Area, scale: Scale, section: ResolvedChart) -> Plot:
    style = sketch.looks.axis
    along = section.chart in ("line", "area")
    texts = [sketch.lettering.fitted(text, style, area.width * 0.3) for text in scale.texts]
    left = sketch.lettering.widest(texts, style) + LABEL_GAP + 1
    if area.width - left < LEAST_PLOT:
        texts, left = [], 0.0
    above = style.size * (1.5 if section.labels else 0.5)
    wide = area.width - left
    most = area.height * 0.45
    labels = axis_labels.below(sketch, data.categories, left, wide, most, along=along)
    if labels.wants > left:  # slanted names reach to the left of the first column
        left = max(left, min(labels.wants * 1.15 + 2, area.width * 0.2))  # never less than the ticks' texts
        wide = area.width - left
        labels = axis_labels.below(sketch, data.categories, left, wide, most, along=along)
    if area.height - labels.height - above < LEAST_PLOT:
        labels = axis_labels.Labels((), style.size * 0.5 if texts else 0.0)
    plot = Plot(
        Area(area.x + left, area.y + labels.height, wide, max(area.height - labels.height - above, 1.0)),
        scale,
        sideways=False,
    )
    _horizontal_grid(sketch, plot, texts)
    axis_labels.draw_below(sketch, labels, plot.area)
    return plot


def _horizontal_grid(sketch: Sketch, plot: Plot, texts: Sequence[str]) -> None:
    style = sketch.looks.axis
    for index, tick in enumerate(plot.scale.ticks):
        y = plot.at(tick)
        sketch.line(plot.area.x, y, plot.area.right, y, sketch.theme.rule)
        if texts:
            sketch.text(texts[index], style, plot.area.x - LABEL_GAP, y - style.size * 0.33, "end")


# ---------------------------------------------------------------- values to the right


def _sideways_axes(sketch: Sketch, data: ChartData, area: Area, scale: Scale, labelled: bool) -> Plot:
    style = sketch.looks.axis
    below = style.size * 1.6
    if area.height - below < LEAST_PLOT:
        below = 0.0
    crowded = area.height < len(data.categories) * sketch.looks.category.size
    high = area.height - below - (sketch.looks.category.size * 0.4 if crowded else 0.0)
    names = axis_labels.beside(sketch, data.categories, high, area.width * 0.38)
    left = names.width + LABEL_GAP + 1 if names.rows else 0.0
    right = sketch.lettering.width(scale.texts[-1], style) / 2
    if labelled:
        right = max(right, _room_for_values(sketch, data, scale))
    right = min(right, area.width * 0.2)
    plot = Plot(
        Area(area.x + left, area.y + below, max(area.width - left - right, 1.0), max(high, 1.0)),
        scale,
        sideways=True,
    )
    _vertical_grid(sketch, plot, area, bool(below))
    axis_labels.draw_beside(sketch, names, plot.area, LABEL_GAP)
    return plot


def _room_for_values(sketch: Sketch, data: ChartData, scale: Scale) -> float:
    """Return the width that the value of the longest bar needs beyond the last tick."""
    largest = max(data.all(), default=0.0)
    if scale.share(largest) < 0.85:
        return 0.0
    return sketch.lettering.width(data.text(largest), sketch.looks.value) + 4.0


def _vertical_grid(sketch: Sketch, plot: Plot, area: Area, texts: bool) -> None:
    style = sketch.looks.axis
    halves = [sketch.lettering.width(text, style) / 2 for text in plot.scale.texts]
    written = _clear_ticks(plot, halves) if texts else ()
    for index, (tick, text, half) in enumerate(zip(plot.scale.ticks, plot.scale.texts, halves, strict=True)):
        x = plot.at(tick)
        sketch.line(x, plot.area.y, x, plot.area.top, sketch.theme.rule)
        if index in written and x - half >= area.x and x + half <= area.right + 0.1:
            sketch.text(text, style, x, plot.area.y - style.size * 1.35, "middle")


def _clear_ticks(plot: Plot, halves: Sequence[float]) -> range:
    """Return the ticks whose texts stand clear of each other: all, every second ..., with 0 among them."""
    ticks = plot.scale.ticks
    zero = ticks.index(0.0) if 0.0 in ticks else 0
    places = list(map(plot.at, ticks))
    for every in range(1, len(ticks)):
        chosen = range(zero % every, len(ticks), every)
        if all(
            places[after] - halves[after] >= places[before] + halves[before] + TICK_AIR
            for before, after in pairwise(chosen)
        ):
            return chosen
    return range(zero, zero + 1)


def _zero_line(sketch: Sketch, plot: Plot) -> None:
    """Draw the line that the marks stand on, over them."""
    if not plot.scale.low <= 0 <= plot.scale.high:
        return
    place, color = plot.at(0.0), sketch.theme.rule_strong
    if plot.sideways:
        sketch.line(place, plot.area.y, place, plot.area.top, color, 0.75)
    else:
        sketch.line(plot.area.x, place, plot.area.right, place, color, 0.75)
