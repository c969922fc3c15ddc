"""The worksheets that the screen shows are those of the workbook."""

from __future__ import annotations

import io
from typing import Any

from openpyxl import load_workbook

from rendering.preview_sheets import MOST_ROWS, sheets_of
from tests.rendering.resolved import workbook_bytes
from tests.templates_app.resolving import content, resolved

COLUMNS: list[dict[str, Any]] = [
    {"key": "price", "total": "sum"},
    {"key": "name", "content": "**{{item.name}}** is written"},
    {"content": "about {{item.name}}"},
    {"key": "done", "display": "check"},
    {"key": "pieces", "total": "count"},
]
ROWS: list[dict[str, Any]] = [
    {"price": 2.5, "name": "A", "done": 1, "pieces": 3},
    {"price": 1, "name": "B", "done": False, "pieces": None},
    {"price": 3, "name": "C", "done": "maybe", "pieces": 4},
]
CHART = {"type": "chart", "source": "rows", "category": "{{item.name}}", "series": [{"key": "price"}]}


def test_names_cells_and_labels_are_those_of_the_workbook() -> None:
    table = {"type": "table", "source": "rows", "title": "Goods", "totalsLabel": "Sum", "columns": COLUMNS}
    page = {"coverSheet": True, "title": "Goods"}
    sections = [{"type": "heading", "content": "Goods"}, CHART, table, CHART, table | {"title": "Charts"}]
    document = resolved(content(*sections, page=page), {"rows": ROWS})
    book = load_workbook(io.BytesIO(workbook_bytes(document)), data_only=True)
    shown = sheets_of(document)
    assert book.sheetnames == ["Goods", "Charts", *(sheet["name"] for sheet in shown)]
    rows = [[cell.value for cell in row] for row in book[shown[0]["name"]].iter_rows(min_row=2)]
    assert rows[0] == [2.5, "A", "about A", True, 3]
    assert rows[-1] == [6.5, "Sum", None, None, 2]
    assert [line["cells"] for line in shown[0]["lines"]] == [
        ["2.5", "A", "about A", "✓", "3"],
        ["1", "B", "about B", "", ""],
        ["3", "C", "about C", "maybe", "4"],
        ["6.5", "Sum", "", "", "2"],
    ]


def test_the_first_rows_of_very_many_groups() -> None:
    rows = [{"name": f"n{number // 3}", "price": 1} for number in range(3 * MOST_ROWS)]
    columns = [{"key": "name"}, {"key": "price", "total": "sum"}]
    table = {"type": "table", "source": "rows", "columns": columns, "groupBy": [{"key": "name"}]}
    (sheet,) = sheets_of(resolved(content(table), {"rows": rows}))
    kinds = [line["kind"] for line in sheet["lines"]]
    assert kinds[:6] == ["group", "row", "row", "row", "subtotal", "group"]
    assert kinds.count("row") == MOST_ROWS
    assert kinds[-3:] == ["group", "row", "row"]
