"""Charts: data to one drawing in a box. Calm looks: light grid, few colours, names where they are needed.

The legend stands below or at the right, the rest belongs to the marks. Nothing leaves its box: what does not
fit is left out, the least important first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rendering.formats.palette import palette
from rendering.formats.pdf.layout.graphics import axis_charts, pie_charts
from rendering.formats.pdf.layout.graphics.chart_data import ChartData, Values
from rendering.formats.pdf.layout.graphics.legends import Entry, draw_legend
from rendering.formats.pdf.layout.graphics.lettering import Lettering
from rendering.formats.pdf.layout.graphics.scales import usable
from rendering.formats.pdf.layout.graphics.sketch import Area, Sketch
from rendering.formats.pdf.layout.items import Item
from templates_app.resolved import ROUND_CHARTS, ResolvedChart, Theme, plain

MOST_MARKS: Final = 50_000  # values in one chart; no eye sees more
LEAST: Final = 24.0  # width and height below which there is no chart, only its box


def draw_chart(
    section: ResolvedChart, width: float, height: float, lettering: Lettering, theme: Theme
) -> list[Item]:
    """Return the items of a chart without its title, lower left corner at 0, 0.

    Raises ValueError for more values than a chart can show.
    """
    if len(section.categories) * max(len(section.series), 1) > MOST_MARKS:
        raise ValueError(f"a chart has at most {MOST_MARKS} values")
    if width < LEAST or height < LEAST:
        return []
    data = chart_data(section, lettering, theme)
    sketch = Sketch(width, height, lettering, theme)
    area = Area(0.0, 0.0, width, height)
    if section.chart in ROUND_CHARTS:
        pie_charts.draw(sketch, data, area, section)
    else:
        area = draw_legend(sketch, _entries(data, bool(section.title)), section.legend, area)
        axis_charts.draw(sketch, data, area, section)
    return sketch.items()


def chart_data(section: ResolvedChart, lettering: Lettering, theme: Theme) -> ChartData:
    """Return names on one line and values that an axis can show, as many for each series as categories."""
    count = len(section.categories)
    colors = palette(theme.accent, max(len(section.series), 1))
    series = []
    for index, given in enumerate(section.series):
        values: list[float | None] = [usable(value) for value in given.values[:count]]
        values += [None] * (count - len(values))
        series.append(Values(lettering.cleaned(given.name), values, given.color or colors[index]))
    categories = [lettering.cleaned(str(category)) for category in section.categories]
    whole = all(value is None or value.is_integer() for each in series for value in each.values)
    return ChartData(categories, series, section.format, whole)


def _entries(data: ChartData, titled: bool) -> Sequence[Entry]:
    """Return the legend of the series; a single one is named by the chart's title."""
    named = [series for series in data.series if series.name]
    if len(data.series) < 2 and titled:
        return []
    return [Entry(series.color, series.name) for series in named]


def described(section: ResolvedChart) -> str:
    """Return the text for those who cannot see a chart: the author's, else its title and series."""
    if section.alt:
        return section.alt
    names = ", ".join(series.name for series in section.series[:8] if series.name)
    return ": ".join(part for part in (plain(section.title), names) if part)[:300]
