"""PDFs for archives: PDF/A-2u, PDF/A-2a where they are tagged.

veraPDF found no fault in any gallery file and in 700 random documents when this was written; what it looked
at and what can be seen without it is asserted here.
"""

from __future__ import annotations

import base64
import time
from dataclasses import replace
from io import BytesIO
from typing import Any

import pikepdf
import pytest
from PIL import Image

from rendering.formats import RENDERERS
from rendering.formats.base import Limits
from rendering.formats.pdf.typeset import faces
from rendering.merging import write_merged
from templates_app.resolved import FontFamily, ResolvedDocument
from tests.gallery.base import Example
from tests.gallery.examples import EXAMPLES
from tests.programs import program, run
from tests.rendering.archive import kept_promises


def written(document: ResolvedDocument, **changes: Any) -> bytes:
    out = BytesIO()
    limits = Limits(1000, time.monotonic() + 600, 600)
    RENDERERS["pdf"].render(replace(document, **changes), out, limits)
    return out.getvalue()


def document_of(*sections: dict[str, Any]) -> ResolvedDocument:
    return Example("any", "Any", list(sections), {}, height=120).resolved()


def archived(*sections: dict[str, Any], **changes: Any) -> bytes:
    return written(document_of(*sections), archivable=True, **changes)


def text(content: str) -> dict[str, Any]:
    return {"type": "text", "content": content}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_kind_keeps_what_the_standard_demands(example: Example) -> None:
    document = example.resolved()
    assert kept_promises(written(document, archivable=True)) == "2U"
    assert kept_promises(written(document, archivable=True, tagged=True)) == "2A"
    assert kept_promises(written(document)) == ""


def test_the_same_document_is_the_same_bytes() -> None:
    """The colour profile, which tells when it was made, as well."""
    assert archived(text("Kept")) == archived(text("Kept"))


def test_photographs_for_a_printer_get_the_colours_of_a_screen() -> None:
    file = BytesIO()
    Image.new("CMYK", (40, 30), (0, 255, 255, 0)).save(file, "JPEG")
    source = "data:image/jpeg;base64," + base64.b64encode(file.getvalue()).decode()
    image = {"type": "image", "source": source, "alt": "Red"}
    assert b"/DeviceCMYK" in written(document_of(image))
    content = archived(image)
    assert kept_promises(content) == "2U"
    with pikepdf.open(BytesIO(content)) as pdf:
        [found] = [made for made in pdf.objects if isinstance(made, pikepdf.Stream) and "/Width" in made]
        assert pikepdf.PdfImage(found).as_pil_image().getpixel((20, 15)) == (255, 0, 0)
    assert b"/DeviceCMYK" in written(document_of(image)), "who wants them for a printer still has them"


@pytest.mark.parametrize(
    "characters", ["\U00013000", "a\u0a85b", "\u1200\u1301", "שלום\u1200 שלום", "x\u0f90"]
)
def test_a_character_that_no_font_has_is_a_box_and_copies_as_itself(characters: str) -> None:
    content = archived(text(f"known {characters} known"))
    assert kept_promises(content) == "2U"
    copied = run(program("pdftotext"), "-", "-", given=content)
    assert [mark for mark in characters if mark > " " and mark not in copied] == []


def test_an_organizations_font_without_a_box_shows_that_of_the_house() -> None:
    thai = (faces.FOLDER / "NotoSansThai-Regular.ttf").read_bytes()
    document = document_of(text("ก \U00013000"))
    theme = replace(document.theme, font=FontFamily("Thai", thai))
    assert kept_promises(written(document, archivable=True, theme=theme)) == "2U"


def test_titles_that_data_made_endless_are_cut() -> None:
    heading = {"type": "heading", "level": 1, "content": "wörd " * 9000}
    assert kept_promises(archived(heading, title="T" * 40_000, author="ü" * 40_000)) == "2U"


def test_pictures_within_pictures_end_before_readers_do() -> None:
    def picture(levels: int) -> dict[str, Any]:
        inside = '<g opacity=".9">' * levels + '<rect width="5" height="5"/>' + "</g>" * levels
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{inside}</svg>'
        source = "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
        return {"type": "image", "source": source, "alt": "Deep"}

    section = picture(16)
    for _ in range(7):
        section = {"type": "box", "sections": [section]}
    assert kept_promises(archived(section)) == "2U"
    with pytest.raises(Exception, match="more than 16 clips and opacities"):
        archived(picture(17))


@pytest.mark.parametrize(
    ("kinds", "level"),
    [
        (["2U"] * 5, "2U"),
        (["2A"] * 5, "2A"),
        (["2A", "2U", "2A"], "2U"),
        (["2U", "", "2U"], ""),
    ],
)
def test_a_merged_batch_promises_what_all_of_its_documents_do(
    kinds: list[str], level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rendering.merging.GROUP_DOCUMENTS", 2)
    contents = [
        written(document_of(text(f"number {at}")), archivable=bool(kind), tagged=kind == "2A")
        for at, kind in enumerate(kinds)
    ]
    out = BytesIO()
    files = [(f"{at}.pdf", BytesIO(content)) for at, content in enumerate(contents)]
    write_merged(files, out, title="all.pdf", check=lambda: None)
    assert kept_promises(out.getvalue()) == level
