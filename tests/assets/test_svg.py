"""Which SVG files are taken, and what they are never allowed to do."""

import base64
from pathlib import Path

import pytest

from assets.images import ImageInfo, InvalidImage, inspect_image, prepare_image
from assets.svg import MAX_DEPTH, MAX_NODES, InvalidSvg, looks_like_svg, parse_svg, svg_size
from tests.png import plain_png

LIMIT = 1_000_000
HEAD = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def svg(inside: str = "", attributes: str = 'viewBox="0 0 40 20"', before: str = "") -> bytes:
    return f"{before}<svg {HEAD} {attributes}>{inside}</svg>".encode()


def png(size: tuple[int, int] = (4, 3)) -> str:
    return "data:image/png;base64," + base64.b64encode(plain_png(size)).decode()


@pytest.mark.parametrize(
    ("attributes", "size"),
    [
        ('viewBox="0 0 40 20"', (40, 20)),
        ('viewBox="-5,-5 , 40 20"', (40, 20)),
        ('width="30" height="10"', (30, 10)),
        ('width="1in" height="72pt"', (96, 96)),
        ('width="25.4mm" height="2.54cm"', (96, 96)),
        ('width="100%" height="100%" viewBox="0 0 40 20"', (40, 20)),
        ('width="80" viewBox="0 0 40 20"', (80, 40)),
        ('height="80" viewBox="0 0 40 20"', (160, 80)),
        ('width="80"', (80, 40)),
        ("", (300, 150)),
        ('width="nonsense" height="-4" viewBox="0 0 0 0"', (300, 150)),
        ('width="1e999" height="1"', (2, 1)),
        ('width="1e99" height="5"', (100_000, 5)),
    ],
)
def test_sizes(attributes: str, size: tuple[int, int]) -> None:
    assert inspect_image(svg(attributes=attributes), LIMIT) == ImageInfo("image/svg+xml", *size)


@pytest.mark.parametrize(
    "data",
    [
        svg(before='<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- made by hand -->\n'),
        svg(before='<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">'),
        b"\xef\xbb\xbf" + svg(),
        svg().decode().encode("utf-16"),
        b"<svg viewBox='0 0 40 20'/>",
        svg('<inkscape:x xmlns:inkscape="http://inkscape.org"><path d="M0 0"/></inkscape:x>'),
        svg('<a href="https://example.com"><rect width="4" height="4"/></a><use href="#a"/>'),
        svg('<x:g xmlns:x="urn:x"><style>.a{fill:url(#g)}</style><path d="M0 0"/></x:g>'),
        svg('<rect fill="url(#g)" style="stroke:url( \'#g\' )"/><style>.a{fill:url(#g)}</style>'),
    ],
)
def test_harmless_files_are_kept_byte_for_byte(data: bytes) -> None:
    assert looks_like_svg(data)
    stored, info = prepare_image(data, LIMIT)
    assert stored == data
    assert info.content_type == "image/svg+xml"


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        "<g><SCRIPT/></g>",
        '<h:script xmlns:h="http://www.w3.org/1999/xhtml">x</h:script>',
        '<h:img xmlns:h="http://www.w3.org/1999/xhtml" src="x"/>',
        "<foreignObject/>",
        '<rect onclick="alert(1)"/>',
        '<rect ONLOAD="x"/>',
        '<image href="file:///etc/passwd"/>',
        '<image xlink:href="/etc/passwd"/>',
        '<image href="logo.png"/>',
        '<image href="//example.com/x.png"/>',
        '<image href="data:image/svg+xml;base64,PHN2Zy8+"/>',
        '<image href="data:text/html,x"/>',
        '<use href="http://example.com/x.svg#a"/>',
        '<use xlink:href="other.svg#a"/>',
        '<linearGradient href="other.svg#a"/>',
        '<feImage href="http://example.com/x.png"/>',
        '<a href="javascript:alert(1)"/>',
        '<a xlink:href=" &#10;java&#9;script:alert(1)"/>',
        '<set attributeName="href" to="x"/>',
        '<animate attributeName="x" values="javascript:alert(1)"/>',
        '<style>@import "http://example.com/x.css";</style>',
        "<style>@\\69mport 'x';</style>",
        '<x:g xmlns:x="urn:x"><style>@import "http://example.com/x.css";</style></x:g>',
        '<x:g xmlns:x="urn:x"><g><style>.a{fill:url(http://example.com/x)}</style></g></x:g>',
        "<style>.a{fill:url(http://example.com/x)}</style>",
        "<style>.a{fill:u\\72l(x.png)}</style>",
        "<style>@font-face{src:url(//x/y.ttf)}</style>",
        "<style>.a{background:image-set('x.png' 1x)}</style>",
        "<style>.a{fill:/**/url(/**/x)}</style>",
        '<rect style="fill:url(x.svg#a)"/>',
        '<rect fill="url(&quot;file:///etc/passwd&quot;)"/>',
        '<g xml:base="http://example.com/"/>',
        '<?xml-stylesheet href="http://example.com/x.css"?>',
    ],
)
def test_what_runs_or_loads_is_refused(inside: str) -> None:
    with pytest.raises(InvalidImage, match=r"the SVG (contains|has an event|refers to another)"):
        inspect_image(svg(inside), LIMIT)


