"""The PDF writer on its own: items placed by hand, read back by other programs. No layout, no own fonts."""

from __future__ import annotations

import gc
import io
import re
import shutil
import struct
import subprocess
import tracemalloc
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path as FilePath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageOps
from pypdf import PdfReader
from pypdf.constants import UserAccessPermissions

from rendering.formats.base import RenderError
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
    Rects,
    Rules,
    TextBlock,
    TextLine,
    TextRun,
)
from rendering.formats.pdf.numbers import number, precise
from rendering.formats.pdf.write import images
from rendering.formats.pdf.write.document import DocumentWriter
from rendering.formats.pdf.write.encryption import password, permissions
from rendering.formats.pdf.write.file import PdfFile, text_bytes
from rendering.formats.pdf.write.images import TURNS, encode
from rendering.formats.pdf.write.page_code import PageCode, color, times
from templates_app.resolved import ImageFile, Protection, ResolvedDocument, ResolvedPage

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


class NoFonts:
    """A typesetter that set nothing: the fonts of these tests are the reader's own."""

    def used(self) -> Sequence[Any]:
        return ()


@pytest.fixture(autouse=True)
def standard_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    def write(writer: DocumentWriter) -> dict[str, int]:
        code = "<</Type/Font/Subtype/Type1/BaseFont/{}/Encoding/WinAnsiEncoding>>"
        return {
            name: writer._file.add(code.format(face))
            for name, face in (("F1", "Helvetica"), ("F2", "Times-Roman"))
        }

    monkeypatch.setattr(DocumentWriter, "_write_fonts", write)


def write(
    *pages: Sequence[Item],
    extra: Callable[[int, int], Sequence[Item]] = lambda number, count: (),
    document: ResolvedDocument = DOCUMENT,
) -> bytes:
    out = io.BytesIO()
    writer = DocumentWriter(out, document, NoFonts())  # type: ignore[arg-type]
    for at, items in enumerate(pages, start=1):
        writer.page(Page(at, *A4, list(items)))
    assert writer.finish(extra) == len(pages)
    return out.getvalue()


def read(*pages: Sequence[Item], **options: Any) -> PdfReader:
    return PdfReader(io.BytesIO(write(*pages, **options)), strict=True)


def run(text: str, /, **changes: Any) -> TextRun:
    plain = TextRun("F1", 10.0, "#000000", f"({text})", 5.0 * len(text), text)
    return replace(plain, **changes)


def line(x: float, y: float, *texts: str | TextRun) -> TextLine:
    return TextLine(x, y, [run(text) if isinstance(text, str) else text for text in texts], "p")


def positions(reader: PdfReader, page: int = 0) -> dict[str, tuple[float, float]]:
    found: dict[str, tuple[float, float]] = {}

    def visit(text: str, cm: list[float], tm: list[float], *_: Any) -> None:
        if text.strip():
            x, y = tm[4], tm[5]
            at = (x * cm[0] + y * cm[2] + cm[4], x * cm[1] + y * cm[3] + cm[5])
            found.setdefault(text.strip(), (round(at[0], 2), round(at[1], 2)))

    reader.pages[page].extract_text(visitor_text=visit)
    return found


def code_of(reader: PdfReader, page: int = 0) -> str:
    contents = reader.pages[page].get_contents()
    return "" if contents is None else contents.get_data().decode("latin-1")


class Names:
    """Names for page code that is looked at without a file."""

    def picture(self, image: ImageFile) -> tuple[str, None]:
        return "Im1", None

    def opacity(self, value: float) -> str:
        return f"G{value:.2f}"

    def link(self, *_: Any) -> None: ...

    anchor = late = link


def code(*items: Item) -> str:
    writer = PageCode(Names(), Names())
    writer.add(items)
    return writer.finish().decode("latin-1")


# ---------------------------------------------------------------- numbers and strings


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (-0.0, "0"), (-0.004, "0"), (1, "1"), (12.5, "12.5"), (-3.14159, "-3.14"), (100, "100")]
    + [(0.05, "0.05"), (-0.05, "-0.05"), (1e7, "10000000"), (1e-9, "0"), (20.10, "20.1")],
)
def test_numbers_are_short(value: float, text: str) -> None:
    assert number(value) == text
    assert float(precise(value)) == pytest.approx(value, abs=1e-5)


