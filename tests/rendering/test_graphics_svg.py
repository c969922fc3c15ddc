"""SVG images become items: what they look like, and what they cost at most."""

import base64
import io
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from assets.svg import InvalidSvg
from rendering.formats.base import RenderError
from rendering.formats.pdf.layout.graphics import svg as svg_module
from rendering.formats.pdf.layout.graphics.pictures import picture
from rendering.formats.pdf.layout.graphics.svg import svg_group, svg_scene
from rendering.formats.pdf.layout.graphics.svg_paths import IDENTITY, bounds, code, path, transform
from rendering.formats.pdf.layout.graphics.svg_style import Paint, Sheet, color
from rendering.formats.pdf.layout.items import Group, Path, Picture, TextLine
from rendering.formats.pdf.typeset.typesetter import Typesetter
from templates_app.resolved import ImageFile, Theme
from tests.cases import cases
from tests.rendering.graphics import lettering

HEAD = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def svg(inside: str, attributes: str = 'viewBox="0 0 1000 1000"') -> bytes:
    return f"<svg {HEAD} {attributes}>{inside}</svg>".encode()


def shapes(inside: str, attributes: str = 'viewBox="0 0 1000 1000"') -> Sequence[Any]:
    """The items in a box of 1000 x 1000 units, y upwards."""
    return svg_scene(svg(inside, attributes)).items


def leaves(items: Sequence[Any]) -> list[Any]:
    found = []
    for item in items:
        found += leaves(item.items) if isinstance(item, Group) else [item]
    return found


# ---------------------------------------------------------------- shapes


def test_a_rectangle_stands_on_its_head() -> None:
    (item,) = shapes('<rect x="10" y="20" width="100" height="50" fill="red"/>')
    assert item == Path("10 980 m 110 980 l 110 930 l 10 930 l h", "#ff0000", role="")


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        ("M1 2L3 4", "1 2 m 3 4 l"),
        ("m1 2 3 4z", "1 2 m 4 6 l h"),
        ("M0 0H5V6h-2v-1", "0 0 m 5 0 l 5 6 l 3 6 l 3 5 l"),
        ("M0,0c1-2,3-4,5,0s4 4 5 0", "0 0 m 1 -2 3 -4 5 0 c 7 4 9 4 10 0 c"),
        ("M0 0Q3 3 6 0T12 0", "0 0 m 2 2 4 2 6 0 c 8 -2 10 -2 12 0 c"),
        ("M1 1z l2 2", "1 1 m h 1 1 m 3 3 l"),
        ("M1 1 2 2 3", "1 1 m 2 2 l"),
        ("M1e1.5.5", "10 0.50 m"),
        ("L1 1", ""),
        ("M0 0 L", "0 0 m"),
        ("nonsense", ""),
    ],
)
def test_path_data(data: str, wanted: str) -> None:
    assert code(path(data), IDENTITY) == wanted


def test_arcs_end_where_they_should() -> None:
    for flags, box in (("0 1", (0, -10, 20, 10)), ("0 0", (0, 0, 20, 10)), ("11", (0, -10, 20, 10))):
        found = path(f"M0 0A10 10 0 {flags} 20 0")
        x, y, width, height = bounds(found, IDENTITY) or (0, 0, 0, 0)
        assert (x, y, width, height) == pytest.approx(box, abs=3)
        assert found[-1][1][-2:] == (20, 0)
    # too small radii grow, a flag needs no separator, a flat arc is a line
    assert path("M0 0a1 1 0 0120 0")[-1][1][-2:] == (20, 0)
    assert path("M0 0A0 5 0 0 1 20 0")[-1] == ("l", (20, 0))


@pytest.mark.parametrize(
    ("text", "matrix"),
    [
        ("translate(10)", (1, 0, 0, 1, 10, 0)),
        ("translate(10,20) scale(2)", (2, 0, 0, 2, 10, 20)),
        ("rotate(90)", (0, 1, -1, 0, 0, 0)),
        ("rotate(90 10 0)", (0, 1, -1, 0, 10, -10)),
        ("matrix(1 2 3 4 5 6)", (1, 2, 3, 4, 5, 6)),
        ("skewX(45)", (1, 0, 1, 1, 0, 0)),
        ("nonsense(1) scale() matrix(1)", (1, 0, 0, 1, 0, 0)),
    ],
)
def test_transforms(text: str, matrix: tuple[float, ...]) -> None:
    assert transform(text) == pytest.approx(matrix, abs=1e-9)


