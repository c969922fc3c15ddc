"""Drawings, images and signatures as items: where they are and what they say."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pytest
from PIL import Image
from reportlab.graphics import shapes
from reportlab.lib.colors import Color, HexColor

from rendering.formats.pdf.layout.graphics.drawing import drawing_items
from rendering.formats.pdf.layout.items import Group, Item, Link, Path, Picture, Rules, TextLine
from templates_app.resolved import ImageFile, ResolvedImage, ResolvedSignature, ResolvedSigner
from tests.rendering.graphics import HEIGHT, MM, WIDTH, laid, lettering, marks, texts


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


def test_lines_to_sign_on() -> None:
    signers = [
        ResolvedSigner("Ann Smith", "Director", picture(200, 80), "21 November 2026"),
        ResolvedSigner("Bob", ""),
        ResolvedSigner("Carla", "Customer"),
    ]
    (items,) = laid(ResolvedSignature(signers, 2, 20))
    assert texts(items) == ["Ann Smith", "Director", "21 November 2026", "Bob", "Carla", "Customer"]
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