@given(st.floats(-1e9, 1e9))
def test_numbers_are_never_in_exponents(value: float) -> None:
    assert re.fullmatch(r"-?\d+(\.\d?[1-9])?", number(value))
    assert re.fullmatch(r"-?\d+(\.\d+)?", precise(value))
    assert abs(float(number(value)) - value) <= 0.0051


def test_colors_survive_and_grays_are_short() -> None:
    assert color("#000000", "g", "rg") == "0 g"
    for value in ("#1b2430", "#01fe80", "#c00000"):
        parts = color(value, "g", "rg").split()[:3]
        assert "#" + "".join(f"{round(float(part) * 255):02x}" for part in parts) == value


@given(st.text(st.characters(), max_size=40))
def test_text_strings_come_back(value: str) -> None:
    file = PdfFile(io.BytesIO(), protection=None, file_id=b"")
    written = file.text(value)
    assert "\n" not in written
    assert "\r" not in written
    said = text_bytes(value)
    expected = re.sub("[\ud800-\udfff]", "\ufffd", value)
    assert (said[2:].decode("utf-16-be") if said[:2] == b"\xfe\xff" else said.decode("ascii")) == expected
    if value.isascii():
        assert re.sub(r"\\(.)", lambda m: {"n": "\n", "r": "\r"}.get(m[1], m[1]), written[1:-1]) == value


# ---------------------------------------------------------------- page code


def test_lines_stand_where_they_were_placed() -> None:
    reader = read([line(72, 700, "first"), line(72, 685.8, "second"), line(200.25, 99.99, "third")])
    found = positions(reader)
    assert found == {"first": (72, 700), "second": (72, 685.8), "third": (200.25, 99.99)}


def test_state_is_told_once() -> None:
    written = code(*(line(72, 700 - 14 * at, "words") for at in range(10)))
    assert written.count("BT") == written.count("ET") == 1
    assert written.count("Tf") == 1
    assert written.count("0 -14 Td") == 9
    assert " g" not in written, "black is where a page begins"


def test_runs_follow_each_other_and_rise() -> None:
    written = code(
        line(72, 700, run("E = mc"), run("2", rise=4, size=6), run(".", rise=0)), line(72, 650, "next")
    )
    assert written.count("Td") == 2
    assert written.count("Ts") == 2
    assert written.index("4 Ts") < written.index("(2)") < written.index("0 Ts") < written.index("(.)")


def test_a_block_begins_on_the_baseline_in_its_own_colour() -> None:
    block = TextBlock("F2", 8, "#ff0000", "1 0 0 1 50 60 Tm (cell)Tj", lambda: iter(()))
    written = code(line(1, 2, run("up", rise=3)), block, line(3, 4, "after"))
    assert "0 Ts\n/F2 8 Tf\n1 0 0 rg\nBT\n1 0 0 1 50 60 Tm (cell)Tj\nET" in written
    reader = read([line(10, 20, "up"), block, line(30, 40, "after")])
    assert positions(reader) == {"up": (10, 20), "cell": (50, 60), "after": (30, 40)}


def test_glyphs_that_say_nothing_carry_their_text() -> None:
    reader = read([line(72, 700, run("ab", text="ﷺ", actual=True))])
    assert "/Span<</ActualText<fefffdfa>>>BDC\n[(ab)]TJ\nEMC" in code_of(reader)


def test_shapes() -> None:
    written = code(
        Rect(1, 2, 3, 4, fill="#ff0000"),
        Rect(1, 2, 30, 40, stroke="#00ff00", thickness=2),
        Rect(1, 2, 30, 40, fill="#0000ff", stroke="#00ff00", radius=5),
        Rect(9, 9, 9, 9),
        Rects([(1, 1, 2, 2), (5, 5, 2, 2)], "#0000ff"),
        Rects([], "#0000ff"),
        Path("0 0 m 5 5 l", stroke="#000000", cap=1, join=2, dash=(3, 1)),
        Rules([(0, 1, 10, 1)], "#000000", 0.35),
        Path("0 0 5 5 re", fill="#000000", even_odd=True),
        Path("", fill="#000000"),
    )
    assert "1 0 0 rg\n1 2 3 4 re\nf\n" in written
    assert "0 1 0 RG\n2 w\n1 2 30 40 re\nS" in written
    assert written.count(" c\n") == 3  # the fourth is followed by `h` on its own line
    assert " h\nB" in written
    assert "1 1 2 2 re\n5 5 2 2 re\nf" in written
    assert "[3 1]0 d\n1 J\n2 j\n0 0 m 5 5 l\nS" in written
    assert "0.35 w\n[]0 d\n0 J\n0 j\n0 1 m 10 1 l\nS" in written
    assert "0 0 5 5 re\nf*" in written
    assert "9 9 9 9" not in written


