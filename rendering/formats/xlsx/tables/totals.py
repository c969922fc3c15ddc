"""Totals: their formulas, and where a value has to stand instead. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

from rendering.formats.xlsx.cells import WHOLE, looked_at, storable
from rendering.formats.xlsx.names import specified
from templates_app.expressions.helpers import MOMENT_HELPERS
from templates_app.resolved import ResolvedColumn

# SUBTOTAL passes over other subtotals, so that a grouped table counts nothing twice. From 101 on it also
# passes over rows hidden by hand; folded groups are hidden rows, and must still count.
FUNCTIONS: Final[Mapping[str, int]] = {"average": 1, "count": 3, "max": 4, "min": 5, "sum": 9}
VISIBLE_ONLY: Final = 100


def subtotal(function: str | None, letters: str, first: int, last: int, *, grouped: bool) -> str | None:
    """Return the formula over the rows `first` to `last` of a column, None where there is none."""
    number = FUNCTIONS.get(function or "")
    if number is None or last < first:
        return None
    return f"SUBTOTAL({number + (0 if grouped else VISIBLE_ONLY)},{letters}{first}:{letters}{last})"


def table_total(function: str | None, table: str, header: str) -> str | None:
    """Return the formula of a total row of an Excel table."""
    number = FUNCTIONS.get(function or "")
    if number is None:
        return None
    return f"SUBTOTAL({number + VISIBLE_ONLY},{table}[{specified(header)}])"


def place_of_label(values: Sequence[Any]) -> int | None:
    """Return the column where the label of a line of totals stands: the first without one."""
    return next((index for index, value in enumerate(values) if value is None), None)


def holds_all(column: ResolvedColumn) -> bool:
    """Return whether the numbers in a worksheet's column are those of its values, no more and no less.

    A long one stands as text, a mark as a truth value, and formulas pass over both; a day is a number there.
    Where one of these is, a total is a value and no formula.
    """
    if column.display == "check":
        return False
    values = looked_at(column.values)
    kinds = set(map(type, values))
    if kinds & {date, datetime} or (str in kinds and column.format.helper in MOMENT_HELPERS):
        return False
    exact = kinds & {int, Decimal}
    if not exact:
        return True
    numbers = values if exact == kinds else [value for value in values if type(value) in exact]
    if Decimal not in exact and max(numbers) < WHOLE and min(numbers) > -WHOLE:
        return True
    return all(map(storable, numbers))
