"""A native chart with its data beside it, on a worksheet for all charts of the document."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final

from config.value import dataclass
from rendering.formats.palette import area_opacity, on, palette
from rendering.formats.xlsx.book import Book
from rendering.formats.xlsx.cells import pattern_of
from rendering.formats.xlsx.pictures import PIXELS
from rendering.formats.xlsx.printing import CHARACTER, COLUMN_MARGIN, SIDE, pages_of_blocks, set_up_page
from rendering.formats.xlsx.styles import BODY, INK
from rendering.formats.xlsx.texts import legal, shortened, unmarked
from rendering.formats.xlsx.widths import width_of_names, width_of_numbers
from templates_app.resolved import ROUND_CHARTS, ResolvedChart, ResolvedPage

if TYPE_CHECKING:
    from rendering.formats.xlsx.sheet import PrintedWorksheet

SHEET_NAME: Final = "Charts"
TYPES: Final[dict[str, dict[str, str]]] = {
    "bar": {"type": "bar"},
    "stacked_bar": {"type": "bar", "subtype": "stacked"},
    "column": {"type": "column"},
    "stacked_column": {"type": "column", "subtype": "stacked"},
    "line": {"type": "line"},
    "area": {"type": "area"},
    "pie": {"type": "pie"},
    "donut": {"type": "doughnut"},
}
USUAL_WIDTH: Final = 170.0  # millimetres
ROW_PIXELS: Final = 20
GAP: Final = 20  # pixels between the data and their chart
NAMES_WIDTH: Final = 24.0  # characters
NUMBERS_WIDTH: Final = 14.0
MOST_POINTS: Final = 20_000
PLOT: Final = 0.8  # of a chart's width or height is left for its marks
LABEL_DIGIT: Final = 5.5  # pixels of a character of a value beside its mark
LABEL_HEIGHT: Final = 12.0
LONGEST_TITLE: Final = 255
MOST_SLICES: Final = 100  # of a round chart that have a colour of their own
AXIS_TITLE: Final[dict[str, Any]] = {"bold": False, "size": 10, "color": INK}
TITLE: Final[dict[str, Any]] = {"bold": True, "font_size": 13, "font_color": INK}


@dataclass(slots=True)
class Place:
    """Where the next chart goes: a row of the worksheet for charts."""

    sheet: PrintedWorksheet
    row: int = 0
    widths: dict[int, float] = field(default_factory=dict)  # of columns, in characters
    charts: dict[int, float] = field(default_factory=dict)  # the widest, by columns of data; millimetres
    blocks: list[tuple[int, int]] = field(default_factory=list)  # rows of each chart with its data

    def widen(self, column: int, width: float) -> None:
        """Make a column at least so wide."""
        if width > self.widths.get(column, 0.0):
            self.widths[column] = width
            self.sheet.set_column(column, column, width)

    def reach(self) -> float:
        """Return how far the charts go to the right of their data, in millimetres of paper."""
        return max(
            sum(self.widths[column] * CHARACTER + COLUMN_MARGIN for column in range(columns)) + width
            for columns, width in self.charts.items()
        )

    def paginate(self, page: ResolvedPage) -> None:
        """Keep each chart with its data on one page, where it fits on one."""
        if self.charts:
            pages_of_blocks(self.sheet, page, self.blocks, self.reach())


def render(section: ResolvedChart, book: Book) -> None:
    """Write the data and the chart beside it; without data there is only the title."""
    place: Place = book.charts or _new_sheet(book)
    book.charts = place
    names, values = section.categories[:MOST_POINTS], [s.values[:MOST_POINTS] for s in section.series]
    top = place.row
    if title := legal(unmarked(section.title)):
        place.sheet.write_string(top, 0, title, book.workbook.add_format(TITLE))
        top += 1
    _write_data(section, names, values, place.sheet, top, book)
    _widen(section, names, values, place)
    height = section.height * PIXELS
    if names and values:
        chart = _chart(section, place.sheet.name, top, len(names), book)
        width = section.width or USUAL_WIDTH
        chart.set_size({"width": round(width * PIXELS), "height": round(height)})
        options = {"x_offset": GAP, "object_position": 1, "description": legal(section.alt)}
        columns = len(values) + 1
        place.sheet.insert_chart(top, columns, chart, options)
        place.charts[columns] = max(place.charts.get(columns, 0.0), GAP / PIXELS + width)
        if place.reach() > min(book.page.width, book.page.height) - 2 * SIDE:
            place.sheet.set_landscape()  # on upright paper they would print small
    below = top + max(len(names) + 1, math.ceil(height / ROW_PIXELS))
    place.blocks.append((place.row, below))
    place.row = below + 2


def _new_sheet(book: Book) -> Place:
    sheet = book.workbook.add_worksheet(book.names.take(SHEET_NAME))
    set_up_page(sheet, book.page)
    if book.mirrored:
        sheet.right_to_left()
    return Place(sheet)


def _widen(section: ResolvedChart, names: Sequence[str], columns: Sequence[Any], place: Place) -> None:
    """Make room for the data: a number wider than its column shows as ####."""
    place.widen(0, max(NAMES_WIDTH, width_of_names(names)))
    pattern = pattern_of(section.format)
    for number, (series, values) in enumerate(zip(section.series, columns, strict=True), start=1):
        finite = [value for value in values if value is not None and math.isfinite(value)]
        place.widen(number, max(NUMBERS_WIDTH, width_of_numbers(finite, pattern, series.name)))