def test_a_group_keeps_its_state_to_itself() -> None:
    inner = Group([line(0, 0, run("in", color="#ff0000"))], (0, 1, -1, 0, 100, 50), opacity=0.5)
    written = code(line(1, 2, "before"), inner, line(3, 4, "after"))
    assert "q\n0 1 -1 0 100 50 cm\n/G0.50 gs\nBT" in written
    after = written[written.rindex("Q\nBT") :]
    assert "Tf" not in after, "the font before the group holds again"
    assert "rg" not in after
    assert positions(read([inner]))["in"] == (100, 50)


def test_opacities_multiply_and_are_shared() -> None:
    seen = Group([Group([Rect(0, 0, 1, 1, fill="#000000")], opacity=0.5)], opacity=0.5)
    reader = read([seen, seen])
    states = reader.pages[0]["/Resources"]["/ExtGState"]  # type: ignore[index]
    assert {name: float(state["/ca"]) for name, state in states.items()} == {"/G50": 0.5, "/G25": 0.25}
    assert reader.pages[0]["/Group"]["/CS"] == "/DeviceRGB"  # type: ignore[index]


def test_clips_and_words_for_pictures() -> None:
    written = code(Group([Rect(0, 0, 9, 9, fill="#000000")], clip=(1, 2, 3, 4), alt="Chart"))
    assert "BDC\nq\n1 2 3 4 re W n\n0 0 9 9 re\nf\nQ\nEMC" in written
    assert f"/Alt<{b'Chart'.hex()}>" in written


def test_nothing_drawn_is_no_code() -> None:
    assert code() == ""
    assert code(Group([Link(0, 0, 1, 1, "https://a.b")]), TextBlock("F1", 1, "#000000", "", iter)) == ""  # type: ignore[arg-type]
    assert "/Contents" not in read([]).pages[0]


@given(st.lists(st.tuples(*[st.integers(-500, 1500)] * 2), min_size=1, max_size=20))
def test_steps_do_not_drift(places: list[tuple[int, int]]) -> None:
    written = code(*(line(x / 7, y / 7, "x") for x, y in places))
    x = y = 0.0
    steps = re.findall(r"(\S+) (\S+) Td", written)
    for (dx, dy), (at_x, at_y) in zip(steps, places, strict=True):
        x, y = x + float(dx), y + float(dy)
        assert abs(x - at_x / 7) < 0.006
        assert abs(y - at_y / 7) < 0.006


# ---------------------------------------------------------------- links, anchors, what comes late


def test_links_to_addresses() -> None:
    reader = read(
        [
            Link(10, 20, 30, 40, "https://example.com/ä b?q=(1)\ud800"),
            Group([Link(0, 0, 30, 10, "mailto:a@b.c")], (0, 1, -1, 0, 100, 50)),
            Link(1, 1, 1, 1, "javascript:alert(1)"),
            Link(1, 1, 1, 1, "file:///etc/passwd"),
            Link(1, 1, 1, 1, ""),
        ]
    )
    first, second = (note.get_object() for note in reader.pages[0]["/Annots"])  # type: ignore[attr-defined]
    assert first["/A"]["/URI"] == "https://example.com/%C3%A4%20b?q=(1)?"
    assert [float(value) for value in first["/Rect"]] == [10, 20, 40, 60]
    assert [float(value) for value in second["/Rect"]] == [90, 50, 100, 80], "turned with its group"


def test_links_lead_to_anchors_on_any_page() -> None:
    pages = [
        [Link(0, 0, 9, 9, "#far"), Link(0, 0, 9, 9, "#nowhere")],
        [Group.moved([Anchor("far", 100)], 0, 20)],
    ]
    reader = read(*pages, [Anchor("far", 5)])
    (note,) = (note.get_object() for note in reader.pages[0]["/Annots"])  # type: ignore[attr-defined]
    page, kind, _, top, _ = note["/Dest"]
    assert page == reader.pages[1].indirect_reference
    assert (kind, float(top)) == ("/XYZ", 120)