def test_strokes_follow_the_scale() -> None:
    (item,) = shapes(
        '<g transform="scale(2)" stroke="blue" stroke-width="3" fill="none" stroke-linecap="round">'
        '<path d="M0 0L10 10" stroke-dasharray="4,2" stroke-linejoin="bevel"/></g>'
    )
    assert (item.fill, item.stroke, item.thickness, item.dash) == (None, "#0000ff", 6, (8, 4))
    assert (item.cap, item.join) == (1, 2)


def test_styles_win_in_their_order() -> None:
    style = "<style>rect{fill:red}.b{fill:blue}#c{fill:lime}/* g{fill:black} */</style>"
    found = shapes(
        style + '<rect width="1" height="1" fill="black"/>'
        '<rect class="b" width="1" height="1"/><rect class="b" id="c" width="1" height="1"/>'
        '<rect class="b" style="fill: #123456 !important" width="1" height="1"/>'
        '<g fill="#abc"><circle r="1"/><circle r="1" fill="inherit"/><circle r="1" fill="currentColor"/></g>'
    )
    assert [item.fill for item in found] == [
        "#ff0000", "#0000ff", "#00ff00", "#123456", "#aabbcc", "#aabbcc", "#000000",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "paint"),
    [
        ("RebeccaPurple", Paint("#663399")),
        ("#abcd", Paint("#aabbcc", 221 / 255)),
        ("rgb(255, 0, 50%)", Paint("#ff0080")),
        ("rgba(0 0 0 / 25%)", Paint("#000000", 0.25)),
        ("hsl(120deg, 100%, 50%)", Paint("#00ff00")),
        ("none", None),
        ("transparent", None),
        ("rgb(1,2)", None),
        ("#12", None),
        ("__class__", None),
    ],
)
def test_colours(text: str, paint: Paint | None) -> None:
    assert color(text) == paint


def test_gradients_become_their_average() -> None:
    (first, second, third) = shapes(
        '<linearGradient id="a"><stop offset="0" stop-color="#000"/><stop offset="1" stop-color="#fff"/>'
        '</linearGradient><radialGradient id="b" href="#a"/><linearGradient id="c" href="#c"/>'
        '<circle r="5" fill="url(#a)"/><circle r="5" fill="url(\'#b\')"/><circle r="5" fill="url(#c) red"/>'
    )
    assert [first.fill, second.fill, third.fill] == ["#808080", "#808080", "#ff0000"]


def test_opacity_visibility_and_blurred_shadows() -> None:
    found = shapes(
        '<filter id="f"><feGaussianBlur/></filter><circle r="5" filter="url(#f)"/>'
        '<circle r="5" display="none"/><circle r="5" visibility="hidden"/><circle r="5" opacity="0"/>'
        '<g opacity="50%"><circle r="5" fill-opacity=".5" stroke="red"/></g><circle r="5" fill="none"/>'
    )
    (group,) = found
    assert group.opacity == 0.5
    faint, line = group.items
    assert isinstance(faint, Group)
    assert faint.opacity == 0.5
    assert (line.fill, line.stroke) == (None, "#ff0000")


def test_use_symbols_and_nested_pictures() -> None:
    found = leaves(
        shapes(
            '<defs><g id="a"><rect width="10" height="10"/></g></defs>'
            '<symbol id="s" viewBox="0 0 2 1"><rect width="2" height="1" fill="red"/></symbol>'
            '<use href="#a" x="100"/><use xlink:href="#s" width="100" height="100"/><use href="#missing"/>'
            '<svg x="500" y="500" width="100" height="100" viewBox="0 0 1 1">'
            '<rect width="1" height="1"/></svg>'
        )
    )
    assert [item.code.split(" m")[0] for item in found] == ["100 1000", "0 975", "500 500"]


def test_clips_cut_by_their_box() -> None:
    (group,) = shapes(
        '<clipPath id="c"><rect x="100" y="100" width="50" height="20"/></clipPath>'
        '<circle r="500" clip-path="url(#c)"/>'
    )
    assert group.clip == pytest.approx((100, 880, 50, 20))


