"""Merging: outlines stand below a bookmark for each document, links lead where they led."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pikepdf
import pypdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from rendering import merging

PAGES = 3
VIEW = (Name.XYZ, None, 700, None)


def link(**target: Any) -> Dictionary:
    """Return a link annotation."""
    return Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=[0, 0, 9, 9], **target)


def explicit(pdf: pikepdf.Pdf, page: int) -> Array:
    """Return a destination on a page."""
    return Array([pdf.pages[page].obj, *VIEW])


def directly(pdf: pikepdf.Pdf) -> Dictionary:
    return link(Dest=explicit(pdf, 2))


def by_action(pdf: pikepdf.Pdf) -> Dictionary:
    return link(A=Dictionary(S=Name.GoTo, D=explicit(pdf, 2)))


def by_name(pdf: pikepdf.Pdf) -> Dictionary:
    tree = pikepdf.NameTree.new(pdf)
    tree["end"] = Dictionary(D=explicit(pdf, 2))
    pdf.Root.Names = Dictionary(Dests=tree.obj)
    return link(Dest=String("end"))


def by_old_name(pdf: pikepdf.Pdf) -> Dictionary:
    pdf.Root.Dests = pdf.make_indirect(Dictionary(end=explicit(pdf, 2)))
    return link(A=Dictionary(S=Name.GoTo, D=Name("/end")))


def made(number: int, make_link: Callable[[pikepdf.Pdf], Dictionary] = directly) -> BytesIO:
    """Return a file whose pages are told by their sizes, with an outline of two levels and two links."""
    pdf = pikepdf.new()
    for page in range(PAGES):
        pdf.add_blank_page(page_size=(100 + number, 100 + page))
    address = link(A=Dictionary(S=Name.URI, URI=String("https://example.com/")))
    pdf.pages[0].obj.Annots = pdf.make_indirect(Array([address, pdf.make_indirect(make_link(pdf))]))
    with pdf.open_outline() as outline:
        chapter = pikepdf.OutlineItem(f"chapter {number}", explicit(pdf, 1))
        chapter.children.append(pikepdf.OutlineItem("section", explicit(pdf, 2)))
        outline.root.append(chapter)
    file = BytesIO()
    pdf.save(file)
    file.seek(0)
    return file


def merged(files: list[BytesIO], check: Callable[[], None] = lambda: None) -> BytesIO:
    out = BytesIO()
    named = ((f"n{number}.pdf", file) for number, file in enumerate(files))
    merging.write_merged(named, out, title="all.pdf", check=check)
    out.seek(0)
    return out


@pytest.fixture(autouse=True)
def _small_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "GROUP_DOCUMENTS", 2)


@pytest.mark.parametrize("make_link", [directly, by_action, by_name, by_old_name])
def test_links_lead_where_they_led(make_link: Callable[[pikepdf.Pdf], Dictionary]) -> None:
    reader = pypdf.PdfReader(merged([made(number, make_link) for number in range(5)]))
    assert len(reader.pages) == 5 * PAGES
    for number in range(5):
        address, jump = (note.get_object() for note in reader.pages[number * PAGES]["/Annots"])
        assert address["/A"]["/URI"] == "https://example.com/"
        target, *view = jump["/Dest"] if "/Dest" in jump else jump["/A"]["/D"]
        assert reader.get_page_number(target.get_object()) == number * PAGES + 2
        assert [str(part) for part in view] == ["/XYZ", "NullObject", "700", "NullObject"]


def test_outlines_stand_below_a_bookmark_for_each() -> None:
    out = merged([made(number) for number in range(5)])
    reader = pypdf.PdfReader(out)
    assert reader.pdf_header == "%PDF-1.7"
    entries = reader.outline
    for number in range(5):
        own, below = entries[2 * number : 2 * number + 2]
        chapter, (section,) = below
        found = [
            (entry.title, reader.get_destination_page_number(entry)) for entry in (own, chapter, section)
        ]
        first = number * PAGES
        assert found == [(f"n{number}", first), (f"chapter {number}", first + 1), ("section", first + 2)]
        assert chapter["/Top"] == 700
    with pikepdf.open(out) as pdf:
        assert pdf.check_pdf_syntax() == []
        assert pdf.Root.Outlines.Count == 5  # those of the documents are closed
        assert pdf.Root.Pages.Count == len(pdf.pages) == 5 * PAGES


def test_no_page_is_there_twice() -> None:
    """A link that still led to the page of its source would bring that page along."""
    with pikepdf.open(merged([made(number, by_action) for number in range(5)])) as pdf:
        pages = [
            found for found in pdf.objects if isinstance(found, Dictionary) and found.get("/Type") == "/Page"
        ]
        assert len(pages) == len(pdf.pages) == 5 * PAGES


@pytest.mark.parametrize("count", [1, 2, 4])
def test_no_node_of_the_page_tree_is_empty(count: int) -> None:
    """Groups hold two documents here."""
    with pikepdf.open(merged(list(map(made, range(count))))) as pdf:
        assert len(pdf.pages) == count * PAGES
        assert all(int(node.Count) for node in pdf.Root.Pages.Kids)


def test_pages_keep_what_they_inherit() -> None:
    pdf = pikepdf.open(made(0))
    for page in pdf.pages:
        del page.obj["/MediaBox"]
    pdf.Root.Pages.MediaBox = [0, 0, 77, 88]
    file = BytesIO()
    pdf.save(file)
    file.seek(0)
    assert [page.mediabox.width for page in pypdf.PdfReader(merged([file])).pages] == [77] * PAGES


def test_what_leads_nowhere_is_kept_as_it_is() -> None:
    def broken(pdf: pikepdf.Pdf) -> Dictionary:
        return link(Dest=String("nowhere"))

    reader = pypdf.PdfReader(merged([made(0, broken)]))
    assert reader.pages[0]["/Annots"][1].get_object()["/Dest"] == "nowhere"


def test_an_outline_that_goes_round_ends() -> None:
    file = made(0)
    pdf = pikepdf.open(file)
    pdf.Root.Outlines.First.Next = pdf.Root.Outlines.First
    again = BytesIO()
    pdf.save(again)
    again.seek(0)
    assert len(pypdf.PdfReader(merged([again])).outline) == 2


class Stop(Exception):
    """The worker was asked to end."""


def test_it_ends_wherever_it_is_when_it_is_asked_to() -> None:
    files = [made(number) for number in range(5)]
    asked, last = [0], [0]

    def check() -> None:
        asked[0] += 1
        if asked[0] == last[0]:
            raise Stop

    merged([BytesIO(file.getvalue()) for file in files], check)
    often = asked[0]
    assert often > len(files)
    for last[0] in range(1, often + 1, 11):
        asked[0] = 0
        with pytest.raises(Stop):
            merged([BytesIO(file.getvalue()) for file in files], check)