def test_outline_clamps_levels() -> None:
    marks = [("A", 1), ("A.1", 2), ("A.1.deep", 6), ("B", 1), ("B.1", 3), ("", 1), ("Ümläut\n(x)", 2)]
    reader = read([Anchor(f"a{at}", 700 - at, title, level) for at, (title, level) in enumerate(marks)])

    def tree(entries: list[Any]) -> list[Any]:
        return [tree(entry) if isinstance(entry, list) else entry.title for entry in entries]

    assert tree(reader.outline) == ["A", ["A.1", ["A.1.deep"]], "B", ["B.1", "Ümläut (x)"]]
    assert reader.trailer["/Root"]["/Outlines"]["/Count"] == 6  # type: ignore[index]
    assert reader.page_mode == "/UseOutlines"


def test_a_long_outline_is_closed() -> None:
    marks = [Anchor(f"a{at}", 9, f"T{at}", 1 + (at % 10 > 0)) for at in range(100)]
    reader = read(marks)
    root: Any = reader.trailer["/Root"]["/Outlines"]  # type: ignore[index]
    assert root["/Count"] == 10
    assert root["/First"]["/Count"] == -9
    assert sum(len(entry) if isinstance(entry, list) else 1 for entry in reader.outline) == 100


def test_no_outline_without_titles() -> None:
    reader = read([Anchor("a", 9)])
    assert "/Outlines" not in reader.trailer["/Root"]  # type: ignore[operator]
    assert reader.page_mode is None


def test_late_items_know_all_pages() -> None:
    late = Late(lambda pages, count: [line(0, 5, f"{pages['end']} of {count}")])
    reader = read([Group([late], (1, 0, 0, 1, 50, 60), clip=(0, 0, 200, 200))], [], [Anchor("end", 1)])
    assert positions(reader)["3 of 3"] == (50, 65)
    assert "0 0 200 200 re W n" in code_of(reader)


def test_extra_items_come_with_page_numbers_and_make_no_outline() -> None:
    def bands(number: int, count: int) -> Sequence[Item]:
        late = Late(lambda _, total: [line(9, 19, f"late {total}"), Link(0, 0, 5, 5, "#one")])
        return [line(9, 9, f"{number}/{count}"), Anchor("band", 9, "Band", 1), late]

    reader = read([line(1, 1, run("red", color="#ff0000")), Anchor("one", 700)], [], extra=bands)
    assert positions(reader, 1) == {"2/2": (9, 9), "late 2": (9, 19)}
    assert not reader.outline
    assert len(reader.pages[0]["/Contents"]) == 2  # type: ignore[arg-type]
    assert "rg" not in code_of(reader).split("Q\n", 1)[1], "nothing is left over from the first stream"
    assert len(reader.pages[1]["/Annots"]) == 1  # type: ignore[arg-type]


# ---------------------------------------------------------------- the file


def test_metadata() -> None:
    reader = read([line(1, 1, "x")])
    info = reader.metadata
    assert info is not None
    assert (info.title, info.author, info.subject) == ("Räport <1> & (more)", "Zoë", "Writing")
    assert info.creation_date == info.modification_date == DOCUMENT.created_at
    xmp = reader.xmp_metadata
    assert xmp is not None
    assert xmp.dc_title == {"x-default": "Räport <1> & (more)"}
    assert xmp.dc_creator == ["Zoë"]
    assert xmp.dc_description == {"x-default": "Writing"}
    assert xmp.dc_language == ["de-AT"]
    root: Any = reader.trailer["/Root"]
    assert root["/Lang"] == "de-AT"
    assert root["/ViewerPreferences"]["/DisplayDocTitle"].value is True


def test_hostile_metadata() -> None:
    document = replace(
        DOCUMENT,
        title="a\x00\ud800\ufffe]]>\n)(\\",
        author="",
        subject="",
        language="",
        created_at=datetime(2026, 1, 2),
    )
    reader = read([], document=document)
    assert reader.metadata is not None
    assert reader.metadata.title == "a\ufffd]]> )(\\"
    assert reader.xmp_metadata is not None
    assert reader.xmp_metadata.dc_title == {"x-default": "a\ufffd]]> )(\\"}
    assert "/Lang" not in reader.trailer["/Root"]  # type: ignore[operator]


