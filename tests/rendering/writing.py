"""The PDF writer on its own: items placed by hand, written with standard fonts, read back. No layout."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from PIL import Image, ImageDraw
from pypdf import PdfReader

from rendering.formats.pdf.layout.items import (
    Anchor,
    Group,
    Item,
    Late,
    Link,
    Page,
    Path,
    Picture,
    Rect,
    Rules,
    TextBlock,
    TextLine,
    TextRun,
)
from rendering.formats.pdf.typeset.typesetter import Typesetter
from rendering.formats.pdf.write.document import DocumentWriter
from templates_app.resolved import ImageFile, ResolvedDocument, ResolvedPage

A4 = (595.28, 841.89)
DOCUMENT = ResolvedDocument(
    title="Räport <1> & (more)",
    language="de-AT",
    page=ResolvedPage(210, 297, 20, 20, 20, 20),
    sections=[],
    created_at=datetime(2026, 3, 1, 12, 30, 5, tzinfo=UTC),
    author="Zoë",
    subject="Writing",
)


class StandardFontsWriter(DocumentWriter):
    """A writer for items that no typesetter made: F1 and F2 are fonts that every reader has."""

    def __init__(self, out: Any, document: ResolvedDocument = DOCUMENT) -> None:
        super().__init__(out, document, Typesetter(document.theme, document.language))

    def _write_fonts(self) -> dict[str, int]:
        code = "<</Type/Font/Subtype/Type1/BaseFont/{}/Encoding/WinAnsiEncoding>>"
        faces = (("F1", "Helvetica"), ("F2", "Times-Roman"))
        return {name: self._file.add(code.format(face)) for name, face in faces}


def write(
    *pages: Sequence[Item],
    extra: Callable[[int, int], Sequence[Item]] = lambda number, count: (),
    document: ResolvedDocument = DOCUMENT,
) -> bytes:
    """Return the file of pages of items; `extra` gives more for each page when all are known."""
    out = io.BytesIO()
    writer = StandardFontsWriter(out, document)
    for at, items in enumerate(pages, start=1):
        writer.page(Page(at, *A4, list(items)))
    assert writer.finish(extra) == len(pages)
    return out.getvalue()


def read(*pages: Sequence[Item], **options: Any) -> PdfReader:
    """Return the file of pages of items, read back by a program that bears no fault."""
    return PdfReader(io.BytesIO(write(*pages, **options)), strict=True)


def run(text: str, /, **changes: Any) -> TextRun:
    """Return a run of text in Helvetica, 10 points, as a typesetter would."""
    plain = TextRun("F1", 10.0, "#000000", f"({text})", 5.0 * len(text), text)
    return replace(plain, **changes)


def line(x: float, y: float, *texts: str | TextRun) -> TextLine:
    """Return a line of text that begins at `x` on the baseline `y`."""
    return TextLine(x, y, [run(text) if isinstance(text, str) else text for text in texts], "p")


def positions(reader: PdfReader, page: int = 0) -> dict[str, tuple[float, float]]:
    """Return where each text of a page begins, in points."""
    found: dict[str, tuple[float, float]] = {}

    def visit(text: str, cm: list[float], tm: list[float], *_: Any) -> None:
        if text.strip():
            x, y = tm[4], tm[5]
            at = (x * cm[0] + y * cm[2] + cm[4], x * cm[1] + y * cm[3] + cm[5])
            found.setdefault(text.strip(), (round(at[0], 2), round(at[1], 2)))

    reader.pages[page].extract_text(visitor_text=visit)
    return found


def code_of(reader: PdfReader, page: int = 0) -> str:
    """Return the drawing code of a page."""
    contents = reader.pages[page].get_contents()
    return "" if contents is None else contents.get_data().decode("latin-1")


def everything() -> list[list[Item]]:
    """Two pages with an item of every kind."""
    pictures: list[Item] = [
        Picture(50 + 60 * at, 500, 50, 40, picture(mode, fmt), alt=mode)
        for at, (mode, fmt) in enumerate([("RGB", "PNG"), ("P", "PNG"), ("RGBA", "PNG"), ("CMYK", "JPEG")])
    ]
    first: list[Item] = [
        Rect(0, 0, 100, 100, "#eeeeee", "#ff0000", radius=4),
        line(72, 700, "Grüße".encode("cp1252").decode("latin-1"), run("fi", actual=True, rise=2)),
        TextBlock("F2", 8, "#333333", "72 650 Td (cell)Tj", lambda: iter(())),
        *pictures,
        Group([line(0, 0, "mark"), Link(0, 0, 9, 9, "#top")], (0.7, 0.7, -0.7, 0.7, 200, 200), opacity=0.3),
        Anchor("top", 800, "Top", 1),
        Link(72, 690, 50, 12, "https://example.com/"),
        Late(lambda pages, count: [line(72, 600, f"late {count}")]),
    ]
    return [first, [Rules([(0, 0, 9, 9)], "#00ff00", 1, (2, 1)), Path("0 0 m 9 9 l 9 0 l h", "#0000ff")]]


def picture(mode: str, fmt: str, size: tuple[int, int] = (60, 40), **options: Any) -> ImageFile:
    """A blue field with a red corner at the upper left; alpha fades to the bottom."""
    image = Image.new("RGB", size, "#3366cc")
    ImageDraw.Draw(image).rectangle((0, 0, 19, 19), fill="#ff0000")
    if mode.endswith("A"):
        image.putalpha(Image.linear_gradient("L").resize(size))
    if mode == "I;16":
        image = image.convert("L").convert("I").point(lambda value: value * 257).convert("I;16")
    elif mode != image.mode:
        image = image.convert(mode)
    if options.get("transparency"):
        options["transparency"] = image.getpixel((0, 0))
    out = io.BytesIO()
    image.save(out, fmt, **options)
    return ImageFile(out.getvalue(), f"image/{fmt.lower()}", *size)
