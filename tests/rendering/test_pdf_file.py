"""The PDF file around its pages: metadata, page tree, memory, the same bytes again."""

from __future__ import annotations

import gc
import io
import tracemalloc
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime
from pathlib import Path as FilePath
from typing import Any

import pytest
from pypdf import PdfReader

from rendering.formats.pdf.layout.items import Item, Page
from rendering.formats.pdf.write.file import PdfFile
from templates_app.resolved import Protection
from tests.programs import program, run
from tests.rendering.writing import A4, DOCUMENT, StandardFontsWriter, everything, line, read, write


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
    writer = StandardFontsWriter(out)
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
    writer = StandardFontsWriter(sink)
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


@pytest.mark.parametrize("protection", [None, Protection("user", "owner")])
def test_qpdf_finds_no_fault(tmp_path: FilePath, protection: Protection | None) -> None:
    path = tmp_path / "document.pdf"
    path.write_bytes(write(*everything(), document=replace(DOCUMENT, protection=protection)))
    assert "No syntax or stream encoding errors" in run(
        program("qpdf"), "--check", "--password=user", str(path)
    )
