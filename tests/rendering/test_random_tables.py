"""Any table on any paper: each row once, inside of the page, no text over other text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendering.formats.pdf.layout.items import TextBlock
from templates_app.resolved import CellStyle, ImageFile, ResolvedColumn, ResolvedGroupOfRows, ResolvedTable
from tests.cases import cases
from tests.rendering.table_layout import (
    MARGIN,
    block,
    check_apart,
    check_code,
    check_inside,
    column,
    laid,
    lines,
    table,
    texts,
)

LETTERS = st.text(
    st.sampled_from("abc  defghij,.-W()\\\n\t\x00éŁж日שا̈👍\u200d\ud800€\u202f0123456789"), max_size=40
)
VALUES = st.one_of(
    LETTERS, st.integers(-(10**9), 10**9), st.booleans(), st.none(), st.decimals(-1000, 1000, places=2)
)


def any_columns(draw: st.DrawFn, count: int) -> list[ResolvedColumn]:
    """Give columns for a number of rows; the first tells the row."""
    columns = [column("id", [f"#{number}" for number in range(count)], width=14.0)]
    for number in range(draw(st.integers(0, 5))):
        pool = draw(st.lists(VALUES, min_size=1, max_size=8))
        values = [pool[row * 7 % len(pool)] for row in range(count)]
        more: dict[str, Any] = {
            "width": draw(st.sampled_from([None, None, "*", "2*", "20%", 8.0, 30.0])),
            "align": draw(st.sampled_from(["left", "center", "right", "decimal"])),
            "overflow": draw(st.sampled_from(["wrap", "wrap", "shrink", "cut"])),
            "head_group": draw(st.sampled_from(["", "", "Group of heads"])),
            "bold": draw(st.booleans()),
            "header": draw(st.sampled_from(["", "Head", "A somewhat longer head"])),
            "display": draw(st.sampled_from(["text", "text", "check"])),
        }
        if draw(st.booleans()):
            more["styles"] = [row % 3 - 1 for row in range(count)]
        if draw(st.integers(0, 4)) == 0:
            image = ImageFile(b"", "image/png", 300, draw(st.sampled_from([20, 100, 900])))
            more["images"] = [None if row % 4 else image for row in range(count)]
        if draw(st.booleans()):
            more["links"] = ["https://a.example" if row % 3 else None for row in range(count)]
        columns.append(column(f"c{number}", values, **more))
    return columns


def any_groups(draw: st.DrawFn, count: int, sums: Sequence[Any]) -> list[ResolvedGroupOfRows]:
    """Give no groups, or four levels of them, some with sums."""
    bounds = sorted({0, count, *draw(st.lists(st.integers(0, count), max_size=5))})
    if not (draw(st.booleans()) and count):
        return []
    groups = [ResolvedGroupOfRows(0, "Whole", 0, count, sums, "Sum")]
    for start, stop in zip(bounds, bounds[1:], strict=False):
        groups += [
            ResolvedGroupOfRows(level, "Part", start, stop, sums if level % 2 else None, "Sum")
            for level in (1, 2, 3)
        ]
    return groups


@st.composite
def tables(draw: st.DrawFn) -> ResolvedTable:
    """Give tables of every kind; the first column tells the row."""
    count = draw(st.integers(0, 60))
    columns = any_columns(draw, count)
    others = len(columns) - 1
    return table(
        *columns,
        title=draw(st.sampled_from(["", "Title"])),
        zebra=draw(st.booleans()),
        size=draw(st.sampled_from([None, 6.0, 12.0])),
        styles=[CellStyle("#ff0000", "#ffeeee", bold=True), CellStyle(italic=True)],
        groups=any_groups(draw, count, [None, *[Decimal(5)] * others]),
        totals=draw(st.sampled_from([None, [None, *[1234] * others]])),
        totals_label="Total",
        rules=draw(st.sampled_from(["horizontal", "grid", "none"])),
        padding=draw(st.sampled_from([None, 0.0, 3.0])),
        repeat_head=draw(st.booleans()),
        head=draw(st.booleans()),
        keep_rows=draw(st.booleans()),
        min_rows=draw(st.integers(0, 5)),
        keep_with_next=draw(st.booleans()),
        carry=draw(st.booleans()),
    )


class TestEverything:
    @cases(120)
    @given(tables(), st.integers(240, 600), st.integers(200, 500), st.integers(0, 100))
    def test_rows_once_inside_and_apart(
        self, made: ResolvedTable, width: float, height: float, before: int
    ) -> None:
        pages = laid(block(before + 1), made, block(30), width=width, height=height)
        check_inside(pages)
        check_apart(pages)
        check_code(pages)
        # long numbers may be broken in a narrow column: the pieces of the first column make them up
        first = [line for page in pages for line in sorted(lines(page.items), key=lambda line: -line.y)]
        left = min((line.x for line in first if line.text.startswith("#")), default=0.0)
        pieces = [line.text for line in first if abs(line.x - left) < 0.01]
        found = "".join(piece for piece in pieces if re.fullmatch(r"[#\d]+", piece))
        assert found == "".join(f"#{number}" for number in range(made.count))

    def test_200_columns(self) -> None:
        made = table(*(column(f"c{number}", [number, number * 100]) for number in range(200)))
        pages = laid(made)
        check_inside(pages)
        check_apart(pages)
        assert len([text for page in pages for text in texts(page)]) >= 400

    @pytest.mark.parametrize("height", [2 * MARGIN + 29, 2 * MARGIN + 40, 2 * MARGIN + 60])
    def test_pages_hardly_higher_than_a_line(self, height: float) -> None:
        made = table(column("Name", ["x"] * 20), column("n", [1] * 20, total="sum"), carry=True, title="T")
        pages = laid(made, height=height)
        assert sum(texts(page).count("x") for page in pages) == 20
        check_inside(pages)

    def test_same_input_same_items(self) -> None:
        made = table(column("a", ["x", "Łódź", "long " * 20], width=20.0), column("n", [1, 2, 3]))
        one, two = laid(made), laid(made)
        for page, other in zip(one, two, strict=True):
            for item, twin in zip(page.items, other.items, strict=True):
                if isinstance(item, TextBlock) and isinstance(twin, TextBlock):
                    assert (item.code, item.font, item.color) == (twin.code, twin.font, twin.color)
                else:
                    assert item == twin
