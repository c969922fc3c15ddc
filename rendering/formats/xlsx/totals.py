"""Live formulas of totals and computed columns. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from math import isfinite
from typing import Any, Final

from config.value import dataclass
from rendering.formats.xlsx.cells import DECIMAL_TYPES, MOMENT_HELPERS, TEXT_HELPERS, WHOLE, storable
from rendering.formats.xlsx.texts import ESCAPE
from templates_app.resolved import ResolvedColumn

# SUBTOTAL passes over other subtotals, so that a grouped table counts nothing twice. From 101 on it also
# passes over rows hidden by hand; folded groups are hidden rows, and must still count.
FUNCTIONS: Final[Mapping[str, int]] = {"average": 1, "count": 3, "max": 4, "min": 5, "sum": 9}
VISIBLE_ONLY: Final = 100
SAMPLE: Final = 300
Path = tuple[str, ...]
ROW: Final = "\x01"  # stands for a row's number in a formula


@dataclass(frozen=True, slots=True)
class LiveFormula:
    """The formula of a column's cells, split where the row's number goes; `filled`: new rows get it too."""

    pieces: list[str]
    filled: bool = False


def subtotal(function: str | None, letters: str, first: int, last: int, *, grouped: bool) -> str | None:
    """Return the formula over the rows `first` to `last` of a column, None where there is none."""
    number = FUNCTIONS.get(function or "")
    if number is None or last < first:
        return None
    return f"SUBTOTAL({number + (0 if grouped else VISIBLE_ONLY)},{letters}{first}:{letters}{last})"


def in_doubt(header: str) -> bool:
    """Return whether readers differ about a head in a structured reference.

    [MS-XLSX] 2.2.2 lets no apostrophe stand before `@`, Excel's own help asks for it; LibreOffice does not
    find the end of a head after an escaped apostrophe.
    """
    return "@" in header or header.endswith("'")


def table_total(function: str | None, table: str, header: str) -> str | None:
    """Return the formula of a total row of an Excel table."""
    number = FUNCTIONS.get(function or "")
    if number is None:
        return None
    return f"SUBTOTAL({number + VISIBLE_ONLY},{table}[{_specified(header)}])"


def _specified(header: str) -> str:
    """Return a head as it stands in the brackets of a structured reference."""
    for sign in "'#[]":
        header = header.replace(sign, f"'{sign}")
    return header


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
    values = _looked_at(column.values)
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


def live_formula(
    column: ResolvedColumn,
    letters: Mapping[Path, str],
    span: tuple[int, int] | None,
    gaps: Callable[[Path], bool],
) -> list[str] | None:
    """Return a computed column's formula, split where the number of the row goes; None when it has none.

    `letters` names the numeric columns of the sheet by their path; `span` is the first and last row of the
    whole table, None when one sheet does not hold it. `gaps(path)` tells whether a column has empty cells.
    """
    if column.formula is None:
        return None

    def cell(path: Path) -> str | None:
        if path and path[-1] == "[]":
            name = letters.get(path[:-1])
            return f"${name}${span[0]}:${name}${span[1]}" if name and span else None
        name = letters.get(path)
        return f"{name}{ROW}" if name else None

    formula = column.formula.excel(cell, gaps)
    return None if formula is None else formula.split(ROW)


def column_formula(
    column: ResolvedColumn,
    table: str,
    heads: Mapping[Path, str],
    gaps: Callable[[Path], bool],
    *,
    whole: bool,
) -> str | None:
    """Return the formula that an Excel table fills into new rows; None where it can have none.

    Take it only where there is a `live_formula`, and for all cells: Excel marks those that have another
    formula than their column, or a value. `heads` names the numeric columns by their path; `whole` tells
    that the table has all rows.
    """
    if column.formula is None or not _in_numbers(column):
        return None

    def cell(path: Path) -> str | None:
        over_all = path[-1:] == ("[]",)
        head = heads.get(path[:-1] if over_all else path)
        if head is None or in_doubt(head):
            return None
        if over_all:
            return f"{table}[{_specified(head)}]" if whole else None
        return f"{table}[[#This Row],[{_specified(head)}]]"

    formula = column.formula.excel(cell, gaps)
    # Nor must it hang on whether a reader knows the format's own escape `_x000A_` in formulas.
    return None if formula is None or ESCAPE.search(formula) else formula


def gaps_of(columns: Sequence[ResolvedColumn]) -> Callable[[Path], bool]:
    """Return what tells whether a column of a path may have empty cells; each is looked at once."""
    by_path = {tuple(column.key.split(".")): column.values for column in columns if column.key}

    @cache
    def gaps(path: Path) -> bool:
        values = by_path.get(path)
        # Values that are made on demand are not made to be looked at.
        return not isinstance(values, list | tuple) or type(None) in set(map(type, values))

    return gaps


def _in_numbers(column: ResolvedColumn) -> bool:
    """Return whether the cells of a column are numbers or empty: some helpers make texts of them."""
    return column.display == "text" and column.format.helper not in TEXT_HELPERS and _numeric(column)


def numeric_columns(columns: Sequence[ResolvedColumn]) -> dict[Path, int]:
    """Return the indexes of the columns that hold numbers, by path."""
    return {
        tuple(column.key.split(".")): index
        for index, column in enumerate(columns)
        if column.key and _in_numbers(column)
    }


def _numeric(column: ResolvedColumn) -> bool:
    """Return whether the column holds numbers and nothing else."""
    values = _looked_at(column.values)
    kinds = set(map(type, values))
    if type(None) in kinds:
        kinds.discard(type(None))
        values = [value for value in values if value is not None]
    return kinds <= DECIMAL_TYPES and all(map(isfinite if kinds == {float} else storable, values))


def _looked_at(values: Sequence[Any]) -> Sequence[Any]:
    """Return the values, or some of those made on demand: all of them would take the time twice."""
    return values if isinstance(values, list | tuple) else values[:: max(1, len(values) // SAMPLE)]