@pytest.mark.parametrize(
    ("attributes", "first"),
    [
        ('width="100" height="50" viewBox="0 0 10 10"', "250 500"),
        ('width="100" height="50" viewBox="0 0 10 10" preserveAspectRatio="xMinYMin"', "0 500"),
        ('width="100" height="50" viewBox="0 0 10 10" preserveAspectRatio="none"', "0 500"),
        ('width="100" height="50" viewBox="0 0 10 10" preserveAspectRatio="xMidYMid slice"', "0 750"),
        ('width="100" height="50"', "0 500"),
        ('viewBox="-5 -5 10 10"', "500 500"),
    ],
)
def test_the_view_box_is_fitted(attributes: str, first: str) -> None:
    (item,) = shapes('<rect width="10" height="10"/>', attributes)
    assert item.code.startswith(f"{first} m")


def test_percentages() -> None:
    (item,) = shapes('<rect x="10%" y="10%" width="50%" height="25%"/>')
    assert item.code == "100 900 m 600 900 l 600 650 l 100 650 l h"


# ---------------------------------------------------------------- text and images


def test_text_is_set_in_the_fonts_of_the_document() -> None:
    content = svg(
        '<text x="500" y="100" font-size="40" text-anchor="middle"> Acme <tspan fill="red" font-weight="700">'
        'Ltd</tspan> 東京</text><text y="50">second</text>'
    )
    group = svg_group(content, (0, 0, 100, 100), lettering(), alt="Logo")
    assert (group.role, group.alt, group.clip) == ("figure", "Logo", (0, 0, 1000, 1000))
    lines = leaves(group.items)
    assert [line.text for line in lines] == ["Acme ", "Ltd", " 東京", "second"]
    assert lines[1].runs[0].color == "#ff0000"
    assert lines[1].runs[0].font != lines[0].runs[0].font
    assert lines[0].x + sum(line.width for line in lines[:3]) == pytest.approx(-lines[0].x)


def test_raster_images_inside_stay_pictures() -> None:
    out = io.BytesIO()
    Image.new("RGB", (40, 20), "teal").save(out, "PNG")
    data = base64.b64encode(out.getvalue()).decode()
    (group,) = shapes(f'<image x="100" width="200" height="200" href="data:image/png;base64,{data}"/>')
    (inner,) = group.items
    assert isinstance(inner.items[0], Picture)
    assert inner.matrix == pytest.approx((5, 0, 0, 5, 100, 850))
    assert inner.items[0].image.content == out.getvalue()


# ---------------------------------------------------------------- limits


@pytest.mark.parametrize(
    "inside",
    [
        '<g id="a"><use href="#a"/></g>',
        '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>',
        "".join(f'<g id="g{i}">' + f'<use href="#g{i + 1}"/>' * 10 + "</g>" for i in range(8))
        + '<path id="g8" d="M0 0h1"/>',
        '<symbol id="s"><use href="#s"/><use href="#s"/></symbol><use href="#s"/>',
        '<path id="p" d="' + "M0 0h1" * 20_000 + '"/>' + '<use href="#p"/>' * 100,
        "<text>" + "long " * 10_000 + "</text>",
    ],
)
def test_pictures_without_end_are_refused(inside: str) -> None:
    with pytest.raises(InvalidSvg, match=r"the SVG (draws more|is nested|has more) "):
        svg_scene(svg(inside))


MOST = 400_000  # characters: what looks at each of them again from each of them would never end


@pytest.mark.parametrize(
    "inside",
    [
        '<path d="M0 0A' + "2" * MOST + '"/>',
        '<path d="M0 0A' + "2 " * MOST + '"/>',
        '<rect width="' + "1" * MOST + 'x" height="1"/>',
        '<rect width="1" height="1" fill="rgb(' + " " * MOST + '"/>',
        '<rect width="1" height="1" fill="url(#' + " " * MOST + '"/>',
        '<rect width="1" height="1" transform="' + "a" * MOST + '"/>',
        "<style>" + "a" * MOST + '</style><rect width="1" height="1"/>',
        "<style>" + "{" * MOST + '}</style><rect width="1" height="1"/>',
    ],
)
def test_texts_that_look_like_something_up_to_their_end_are_read_once(inside: str) -> None:
    assert leaves(shapes(inside + '<circle r="5"/>'))


def test_an_image_that_is_used_again_is_there_once() -> None:
    out = io.BytesIO()
    Image.new("RGB", (40, 20), "teal").save(out, "PNG")
    data = base64.b64encode(out.getvalue()).decode()
    image = f'<defs><image id="i" width="9" href="data:image/png;base64,{data}"/></defs>'
    found = leaves(shapes(image + '<use href="#i"/>' * 500))
    assert len(found) == 500
    assert len({id(item.image.content) for item in found}) == 1


