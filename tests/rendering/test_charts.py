"""Charts as items: scales, marks, names and values, whatever the data; none leaves its box."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rendering.formats.base import RenderError
from rendering.formats.palette import palette
from rendering.formats.pdf.layout.graphics.chart_data import ChartData
from rendering.formats.pdf.layout.graphics.scales import scale_for
from rendering.formats.pdf.layout.graphics.sketch import Area
from rendering.formats.pdf.layout.graphics.value_labels import Obstacles, Strokes
from rendering.formats.pdf.layout.items import Path, TextLine
from templates_app.expressions.helpers import Format, Style
from templates_app.resolved import ResolvedChart, Series
from tests.cases import cases
from tests.rendering.graphics import HEIGHT, MM, NUMBER, WIDTH, figure, laid, marks, texts

CHARTS = ("bar", "stacked_bar", "column", "stacked_column", "line", "area", "pie", "donut")


def chart(
    kind: str, categories: Sequence[str], *series: Sequence[float | None], **more: Any
) -> ResolvedChart:
    values = {
        "title": "", "format": NUMBER, "width": None, "height": 70.0, "align": "left", "legend": "bottom",
        "labels": False, "alt": "",
    } | more  # fmt: skip
    named = [Series(f"Series {index}", list(each)) for index, each in enumerate(series)]
    return ResolvedChart(chart=kind, categories=categories, series=named, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([3, 17], ["0", "5", "10", "15", "20"]),
        ([-4, 6], ["-4", "-2", "0", "2", "4", "6"]),
        ([0.012, 0.031], ["0", "0.01", "0.02", "0.03", "0.04"]),
        ([0, 0], ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ([], ["0", "0.2", "0.4", "0.6", "0.8", "1"]),
        ([1e9, 4e9], ["0", "1,000,000,000", "2,000,000,000", "3,000,000,000", "4,000,000,000"]),
    ],
)
def test_ticks_are_round(values: list[float], ticks: list[str]) -> None:
    assert scale_for(values, NUMBER, 5, from_zero=True).texts == ticks


def test_ticks_far_from_zero_and_whole_amounts() -> None:
    money = Format("currency", "EUR", Style("de_DE"))
    scale = scale_for([980, 1040], money, 4, from_zero=False)
    assert scale.texts[0].replace("\xa0", " ") == "980 €"
    assert scale.low == 980
    assert scale_for([0.5, 2], money, 4, from_zero=True).texts[1].replace("\xa0", " ") == "0,50 €"


@given(st.lists(st.floats(-1e90, 1e90), max_size=5), st.integers(1, 8), st.booleans())
@cases(150)
def test_every_value_is_on_its_scale(values: list[float], count: int, from_zero: bool) -> None:
    scale = scale_for(values, NUMBER, count, from_zero=from_zero)
    assert scale.low < scale.high
    assert len(scale.ticks) <= 2 * count + 4
    assert all(-0.001 <= scale.share(value) <= 1.001 for value in values)


def test_colours_differ() -> None:
    for accent in ("#1f4b73", "#e9a23b", "#ffffff"):
        colors = palette(accent, 30)
        assert colors[0] == accent
        assert len(set(colors[:8])) == 8
        assert len(set(colors)) >= 28  # no white is lighter than white


@pytest.mark.parametrize("kind", CHARTS)
@pytest.mark.parametrize("legend", ["bottom", "right", "none"])
def test_a_chart_is_one_figure_inside_its_box(kind: str, legend: str) -> None:
    names = ["North", "South", "A district with a long name", "West"]
    section = chart(
        kind, names, [3, 8, 5.5, None], [2, 1, 7, 4], title="Regions", width=90, legend=legend, labels=True
    )
    (items,) = laid(section)
    group = figure(items)
    assert group.alt == "Regions: Series 0, Series 1"
    assert "Regions" in texts(items)
    assert group.clip is not None
    for item, box in marks(items):
        assert box[0] >= -0.6, item
        assert box[1] >= HEIGHT - 70 * MM - 0.6, item
        assert box[2] <= 90 * MM + 0.6, item
        assert box[3] <= HEIGHT + 0.6, item


@pytest.mark.parametrize("kind", CHARTS)
@pytest.mark.parametrize(
    "series",
    [
        [],
        [[]],
        [[None, None, None]],
        [[0, 0, 0]],
        [[5, 5, 5]],
        [[-1, -2, -3]],
        [[1e300, float("nan"), float("inf")]],
        [[1e-30, 2e-30, 0]],
        [[1, 2, 3]] * 40,
        [[1]],
    ],
)
def test_odd_data_is_drawn_without_complaint(kind: str, series: list[list[float]]) -> None:
    for categories in ([], ["A"], ["A", "B", "C"]):
        laid(chart(kind, categories, *series, labels=True, title="T"))


def test_hundreds_of_categories_name_some_of_them() -> None:
    (items,) = laid(chart("column", [f"Category {i}" for i in range(100)], range(100)))
    named = [text for text in texts(items) if text.startswith("Category")]
    assert 3 <= len(named) <= 20
    boxes = [box for item, box in marks(items) if isinstance(item, TextLine) and item.text.startswith("Cat")]
    assert all(first[2] < second[0] for first, second in zip(boxes, boxes[1:], strict=False))


@pytest.mark.parametrize("width", [80, 90, 100])
def test_names_of_some_categories_are_whole_and_keep_one_distance(width: float) -> None:
    names = [f"Category number {index}" for index in range(50)]
    (items,) = laid(chart("column", names, [1.0] * 50, width=width))
    named = [int(text.rpartition(" ")[2]) for text in texts(items) if text.startswith("Category")]
    assert len(named) > 2
    assert named == list(range(0, named[-1] + 1, named[1]))


@pytest.mark.parametrize(("largest", "named"), [(4e12, ["0", "2,000,000,000,000", "4,000,000,000,000"])])
def test_ticks_that_do_not_fit_side_by_side_are_left_out_in_turn(largest: float, named: list[str]) -> None:
    (items,) = laid(chart("bar", ["A", "B"], [1e12, largest], width=100, labels=True))
    assert [text for text in texts(items) if set(text) <= set("0123456789,")][:3] == named


def test_many_points_are_quick() -> None:
    names = [str(index) for index in range(5000)]
    for kind in ("line", "column", "bar", "area"):
        laid(chart(kind, names, range(5000), labels=True))


def test_more_values_than_a_chart_can_show_are_refused() -> None:
    with pytest.raises(RenderError, match="Chart: a chart has at most 50000 values"):
        laid(chart("line", ["x"] * 60_000, []))


def test_values_stand_beside_their_marks_and_apart() -> None:
    (items,) = laid(chart("column", ["A", "B", "C"], [1.5, -2.25, 3], labels=True))
    assert {"1.5", "-2.25", "3"} <= set(texts(items))
    lines = [box for item, box in marks(items) if isinstance(item, TextLine)]
    for index, one in enumerate(lines):
        for other in lines[index + 1 :]:
            assert not (
                one[0] < other[2] - 0.1
                and other[0] < one[2] - 0.1
                and one[1] < other[3] - 0.1
                and other[1] < one[3] - 0.1
            )


def test_names_below_a_line_stay_apart() -> None:
    names = ["Category with a very long label " * 3] * 3
    for kind in ("line", "area"):
        (items,) = laid(chart(kind, names, [1, 2, 3]))
        lines = [box for item, box in marks(items) if isinstance(item, TextLine) and len(item.text) > 4]
        for number, one in enumerate(lines):
            for other in lines[number + 1 :]:
                assert one[2] < other[0] or other[2] < one[0] or abs(one[1] - other[1]) > 5


def test_values_of_neighbours_that_do_not_fit_are_shortened() -> None:
    money = Format("currency", "USD", Style("en_US"))
    months = ["January", "February", "March", "April"]
    high, low = [1_200_000, 9_000, 12_345.67, 0], [900_000, 11_000, -2_000, 500]
    (items,) = laid(chart("column", months, high, low, labels=True, format=money))
    assert {"$1.2M", "$900K", "-$2K", "$12.3K"} <= set(texts(items))
    (items,) = laid(chart("column", months[:2], [120, 80], labels=True, format=money))
    assert {"$120", "$80"} <= set(texts(items))


def test_a_value_without_a_short_form_is_grouped() -> None:
    data = ChartData([], [], Format("currency", "EUR", Style("de_DE")), whole=True)
    shown = [data.short_text(value) for value in (1_234_000, 845_000, -12_000, 999)]
    assert shown == ["1,2\xa0Mio.\xa0€", "845.000\xa0€", "-12.000\xa0€", "999\xa0€"]
    assert ChartData([], [], Format("number", None, Style("it_IT"))).short_text(12345.5) == "12.345,5"


def test_values_stand_on_no_bar_and_on_no_line() -> None:
    bars = [Area(0, 0, 10, 50), Area(12, 0, 10, 20)]
    for sideways in (False, True):
        obstacles = Obstacles(bars, sideways=sideways)
        assert obstacles.free((0, 52, 10, 60))
        assert obstacles.free((13, 21, 22, 30))
        assert not obstacles.free((5, 21, 22, 30))
        assert not obstacles.free((0, 40, 10, 60))
    strokes = Strokes([[(0, 0), (10, 10), (20, 0)], [(30, 5)]])
    assert strokes.free((0, 5, 4, 9))
    assert strokes.free((8, 0, 12, 6))
    assert not strokes.free((4, 5, 8, 9))
    assert not strokes.free((28, 4, 32, 6))
    assert strokes.free((21, 0, 29, 9))


@pytest.mark.parametrize("kind", ["column", "line"])
def test_slanted_names_leave_the_numbers_of_the_axis_whole(kind: str) -> None:
    names = [f"A district with a long name {number}" for number in range(9)]
    (items,) = laid(chart(kind, names, [1e6 * number for number in range(9)], width=60))
    lines = [(item.text, box) for item, box in marks(items) if isinstance(item, TextLine)]
    assert "8,000,000" in {text for text, _ in lines}
    assert min(box[0] for _, box in lines) >= 0


def test_a_missing_value_is_a_gap() -> None:
    (items,) = laid(chart("line", list("abcdef"), [1, 2, None, 3, 4, None]))
    lines = [item for item, _ in marks(items) if isinstance(item, Path) and item.thickness == 1.75]
    assert [line.code.count(" m") for line in lines] == [1, 1]


@pytest.mark.parametrize("kind", [kind for kind in CHARTS if kind not in {"pie", "donut"}])
def test_titles_of_axes_stand_beside_what_the_axes_show(kind: str) -> None:
    titles = {"category_title": "Month", "value_title": "Euros"}
    (items,) = laid(chart(kind, ["Jan", "Feb"], [3, 4], legend="none", **titles))
    boxes = {item.text: box for item, box in marks(items) if isinstance(item, TextLine)}
    upwards, along = ("Month", "Euros") if "bar" in kind else ("Euros", "Month")
    others = [box for text, box in boxes.items() if text not in titles.values()]
    assert boxes[upwards][2] < min(box[0] for box in others)
    assert boxes[upwards][3] - boxes[upwards][1] > boxes[upwards][2] - boxes[upwards][0]
    assert boxes[along][3] < min(box[1] for box in others)


def test_titles_of_axes_that_do_not_fit_are_left_out() -> None:
    long = "A title of an axis, far too long to be read in a chart " * 3
    (items,) = laid(chart("column", ["A"], [1], width=40, height=25, category_title=long, value_title=long))
    assert not [text for text in texts(items) if text.startswith("A title")]


def test_pies_have_no_axes_to_name() -> None:
    (items,) = laid(chart("pie", ["A", "B"], [1, 2], category_title="Month", value_title="Euros"))
    assert not {"Month", "Euros"} & set(texts(items))


def test_a_pie_keeps_the_order_and_tells_shares() -> None:
    (items,) = laid(chart("pie", ["Small", "Large", "None", "Tiny"], [20, 79.6, None, 0.4], legend="right"))
    assert texts(items) == ["Small", "20%", "Large", "80%", "Tiny", "0.4%"]


def test_slices_of_a_pie_are_wider_than_the_white_between_them() -> None:
    (items,) = laid(chart("pie", [""] * 90, [1.0] * 90, width=40, height=40, legend="none"))
    slices = [(item, box) for item, box in marks(items) if isinstance(item, Path) and item.stroke]
    radius = (max(box[2] for _, box in slices) - min(box[0] for _, box in slices)) / 2
    assert len(slices) == 90
    assert all(item.thickness < 0.5 * 2 * math.pi * radius / 90 for item, _ in slices)
    (items,) = laid(chart("pie", ["Large", "Tiny"], [9999, 1], legend="none"))
    *_, last = (item for item, _ in marks(items) if isinstance(item, Path) and item.stroke)
    assert last.thickness < 0.1  # upon the seam of its large neighbour


def test_names_of_a_legend_are_whole_where_the_rows_have_room() -> None:
    short, long = "Revenue", "Expenditure, write-offs included"
    for names in ([short, long], [long, short], [long, long]):
        made = chart("column", ["Q1", "Q2"], [1, 2], [2, 3], width=75)
        named = [replace(series, name=name) for series, name in zip(made.series, names, strict=True)]
        (items,) = laid(replace(made, series=named))
        assert texts(items)[:2] == names
    many = [Series(f"{long} {number}", [1]) for number in range(20)]
    (items,) = laid(replace(chart("column", ["Q1"], width=75), series=many))
    assert any(text.endswith("…") for text in texts(items))


def test_names_of_a_legend_in_rows_stand_below_each_other() -> None:
    names = ["North", "South-east", "West", "A district", "Elsewhere", "Far"]
    (items,) = laid(chart("pie", names, [6.0, 5, 4, 3, 2, 1], width=75))
    lines = {item.text: (item.x, item.y) for item, _ in marks(items) if isinstance(item, TextLine)}
    rows = sorted({y for text, (_, y) in lines.items() if text in names}, reverse=True)
    found = [[lines[name][0] for name in names if lines[name][1] == y] for y in rows]
    assert [len(row) for row in found] == [3, 3]
    assert found[0] == found[1]


@pytest.mark.parametrize("legend", ["bottom", "right"])
def test_a_legend_runs_as_its_document_does(legend: str) -> None:
    """From right to left it is the mirror image of the other."""
    made = chart("pie", ["North", "West"], [3, 1], legend=legend, height=40)
    drawn: dict[str, list[tuple[float, float]]] = {}
    for language in ("en", "he"):
        (items,) = laid(made, language=language)
        drawn[language] = [(box[0], box[2]) for _, box in marks(items) if box[3] - box[1] < 9]
    assert len(drawn["en"]) == 6  # for each a square, a name and a share
    total = WIDTH if legend == "bottom" else WIDTH + min(begin for begin, _ in drawn["en"])
    turned = [(total - end, total - begin) for begin, end in drawn["en"]]
    assert sorted(drawn["he"]) == [pytest.approx(place, abs=0.5) for place in sorted(turned)]


def test_a_chart_moves_to_the_next_page_as_a_whole() -> None:
    pages = laid(chart("pie", ["A"], [1], height=100), chart("pie", ["A"], [1], height=100))
    assert len(pages) == 2
    assert all(figure(items) for items in pages)


@given(
    st.sampled_from(CHARTS),
    st.lists(st.text(max_size=30), max_size=12),
    st.lists(st.lists(st.one_of(st.none(), st.floats(allow_nan=True)), max_size=12), max_size=4),
    st.sampled_from(["bottom", "right", "none"]),
    st.floats(1, 140),
    st.floats(1, 120),
    st.sampled_from(["", "Euros", "\xad", "A longer title of an axis"]),
)
# Slanted names that want less room than the numbers of the axis.
@example("column", ["0000", ""], [[0.0]], "bottom", 11.0, 25.0, "")
# A legend without room for the share of a slice.
@example("pie", [""], [[1.0]], "bottom", 9.0, 13.0, "")
# A name that draws nothing.
@example("bar", ["\xad"], [], "bottom", 9.0, 9.0, "")
@cases(60)
def test_any_chart_stays_inside(
    kind: str, names: list[str], series: list[list[Any]], legend: str, width: float, height: float, title: str
) -> None:
    titles = {"category_title": title, "value_title": title}
    size = {"width": width, "height": height}
    (items,) = laid(chart(kind, names, *series, legend=legend, labels=True, **size, **titles))
    for item, box in marks(items):
        assert all(math.isfinite(side) for side in box)
        assert -1.2 <= box[0] <= box[2] <= min(width * MM, WIDTH) + 1.2, item
        assert HEIGHT - height * MM - 1.2 <= box[1] <= box[3] <= HEIGHT + 1.2, item
