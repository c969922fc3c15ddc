"""Worksheets of tables: conditions that stay live, styles in the cells, stripes."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from rendering.formats.xlsx.tables.conditions import rule
from templates_app.resolved import CellStyle, ConditionalStyle, Theme
from tests.rendering.sheets import both
from tests.rendering.tables import column, orders, table

RED = CellStyle(color="#c00000", background="#fde9e7", bold=True)


class TestStyles:
    def test_conditions_stay_live(self) -> None:
        first = column("N", styles=[-1, 0, -1])
        wanted = table(
            [first], [[1], [9], [None]], styles=[RED], conditions=[ConditionalStyle(0, "greater", 5, 0)]
        )
        sheet = both(wanted)[0].active
        ((area, rules),) = [(str(area.sqref), area.rules) for area in sheet.conditional_formatting]
        assert area == "A2:A4"
        assert rules[0].formula == ["AND(ISNUMBER($A2),$A2>5)"]
        assert rules[0].dxf.font.color.rgb == "FFC00000"
        assert not sheet["A3"].font.bold

    def test_what_cannot_be_live_is_in_the_cells(self) -> None:
        columns = [column("N", styles=[-1, 0]), column("T", styles=[-1, 0])]
        sheet = both(table(columns, [[1, "x"], [9, "y"]], styles=[RED]))[0].active
        assert [bool(sheet[cell].font.bold) for cell in ("A2", "A3", "B2", "B3")] == [False, True] * 2
        assert sheet["B3"].fill.fgColor.rgb == "FFFDE9E7"

    def test_empty_cells_of_a_marked_row_are_shaded_too(self) -> None:
        columns = [column(name, styles=[-1, 0, 0]) for name in "ABC"]
        sheet = both(table(columns, [[1, "x", None], [2, None, None], ["y", "", None]], styles=[RED]))[
            0
        ].active
        assert [bool(cell.font.bold) for row in sheet.iter_rows(min_row=2) for cell in row] == [False] * 3 + [
            True
        ] * 6

    def test_a_style_of_whole_rows_stays_in_the_cells(self) -> None:
        columns = [column("A", styles=[0, -1]), column("B", styles=[0, -1])]
        live = [ConditionalStyle(0, "greater", 5, 0)]
        sheet = both(table(columns, [[1, 1], [1, 1]], styles=[RED], conditions=live))[0].active
        assert [bool(sheet[cell].font.bold) for cell in ("A2", "B2", "A3")] == [True, True, False]

    def test_no_rule_covers_a_style_that_stands_in_the_cells(self) -> None:
        given = [ConditionalStyle(0, "less", "m", 0), ConditionalStyle(0, "equals", "a", 1)]
        wanted = table(
            [column("T", styles=[0, -1])],
            [["a"], ["x"]],
            styles=[RED, replace(RED, bold=False)],
            conditions=given,
        )
        sheet = both(wanted)[0].active
        assert not list(sheet.conditional_formatting)
        assert sheet["A2"].font.bold

    @pytest.mark.parametrize(
        ("operator", "value", "helper", "expected"),
        [
            ("equals", 'a"b', None, 'AND(ISTEXT($A2),EXACT($A2,"a""b"))'),
            ("not_equals", 3, None, "NOT(AND(ISNUMBER($A2),$A2=3))"),
            ("equals", True, None, "AND(ISLOGICAL($A2),$A2=TRUE)"),
            ("less", date(2026, 1, 2), "date", "IF(ISNUMBER($A2),INT($A2)<46024,FALSE)"),
            ("less", "2026-01-02", "date", "IF(ISNUMBER($A2),INT($A2)<46024,FALSE)"),
            ("less", "text", None, None),
            ("greater", None, None, None),
            ("equals", "x" * 300, None, None),
            ("equals", "😀" * 128, None, None),
            ("contains", 1, None, None),
        ],
    )
    def test_rules(self, operator: str, value: Any, helper: str | None, expected: str | None) -> None:
        found = rule(ConditionalStyle(0, operator, value, 0), column("A", helper=helper), "$A2")
        assert found == (expected and f"={expected}")

    def test_zebra(self) -> None:
        sheet = both(table(["A"], [[1]] * 3, zebra=True))[0].active
        assert [rule.formula for area in sheet.conditional_formatting for rule in area.rules] == [
            ["MOD(ROW(),2)=1"]
        ]

    def test_stripes_cover_no_background_of_a_cell(self) -> None:
        columns = ["A", "B", column("N", styles=[0, 0, 0]), column("M", styles=[-1, 1, -1])]
        bold = CellStyle(None, None, True, False)
        wanted = table(columns, [["x", "y", 1, 2]] * 3, zebra=True, styles=[RED, bold])
        sheet = both(wanted)[0].active
        assert [str(area.sqref) for area in sheet.conditional_formatting] == ["A2:B4 D2:D4"]
        whole = replace(wanted, columns=wanted.columns[2:3])
        assert not list(both(whole)[0].active.conditional_formatting)

    def test_only_rules_that_hide_others_stop(self) -> None:
        """Where one rule stops, the stripes below it do as well."""
        ink, fill = CellStyle("#c00000", None, False, False), CellStyle("#c00000", "#fde9e7", False, False)
        columns = [column("N", styles=[0, 1, -1]), column("M", styles=[1, 0, -1])]
        conditions = [
            ConditionalStyle(0, "greater", 5, 0),
            ConditionalStyle(0, "greater", 3, 1),
            ConditionalStyle(1, "greater", 5, 1),
            ConditionalStyle(1, "greater", 3, 0),
        ]
        wanted = table(
            columns, [[9, 9], [4, 4], [1, 1]], zebra=True, styles=[ink, fill], conditions=conditions
        )
        found = both(wanted)[0].active.conditional_formatting
        rules = {str(area.sqref): [bool(rule.stopIfTrue) for rule in area.rules] for area in found}
        assert rules == {"A2:A4": [True, False], "B2:B4": [False, False], "A2:B4": [False]}


class TestThemes:
    def test_heads_and_totals_have_the_colours_of_the_theme(self) -> None:
        theme = Theme(tint="#fff2cc", rule_strong="#bf9000", ink="#202020", zebra="#fffaf0")
        sheet = both(orders(zebra=True), theme=theme)[0].active
        head = sheet["A1"]
        assert head.fill.fgColor.rgb == "FFFFF2CC"
        assert head.border.bottom.color.rgb == "FFBF9000"
        assert head.font.color.rgb == "FF202020"
        assert sheet.cell(sheet.max_row, 1).border.top.color.rgb == "FF202020"
        (rules,) = [area.rules for area in sheet.conditional_formatting]
        assert rules[0].dxf.fill.bgColor.rgb == "FFFFFAF0"

    def test_letters_can_be_read_on_a_dark_head(self) -> None:
        assert both(orders(), theme=Theme(tint="#1b4332"))[0].active["A1"].font.color.rgb == "FFFFFFFF"
