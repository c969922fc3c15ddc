"""Charts, bar codes, images and signatures as items: where they are, what they say, what they refuse."""

import io
import math
import re
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import zxingcpp
from hypothesis import example, given
from hypothesis import strategies as st
from PIL import Image, ImageDraw
from reportlab.graphics import shapes
from reportlab.lib.colors import Color, HexColor

from rendering.formats.base import Limits, RenderError
from rendering.formats.pdf.layout.flow import Context, Flow
from rendering.formats.pdf.layout.graphics.barcodes import draw_barcode, merged
from rendering.formats.pdf.layout.graphics.drawing import drawing_items
from rendering.formats.pdf.layout.graphics.lettering import Lettering
from rendering.formats.pdf.layout.graphics.palette import palette
from rendering.formats.pdf.layout.graphics.scales import scale_for
from rendering.formats.pdf.layout.graphics.sketch import Area
from rendering.formats.pdf.layout.graphics.value_labels import Obstacles, Strokes
from rendering.formats.pdf.layout.items import Group, Item, Link, Page, Path, Picture, Rects, Rules, TextLine
from rendering.formats.pdf.layout.kinds import KINDS
from rendering.formats.pdf.layout.pages import Body, Pages
from rendering.formats.pdf.typeset.typesetter import Typesetter
from templates_app.barcodes import check_barcode, encode
from templates_app.expressions.helpers import Format, Style
from templates_app.resolved import (
    ImageFile,
    ResolvedBarcode,
    ResolvedChart,
    ResolvedImage,
    ResolvedSignature,
    ResolvedSigner,
    Series,
    Theme,
)
from tests.cases import cases

MM = 72 / 25.4
WIDTH, HEIGHT = 400.0, 500.0
NUMBER = Format("number", None, Style())
CHARTS = ("bar", "stacked_bar", "column", "stacked_column", "line", "area", "pie", "donut")


def laid(*sections: Any) -> list[list[Item]]:
    """The items of each page, 400 x 500 points, without margins."""
    pages: list[Page] = []
    limits = Limits(100, time.monotonic() + 600, 600)
    body = Body(HEIGHT, 0.0)
    paper = Pages(size=(WIDTH, HEIGHT), first=body, rest=body, backdrop=(), limits=limits, emit=pages.append)
    context = Context(Typesetter(Theme(), "en"), Theme(), limits, "en", KINDS)
    flow = Flow(context, paper, left=0.0, width=WIDTH, top_level=True)
    flow.draw(sections)
    flow.settle()
    paper.seal(paper.count)
    return [page.items for page in pages]


def lettering() -> Lettering:
    return Lettering(Typesetter(Theme(), "en"))


Box = tuple[float, float, float, float]


def _turned(points: Sequence[tuple[float, float]], matrix: Sequence[float]) -> list[tuple[float, float]]:
    a, b, c, d, e, f = matrix
    return [(a * x + c * y + e, b * x + d * y + f) for x, y in points]


def marks(items: Sequence[Item], matrix: Sequence[float] = (1, 0, 0, 1, 0, 0)) -> Iterator[tuple[Item, Box]]:
    """Every item that is no group, with the box around it on the page."""
    for item in items:
        if isinstance(item, Group):
            a, b, c, d, e, f = item.matrix
            columns = _turned([(a, b), (c, d)], (*matrix[:4], 0, 0)) + _turned([(e, f)], matrix)
            yield from marks(item.items, [number for point in columns for number in point])
            continue
        if isinstance(item, TextLine):
            points = [(item.x, item.y), (item.x + item.width, item.y + 0.6 * item.runs[0].size)]
        elif isinstance(item, Path):
            ends = re.findall(r"(-?[\d.]+) (-?[\d.]+) [mlc]", item.code)
            points = [(float(x), float(y)) for x, y in ends]
        elif isinstance(item, Rects):
            points = [p for x, y, w, h in item.boxes for p in ((x, y), (x + w, y + h))]
        elif isinstance(item, Rules):
            points = [p for x, y, z, w in item.lines for p in ((x, y), (z, w))]
        else:
            points = [(item.x, item.y), (item.x + item.width, item.y + item.height)]
        corners = _turned(points, matrix)
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        yield item, (min(xs), min(ys), max(xs), max(ys))


def texts(items: Sequence[Item]) -> list[str]:
    return [item.text for item, _ in marks(items) if isinstance(item, TextLine)]


