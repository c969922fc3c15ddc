"""Conditional styles that stay live in the spreadsheet. Pure but for the sheet they are set on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, Final

from rendering.formats.xlsx.cells import moment, number, serial, storable
from templates_app.expressions.formula_excel import units
from templates_app.expressions.helpers import MOMENT_HELPERS
from templates_app.resolved import ConditionalStyle, ResolvedColumn

SIGNS: Final = {
    "equals": "=",
    "not_equals": "=",  # and the opposite of it
    "greater": ">",
    "greater_or_equal": ">=",
    "less": "<",
    "less_or_equal": "<=",
}
LONGEST_LITERAL: Final = 255


def rule(condition: ConditionalStyle, column: ResolvedColumn, cell: str) -> str | None:
    """Return the formula under which `cell` (as `$B2`) gets the style; None when none says the same.

    An empty cell is less than nothing: a spreadsheet would take it for zero.
    """
    sign = SIGNS.get(condition.operator)
    if sign is None or column.texts is not None or column.display != "text":
        return None
    test = _test(condition.value, sign, column, cell)
    return f"=NOT({test})" if test and condition.operator == "not_equals" else f"={test}" if test else None


def _test(value: Any, sign: str, column: ResolvedColumn, cell: str) -> str | None:
    if isinstance(value, bool):
        return f"AND(ISLOGICAL({cell}),{cell}={str(value).upper()})" if sign == "=" else None
    if isinstance(value, date) or column.format.helper in MOMENT_HELPERS:
        day = moment(value, column.format)
        stored = serial(day) if day is not None else None
        if stored is None:
            return None
        compared = cell if isinstance(day, datetime) else f"INT({cell})"
        return f"IF(ISNUMBER({cell}),{compared}{sign}{stored},FALSE)"
    if isinstance(value, str):
        if sign != "=" or units(value) > LONGEST_LITERAL or not value.isprintable():
            return None
        literal = value.replace('"', '""')
        return f'AND(ISTEXT({cell}),EXACT({cell},"{literal}"))'
    if value is None or not storable(value):
        return None
    return f"AND(ISNUMBER({cell}),{cell}{sign}{number(value)})"


def live_styles(
    columns: Sequence[ResolvedColumn], conditions: Sequence[ConditionalStyle], rules: Sequence[str | None]
) -> list[frozenset[int]]:
    """Return for each column the styles that its live rules take care of.

    A style that also stands in a column without such a rule comes from elsewhere (a condition on whole
    rows), and stays with its cells.
    """
    live: list[set[int]] = [set() for _ in columns]
    dead: set[int] = set()
    for condition, text in zip(conditions, rules, strict=True):
        if text is None:
            dead.add(condition.style)
        else:
            live[condition.column].add(condition.style)
    for index, column in enumerate(columns):
        if column.styles is not None:
            dead |= set(column.styles) - live[index]
    return [frozenset(styles - dead) for styles in live]