def _write_data(
    section: ResolvedChart, names: Any, columns: list[Any], sheet: PrintedWorksheet, top: int, book: Book
) -> None:
    """Write categories and values as a small table whose head is row `top`."""
    head = book.workbook.add_format({**book.dress.header, "align": "right"})
    body = book.workbook.add_format(dict(BODY))
    pattern = pattern_of(section.format)
    numbers = book.workbook.add_format({**BODY, **({"num_format": pattern} if pattern else {})})
    sheet.write_blank(top, 0, None, head)
    for number, series in enumerate(section.series, start=1):
        if name := legal(series.name):
            sheet.write_string(top, number, name, head)
        else:
            sheet.write_blank(top, number, None, head)
    for row, category in enumerate(names, start=top + 1):
        if category := legal(category):
            sheet.write_string(row, 0, category, body)
        for number, values in enumerate(columns, start=1):
            value = values[row - top - 1] if row - top - 1 < len(values) else None
            if value is not None and math.isfinite(value):
                sheet.write_number(row, number, float(value), numbers)


def _chart(section: ResolvedChart, sheet: str, top: int, count: int, book: Book) -> Any:
    chart = book.workbook.add_chart(dict(TYPES[section.chart]))
    shown = section.series[:1] if section.chart in ROUND_CHARTS else section.series
    accent, ink = book.theme.accent, book.theme.ink
    colors = palette(accent, max(len(section.series), 1))
    labels = section.labels and _room_for_labels(section, count, len(shown))
    for number, series in enumerate(shown, start=1):
        color = series.color or colors[number - 1]
        options: dict[str, Any] = {
            "categories": [sheet, top + 1, 0, top + count, 0],
            "values": [sheet, top + 1, number, top + count, number],
        }
        fills = [color]
        if legal(series.name):
            options["name"] = [sheet, top, number]
        if section.chart in ROUND_CHARTS:
            fills = palette(accent, min(count, MOST_SLICES))
            options["points"] = [{"fill": {"color": fill}} for fill in fills]
        elif section.chart == "line":
            options["line"] = {"color": color, "width": 2.25}
        elif section.chart == "area":  # what stands behind shows through
            clear = round(100 * (1 - area_opacity(len(shown))))
            options["fill"] = {"color": color, "transparency": clear}
            options["border"] = {"color": color, "width": 1.75}
        else:
            options["fill"] = {"color": color}
        if labels:
            options["data_labels"] = {
                "value": True,
                **_label_look(section.chart, [on(fill, ink) for fill in fills]),
            }
        if section.chart in {"bar", "stacked_bar", "column", "stacked_column"}:
            options["gap"] = 60
        chart.add_series(options)
    _dress(chart, section, len(shown))
    return chart


def _room_for_labels(section: ResolvedChart, count: int, series: int) -> bool:
    """Tell whether the values of `count` categories fit beside their marks: a spreadsheet does not look."""
    if section.chart in ROUND_CHARTS:
        return True
    marks = count * (series if section.chart in {"bar", "column"} else 1)
    if section.chart in {"bar", "stacked_bar"}:
        return section.height * PIXELS * PLOT / marks >= LABEL_HEIGHT
    values = [value for entry in section.series for value in entry.values[:MOST_POINTS]]
    finite = [value for value in values if value is not None and math.isfinite(value)]
    ends = (min(finite, default=0), max(finite, default=0))
    longest = max(len(section.format.text(value)) for value in ends)
    return (section.width or USUAL_WIDTH) * PIXELS * PLOT / marks >= longest * LABEL_DIGIT


def _label_look(kind: str, colors: Sequence[str]) -> dict[str, Any]:
    """Return how the values look; those of slices and stacks have `colors`, the others stand on the paper."""
    if kind == "pie":  # slices are too small for theirs
        return {"position": "outside_end", "leader_lines": True}
    if kind == "donut":
        return {"custom": [{"font": {"color": color}} for color in colors]}
    return {"font": {"color": colors[0]}} if kind.startswith("stacked") else {}


def _dress(chart: Any, section: ResolvedChart, count: int) -> None:
    """Set title, legend and axes."""
    if title := shortened(legal(unmarked(section.title)), LONGEST_TITLE):
        chart.set_title({"overlay": False, "name_font": {"size": 12, "color": INK}})
        # Not among the options: there XlsxWriter takes `Sheet!A1` and `=x|y!A1` for a reference.
        chart.title.name = title
    else:
        chart.set_title({"none": True})
    if section.legend == "none" or (count < 2 and section.chart not in ROUND_CHARTS):
        chart.set_legend({"none": True})
    else:
        chart.set_legend({"position": section.legend})
    if section.chart in ROUND_CHARTS:
        return
    pattern = pattern_of(section.format)
    values: dict[str, Any] = {"major_gridlines": {"visible": True, "line": {"color": "#dfe3e8"}}}
    values["line"] = {"none": True}
    if pattern:
        values["num_format"] = pattern
    # Names stay at the edge where values below zero lead the axis through the middle.
    names = {"label_position": "low"}
    if section.chart in {"bar", "stacked_bar"}:
        chart.set_y_axis(names | {"reverse": True})  # the first category on top
        # High is below when the other axis is reversed.
        chart.set_x_axis(values | {"label_position": "high"})
    else:
        chart.set_x_axis(names)
        chart.set_y_axis(values)
    _name_axes(chart, section)


def _name_axes(chart: Any, section: ResolvedChart) -> None:
    """Write what the axes show beside them."""
    axes = [(chart.x_axis, section.category_title), (chart.y_axis, section.value_title)]
    if section.chart in {"bar", "stacked_bar"}:
        axes = [(chart.y_axis, section.category_title), (chart.x_axis, section.value_title)]
    for axis, text in axes:
        if text := shortened(legal(text), LONGEST_TITLE):
            axis["title"].name = text  # as that of the chart
            axis["title"].font = chart._convert_font_args(AXIS_TITLE)
