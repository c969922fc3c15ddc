"""Running sums of a table's columns, for what is brought and carried forward. Exact. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context, Decimal
from typing import Final

from templates_app.expressions.helpers import to_decimal
from templates_app.resolved import Cell, ResolvedTable

EXACT: Final = 400  # digits: the largest float has 309 before its decimals


class Running:
    """Sums over the rows placed so far, of every column whose total is a sum."""

    def __init__(self, table: ResolvedTable) -> None:
        self._columns = table.columns
        self._context = Context(prec=EXACT)
        self._sums = {
            index: Decimal(0) for index, column in enumerate(table.columns) if column.total == "sum"
        }
        self._stop = 0

    @property
    def wanted(self) -> bool:
        """Whether any column has a sum."""
        return bool(self._sums)

    def upto(self, stop: int) -> Sequence[Cell]:
        """Return a cell for each column, None where there is no sum, over the rows before `stop`.

        Rows come in order: an earlier `stop` than the last one gives the later sums again.
        """
        if stop > self._stop:
            for index in self._sums:
                self._add(index, self._columns[index].values[self._stop : stop])
            self._stop = stop
        return [self._sums.get(index) for index in range(len(self._columns))]

    def _add(self, index: int, values: Sequence[Cell]) -> None:
        total, add = self._sums[index], self._context.add
        for value in values:
            number = to_decimal(value)
            if number is not None and number.is_finite():
                total = add(total, number)
        self._sums[index] = total