def chart(
    kind: str, categories: Sequence[str], *series: Sequence[float | None], **more: Any
) -> ResolvedChart:
    values = {
        "title": "", "format": NUMBER, "width": None, "height": 70.0, "align": "left", "legend": "bottom",
        "labels": False, "alt": "",
    } | more  # fmt: skip
    named = [Series(f"Series {index}", list(each)) for index, each in enumerate(series)]
    return ResolvedChart(chart=kind, categories=categories, series=named, **values)  # type: ignore[arg-type]


# ---------------------------------------------------------------- drawings


def test_transforms_are_worked_into_the_coordinates() -> None:
    rect = shapes.Rect(0, 0, 10, 5, fillColor=HexColor("#336699"), strokeColor=HexColor("#ff0000"))
    rect.strokeWidth, rect.strokeDashArray = 3, [4, 2]
    inner = shapes.Group(rect, shapes.Line(0, 0, 10, 0))
    inner.translate(100, 50)
    outer = shapes.Group(inner)
    outer.scale(2, 2)
    box, line = drawing_items(shapes.Drawing(300, 200, outer), lettering())
    assert isinstance(box, Path)
    assert (box.fill, box.stroke, box.thickness, box.dash) == ("#336699", "#ff0000", 6, (8, 4))
    assert box.code == "200 100 m 220 100 l 220 110 l 200 110 l h"
    assert isinstance(line, Path)
    assert (line.fill, line.stroke, line.thickness) == (None, "#000000", 2)


def test_opacity_wedges_and_clips() -> None:
    faint = shapes.Circle(5, 5, 5, fillColor=Color(1, 0, 0, 0.5), strokeColor=None)
    clip = shapes.Path(isClipPath=1)
    clip.moveTo(0, 0)
    clip.lineTo(30, 20)
    wedge = shapes.Wedge(50, 50, 20, 0, 90, fillColor=HexColor("#000000"), strokeColor=None)
    found = drawing_items(shapes.Drawing(100, 100, faint, clip, wedge), lettering())
    assert isinstance(found[0], Group)
    assert found[0].opacity == 0.5
    assert isinstance(found[1], Group)
    assert found[1].clip == (0, 0, 30, 20)
    assert list(next(marks(found[1:]))[1]) == pytest.approx([50, 50, 70, 70])


def test_text_in_a_drawing_is_ours_in_any_script() -> None:
    drawing = shapes.Drawing(100, 100)
    for index, text in enumerate(("Résumé", "東京", "שלום", "a\x00b\ud800")):
        drawing.add(shapes.String(50, 10 * index, text, textAnchor="middle", fontSize=8))
    lines = [
        (item, box) for item, box in marks(drawing_items(drawing, lettering())) if isinstance(item, TextLine)
    ]
    assert [line.text for line, _ in lines][:2] == ["Résumé", "東京"]
    assert all((box[0] + box[2]) / 2 == pytest.approx(50) for _, box in lines)


def test_an_image_shape_never_opens_its_path(tmp_path: Any) -> None:
    picture = shapes.Image(0, 0, 10, 10, str(tmp_path / "missing.png"))
    assert drawing_items(shapes.Drawing(10, 10, picture), lettering()) == []


# ---------------------------------------------------------------- scales


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


# ---------------------------------------------------------------- charts


def figure(items: Sequence[Item]) -> Group:
    return next(item for item in items if isinstance(item, Group) and item.role == "figure")


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


def test_a_pie_keeps_the_order_and_tells_shares() -> None:
    (items,) = laid(chart("pie", ["Small", "Large", "None", "Tiny"], [20, 79.6, None, 0.4], legend="right"))
    assert texts(items) == ["Small", "20%", "Large", "80%", "Tiny", "0.4%"]


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
)
# Slanted names that want less room than the numbers of the axis.
@example("column", ["0000", ""], [[0.0]], "bottom", 11.0, 25.0)
# A legend without room for the share of a slice.
@example("pie", [""], [[1.0]], "bottom", 9.0, 13.0)
# A name that draws nothing.
@example("bar", ["\xad"], [], "bottom", 9.0, 9.0)
@cases(60)
def test_any_chart_stays_inside(
    kind: str, names: list[str], series: list[list[Any]], legend: str, width: float, height: float
) -> None:
    (items,) = laid(chart(kind, names, *series, legend=legend, width=width, height=height, labels=True))
    for item, box in marks(items):
        assert all(math.isfinite(side) for side in box)
        assert -1.2 <= box[0] <= box[2] <= min(width * MM, WIDTH) + 1.2, item
        assert HEIGHT - height * MM - 1.2 <= box[1] <= box[3] <= HEIGHT + 1.2, item


# ---------------------------------------------------------------- bar codes


