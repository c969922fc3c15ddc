"""Live formulas of computed columns: in references to cells, or in the words of an Excel table. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import isfinite
from typing import Final

from config.value import dataclass
from rendering.formats.xlsx.cells import DECIMAL_TYPES, looked_at, storable
from rendering.formats.xlsx.names import in_doubt, specified
from rendering.formats.xlsx.texts import ESCAPE
from templates_app.expressions.helpers import TEXT_HELPERS
from templates_app.resolved import ResolvedColumn

Path = tuple[str, ...]
ROW: Final = "\x01"  # stands for a row's number in a formula


@dataclass(frozen=True, slots=True)
class LiveFormula:
    """The formula of a column's cells, split where the row's number goes; `filled`: new rows get it too."""

    pieces: list[str]
    filled: bool = False


class ColumnFormulas:
    """The live formulas of a table's columns. `letters` and `heads` name the columns on its worksheets."""

    def __init__(
        self, columns: Sequence[ResolvedColumn], letters: Sequence[str], heads: Sequence[str]
    ) -> None:
        self._columns = columns
        # Columns without a formula, as most are, are not looked at.
        numeric = _numeric_columns(columns) if any(column.formula is not None for column in columns) else {}
        self._letters = {path: letters[index] for path, index in numeric.items()}
        self._heads = {path: heads[index] for path, index in numeric.items()}
        self._gaps = _gaps_of(columns)

    def on_sheet(self, span: tuple[int, int] | None, table: str) -> Iterator[LiveFormula | None]:
        """Yield the formula of each column on one worksheet, None where it has values.

        `span` is the first and last row of the whole table, None when one sheet does not hold it; `table` is
        the name of the Excel table, where it is one.
        """
        for column in self._columns:
            pieces = _live(column, self._letters, span, self._gaps) if self._letters else None
            filled = None
            if table and pieces is not None:
                filled = _filled(column, table, self._heads, self._gaps, whole=span is not None)
            if filled is not None:
                yield LiveFormula([filled], filled=True)
            else:
                yield None if pieces is None else LiveFormula(pieces)


def _live(
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


def _filled(
    column: ResolvedColumn,
    table: str,
    heads: Mapping[Path, str],
    gaps: Callable[[Path], bool],
    *,
    whole: bool,
) -> str | None:
    """Return the formula that an Excel table fills into new rows; None where it can have none.

    Take it only where `_live` has one, and for all cells: Excel marks those that have another formula than
    their column, or a value. `heads` names the numeric columns by their path; `whole` tells
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
            return f"{table}[{specified(head)}]" if whole else None
        return f"{table}[[#This Row],[{specified(head)}]]"

    formula = column.formula.excel(cell, gaps)
    # Nor must it hang on whether a reader knows the format's own escape `_x000A_` in formulas.
    return None if formula is None or ESCAPE.search(formula) else formula


def _gaps_of(columns: Sequence[ResolvedColumn]) -> Callable[[Path], bool]:
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


def _numeric_columns(columns: Sequence[ResolvedColumn]) -> dict[Path, int]:
    """Return the indexes of the columns that hold numbers, by path."""
    return {
        tuple(column.key.split(".")): index
        for index, column in enumerate(columns)
        if column.key and _in_numbers(column)
    }


def _numeric(column: ResolvedColumn) -> bool:
    """Return whether the column holds numbers and nothing else."""
    values = looked_at(column.values)
    kinds = set(map(type, values))
    if type(None) in kinds:
        kinds.discard(type(None))
        values = [value for value in values if value is not None]
    return kinds <= DECIMAL_TYPES and all(map(isfinite if kinds == {float} else storable, values))
