"""What leads through a PDF: links, anchors, the outline, and items that know all pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rendering.formats.pdf.layout.items import Anchor, Group, Item, Late, Link
from tests.rendering.writing import code_of, line, positions, read, run


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
