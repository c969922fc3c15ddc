"""Images in a PDF: every kind of file reads back, is passed through where it can be, and none breaks us."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageOps

from rendering.formats.base import LimitExceeded, RenderError
from rendering.formats.pdf.layout.items import Page, Picture
from rendering.formats.pdf.typeset.typesetter import Typesetter
from rendering.formats.pdf.write import images
from rendering.formats.pdf.write.document import DocumentWriter
from rendering.formats.pdf.write.images import TURNS, encode
from templates_app.resolved import ImageFile
from tests.png import png_file
from tests.programs import program, run
from tests.rendering.writing import A4, DOCUMENT, picture, read, write

KINDS = {
    "gray png": (picture("L", "PNG"), False),
    "rgb png": (picture("RGB", "PNG"), False),
    "palette png": (picture("P", "PNG"), False),
    "bits png": (picture("1", "PNG", (64, 40)), False),
    "rgba png": (picture("RGBA", "PNG"), True),
    "la png": (picture("LA", "PNG"), True),
    "16 bit png": (picture("I;16", "PNG"), False),
    "transparent palette png": (picture("P", "PNG", transparency=True), True),
    "rgb jpeg": (picture("RGB", "JPEG", quality=95), False),
    "gray jpeg": (picture("L", "JPEG"), False),
    "progressive jpeg": (picture("RGB", "JPEG", progressive=True, quality=95), False),
    "cmyk jpeg": (picture("CMYK", "JPEG", quality=95), False),
    "webp": (picture("RGB", "WEBP"), False),
    "lossless webp": (picture("RGB", "WEBP", lossless=True), False),
    "webp with alpha": (picture("RGBA", "WEBP"), True),
    "large webp": (picture("RGB", "WEBP", (200, 200)), False),
    "large webp with alpha": (picture("RGBA", "WEBP", (200, 200)), True),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_image_reads_back(kind: str) -> None:
    image, masked = KINDS[kind]
    reader = read([Picture(10, 10, 60, 40, image)])
    (found,) = reader.pages[0].images
    written: Any = found.indirect_reference.get_object()  # type: ignore[union-attr]
    assert ("/SMask" in written) == masked
    shown = found.image
    assert shown is not None
    assert shown.size == (image.width, image.height)
    with Image.open(io.BytesIO(image.content)) as original:
        # pypdf undoes the row filters of single bits wrongly; poppler does not.
        if image.content_type == "image/png" and "bit" not in kind:
            assert shown.convert("RGBA").tobytes() == original.convert("RGBA").tobytes() or masked
        red, blue = (shown.convert("RGB").getpixel(place) for place in ((8, 5), (50, 35)))
    if kind.startswith(("rgb", "palette", "progressive", "webp", "large", "lossless")):
        assert red[0] > 200 > 60 > red[1]  # type: ignore[index]
        assert blue[2] > 150 > 90 > blue[0]  # type: ignore[index]


def test_colours_on_paper(tmp_path: FilePath) -> None:
    kinds = [kind for kind in KINDS if "gray" not in kind and "la " not in kind and "bit" not in kind]
    places = {kind: (at % 5 * 60, at // 5 * 40) for at, kind in enumerate(kinds)}
    (tmp_path / "a.pdf").write_bytes(
        write([Picture(*places[kind], 60, 40, KINDS[kind][0]) for kind in kinds])
    )
    target = str(tmp_path / "a")
    run(program("pdftoppm"), "-r", "72", "-png", "-singlefile", f"{target}.pdf", target)
    with Image.open(tmp_path / "a.png") as opened:
        shown = opened.convert("RGB")
    for kind, (x, y) in places.items():
        red, green, blue = shown.getpixel((x + 45, 842 - y - 6))  # type: ignore[misc]
        assert blue > red + 60, (kind, red, green, blue)


def test_interlaced_images_are_decoded() -> None:
    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 1)
    rows = b"\0\x10\x20\x30"
    content = png_file(head, rows)
    (found,) = read([Picture(0, 0, 9, 9, ImageFile(content, "image/png", 1, 1))]).pages[0].images
    assert found.image is not None
    assert found.image.getpixel((0, 0)) == (16, 32, 48)
    assert encode(ImageFile(content, "image/png", 1, 1)).data != zlib.compress(rows)


def test_images_are_passed_through_untouched() -> None:
    for kind in ("rgb jpeg", "progressive jpeg", "cmyk jpeg"):
        assert encode(KINDS[kind][0]).data is KINDS[kind][0].content
    assert encode(KINDS["rgb png"][0]).data in KINDS["rgb png"][0].content
    assert "/Decode[1 0" in encode(KINDS["cmyk jpeg"][0]).entries
    assert "DCTDecode" in encode(KINDS["large webp"][0]).entries
    assert "FlateDecode" in encode(KINDS["webp"][0]).entries


@pytest.mark.parametrize("orientation", range(1, 9))
def test_photographs_are_turned_upright(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    with Image.open(io.BytesIO(picture("RGB", "PNG", (64, 48)).content)) as image:
        out = io.BytesIO()
        image.save(out, "JPEG", exif=exif, quality=95)
        stored = Image.open(io.BytesIO(out.getvalue()))
        upright = ImageOps.exif_transpose(stored)
    turn = encode(ImageFile(out.getvalue(), "image/jpeg", 64, 48)).turn
    assert turn == TURNS.get(orientation)
    a, b, c, d, e, f = turn or (1, 0, 0, 1, 0, 0)
    for u, v in ((0.1, 0.1), (0.1, 0.9), (0.9, 0.1), (0.9, 0.9)):
        x, y = a * u + c * v + e, b * u + d * v + f
        there = upright.getpixel((int(x * upright.width), int((1 - y) * upright.height)))
        here = stored.getpixel((int(u * stored.width), int((1 - v) * stored.height)))
        assert max(abs(one - other) for one, other in zip(there, here, strict=True)) < 40  # type: ignore[arg-type]


def test_one_image_is_written_once() -> None:
    again = replace(KINDS["rgba png"][0], content=bytes(bytearray(KINDS["rgba png"][0].content)))
    data = write(
        [Picture(0, 0, 9, 9, KINDS["rgba png"][0]), Picture(9, 9, 9, 9, again)], [Picture(5, 5, 5, 5, again)]
    )
    assert data.count(b"/Subtype/Image") == 2  # picture and mask


def damaged() -> Iterator[bytes]:
    for kind in ("rgb png", "rgba png", "rgb jpeg", "webp"):
        content = KINDS[kind][0].content
        yield content[: len(content) // 2]
        yield content[:20]
    png = KINDS["rgb png"][0].content
    at = png.index(b"IHDR") + 4
    yield png[:at] + b"\x7f\xff\xff\xff" * 2 + png[at + 8 :]
    yield b""
    yield b"\xff\xd8\xff"
    yield b"\x89PNG\r\n\x1a\n" + bytes(40)
    yield b"<svg/>"
    yield b"GIF89a" + bytes(40)


@pytest.mark.parametrize("content", [*damaged()])
def test_damaged_images_are_refused(content: bytes) -> None:
    with pytest.raises(RenderError, match="Image cannot be read"):
        write([Picture(0, 0, 9, 9, ImageFile(content, "image/png", 60, 40))])


@given(
    st.binary(max_size=200), st.sampled_from([b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBPVP8 "])
)
def test_no_bytes_break_the_parsers(rest: bytes, head: bytes) -> None:
    with suppress(RenderError):
        encode(ImageFile(head + rest, "image/png", 1, 1))


def test_decoded_images_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    image = picture("RGBA", "PNG", (61, 41))
    first = encode(image)
    monkeypatch.setattr(images, "_decode", lambda content: pytest.fail("decoded again"))
    assert encode(replace(image, content=bytes(bytearray(image.content)))) is first


def test_the_clock_is_looked_at_before_each_image() -> None:
    def file(colour: str) -> ImageFile:
        out = io.BytesIO()
        Image.new("RGB", (4, 2), colour).save(out, "PNG")
        return ImageFile(out.getvalue(), "image/png", 4, 2)

    def look() -> None:
        looks.append(None)
        if len(looks) > 2:
            raise LimitExceeded("late")

    looks: list[None] = []
    writer = DocumentWriter(io.BytesIO(), DOCUMENT, Typesetter(DOCUMENT.theme, "en", look))
    pictures = [Picture(0, 0, 4, 2, file(colour)) for colour in ("red", "red", "green", "blue")]
    with pytest.raises(LimitExceeded, match="late"):
        writer.page(Page(1, *A4, list(pictures)))