def test_drawing_ends_when_the_time_is_over() -> None:
    class Over(Exception):
        pass

    def check_time() -> None:
        nonlocal left
        left -= 1
        if not left:
            raise Over

    left = 20
    with pytest.raises(Over):
        svg_scene(svg('<g id="a" style="fill:red"/>' + '<use href="#a"/>' * 1000), check_time)


def test_a_refused_image_is_an_error_of_the_document() -> None:
    file = ImageFile(b"<svg", "image/svg+xml", 10, 10)
    with pytest.raises(RenderError, match="Image cannot be read: the SVG is damaged"):
        picture(file, 0, 0, 10, 10, typesetter=Typesetter(Theme(), "en"))


@pytest.mark.parametrize(
    "inside",
    [
        '<path d="M1e300 1e300L-1e300 0A1e300 1 0 0 1 1 1" stroke="red" transform="scale(1e300)"/>',
        '<g transform="scale(1e9)">' * 40 + '<path d="M1 1L1e9 1e9"/>' + "</g>" * 40,
        '<g transform="scale(0)"><circle r="5"/></g>',
        '<text font-size="1e300" x="1e300">x</text><text font-size="-1">x</text><text font-size="x">x</text>',
        '<rect width="-1" height="5"/><circle r="-1"/><polygon points="1"/><polyline points="1,2,3"/>',
        '<rect width="5" height="5" stroke="red" stroke-width="nan" stroke-dasharray="0 0" opacity="nan"/>',
        "<linearGradient id='g'><stop offset='nan' stop-color='url(#g)'/></linearGradient>"
        "<circle r='5' fill='url(#g)'/>",
        "<style>"
        + ".a{" * 5000
        + "</style><style>}}}{{{;;;:::</style><rect style=';:;a:b:c' width='1' height='1'/>",
        '<switch><g systemLanguage="xx"/><rect width="1" height="1"/></switch><unknown><rect/></unknown>',
    ],
)
def test_odd_pictures_are_drawn_without_complaint(inside: str) -> None:
    group = svg_group(svg(inside), (0, 0, 100, 100), lettering())
    text = repr(leaves(group.items))
    assert "nan" not in text.replace("name", "")
    assert "inf" not in text


def test_many_rules_cost_little() -> None:
    rules = "".join(f".c{index}.d{index}{{fill:red}}.e{index}{{fill:blue}}" for index in range(2000))
    shapes(f"<style>{rules}</style>" + '<rect class="e5 c1 d1" width="1" height="1"/>' * 5000)
    assert len(Sheet(rules)._known) <= 2000


@pytest.mark.parametrize(
    ("sheet", "fill"),
    [
        ("@media print{.a{fill:blue}}", "#0000ff"),
        (".b{.a{fill:blue}", "#0000ff"),
        ("@charset x;.a{fill:blue}", "#000000"),
        ("}}.a{fill:blue}", "#0000ff"),
        (".a{fill:blue", "#000000"),
    ],
)
def test_rules_begin_behind_what_is_none(sheet: str, fill: str) -> None:
    (item,) = shapes(f'<style>{sheet}</style><rect class="a" width="1" height="1"/>')
    assert item.fill == fill


def test_parsed_pictures_are_kept_but_not_for_ever() -> None:
    content = svg('<rect width="1" height="1"/>')
    assert svg_scene(content) is svg_scene(bytes(bytearray(content)))
    for index in range(100):
        svg_scene(svg(f'<rect width="{index}" height="1"/>'))
    assert len(svg_module._kept) <= svg_module.MOST_SCENES
    assert svg_module._kept.total <= svg_module.MOST_WEIGHT


def test_threads_share_the_cache() -> None:
    contents = [svg(f'<circle r="{index}"/>') for index in range(90)]
    results: list[list[str]] = []

    def work() -> None:
        results.append([repr(svg_scene(content).items) for content in contents])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(result == results[0] for result in results)


@given(st.text(alphabet="MmLlHhVvCcSsQqTtAaZz0123456789.-+eE, ", max_size=80))
@cases(200)
def test_any_path_data(data: str) -> None:
    assert "nan" not in code(path(data), (3.0, 1.0, -1.0, 2.0, 5.0, 5.0))


def test_lines_of_text_are_items() -> None:
    (line,) = leaves(svg_group(svg('<text y="50">x</text>'), (0, 0, 9, 9), lettering()).items)
    assert isinstance(line, TextLine)