def barcode(symbology: str, value: str, **more: Any) -> ResolvedBarcode:
    values = {"width": None, "height": None, "align": "left", "text": True} | more
    return ResolvedBarcode(symbology, value, **values)  # type: ignore[arg-type]


def bitmap(items: Sequence[Item], width: float, height: float, scale: float = 6.0) -> Image.Image:
    """The dark rectangles, painted."""
    image = Image.new("L", (math.ceil(width * scale), math.ceil(height * scale)), 255)
    draw = ImageDraw.Draw(image)
    for x, y, w, h in dark(items):
        left, top = round(x * scale), round((height - y - h) * scale)
        right, bottom = round((x + w) * scale), round((height - y) * scale)
        draw.rectangle((left, top, right - 1, bottom - 1), fill=0)
    return image


def dark(items: Sequence[Item]) -> Iterator[tuple[float, float, float, float]]:
    """The filled rectangles, those of groups (which scale and turn upside down) where they stand."""
    for item in items:
        if isinstance(item, Rects):
            yield from item.boxes
        elif isinstance(item, Group):
            a, _, _, d, e, f = item.matrix
            for x, y, w, h in dark(item.items):
                yield a * x + e, min(d * y, d * (y + h)) + f, a * w, abs(d) * h


@pytest.mark.parametrize(
    ("symbology", "value", "read"),
    [
        ("qr", "https://example.com/invoices/2026-0001?x=ä€漢", None),
        ("qr", "x" * 900, None),
        ("code128", "INV-2026/000123", None),
        ("ean13", "590123412345", "5901234123457"),
        ("ean13", "5901234123457", None),
        ("datamatrix", "Serial 123 äöü", None),
        ("pdf417", "Boarding pass M1DOE/JOHN E7XYZ", None),
    ],
)
@pytest.mark.parametrize("text", [True, False])
def test_codes_can_be_read_back(symbology: str, value: str, read: str | None, text: bool) -> None:
    code = draw_barcode(barcode(symbology, value, text=text), lettering(), (WIDTH, HEIGHT))
    (found,) = zxingcpp.read_barcodes(bitmap(code.items, code.width, code.height))
    assert found.text == (read or value)
    if text and symbology in ("code128", "ean13"):
        assert "".join(texts(code.items)) == (read or value)


@pytest.mark.parametrize("level", ["L", "M", "Q", "H"])
def test_error_correction_of_qr(level: str) -> None:
    code = draw_barcode(barcode("qr", "A" * 100, error_correction=level), lettering(), (WIDTH, HEIGHT))
    (found,) = zxingcpp.read_barcodes(bitmap(code.items, code.width, code.height))
    assert found.ec_level == level


def test_sizes_of_codes() -> None:
    qr = draw_barcode(barcode("qr", "https://example.com"), lettering(), (WIDTH, HEIGHT))
    assert qr.width == qr.height == pytest.approx(25 * MM)
    wished = draw_barcode(barcode("qr", "https://example.com", width=40), lettering(), (WIDTH, HEIGHT))
    assert wished.width == pytest.approx(40 * MM)
    narrow = draw_barcode(barcode("code128", "x" * 60), lettering(), (100.0, HEIGHT))
    assert narrow.width == pytest.approx(100)
    (items,) = laid(barcode("qr", "https://example.com", align="right"))
    group = figure(items)
    assert group.alt == "https://example.com"
    assert group.matrix[4] == pytest.approx(WIDTH - 25 * MM)


def test_runs_are_merged_and_cover_the_same_modules() -> None:
    symbol = encode("qr", "merge me")
    boxes = merged(symbol)
    cells = [(x + i, y + j) for x, y, w, h in boxes for i in range(w) for j in range(h)]
    wanted = {
        (start + i, y) for y, (_, runs) in enumerate(symbol.rows) for start, wide in runs for i in range(wide)
    }
    assert len(cells) == len(set(cells))
    assert set(cells) == wanted
    assert len(boxes) < sum(len(runs) for _, runs in symbol.rows)


