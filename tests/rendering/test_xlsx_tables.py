"""Worksheets of tables: totals, groups, formulas, several sheets."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendering.formats.xlsx.tables import layout
from rendering.formats.xlsx.tables.plan import Plan
from templates_app.expressions.formulas import parse_formula
from templates_app.resolved import (
    CellStyle,
    ResolvedBox,
    ResolvedColumnOfSections,
    ResolvedColumns,
    ResolvedGroup,
    ResolvedGroupOfRows,
    ResolvedTable,
    SheetOptions,
    Span,
)
from templates_app.resolved import Frame as Border
from tests.cases import cases
from tests.rendering.resolved import image_file
from tests.rendering.sheets import both
from tests.rendering.tables import column, orders, table

RED = CellStyle(color="#c00000", background="#fde9e7", bold=True)


class TestTotals:
    def test_live_with_the_value_beside(self) -> None:
        live, stored = both(orders())
        assert [c.value for c in live.active[5]] == [
            "Total",
            "=SUBTOTAL(109,B2:B4)",
            "=SUBTOTAL(101,C2:C4)",
            "=SUBTOTAL(104,D2:D4)",
        ]
        assert [c.value for c in stored.active[5]] == ["Total", 6, pytest.approx(5.49666666667), 20]
        assert live.active["B5"].font.bold
        assert live.active["C5"].number_format == "#,##0.00"
        assert live.active.auto_filter.ref == "A1:D4"

    def test_dead_when_the_author_wants_values(self) -> None:
        live, _ = both(orders(sheet=SheetOptions(formulas=False)))
        assert [c.value for c in live.active[5]] == ["Total", 6, pytest.approx(5.49666666667), 20]
        assert [c.value for c in live.active["D"]] == ["Amount", 3, None, 20, 20]

    @pytest.mark.parametrize("long", [10**15, Decimal(10**15), -(10**17)])
    def test_dead_where_a_number_stands_as_text(self, long: Any) -> None:
        """Beyond 15 digits a cell holds a text, which a formula would pass over."""
        columns = [column(name, key=name, total=name) for name in ("sum", "count", "average")]
        rows = [[long, long, 1.5], [1, None, 2], [None, 3, "x"]]
        live, stored = both(table(columns, rows, totals=[long + 1, 2, 1.75]))
        assert [c.value for c in live.active[2]][:2] == [str(long)] * 2
        assert [c.value for c in live.active[5]][1:] == ["=SUBTOTAL(103,B2:B4)", "=SUBTOTAL(101,C2:C4)"]
        assert [c.value for c in stored.active[5]] == [str(long + 1), 2, 1.75]

    @pytest.mark.parametrize(
        ("more", "values"),
        [
            ({"display": "check"}, [2, 0]),
            ({"helper": "date"}, ["2026-11-21", 2]),
            ({}, [date(2026, 11, 21), 2]),
        ],
    )
    def test_dead_where_the_cells_hold_other_numbers_than_the_values(
        self, more: dict[str, Any], values: list[Any]
    ) -> None:
        """A mark is a truth value, which a formula passes over; a day is a number, which it sums up."""
        live, _ = both(table([column("A", key="a", total="sum", **more)], [[v] for v in values], totals=[2]))
        assert live.active["A4"].value == 2

    def test_live_up_to_fifteen_digits(self) -> None:
        (columns, rows) = [column("A", total="min")], [[10**15 - 1], [Decimal("-999999999999999")], [None]]
        live, _ = both(table(columns, rows, totals=[-(10**15) + 1]))
        assert live.active["A5"].value == "=SUBTOTAL(105,A2:A4)"

    def test_computed_columns(self) -> None:
        live, stored = both(orders())
        assert [c.value for c in live.active["D"]][1:4] == ["=B2*C2", None, "=B4*C4"]
        assert [c.value for c in stored.active["D"]][1:4] == [3, None, 20]

    def test_formulas_as_authors_write_them(self) -> None:
        columns = [column("Q", key="qty"), column("P", key="price"), column("X", key="x")]
        formula = parse_formula("qty * price / sum(price)")
        wanted = table([*columns[:2], replace(columns[2], formula=formula)], [[1, 2.5, 0.5], [3, 10, 2.4]])
        live, stored = both(wanted)
        assert [c.value for c in live.active["C"]][1:] == ["=A2*B2/SUM($B$2:$B$3)", "=A3*B3/SUM($B$2:$B$3)"]
        assert [c.value for c in stored.active["C"]][1:] == [0.5, 2.4]

    def test_quotients_without_an_end_are_live(self) -> None:
        columns = [column("Q", key="qty"), column("X", key="x", formula=parse_formula("qty / 3"))]
        live, stored = both(table(columns, [[1, Decimal(1) / 3], [2, Decimal(2) / 3]]))
        assert [c.value for c in live.active["B"]][1:] == ["=A2/3", "=A3/3"]
        assert stored.active["B3"].value == pytest.approx(2 / 3)

    def test_an_empty_cell_is_compared_with_nothing(self) -> None:
        """A spreadsheet takes it for zero, and calculates when it opens the file."""
        columns = [column("Q", key="qty"), column("P", key="price"), column("X", key="x")]
        formula = parse_formula("if(qty >= price, 1, 2)")
        wanted = table([*columns[:2], replace(columns[2], formula=formula)], [[None, -1, 2], [3, 2, 1]])
        live, stored = both(wanted)
        assert [c.value for c in live.active["C"]][1:] == [
            "=IF(AND(ISNUMBER(A2),A2>=B2),1,2)",
            "=IF(AND(ISNUMBER(A3),A3>=B3),1,2)",
        ]
        assert [c.value for c in stored.active["C"]][1:] == [2, 1]

    @pytest.mark.parametrize("sign", ["<", "<=", ">", "<>"])
    def test_a_formula_that_compares(self, sign: str) -> None:
        written = sign.replace("<>", "!=")
        columns = [column("Q", key="qty"), column("P", key="price"), column("X", key="x")]
        formula = parse_formula(f"if(qty {written} price, qty, price)")
        live, _ = both(table([*columns[:2], replace(columns[2], formula=formula)], [[1, 2, 1], [3, 4, 3]]))
        assert [c.value for c in live.active["C"]][1:] == [f"=IF(A2{sign}B2,A2,B2)", f"=IF(A3{sign}B3,A3,B3)"]

    def test_a_formula_over_text_is_left_out(self) -> None:
        wanted = orders()
        first = replace(wanted.columns[1], values=["2", None, "4"])
        live, _ = both(replace(wanted, columns=[wanted.columns[0], first, *wanted.columns[2:]]))
        assert [c.value for c in live.active["D"]][1:4] == [3, None, 20]

    def test_count_of_dates_is_a_number(self) -> None:
        wanted = table(
            [column("Day", helper="date", total="count"), "Name"],
            [[date(2026, 1, 1), "x"]],
            totals=[1, None],
            totals_label="Days",
        )
        live, stored = both(wanted)
        assert stored.active["A3"].value == 1
        assert live.active["A3"].number_format == "#,##0"
        assert live.active["B3"].value == "Days"

    def test_pictures_are_counted_here(self) -> None:
        pictures = column("P", display="image", images=[image_file(), None], total="count")
        live, _ = both(table([pictures], [["ast_1"], [None]], totals=[1]))
        assert live.active["A4"].value == 1

    def test_addresses_without_a_text_are_not_counted(self) -> None:
        """They stand in their cells, where a formula would count them."""
        for values, expected in ((["a", None], 1), (["a", "b"], "=SUBTOTAL(103,A2:A3)")):
            wanted = column("L", display="link", links=["https://example.com"] * 2, total="count")
            live, _ = both(table([wanted], [[value] for value in values], totals=[1]))
            assert live.active["A4"].value == expected

    def test_headings_of_groups_are_not_counted(self) -> None:
        groups = [ResolvedGroupOfRows(0, name, row, row + 1, [1, 1]) for row, name in enumerate("xy")]
        columns = [column("A", total="count"), column("B", total="count")]
        live, _ = both(table(columns, [["x", 1], ["y", 2]], groups=groups, totals=[2, 2]))
        assert [cell.value for cell in live.active[8]] == [2, "=SUBTOTAL(3,B3:B6)"]

    def test_no_rows(self) -> None:
        live, _ = both(table(["A"], [], totals=[None]))
        assert live.active.max_row == 2


class TestWidthsOfTotals:
    """A number that is wider than its column shows as ####, a text is cut by the cell beside it."""

    def widths(self, wanted: ResolvedTable) -> list[float]:
        found = both(wanted)[0].active.column_dimensions
        width = 0.0
        # Neighbours of one width are written once.
        return [width := found[letter].width if letter in found else width for letter in "ABC"]

    def test_a_sum_is_longer_than_what_it_sums_up(self) -> None:
        price = column("P", helper="currency", argument="EUR", total="sum")
        rows = [["x", Decimal("999.99")]] * 2
        label, *_ = self.widths(table(["A", price, "C"], [[*row, None] for row in rows]))
        sums = [None, Decimal("123456789012.34"), None]
        wanted = table(["A", price, "C"], [[*row, None] for row in rows], totals=sums)
        assert self.widths(wanted)[1] > len("\u20ac123,456,789,012.34")
        group = ResolvedGroupOfRows(0, "G", 0, 2, sums, "")
        assert self.widths(replace(wanted, totals=None, groups=[group]))[1] > len("\u20ac123,456,789,012.34")
        assert self.widths(wanted)[0] == label

    @pytest.mark.parametrize("count", [300, 3000])
    def test_the_label_of_any_line(self, count: int) -> None:
        texts = [f"Subtotal of {'a long name' if n == 7 else 'x'}" for n in range(count)]
        groups = [ResolvedGroupOfRows(0, "G", n, n + 1, [None, n], text) for n, text in enumerate(texts)]
        wanted = table(["A", column("N", total="sum")], [["x", n] for n in range(count)], groups=groups)
        assert self.widths(wanted)[0] > len(texts[7])

    def test_a_label_runs_on_over_empty_cells(self) -> None:
        columns = ["A", "B", column("N", total="sum")]
        wanted = table(columns, [["x", "y" * 20, 1]], totals=[None, None, 1], totals_label="Total of a year")
        assert self.widths(wanted)[0] == self.widths(replace(wanted, totals_label=""))[0]
        right = replace(wanted, columns=[replace(c, align="right") for c in wanted.columns])
        assert self.widths(right)[0] > len("Total of a year")

    def test_a_fraction_shows_eleven_digits(self) -> None:
        wanted = table(["A", "B", "C"], [[Decimal(1) / 3, 1.5, 10**14]])
        assert self.widths(wanted)[0] < 16
        assert self.widths(wanted)[2] > 16


