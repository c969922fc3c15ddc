"""Excel tables: names, heads, totals, and the formulas that new rows get."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from typing import Any

import pytest
from openpyxl import load_workbook

from rendering.formats.xlsx.tables import layout
from templates_app.expressions.formulas import parse_formula
from templates_app.resolved import SheetOptions
from tests.rendering.sheets import both, part, written
from tests.rendering.tables import column, orders, table


class TestExcelTables:
    def test_a_table_with_totals(self) -> None:
        content = written(orders(sheet=SheetOptions(excel_table=True), title="My orders 2026"))
        live = load_workbook(io.BytesIO(content))
        found = live.active.tables["My_orders_2026"]
        assert (found.ref, found.autoFilter.ref, found.totalsRowCount) == ("A1:D5", "A1:D4", 1)
        assert [c.name for c in found.tableColumns] == [c.value for c in live.active[1]]
        assert [c.totalsRowFunction for c in found.tableColumns] == [None, "sum", "average", "max"]
        assert found.tableColumns[0].totalsRowLabel == live.active["A5"].value == "Total"
        assert live.active["B5"].value == "=SUBTOTAL(109,My_orders_2026[Quantity])"
        assert live.active.auto_filter.ref is None

    def test_heads_are_unique_and_on_one_line(self) -> None:
        heads = ["Name", "name", "", "two\nlines", "Name 2"]
        live, _ = both(table(heads, [[1] * 5], sheet=SheetOptions(excel_table=True)))
        found = next(iter(live.active.tables.values()))
        names = [c.value for c in live.active[1]]
        assert names == ["Name", "name 2", "Column3", "two lines", "Name 2 2"]
        assert [c.name for c in found.tableColumns] == names

    def test_heads_as_long_as_excel_takes(self) -> None:
        heads = ["😀" * 220, "😀" * 230, "x" * 300]
        live, _ = both(table(heads, [[1] * 3], sheet=SheetOptions(excel_table=True)))
        found = next(iter(live.active.tables.values()))
        assert [len(c.name.encode("utf-16-le")) // 2 for c in found.tableColumns] == [200, 202, 200]
        assert [c.name for c in found.tableColumns] == [c.value for c in live.active[1]]

    def test_what_looks_like_an_escape_in_heads_and_labels(self) -> None:
        options = SheetOptions(excel_table=True)
        total = replace(column("_x0041_"), total="sum")
        content = written(
            table(["A", total], [["x", 1]], totals=[None, 1], totals_label="_x0042_", sheet=options)
        )
        found = part(content, "xl/tables/table1.xml")
        assert 'name="_x005F_x0041_"' in found
        assert 'totalsRowLabel="_x005F_x0042_"' in found

    @pytest.mark.parametrize("head", ["Price @ 19 %", "the 'a'"])
    def test_totals_of_heads_that_readers_take_in_different_ways_are_values(self, head: str) -> None:
        columns = [column("A"), replace(column(head), total="sum")]
        live, _ = both(
            table(columns, [["x", 1], ["y", 2]], totals=[None, 3], sheet=SheetOptions(excel_table=True))
        )
        (found,) = live.active.tables.values()
        assert found.tableColumns[1].totalsRowFunction is None
        assert live.active["B4"].value == 3

    @pytest.mark.parametrize("formulas", [True, False])
    def test_what_it_tells_of_its_totals_is_what_the_cells_hold(self, formulas: bool) -> None:
        options = SheetOptions(excel_table=True, formulas=formulas)
        columns = [replace(column(name, key=name), total="sum") for name in ("none", "small", "long")]
        rows = [[None, 1, 10**15 - 1], [None, 2, 10**15 - 1]]
        sums = [None, 3, 2 * 10**15 - 2]
        live, _ = both(table(columns, rows, title="T", totals=sums, totals_label="All", sheet=options))
        found = live.active.tables["T"].tableColumns
        assert [c.totalsRowFunction for c in found] == [None, "sum" if formulas else None, None]
        assert [c.totalsRowLabel for c in found] == ["All", None, None]
        total = "=SUBTOTAL(109,T[small])" if formulas else 3
        assert [c.value for c in live.active[4]] == ["All", total, "1999999999999998"]

    def test_new_rows_get_the_formulas_of_computed_columns(self) -> None:
        """The cells have the same ones: Excel marks those that have others."""
        live, stored = both(orders(sheet=SheetOptions(excel_table=True), title="T"))
        found = live.active.tables["T"].tableColumns
        amount = "T[[#This Row],[Quantity]]*T[[#This Row],[Price]]"
        formulas = [c.calculatedColumnFormula for c in found]
        assert [f and f.attr_text for f in formulas] == [None, None, None, amount]
        assert [c.value for c in live.active["D"]][1:4] == [f"={amount}", None, f"={amount}"]
        assert [c.value for c in stored.active["D"]][1:4] == [3, None, 20]

    @pytest.mark.parametrize(
        ("head", "text", "filled"),
        [
            ("Net [#1], 'a': <&>", "qty / 2", "T[[#This Row],[Net '['#1'], ''a'': <&>]]/2"),
            ('(a)\n"b', "-qty", '-T[[#This Row],[(a) "b]]'),
            ("Größe", "qty / sum(qty)", "T[[#This Row],[Größe]]/SUM(T[Größe])"),
            ("Q", "2 * 3", "2*3"),
        ],
    )
    def test_formulas_of_columns_name_any_head(self, head: str, text: str, filled: str) -> None:
        assert _filled(head, text, [2, 4], [1, 2]) == (filled, [f"={filled}"] * 2)

    @pytest.mark.parametrize(
        ("head", "text", "values", "cells"),
        [
            ("a@b", "qty / 2", [1, 2], ["=A2/2", "=A3/2"]),
            ("the 'a'", "qty / 2", [1, 2], ["=A2/2", "=A3/2"]),
            ("_x0041_", "qty / 2", [1, 2], ["=A2/2", "=A3/2"]),
            ("Q", "qty & 'x'", ["2x", "4x"], ["2x", "4x"]),  # texts are values
            ("Q", "sum(parts.price)", [1, 2], [1, 2]),
            ("Q", "qty / 2", [1, 10**15], [1, str(10**15)]),  # so are long numbers
            ("x" * 200, "+".join(["qty"] * 40), [80, 160], None),  # longer than a formula may be
        ],
    )
    def test_a_column_where_not_all_cells_have_its_formula_has_none(
        self, head: str, text: str, values: list[Any], cells: list[Any] | None
    ) -> None:
        plain = [f"={'+'.join([f'A{row}'] * 40)}" for row in (2, 3)]
        assert _filled(head, text, [2, 4], values) == (None, cells or plain)

    def test_formulas_of_columns_with_many_sheets(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(layout, "MOST_ROWS", 2)
        shares = column("S", key="s", formula=parse_formula("q / sum(q)"))
        columns = [column("Q", key="q"), column("H", key="h", formula=parse_formula("q / 2")), shares]
        options = SheetOptions(excel_table=True)
        live, _ = both(table(columns, [[2, 1, 0.5], [4, 2, 1]], title="T", sheet=options))
        for sheet in live.worksheets:
            (found,) = sheet.tables.values()
            formulas = [c.calculatedColumnFormula for c in found.tableColumns]
            half = f"{found.displayName}[[#This Row],[Q]]/2"
            assert [f and f.attr_text for f in formulas] == [None, half, None]
            assert sheet["B2"].value == f"={half}"

    def test_without_formulas_columns_have_none(self) -> None:
        content = written(orders(sheet=SheetOptions(excel_table=True, formulas=False)))
        assert "calculatedColumnFormula" not in part(content, "xl/tables/table1.xml")

    @pytest.mark.parametrize(
        "title",
        ["", "A1", "R1C1", "1 st", "Größe", "x" * 60, "c", "True", "Print titles", "Database", "A_x0041_"],
    )
    def test_names(self, title: str) -> None:
        options = SheetOptions(excel_table=True)
        live, _ = both(*[table(["A"], [[1]], title=title, sheet=options)] * 2)
        names = [name for sheet in live for name in sheet.tables]
        assert len({name.lower() for name in names}) == 2
        assert all(re.fullmatch(r"[A-Za-z]\w+", name) for name in names)
        taken = r"(?i)[a-z]{1,3}\d+|r\d*c\d*|true|print_titles|database"
        assert not any(re.fullmatch(taken, name) or "_x0041_" in name for name in names)

    @pytest.mark.parametrize("excel_table", [True, False])
    def test_totals_alone_on_a_sheet_are_no_rows(
        self, monkeypatch: pytest.MonkeyPatch, excel_table: bool
    ) -> None:
        monkeypatch.setattr(layout, "MOST_ROWS", 3)
        options = SheetOptions(excel_table=excel_table)
        live, _ = both(table([column("A", total="sum")], [[1], [2]], totals=[3], sheet=options))
        first, second = live.worksheets
        assert [t.ref for t in first.tables.values()] == (["A1:A3"] if excel_table else [])
        assert [cell.value for cell in second["A"]] == ["A", 3]
        assert not second.tables
        assert second.auto_filter.ref is None

    def test_without_rows(self) -> None:
        live, _ = both(table(["A"], [], sheet=SheetOptions(excel_table=True)))
        assert next(iter(live.active.tables.values())).ref == "A1:A2"


def _filled(head: str, text: str, numbers: list[Any], values: list[Any]) -> tuple[str | None, list[Any]]:
    """Return the formula that new rows get in the second column, and what its cells hold."""
    columns = [column(head, key="qty"), column("X", key="x", formula=parse_formula(text))]
    rows = [list(row) for row in zip(numbers, values, strict=True)]
    live, _ = both(table(columns, rows, title="T", sheet=SheetOptions(excel_table=True)))
    found = live.active.tables["T"].tableColumns[1].calculatedColumnFormula
    return found and found.attr_text, [cell.value for cell in live.active["B"]][1:]