@pytest.mark.parametrize(
    ("symbology", "value", "reason"),
    [
        ("qr", "", "a QR code cannot be empty"),
        ("qr", "x" * 3000, "the value is too long for a QR code"),
        ("qr", "x" * 1_000_000, "the value is too long for a QR code"),
        ("code128", "x" * 300, "the value is too long for a Code 128"),
        ("code128", "漢字", "a Code 128 holds Latin letters, digits and signs only"),
        ("ean13", "123", "an EAN-13 has 12 digits, or 13 with its check digit"),
        ("ean13", "٠١٢٣٤٥٦٧٨٩٠١", "an EAN-13 has 12 digits"),
        ("ean13", "5901234123450", "the check digit of this EAN-13 must be 7, not 0"),
        ("datamatrix", "x" * 2400, "the value is too long for a Data Matrix"),
        ("pdf417", "x" * 1900, "the value is too long for a PDF417"),
        ("qr", "half \ud800", "the value cannot be a QR code"),
        ("aztec", "x", "unknown bar code"),
    ],
)
def test_values_that_are_no_code(symbology: str, value: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        check_barcode(symbology, value)
    with pytest.raises(RenderError, match="Bar code: "):
        laid(barcode(symbology, value))


@given(st.sampled_from(["qr", "code128", "datamatrix", "pdf417", "ean13"]), st.text(max_size=60))
@cases(80)
def test_any_value_is_encoded_or_refused(symbology: str, value: str) -> None:
    try:
        symbol = encode(symbology, value)
    except ValueError:
        return
    assert symbol.width > 0
    assert symbol.rows


# ---------------------------------------------------------------- images


def picture(width: int = 40, height: int = 20) -> ImageFile:
    out = io.BytesIO()
    Image.new("RGB", (width, height), "teal").save(out, "PNG")
    return ImageFile(out.getvalue(), "image/png", width, height)


def image(
    file: ImageFile | None, width: float | None = None, height: float | None = None, **more: Any
) -> Any:
    return ResolvedImage(file, width, height, **({"align": "left", "alt": "Logo"} | more))


def boxes(items: Sequence[Item]) -> list[list[float]]:
    return [[round(side, 2) for side in box] for item, box in marks(items) if isinstance(item, Picture)]


def test_natural_size_and_limits() -> None:
    assert boxes(laid(image(picture()))[0]) == [[0, HEIGHT - 15, 30, HEIGHT]]
    assert boxes(laid(image(picture(4000, 100)))[0]) == [[0, HEIGHT - 10, WIDTH, HEIGHT]]
    assert boxes(laid(image(picture(100, 4000), align="right"))[0]) == [[387.5, 0, WIDTH, HEIGHT]]
    assert laid(image(None)) == [[]]


def test_modes() -> None:
    side = 20 * MM
    (fit,) = boxes(laid(image(picture(), 20, 20))[0])
    assert (fit[2] - fit[0], fit[3] - fit[1]) == pytest.approx((side, side / 2), abs=0.02)
    (exact,) = boxes(laid(image(picture(), 20, 20, mode="exact"))[0])
    assert (exact[2] - exact[0], exact[3] - exact[1]) == pytest.approx((side, side), abs=0.02)
    (items,) = laid(image(picture(), 20, 20, mode="cover"))
    assert boxes(items)[0][0] == pytest.approx(-side / 2, abs=0.02)
    (group,) = items
    assert isinstance(group, Group)
    assert group.clip == pytest.approx((0, HEIGHT - side, side, side))


def test_alternative_text_and_link() -> None:
    shown, link = laid(image(picture(), 10, link="https://example.com"))[0]
    assert isinstance(shown, Picture)
    assert (shown.alt, shown.role) == ("Logo", "figure")
    assert isinstance(link, Link)
    assert (link.width, link.height, link.target) == (shown.width, shown.height, "https://example.com")


# ---------------------------------------------------------------- signatures


def test_lines_to_sign_on() -> None:
    signers = [
        ResolvedSigner("Ann Smith", "Director", picture(200, 80), "21 November 2026"),
        ResolvedSigner("Bob", ""),
        ResolvedSigner("Carla", "Customer"),
    ]
    (items,) = laid(ResolvedSignature(signers, 2, 20))
    assert texts(items) == ["21 November 2026", "Ann Smith", "Director", "Bob", "Carla", "Customer"]
    lines = [box for item, box in marks(items) if isinstance(item, Rules)]
    assert len(lines) == 3
    assert lines[0][1] == lines[1][1] > lines[2][1]
    assert lines[0][2] < lines[1][0]
    (box,) = boxes(items)
    assert box[1] == pytest.approx(lines[0][1] - 2, abs=0.02)
    assert box[3] <= HEIGHT + 0.01


def test_signatures_stay_on_one_page() -> None:
    many = [ResolvedSigner(f"Signer {index}", "Role") for index in range(6)]
    pages = laid(image(picture(100, 400), height=120), ResolvedSignature(many, 2, 20))
    assert len(pages) == 2
    assert len(texts(pages[1])) == 12
    assert laid(ResolvedSignature([], 2, 20)) == [[]]
