"""Values of the data as typed cells, a whole column at a time. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from types import NoneType
from typing import Any, Final, overload

from templates_app.checks import iso_day
from templates_app.expressions.helpers import (
    NUMBER_HELPERS,
    Format,
    Style,
    local,
    parse_date,
    parse_datetime,
    plain_text,
)
from templates_app.resolved import Cell

_BLOCK: Final = 4096
_CONTAINERS: Final = frozenset({list, dict, tuple})
_TEXTS: Final = frozenset({str, NoneType})


def typed_cells(values: list[Any], written: Format, kinds: frozenset[type] | None = None) -> list[Cell]:
    """Return a column as typed cells: dates become dates, helpers of text are applied, numbers stay.

    A value that its format cannot take stays what it is. `kinds` are the types of the values, where known.
    """
    if kinds is None:
        kinds = frozenset(map(type, values))
    helper, style = written.helper, written.style
    if helper is None or helper in NUMBER_HELPERS:
        if kinds & _CONTAINERS:
            return [_single(value, style) for value in values]
        return values
    change: Callable[[Any], Cell]
    if helper == "date":
        change = lambda value: _day(value, style)  # noqa: E731
    elif helper in {"datetime", "time"}:
        change = lambda value: _moment(value, style)  # noqa: E731
    else:
        change = lambda value: None if value is None else written.text(value)  # noqa: E731
    if not kinds <= _TEXTS:
        return [change(value) for value in values]
    known = {value: change(value) for value in set(values)}
    return list(map(known.__getitem__, values))


def _single(value: Any, style: Style) -> Cell:
    return plain_text(value, style) if isinstance(value, (list, dict, tuple)) else value


def _day(value: Any, style: Style) -> Cell:
    if type(value) is str and (day := iso_day(value)) is not None:
        return day
    moment = parse_datetime(value)
    return local(moment, style).date() if moment else parse_date(value) or _single(value, style)


def _moment(value: Any, style: Style) -> date | datetime | Cell:
    moment = parse_datetime(value)
    return local(moment, style) if moment else _day(value, style)


class CellsOnDemand(Sequence[Cell]):
    """A column of a very long table: its cells are made for the slice that is asked for, and not kept."""

    def __init__(self, count: int, make: Callable[[slice], list[Cell]]) -> None:
        """`make` returns the cells of some rows."""
        self._count = count
        self._make = make

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Cell: ...

    @overload
    def __getitem__(self, index: slice) -> list[Cell]: ...

    def __getitem__(self, index: int | slice) -> Cell | list[Cell]:
        if isinstance(index, slice):
            return self._make(index)
        row = range(self._count)[index]
        return self._make(slice(row, row + 1))[0]

    def __iter__(self) -> Iterator[Cell]:
        for start in range(0, self._count, _BLOCK):
            yield from self._make(slice(start, start + _BLOCK))