def test_pages_of_other_sizes() -> None:
    out = io.BytesIO()
    writer = DocumentWriter(out, DOCUMENT, NoFonts())  # type: ignore[arg-type]
    for at, size in enumerate((A4, A4, (300, 200)), start=1):
        writer.page(Page(at, *size, [line(9, 9, "x")]))
    writer.finish(lambda number, count: ())
    reader = PdfReader(io.BytesIO(out.getvalue()))
    assert [float(page.mediabox.width) for page in reader.pages] == [595.28, 595.28, 300]
    assert out.getvalue().count(b"/MediaBox") == 2


def test_written_pages_take_no_memory() -> None:
    class Sink:
        size = 0

        def write(self, data: bytes) -> int:
            self.size += len(data)
            return len(data)

    def items(number: int) -> list[Item]:
        return [line(50, 800 - 15 * at, f"row {number} {at}") for at in range(40)]

    sink = Sink()
    writer = DocumentWriter(sink, DOCUMENT, NoFonts())  # type: ignore[arg-type]
    for at in range(1, 51):
        writer.page(Page(at, *A4, items(at)))
    gc.collect()
    gc.disable()  # nothing may need the collector to be freed
    tracemalloc.start()
    try:
        for at in range(51, 551):
            writer.page(Page(at, *A4, items(at)))
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        gc.enable()
    assert writer.finish(lambda number, count: [line(9, 9, f"{number} of {count}")]) == 550
    assert held < 500 * 600
    assert sink.size > 100_000


def test_three_thousand_pages_read_back() -> None:
    reader = read(*([line(50, 50, f"page {at}")] for at in range(1, 3001)))
    assert len(reader.pages) == 3000
    assert [reader.pages[at].extract_text() for at in (0, 149, 150, 2999)] == [
        "page 1",
        "page 150",
        "page 151",
        "page 3000",
    ]
    root: Any = reader.trailer["/Root"]["/Pages"]  # type: ignore[index]
    assert len(root["/Kids"]) == 20


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


def test_the_same_document_gives_the_same_bytes_in_any_thread() -> None:
    def again(_: int) -> bytes:
        protected = replace(DOCUMENT, protection=Protection("user", "owner"))
        bands: Callable[[int, int], Sequence[Item]] = lambda number, count: [line(9, 9, f"{number}/{count}")]  # noqa: E731
        return write(*everything(), extra=bands) + write(*everything(), document=protected)

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(again, range(16)))) == 1


def test_ids_differ_with_the_content() -> None:
    def file_id(text: str) -> bytes:
        return bytes(read([line(1, 1, text)]).trailer["/ID"][0].original_bytes)  # type: ignore[index]

    assert file_id("a") != file_id("b")
    assert len(file_id("a")) == 16


def test_unwritten_objects_are_free() -> None:
    out = io.BytesIO()
    file = PdfFile(out, protection=None, file_id=b"id")
    file.reserve()
    pages = file.add("<</Type/Pages/Count 0/Kids[]>>")
    raw = file.add_stream(b"as it is", "/Kind/Test", raw=True)
    packed = file.add_stream(zlib.compress(b"packed"), deflated=True)
    file.finish(root=file.add(f"<</Type/Catalog/Pages {pages} 0 R>>"), info=file.add("<<>>"))
    reader = PdfReader(io.BytesIO(out.getvalue()))
    assert reader.get_object(raw).get_data() == b"as it is"  # type: ignore[union-attr]
    assert reader.get_object(packed).get_data() == b"packed"  # type: ignore[union-attr]
    assert out.getvalue().count(b" 65535 f \n") == 2


