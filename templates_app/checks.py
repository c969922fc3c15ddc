"""The check of data against variables, a whole column of rows at a time. Pure.

Lists are checked by column: the set of types in a column says in most cases that every cell fits. Only a
column that does not fit is gone through cell by cell, to name each offending path.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from types import NoneType
from typing import TYPE_CHECKING, Any, Final

from config.patterns import late
from templates_app.expressions.helpers import parse_date, parse_datetime

if TYPE_CHECKING:
    from templates_app.variables import Variable

MAX_ERRORS: Final = 1001
KEPT_CELLS: Final = 2_000_000  # 16 MB; longer tables take their columns twice and stay small
_ASSET: Final = late(r"ast_[0-9a-z]{26}")
BLOCK: Final = 4096  # rows of such a table that are looked at together


class _TooMany(Exception):
    """Enough errors are listed."""


class Columns:
    """Columns that the check took from lists of rows, with the types of their cells, for who needs them next.

    The lists must not change meanwhile.
    """

    def __init__(self) -> None:
        # With the list itself, so that no other one gets its id.
        self._columns: dict[tuple[int, str], tuple[Any, list[Any], frozenset[type]]] = {}
        self._left = KEPT_CELLS

    def take(self, rows: Sequence[Mapping[str, Any]], name: str) -> tuple[list[Any], frozenset[type]]:
        """Return one field of every row and the types in it; it is kept while there is room."""
        found = self._columns.get((id(rows), name))
        if found is None:
            cells = column_of(rows, name)
            found = (rows, cells, frozenset(map(type, cells)))
            if len(cells) <= self._left:
                self._left -= len(cells)
                self._columns[id(rows), name] = found
        return found[1], found[2]

    def keeps(self, rows: Sequence[Mapping[str, Any]], fields: int) -> bool:
        """Tell whether there is room for so many fields of every row."""
        return len(rows) * fields <= self._left


class Values(dict[str, Any]):
    """Checked values, with the columns that the check took from them."""

    columns: Columns


def check_data(
    variables: Iterable[Variable], data: Mapping[str, Any], columns: Columns | None = None
) -> dict[str, str]:
    """Return what does not fit, by path (`data.items[3].price`: `must be a number`); empty when all fits.

    `columns` keeps what the check took from the lists at the top of the data.
    """
    errors: dict[str, str] = {}
    with contextlib.suppress(_TooMany):
        _check_fields(list(variables), data, "data", errors, columns)
    return errors


def check_value(variable: Variable, value: Any) -> dict[str, str]:
    """Return what does not fit in one value, by path below it; empty when all fits."""
    errors: dict[str, str] = {}
    with contextlib.suppress(_TooMany):
        _check_value(variable, value, "", errors)
    return errors


def iso_day(text: str) -> date | None:
    """Return the date that `YYYY-MM-DD` is, None for everything else."""
    return _iso_day(text) if len(text) == 10 else None


@lru_cache(maxsize=16384)
def _iso_day(text: str) -> date | None:
    """Read ten letters; the same days come again and again."""
    if text[4] == text[7] == "-":
        try:
            return date.fromisoformat(text)
        except ValueError:
            return None
    return None


def column_of(rows: Sequence[Mapping[str, Any]], name: str) -> list[Any]:
    """Return one field of every row, None where a row has none."""
    try:
        return list(map(itemgetter(name), rows))
    except KeyError:
        return [row.get(name) for row in rows]


def _report(errors: dict[str, str], path: str, message: str) -> None:
    errors[path] = message
    if len(errors) >= MAX_ERRORS:
        raise _TooMany


def _check_fields(
    variables: Sequence[Variable],
    data: Mapping[str, Any],
    path: str,
    errors: dict[str, str],
    columns: Columns | None = None,
) -> None:
    for variable in variables:
        if variable.value is not None:
            continue  # computed: whatever the data says is replaced
        value = data.get(variable.name)
        if value is None:
            if variable.required:
                _report(errors, f"{path}.{variable.name}", "required")
        elif type(value) not in _SURE.get(variable.type, ()) or variable.inferred:
            _check_value(variable, value, f"{path}.{variable.name}", errors, columns)


def _check_value(
    variable: Variable, value: Any, path: str, errors: dict[str, str], columns: Columns | None = None
) -> None:
    if variable.type == "object":
        if not isinstance(value, dict):
            _report(errors, path, "must be an object")
        else:
            _check_fields(variable.fields or (), value, path, errors)
    elif variable.type == "list":
        _check_list(variable, value, path, errors, columns)
    elif variable.inferred:
        if isinstance(value, dict):
            _report(errors, path, "must be a single value, not an object")
    elif not _FITS[variable.type](value):
        _report(errors, path, _MUST_BE[variable.type])


def _check_list(
    variable: Variable, value: Any, path: str, errors: dict[str, str], columns: Columns | None
) -> None:
    if not isinstance(value, list):
        _report(errors, path, "must be a list")
        return
    fields = variable.fields
    if not fields or (set(map(type, value)) <= {dict} and _rows_fit(fields, value, columns)):
        return
    for index, row in enumerate(value):
        if isinstance(row, dict):
            _check_fields(fields, row, f"{path}[{index}]", errors)
        else:
            _report(errors, f"{path}[{index}]", "must be an object")


def _rows_fit(
    fields: Sequence[Variable], rows: Sequence[Mapping[str, Any]], columns: Columns | None = None
) -> bool:
    """Tell whether every cell surely fits; False sends the rows to the full check."""
    fields = [field for field in fields if field.value is None]
    if columns is not None and columns.keeps(rows, len(fields)):
        return not rows or all(_column_fits(field, *columns.take(rows, field.name)) for field in fields)
    for start in range(0, len(rows), BLOCK):
        block = rows[start : start + BLOCK]
        for field in fields:
            cells = column_of(block, field.name)
            if not _column_fits(field, cells, frozenset(map(type, cells))):
                return False
    return True


def _column_fits(variable: Variable, cells: list[Any], kinds: frozenset[type]) -> bool:
    empty = NoneType in kinds
    if empty:
        if variable.required:
            return False
        kinds -= {NoneType}
    if variable.type in {"object", "list"}:
        return kinds <= {dict if variable.type == "object" else list} and _nested_fit(variable, cells, empty)
    if variable.inferred:
        return not any(issubclass(kind, dict) for kind in kinds)
    if not kinds <= _LIKELY[variable.type]:
        return False
    if variable.type not in _READ:
        return True
    distinct = set(cells)
    distinct.discard(None)
    return all(map(iso_day if variable.type == "date" else _FITS[variable.type], distinct))


def _nested_fit(variable: Variable, cells: list[Any], empty: bool) -> bool:
    fields = variable.fields
    if not fields:
        return True
    given: list[Any] = [cell for cell in cells if cell is not None] if empty else cells
    if variable.type == "list":
        given = list(chain.from_iterable(given))
        if not set(map(type, given)) <= {dict}:
            return False
    return _rows_fit(fields, given)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_image(value: Any) -> bool:
    """Tell whether a value is blank or looks like an image's reference; whether there is one shows later."""
    if not isinstance(value, str):
        return False
    reference = value.strip()
    return not reference or reference.startswith("data:") or _ASSET.fullmatch(reference) is not None