def test_entities_are_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    laughs = "".join(f'<!ENTITY l{i + 1} "{f"&l{i};" * 10}">' for i in range(9))
    for doctype in (
        f'<!DOCTYPE svg [<!ENTITY x SYSTEM "{secret.as_uri()}">]>',
        f'<!DOCTYPE svg [<!ENTITY l0 "lol">{laughs}]>',
        f'<!DOCTYPE svg [<!ENTITY % p SYSTEM "{secret.as_uri()}">%p;]>',
    ):
        with pytest.raises(InvalidImage, match="the SVG declares entities"):
            inspect_image(svg("<text>&x;</text>", before=doctype), LIMIT)


def test_nothing_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*given: object, **named: object) -> None:
        raise AssertionError(f"opened {given}")

    data = svg('<rect width="4" height="4"/>', before='<!DOCTYPE svg SYSTEM "file:///etc/hostname">')
    monkeypatch.setattr("builtins.open", never)
    monkeypatch.setattr("socket.socket.connect", never)
    assert inspect_image(data, LIMIT).width == 40


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (svg("<g>" * MAX_DEPTH + "</g>" * MAX_DEPTH), f"nested deeper than {MAX_DEPTH} elements"),
        (svg("<g>" * 100_000 + "</g>" * 100_000), "nested deeper"),
        (svg("<g/>" * MAX_NODES), f"more than {MAX_NODES} elements"),
        (svg("<g/>" * 100_000), "more than"),
        (svg("x" * 2_100_000), "too large: the limit is 2000000 bytes"),
        (svg()[:-3], "damaged or incomplete"),
        (b"<svg", "damaged or incomplete"),
        (svg("&nbsp;"), "damaged or incomplete"),
        (b"<?xml version='1.0'?><html/>", "the file is XML, but no SVG"),
        (b'<?xml version="1.0" encoding="no-such"?><svg/>', "damaged or incomplete"),
    ],
)
def test_what_is_too_much_or_broken(data: bytes, reason: str) -> None:
    with pytest.raises(InvalidImage, match=reason):
        inspect_image(data, LIMIT)


@pytest.mark.parametrize("value", ['onload CDATA "run()"', 'fill CDATA "red"', 'fill CDATA #FIXED "red"'])
def test_attributes_that_every_element_has_by_itself_are_refused(value: str) -> None:
    declared = svg("<rect/>" * 9, before=f"<!DOCTYPE svg [<!ATTLIST rect {value}>]>")
    with pytest.raises(InvalidImage, match="the SVG declares attributes of its own"):
        inspect_image(declared, LIMIT)
    harmless = svg("<rect/>", before="<!DOCTYPE svg [<!ATTLIST rect fill CDATA #IMPLIED>]>")
    assert inspect_image(harmless, LIMIT).width == 40


def test_images_inside_are_checked_like_any_other() -> None:
    assert inspect_image(svg(f'<image href="{png()}"/>'), LIMIT).width == 40
    with pytest.raises(InvalidImage, match="an image inside of the SVG: the image has 40 x 30 pixels"):
        inspect_image(svg(f'<image href="{png((40, 30))}"/>'), 1000)
    for broken in ("data:image/png;base64,AAAA", "data:image/png;base64,!!"):
        with pytest.raises(InvalidImage, match="an image inside of the SVG"):
            inspect_image(svg(f'<image href="{broken}"/>'), LIMIT)


def test_images_inside_have_the_pixels_of_one_together() -> None:
    first, second = (f'<image href="{png(size)}"/>' for size in ((40, 30), (30, 40)))
    assert inspect_image(svg(first + second), 2400).width == 40
    assert inspect_image(svg(first * 9), 1200).width == 40, "the same one is decoded once"
    with pytest.raises(InvalidImage, match="inside of the SVG have more than 2399 pixels together"):
        inspect_image(svg(first + second), 2399)


def test_the_tree_has_text_and_links() -> None:
    root = parse_svg(svg('<text id="t">a<tspan>b</tspan>c</text><use xlink:href="#t"/>'))
    text, use = root.elements
    assert [child if isinstance(child, str) else child.name for child in text.children] == ["a", "tspan", "c"]
    assert use.attributes == {"href": "#t"}
    assert svg_size(root) == (40, 20)
    with pytest.raises(InvalidSvg):
        parse_svg(b"")