@pytest.mark.skipif(shutil.which("qpdf") is None, reason="qpdf is not installed")
@pytest.mark.parametrize("protection", [None, Protection("user", "owner")])
def test_qpdf_finds_no_fault(tmp_path: FilePath, protection: Protection | None) -> None:
    path = tmp_path / "document.pdf"
    path.write_bytes(write(*everything(), document=replace(DOCUMENT, protection=protection)))
    done = subprocess.run(
        ["qpdf", "--check", "--password=user", str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning" not in (done.stdout + done.stderr).lower()


# ---------------------------------------------------------------- protection


def test_each_password_opens_and_others_do_not() -> None:
    data = write(*everything(), document=replace(DOCUMENT, protection=Protection("gehëim", "öwner")))
    assert data.startswith(b"%PDF-2.0")
    assert b"Writing" not in data
    assert b"example.com" not in data
    for secret, rights in (("gehëim", 1), ("öwner", 2), ("", 0), ("geheim", 0)):
        reader = PdfReader(io.BytesIO(data))
        assert int(reader.decrypt(secret)) == rights
        if rights:
            assert reader.metadata is not None
            assert reader.metadata.title == DOCUMENT.title
            assert "cell" in reader.pages[0].extract_text()
            assert reader.xmp_metadata is not None
            assert [image.image.size for image in reader.pages[0].images] == [(60, 40)] * 4  # type: ignore[union-attr]


def test_without_an_owners_password_nobody_is_owner() -> None:
    data = write([line(1, 1, "x")], document=replace(DOCUMENT, protection=Protection("user", "")))
    for secret, rights in (("user", 1), ("", 0)):
        assert int(PdfReader(io.BytesIO(data)).decrypt(secret)) == rights
    data = write([line(1, 1, "x")], document=replace(DOCUMENT, protection=Protection("", "")))
    assert int(PdfReader(io.BytesIO(data)).decrypt("")) == 1


def test_permissions() -> None:
    flags = UserAccessPermissions
    granted = {
        "allow_print": flags.PRINT | flags.PRINT_TO_REPRESENTATION,
        "allow_copy": flags.EXTRACT,
        "allow_change": flags.MODIFY | flags.ADD_OR_MODIFY | flags.FILL_FORM_FIELDS | flags.ASSEMBLE_DOC,
    }
    nothing = Protection("", "o", allow_print=False, allow_copy=False, allow_change=False)
    for name, flag in granted.items():
        value = permissions(replace(nothing, **{name: True}))  # type: ignore[arg-type]
        assert value < 0
        for other in granted.values():
            assert bool(value & other) == (other is flag)
        assert value & flags.EXTRACT_TEXT_AND_GRAPHICS
        reader = read([], document=replace(DOCUMENT, protection=replace(nothing, **{name: True})))  # type: ignore[arg-type]
        assert reader.user_access_permissions is not None
        assert reader.user_access_permissions & flag == flag


def test_passwords_are_prepared_as_readers_do() -> None:
    assert password("a\u00adb") == b"ab"
    assert password("a\u00a0b") == b"a b"
    assert password("\u2168") == b"IX"
    assert password("ﬁ" * 200) == (b"fi" * 64)[:127]
    assert password("\ud800") == b"?"


def test_equal_passwords_do_not_make_equal_keys() -> None:
    protection = Protection("user", "owner")

    def perms(file_id: bytes) -> str:
        from rendering.formats.pdf.write.encryption import Cipher

        cipher = Cipher(protection, file_id)
        assert cipher.encrypt(b"a") != cipher.encrypt(b"b")
        return cipher.dictionary()

    assert perms(b"one") != perms(b"two")


# ---------------------------------------------------------------- images


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


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="pdftoppm is not installed")
def test_colours_on_paper(tmp_path: FilePath) -> None:
    kinds = [kind for kind in KINDS if "gray" not in kind and "la " not in kind and "bit" not in kind]
    places = {kind: (at % 5 * 60, at // 5 * 40) for at, kind in enumerate(kinds)}
    (tmp_path / "a.pdf").write_bytes(
        write([Picture(*places[kind], 60, 40, KINDS[kind][0]) for kind in kinds])
    )
    command = ["pdftoppm", "-r", "72", "-png", "-singlefile", str(tmp_path / "a.pdf"), str(tmp_path / "a")]
    subprocess.run(command, check=True, capture_output=True)
    with Image.open(tmp_path / "a.png") as opened:
        shown = opened.convert("RGB")
    for kind, (x, y) in places.items():
        red, green, blue = shown.getpixel((x + 45, 842 - y - 6))  # type: ignore[misc]
        assert blue > red + 60, (kind, red, green, blue)


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def test_interlaced_images_are_decoded() -> None:
    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 1)
    rows = zlib.compress(b"\0\x10\x20\x30")
    content = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    (found,) = read([Picture(0, 0, 9, 9, ImageFile(content, "image/png", 1, 1))]).pages[0].images
    assert found.image is not None
    assert found.image.getpixel((0, 0)) == (16, 32, 48)
    assert encode(ImageFile(content, "image/png", 1, 1)).data != rows


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


def test_matrices_are_applied_in_order() -> None:
    assert times((2, 0, 0, 2, 0, 0), (1, 0, 0, 1, 5, 7)) == (2, 0, 0, 2, 5, 7)
    assert times((1, 0, 0, 1, 5, 7), (2, 0, 0, 2, 0, 0)) == (2, 0, 0, 2, 10, 14)
