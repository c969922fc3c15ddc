"""In which order a table's rows, headings and sums come, and where a page may end. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from config.value import value
from templates_app.resolved import ResolvedGroupOfRows, ResolvedTable

LAST: Final = 2  # rows at the end of a table that stay together


@value
class Passage:
    """Rows `start` to `stop`, after headings of groups and before sums of groups (or of the table).

    `kept`: no page ends within it, if it fits on one. `stripe` is the first row of its stripes.
    """

    start: int
    stop: int
    kept: bool
    stripe: int
    opens: Sequence[ResolvedGroupOfRows] = ()
    closes: Sequence[ResolvedGroupOfRows] = ()
    last: bool = False


def passages(table: ResolvedTable, least: int) -> Iterator[Passage]:
    """Give the passages of a table with rows; `least` rows stay with the head and with each heading.

    The row before a sum stays with it; the last rows are a passage of their own.
    """
    groups = sorted(
        (group for group in table.groups if group.start < group.stop),
        key=lambda group: (group.start, -group.stop, group.level),
    )
    closing = sorted(groups, key=lambda group: (group.stop, -group.level, -group.start))
    bounds = sorted({0, table.count, *(group.start for group in groups), *(group.stop for group in groups)})
    first_open = first_close = 0
    for start, stop in pairwise(bounds):
        last_open, last_close = first_open, first_close
        while last_open < len(groups) and groups[last_open].start == start:
            last_open += 1
        while last_close < len(closing) and closing[last_close].stop == stop:
            last_close += 1
        yield from _stretch(
            table, start, stop, groups[first_open:last_open], closing[first_close:last_close], least
        )
        first_open, first_close = last_open, last_close


def _stretch(
    table: ResolvedTable,
    start: int,
    stop: int,
    opens: Sequence[ResolvedGroupOfRows],
    closes: Sequence[ResolvedGroupOfRows],
    least: int,
) -> Iterator[Passage]:
    """Give the passages between two ends of groups."""
    closes = [group for group in closes if group.subtotals is not None]
    last = stop == table.count
    head = min(least, stop - start) if opens or not start else 0
    if head and last and stop - start - head < LAST:
        head = stop - start  # what is left of a short table would be too little for the next page
    if head == stop - start:
        yield Passage(start, stop, True, start, opens, closes, last)
        return
    if head:
        yield Passage(start, start + head, True, start, opens)
    # the last row does not stand alone at the top of a page, with or without sums
    tail = min(LAST, stop - start - head) if last else int(bool(closes))
    if start + head < stop - tail:
        yield Passage(start + head, stop - tail, False, start)
    if tail:
        yield Passage(stop - tail, stop, True, start, (), closes, last)
