"""Tagged PDFs: what a document says, in the order of reading, for who does not see it."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from rendering.formats import RENDERERS
from rendering.formats.base import Limits
from rendering.formats.pdf.layout.structure import Element
from rendering.formats.pdf.write.file import PdfFile
from rendering.formats.pdf.write.structure import Structure
from rendering.merging import write_merged
from templates_app.resolved import Protection, ResolvedDocument
from tests.gallery.base import Example
from tests.gallery.examples import EXAMPLES
from tests.programs import program, run
from tests.rendering.tagged import Tagged, homeless

KINDS = set(
    "Document Div H1 H2 H3 H4 H5 H6 P L LI Lbl LBody Table Caption TR TH TD Figure Link TOC TOCI "  # noqa: SIM905
    "Reference Span".split()
)

HEAD_AND_TWO_ROWS = [["TR", "TH"], ["TR", "TD"], ["TR", "TD"]]


def written(document: ResolvedDocument) -> bytes:
    out = BytesIO()
    RENDERERS["pdf"].render(replace(document, tagged=True), out, Limits(1000, time.monotonic() + 600, 600))
    return out.getvalue()


def pdf_of(*sections: dict[str, Any], data: dict[str, Any] | None = None, **more: Any) -> bytes:
    """Return the tagged file of sections on small paper."""
    return written(Example("any", "Any", list(sections), data or {}, **{"height": 120, **more}).resolved())


def said(content: bytes) -> str:
    """Return what pdfinfo reads along the structure, on one line."""
    return " ".join(run(program("pdfinfo"), "-struct-text", "-", given=content).split())


def text(content: str, **fields: Any) -> dict[str, Any]:
    return {"type": "text", "content": content, **fields}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_every_kind_keeps_what_the_standard_demands(example: Example) -> None:
    document = replace(example.resolved(), tagged=True)
    assert homeless(document, Limits(1000, time.monotonic() + 600, 600)) == [], (
        "text of no element: flow.tag before flow.put"
    )
    found = Tagged(written(document))
    assert [root.kind for root in found.roots] == ["Document"]
    kinds = {node.kind for node in found.roots[0].walk()}
    assert kinds <= KINDS
    assert kinds != {"Document"}


def test_other_programs_read_them(tmp_path: Path) -> None:
    for example in EXAMPLES:
        path = tmp_path / f"{example.name}.pdf"
        path.write_bytes(written(example.resolved()))
        assert "No syntax or stream encoding errors" in run(program("qpdf"), "--check", str(path))


def test_only_who_asks_gets_the_structure() -> None:
    document = EXAMPLES[0].resolved()
    out = BytesIO()
    RENDERERS["pdf"].render(document, out, Limits(1000, time.monotonic() + 600, 600))
    assert b"StructTreeRoot" not in out.getvalue()
    assert b"BDC" not in out.getvalue()
    assert written(document) == written(document)


def test_a_table_is_read_row_by_row() -> None:
    table = {
        "type": "table",
        "title": "Orders",
        "source": "rows",
        "columns": [
            {"header": "Name", "key": "name", "headGroup": "Thing"},
            {"header": "Number", "key": "number", "headGroup": "Thing", "total": "sum"},
            {"header": "Paid", "key": "paid", "display": "check"},
        ],
        "groupBy": [{"key": "city", "subtotals": True}],
        "totals": True,
    }
    rows = [
        {"name": "Pen", "number": 3, "city": "Vienna", "paid": True},
        {"name": "Ink", "number": 4, "city": "Graz", "paid": False},
    ]
    content = pdf_of(table, data={"rows": rows})
    (found,) = Tagged(content).roots[0].all("Table")
    assert [child.kind for child in found.children] == ["Caption", *["TR"] * 9]
    heads = [(node.attributes.get("ColSpan", 1), str(node.attributes["Scope"])) for node in found.all("TH")]
    assert heads[:4] == [(2, "/Column"), (1, "/Column"), (1, "/Column"), (1, "/Column")]
    assert heads[4] == (3, "/Row")  # Vienna
    assert [node.said for node in found.all("TD") if node.said] == ["☑", "☐"]
    head, vienna, graz = '"Thing".*"Name".*"Number".*"Paid"', 'TR TD "Pen" TD "3"', 'TR TD "Ink" TD "4"'
    assert re.search(f'"Orders".*{head}.*"Vienna".*{vienna}.*"Graz".*{graz}.*"7"', said(content))


def test_rows_over_pages_are_one_table_without_its_repeated_heads() -> None:
    table = {
        "type": "table",
        "source": "rows",
        "columns": [{"header": "Line", "key": "nr"}, {"header": "Text", "key": "text"}],
    }
    rows = [{"nr": number, "text": "word " * (1 if number % 20 else 900)} for number in range(1, 60)]
    content = pdf_of(table, data={"rows": rows})
    found = Tagged(content)
    assert len(found.pdf.pages) > 5
    (only,) = found.roots[0].all("Table")
    assert len(only.all("TR")) == 60
    parted = [node for node in only.all("TD") if len({page for page, _ in node.marks}) > 1]
    assert parted, "a row that goes on is one row"
    assert said(content).count('"Line"') == 1


def test_lines_are_put_together_to_words() -> None:
    """A hyphen that parts a word stands apart, as a soft one, and between words of two lines is a blank."""
    long = "Donaudampfschifffahrtsgesellschaft und Unfallversicherungsangelegenheiten "
    content = pdf_of(
        text(long * 5, align="justify"), page={"language": "de", "size": {"width": 80, "height": 120}}
    )
    parts = re.findall('"([^"]*)"', said(content))
    assert parts.count("-") > 2
    assert "".join(part for part in parts if part != "-") == (long * 5).strip()
    copied = run(program("pdftotext"), "-raw", "-", "-", given=content)
    assert copied.count("\u00ad") == parts.count("-")
    assert "-" not in copied


def test_divided_words_of_cells_are_put_together() -> None:
    """As those of paragraphs; a hyphen of the text itself is said, and one that is added is a soft one."""
    long = "Donaudampfschifffahrtsgesellschaft und  Süd-West-Unfallversicherungsangelegenheiten, 2 - 3\nEnde"
    table = {"type": "table", "source": "rows", "columns": [{"key": "a", "width": 20}]}
    page = {"language": "de", "size": {"width": 60, "height": 160}}
    content = pdf_of(table, data={"rows": [{"a": long}, {"a": "W" * 60}]}, page=page)
    copied = run(program("pdftotext"), "-raw", "-", "-", given=content)
    assert "\u00ad" in copied
    shown = "".join(re.sub("\u00ad\\s*", "", copied).split())
    assert "".join(long.split()) in shown
    parts = re.findall('"([^"]*)"', said(content))
    spoken = " ".join("".join(part for part in parts if part != "-").split())
    assert " ".join(long.split()) in spoken
    assert "W" * 60 in spoken


def test_words_of_two_pages_stay_apart() -> None:
    """Each word is said once, in order, and a blank parts it from the one before on another page."""
    words = [f"w{number}" for number in range(2400)]
    one, two, cell, other = (" ".join(words[start : start + 600]) for start in range(0, 2400, 600))
    columns = {"type": "columns", "columns": [{"sections": [text(side)]} for side in (one, two)]}
    table = {"type": "table", "source": "rows", "columns": [{"key": "a"}, {"key": "b"}]}
    content = pdf_of(columns, table, data={"rows": [{"a": cell, "b": other}]})
    assert len(Tagged(content).pdf.pages) > 4
    assert re.findall(r"\bw\d+\b", said(content).replace('" "', "")) == words


def test_lines_that_break_without_a_blank_are_put_together() -> None:
    chinese, address = "这是一个没有空格的长句子。" * 9, f"https://example.com/{'part/' * 60}"
    content = pdf_of(text(chinese, language="zh"), text(address))
    assert "".join(re.findall('"([^"]*)"', said(content))) == chinese + address


def test_headers_and_what_decorates_are_not_read() -> None:
    page = {
        "header": {"left": "Confidential"},
        "footer": {"center": "Page {{page.number}}"},
        "watermark": {"text": "DRAFT"},
    }
    image = {"type": "image", "source": "logo", "width": 10, "height": 10}
    content = pdf_of(
        text("Words"), {"type": "divider"}, image, image | {"alt": "Our logo"}, page=page, height=100
    )
    assert said(content).startswith("Document P (block)")
    assert re.fullmatch(r'Document P \(block\) "Words" Figure.*', said(content))
    (figure,) = Tagged(content).roots[0].all("Figure")
    assert figure.alt == "Our logo"


def test_links_hold_their_words() -> None:
    content = pdf_of(
        {"type": "table_of_contents"},
        {"type": "heading", "content": "Part", "level": 1},
        text("See [our **site**](https://example.com/a) now."),
        {"type": "image", "source": "logo", "width": 10, "link": "https://example.com/b"},
    )
    file = Tagged(content)
    (found,) = file.roots
    assert found.outline()[1:] == [
        ["TOC", ["TOCI", ["Reference", "Link"]]],
        "H1",
        ["P", "Link"],
        ["Link", "Figure"],
    ]
    assert re.search(r'"See " Link \(inline\) "our site".*" now."', said(content))
    addresses = [str(note.A.URI) for link in found.all("Link") for note in link.notes if "/A" in note]
    assert addresses == ["https://example.com/a", "https://example.com/b"]


def test_links_of_what_pages_repeat_are_told_once_at_the_end() -> None:
    link = text("[our site](https://example.com/)")
    columns = [{"header": "A [head](https://example.com/head)", "key": "a"}, {"header": "B", "key": "b"}]
    table = {"type": "table", "source": "rows", "columns": columns}
    content = pdf_of(
        text("before"),
        table,
        data={"rows": [{"a": number} for number in range(50)]},
        page={"header": {"sections": [link]}},
    )
    file = Tagged(content)
    pages, (document,) = len(file.pdf.pages), file.roots
    assert pages > 2
    assert document.outline()[1] == "P"
    found = [(str(aside.notes[0].A.URI), len(aside.notes)) for aside in document.children[2:]]
    assert found == [("https://example.com/head", pages - 1), ("https://example.com/", pages)]
    assert "our site" not in said(content)


def test_headings_leave_no_level_out() -> None:
    sections = [{"type": "heading", "content": "Any", "level": level} for level in (3, 5, 6, 5, 2, 1, 4)]
    found = [node.kind for node in Tagged(pdf_of(*sections)).roots[0].children]
    assert found == ["H1", "H2", "H3", "H2", "H1", "H1", "H2"]


def test_each_link_of_a_line_holds_its_own_words() -> None:
    """Two links to one place stay two; one over two lines is one; in Hebrew the first is at the right."""
    one, two = "[one](https://example.com/1)", "[two](https://example.com/1)"
    long = f"[{'long ' * 40}end](https://example.com/2)"
    hebrew = text("אחת [שתיים](https://example.com/3) שלוש [four](https://example.com/4)", language="he")
    content = pdf_of(text(f"{one} and {two} {long}"), hebrew)
    file = Tagged(content)
    first, second = file.roots[0].all("P")
    assert [len(link.notes) for link in first.all("Link")] == [1, 1, 3]
    assert [str(link.notes[0].A.URI)[-1] for link in second.all("Link")] == ["3", "4"]
    read = said(content)
    assert re.search(r'"one" Object \d+ 0 " and " Link \(inline\) "two" Object', read)


def test_lines_from_right_to_left_are_said_by_elements_and_copied_in_order() -> None:
    """Two common readers turn around what marked content says of such a line."""
    texts = ["شركة الأفق للتقنية", "الرقم ABC 123 نص"]
    content = pdf_of(*map(text, texts), page={"language": "ar"})
    file = Tagged(content)
    assert [node.said for node in file.roots[0].all("Span")] == texts
    code = pikepdf.unparse_content_stream(pikepdf.parse_content_stream(file.pdf.pages[0]))
    assert b"/ActualText" not in code
    copied = run(program("pdftotext"), "-", "-", given=content)
    assert re.sub("[\u200e\u200f\u202a-\u202e]", " ", copied).split() == " ".join(texts).split()


def test_columns_are_read_one_after_the_other_over_pages() -> None:
    columns = {
        "type": "columns",
        "columns": [{"sections": [text(f"{side} " * 400)]} for side in ("one", "two")],
    }
    content = pdf_of(columns, text("after"))
    words = re.sub(r"[^a-z ]", "", said(content).replace("(block)", "")).split()
    assert [word for word in words if word in ("one", "two", "after")] == ["one"] * 400 + ["two"] * 400 + [
        "after"
    ]


def test_the_clock_is_looked_at_while_the_structure_is_written() -> None:
    root, calls = Element("Document"), []
    for _ in range(2500):
        Element("P", root)
    Structure(root, PdfFile(BytesIO(), protection=None, file_id=b""), lambda: calls.append(1)).write()
    assert len(calls) == 2


def test_what_stands_in_another_language_says_so() -> None:
    content = pdf_of(text("Hello"), text("Guten Tag", language="de"), page={"language": "en"})
    assert [node.language for node in Tagged(content).roots[0].all("P")] == [None, "de"]


def test_a_table_that_waits_for_the_next_section_is_read_before_it() -> None:
    table = {"type": "table", "source": "rows", "columns": [{"key": "n"}], "keepWithNext": True}
    content = pdf_of(table, text("behind"), data={"rows": [{"n": 1}, {"n": 2}]})
    assert Tagged(content).roots[0].outline() == ["Document", ["Table", *HEAD_AND_TWO_ROWS], "P"]


def test_what_holds_nothing_is_left_out() -> None:
    hidden = text("", showIf={"field": "nothing", "is": "set"})
    empty = {
        "type": "columns",
        "columns": [{"sections": []}, {"sections": [{"type": "box", "sections": [hidden]}]}],
    }
    assert Tagged(pdf_of(empty, text("words"))).roots[0].outline() == ["Document", "P"]


def test_a_list_knows_its_levels() -> None:
    items = ["a", {"content": "b", "items": ["c", "d"]}, "e"]
    content = pdf_of({"type": "list", "items": items, "ordered": True})
    leaf = ["LI", "Lbl", ["LBody", "P"]]
    nested = ["LI", "Lbl", ["LBody", "P", ["L", leaf, leaf]]]
    assert Tagged(content).roots[0].outline() == ["Document", ["L", leaf, nested, leaf]]


def test_a_protected_file_keeps_its_structure() -> None:
    document = Example("any", "Any", [text("Words"), text("Wörter")], height=60).resolved()
    content = written(replace(document, protection=Protection("secret", "owner")))
    assert said_with(content, "secret") == 'Document P (block) "Words" P (block) "Wörter"'


def said_with(content: bytes, password: str) -> str:
    return " ".join(run(program("pdfinfo"), "-upw", password, "-struct-text", "-", given=content).split())


def test_merged_documents_keep_their_structures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rendering.merging.GROUP_DOCUMENTS", 2)
    plain = BytesIO()
    RENDERERS["pdf"].render(
        Example("plain", "Plain", [text("untagged")], height=60).resolved(),
        plain,
        Limits(10, time.monotonic() + 60, 60),
    )
    linked = text("a [link](https://example.com/)")
    contents = [pdf_of(text(f"number {number}"), linked, page={"language": "de"}) for number in range(5)]
    contents.insert(2, plain.getvalue())
    out = BytesIO()
    files = [(f"{number}.pdf", BytesIO(content)) for number, content in enumerate(contents)]
    write_merged(files, out, title="all.pdf", check=lambda: None)
    spoken = re.findall(r"number \d", said(out.getvalue()))
    assert spoken == [f"number {number}" for number in range(5)]
    file = Tagged(out.getvalue())
    assert [root.language for root in file.roots] == ["de"] * 5
    assert str(file.pdf.Root.Lang) == "de"
    assert file.pdf.Root.ViewerPreferences.DisplayDocTitle