class TestGroups:
    def wanted(self) -> ResolvedTable:
        group = ResolvedGroupOfRows
        groups = [
            group(0, "North", 0, 3, [None, 6], "Subtotal North"),
            group(1, "Inner 1", 0, 2, [None, 3], "Subtotal 1"),
            group(1, "Inner 2", 2, 3, [None, 3], "Subtotal 2"),
            group(0, "South", 3, 4, [None, 4], "Subtotal South"),
            group(1, "Inner 3", 3, 4, [None, 4], ""),
        ]
        rows = [["a", 1], ["b", 2], ["c", 3], ["d", 4]]
        columns = ["Name", column("N", total="sum")]
        return table(columns, rows, groups=groups, totals=[None, 10], totals_label="All")

    LINES = (
        (("North", None), 0),
        (("Inner 1", None), 1),
        (("a", 1), 2),
        (("b", 2), 2),
        (("Subtotal 1", "=SUBTOTAL(9,B4:B5)"), 1),
        (("Inner 2", None), 1),
        (("c", 3), 2),
        (("Subtotal 2", "=SUBTOTAL(9,B8:B8)"), 1),
        (("Subtotal North", "=SUBTOTAL(9,B4:B8)"), 0),
        (("South", None), 0),
        (("Inner 3", None), 1),
        (("d", 4), 2),
        ((None, "=SUBTOTAL(9,B13:B13)"), 1),
        (("Subtotal South", "=SUBTOTAL(9,B13:B13)"), 0),
        (("All", "=SUBTOTAL(9,B4:B13)"), 0),
    )

    def test_outline(self) -> None:
        live, stored = both(self.wanted())
        sheet = live.active
        rows = [tuple(cell.value for cell in row) for row in sheet.iter_rows(min_row=2)]
        levels = [sheet.row_dimensions[number].outlineLevel for number in range(2, sheet.max_row + 1)]
        assert list(zip(rows, levels, strict=True)) == list(self.LINES)
        assert [c.value for c in stored.active["B"]][-1] == 10
        assert sheet.sheet_format.outlineLevelRow == 2
        assert sheet.sheet_properties.outlinePr.summaryBelow in (None, True)
        assert sheet.auto_filter.ref is None

    def test_without_subtotals_the_heading_folds(self) -> None:
        wanted = self.wanted()
        groups = [replace(group, subtotals=None) for group in wanted.groups]
        live, _ = both(replace(wanted, groups=groups, totals=None))
        assert live.active.sheet_properties.outlinePr.summaryBelow is False
        assert live.active.max_row == 10

    def test_over_several_sheets(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(layout, "MOST_ROWS", 6)
        live, stored = both(self.wanted())
        assert len(live.sheetnames) == 3
        rows = [[c.value for c in row] for sheet in stored for row in sheet.iter_rows(min_row=2)]
        one_sheet = [[line[0][0], value] for line, value in zip(self.LINES, VALUES, strict=True)]
        assert rows == one_sheet
        formulas = [c.value for sheet in live for c in sheet["B"] if str(c.value).startswith("=")]
        # What stands on one sheet stays live, the rest is a value.
        assert formulas == [
            "=SUBTOTAL(9,B4:B5)",
            "=SUBTOTAL(9,B3:B3)",
            "=SUBTOTAL(9,B3:B3)",
            "=SUBTOTAL(9,B3:B3)",
        ]

    def test_many_small_groups(self) -> None:
        groups = [ResolvedGroupOfRows(0, f"G{n}", n, n + 1, [None, n], "S") for n in range(3000)]
        wanted = table(["A", column("N", total="sum")], [["x", n] for n in range(3000)], groups=groups)
        _, stored = both(wanted)
        assert [c.value for c in stored.active["B"]][1:] == [v for n in range(3000) for v in (None, n, n)]


VALUES = (None, None, 1, 2, 3, None, 3, 3, 6, None, None, 4, 4, 4, 10)


class TestChecks:
    def test_truth_values(self) -> None:
        sheet = both(table([column("P", display="check"), "N"], [[True, 1], [0, 1], [None, 1], ["n/a", 1]]))[
            0
        ].active
        assert [c.value for c in sheet["A"][1:]] == [True, False, None, "n/a"]


class TestSheets:
    def test_totals_only_on_the_last_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(layout, "MOST_ROWS", 4)
        wanted = table([column("N", total="sum")], [[n] for n in range(7)], totals=[21], title="T")
        live, _ = both(wanted)
        assert [[c.value for c in sheet["A"]] for sheet in live] == [
            ["N", 0, 1, 2],
            ["N", 3, 4, 5],
            ["N", 6, 21],
        ]
        assert [sheet.auto_filter.ref for sheet in live] == ["A1:A4", "A1:A4", "A1:A2"]

    def test_tables_inside_other_sections(self) -> None:
        one, two, three = (table(["A"], [[n]], title=f"T{n}") for n in range(3))
        side = ResolvedColumns([ResolvedColumnOfSections([one], None)], 5)
        group = ResolvedGroup([[side], [two]], False, False, 0, Border())
        live, _ = both(ResolvedBox([group, three], Border(), False))
        assert live.sheetnames == ["T0", "T1", "T2"]

    def test_options(self) -> None:
        options = SheetOptions(name="Own name", freeze_columns=2, autofilter=False)
        live, _ = both(table(["A", "B", "C"], [[1, 2, 3]], title="T", sheet=options))
        assert live.sheetnames == ["Own name"]
        assert live.active.freeze_panes == "C2"
        assert live.active.auto_filter.ref is None

    def test_grouped_heads(self) -> None:
        columns = [column("A"), column("B", head_group="Both"), column("C", head_group="Both"), column("D")]
        live, _ = both(table(columns, [[1, 2, 3, 4]]))
        sheet = live.active
        assert [[c.value for c in row] for row in sheet.iter_rows()] == [
            [None, "Both", None, None],
            ["A", "B", "C", "D"],
            [1, 2, 3, 4],
        ]
        assert [str(merged) for merged in sheet.merged_cells.ranges] == ["B1:C1"]
        assert (sheet.freeze_panes, sheet.auto_filter.ref) == ("A3", "A2:D3")
        assert sheet.print_title_rows == "$1:$2"

    def test_marks_become_words(self) -> None:
        rich = (Span("Fat", bold=True), Span(" & thin"))
        first = replace(column("X", texts=[rich, "a", ""]), key="", header=rich)
        live, _ = both(table([first], [["Fat & thin"], ["a"], [""]], title=rich))
        assert live.sheetnames == ["Fat & thin"]
        assert [c.value for c in live.active["A"]][:3] == ["Fat & thin", "Fat & thin", "a"]

    def test_figures_above_and_below_the_line_stay_there(self) -> None:
        unit = (Span("10"), Span("−9", script="super"), Span(" mol CO"), Span("2", script="sub"))
        note = (Span("a"), Span("1", script="super"), Span("b"), Span("st", script="super"))
        first = replace(column("X", texts=[unit, note]), key="", header=unit)
        live, _ = both(table([first], [[None], [None]]))
        assert [c.value for c in live.active["A"]] == ["10⁻⁹ mol CO₂", "10⁻⁹ mol CO₂", "a¹bst"]


def test_a_formula_over_numbers_that_are_shown_as_texts_is_a_value() -> None:
    shown = column("Q", key="q", helper="upper")
    half = column("H", key="h", formula=parse_formula("q / 2"))
    live, _ = both(table([shown, half], [[2, 1], [4, 2]]))
    assert [cell.value for cell in live.active["B"]] == ["H", 1, 2]


class TestPlan:
    @cases(60)
    @given(st.lists(st.integers(1, 6), max_size=12), st.integers(1, 9), st.booleans(), st.booleans())
    def test_every_line_stands_once(self, sizes: list[int], capacity: int, totals: bool, sums: bool) -> None:
        groups, start = [], 0
        for size in sizes:
            subtotals = [1] if sums else None
            groups.append(ResolvedGroupOfRows(0, "G", start, start + size, subtotals))
            groups.append(ResolvedGroupOfRows(1, "" if size % 2 else "H", start, start + size, subtotals))
            start += size
        wanted = table(["A"], [[n] for n in range(start)], groups=groups, totals=[1] if totals else None)
        plan = Plan(wanted, capacity)
        lines: list[tuple[int, int]] = []
        for sheet in range(plan.sheets):
            first, stop = plan.rows(sheet)
            numbers = plan.numbers(first, stop, 0)
            places = [plan.place(row) for row in range(first, stop)]
            assert [(sheet, int(number)) for number in numbers] == places
            lines += places
            lines += [plan.place_of_extra(index) for index in range(*plan.extras_of(sheet))]
        assert sorted(lines) == [divmod(position, capacity) for position in range(plan.length)]
