"""Which line of which worksheet each row of a table stands on. Pure.

The rows and the lines between them (headings of groups, subtotals, totals) make one sequence of positions,
counted from 0; sheets cut it into equal pieces.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Literal

from config.value import dataclass
from rendering.formats.xlsx.texts import unmarked
from templates_app.resolved import ResolvedGroupOfRows, ResolvedTable


@dataclass(frozen=True, slots=True)
class Extra:
    """A line in front of row `before`: a group's heading or subtotals, or the totals of the table."""

    before: int
    kind: Literal["heading", "subtotals", "totals"]
    group: ResolvedGroupOfRows | None = None


class Plan:
    """Positions of a table's rows and extra lines, cut into sheets of `capacity` lines."""

    def __init__(self, table: ResolvedTable, capacity: int) -> None:
        """Put all lines in order."""
        self.extras: Sequence[Extra] = extras_of(table)
        self._capacity = capacity
        self._rows = table.count
        self._before = [extra.before for extra in self.extras]
        self._positions = [extra.before + index for index, extra in enumerate(self.extras)]
        self.length = table.count + len(self.extras)

    @property
    def sheets(self) -> int:
        """Return how many worksheets there are: at least one."""
        return max(-(-self.length // self._capacity), 1)

    def lines(self, sheet: int) -> int:
        """Return how many lines a sheet has."""
        return min(self.length - sheet * self._capacity, self._capacity)

    def rows(self, sheet: int) -> tuple[int, int]:
        """Return the first row of a sheet and the one after its last."""
        first, last = sheet * self._capacity, (sheet + 1) * self._capacity
        return self._row_at(first), min(self._row_at(last), self._rows)

    def extras_of(self, sheet: int) -> tuple[int, int]:
        """Return the first extra line of a sheet and the one after its last."""
        first, last = sheet * self._capacity, (sheet + 1) * self._capacity
        return bisect_left(self._positions, first), bisect_left(self._positions, last)

    def _row_at(self, position: int) -> int:
        """Return how many rows stand before a position."""
        return position - bisect_left(self._positions, position)

    def place(self, row: int) -> tuple[int, int]:
        """Return the sheet of a row, and its line there counted from 0."""
        return divmod(row + bisect_right(self._before, row), self._capacity)

    def place_of_extra(self, index: int) -> tuple[int, int]:
        """Return the sheet of an extra line, and its line there counted from 0."""
        return divmod(self._positions[index], self._capacity)

    def numbers(self, start: int, stop: int, first: int) -> list[str]:
        """Return the lines of rows within one sheet in digits; a sheet's line 0 has the number `first`."""
        if not self.extras:
            begin = start % self._capacity + first
            return list(map(str, range(begin, begin + stop - start)))
        numbers: list[str] = []
        row = start
        while row < stop:
            index = bisect_right(self._before, row)
            end = min(self._before[index], stop) if index < len(self._before) else stop
            begin = (row + index) % self._capacity + first
            numbers += map(str, range(begin, begin + end - row))
            row = end
        return numbers


def extras_of(table: ResolvedTable) -> list[Extra]:
    """Return the lines between rows in order: subtotals inside out, then headings outside in."""
    keyed: list[tuple[tuple[int, int, int], Extra]] = []
    for group in table.groups:
        if group.subtotals is not None:
            keyed.append(((group.stop, 0, -group.level), Extra(group.stop, "subtotals", group)))
        if unmarked(group.title):
            keyed.append(((group.start, 1, group.level), Extra(group.start, "heading", group)))
    keyed.sort(key=lambda entry: entry[0])
    extras = [extra for _, extra in keyed]
    if table.totals is not None:
        extras.append(Extra(table.count, "totals"))
    return extras