_FITS: Final[dict[str, Callable[[Any], bool]]] = {
    "string": lambda value: isinstance(value, str),
    "number": _is_number,
    "currency": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "date": lambda value: ((type(value) is str and iso_day(value)) or parse_date(value)) is not None,
    "datetime": lambda value: parse_datetime(value) is not None,
    "image": _is_image,
}
_NUMBERS: Final = frozenset({int, float})
_TEXTS: Final[frozenset[type]] = frozenset({str})
# Types of cells that fit, of those in _READ when the text does. Others may fit still: the full check tells.
_LIKELY: Final[dict[str, frozenset[type]]] = {
    "string": _TEXTS,
    "number": _NUMBERS,
    "currency": _NUMBERS,
    "boolean": frozenset({bool}),
    "date": _TEXTS,
    "datetime": _TEXTS,
    "image": _TEXTS,
}
_READ: Final = frozenset({"date", "datetime", "image"})
_SURE: Final = {kind: types for kind, types in _LIKELY.items() if kind not in _READ}
_MUST_BE: Final = {
    "string": "must be a string",
    "number": "must be a number",
    "currency": "must be a number",
    "boolean": "must be true or false",
    "date": "must be a date (YYYY-MM-DD)",
    "datetime": "must be a date and time (ISO 8601)",
    "image": "must be an asset id or a data URI",
}
