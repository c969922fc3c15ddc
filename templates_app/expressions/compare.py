"""How values compare, in conditions and formulas alike. Pure.

Numbers compare exactly (a float is the decimal its JSON text showed), dates as dates, texts by their letters.
Texts that are ISO dates compare as dates; where one side is a day and the other a moment, the day decides.
Values of different types are unequal, and none is greater than the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from templates_app.expressions.helpers import Style, local, parse_date, parse_datetime, to_decimal

_UTC = Style()


def is_empty(value: Any) -> bool:
    """Return whether a value is nothing: None, an empty text, list or object."""
    return value is None or value == "" or (isinstance(value, (list, tuple, dict)) and not value)


def order(left: Any, right: Any, style: Style = _UTC) -> int | None:
    """Return -1, 0 or 1 as `left` is below, equal to or above `right`; None when they do not compare.

    Moments with an offset are read on the wall clock of the style's time zone.
    """
    if isinstance(left, str) and isinstance(right, str):
        if (found := _order_moments(left, right, style)) is not None:
            return found
        return (left > right) - (left < right)
    first, second = to_decimal(left), to_decimal(right)
    if first is not None and second is not None:
        return None if first.is_nan() or second.is_nan() else (first > second) - (first < second)
    if isinstance(left, (str, date)) and isinstance(right, (str, date)):
        return _order_moments(left, right, style)
    return None


def equal(left: Any, right: Any, style: Style = _UTC) -> bool:
    """Return whether two values are the same; nothing equals nothing."""
    if (found := order(left, right, style)) is not None:
        return found == 0
    if is_empty(left) or is_empty(right):
        return is_empty(left) and is_empty(right)
    return type(left) is type(right) and isinstance(left, (bool, list, dict)) and bool(left == right)


class Choice:
    """A list of values to look others up in, as `equal` compares, but in constant time."""

    def __init__(self, values: Iterable[Any], style: Style = _UTC) -> None:
        self._style = style
        self._keys: set[Any] = set()
        self._days: set[date] = set()
        self._moments: set[datetime] = set()
        self._moment_days: set[date] = set()
        self._others: list[Any] = []
        for value in values:
            self._add(value)

    def _add(self, value: Any) -> None:
        moment = _moment(value, self._style)
        if isinstance(moment, datetime):
            self._moments.add(moment)
            self._moment_days.add(moment.date())
        elif moment is not None:
            self._days.add(moment)
        elif isinstance(value, (list, dict)) and value:
            self._others.append(value)
        else:
            self._keys.add(_key(value))

    def __contains__(self, value: Any) -> bool:
        moment = _moment(value, self._style)
        if isinstance(moment, datetime):
            return moment in self._moments or moment.date() in self._days
        if moment is not None:
            return moment in self._days or moment in self._moment_days
        if isinstance(value, (list, dict)) and value:
            return any(equal(value, other, self._style) for other in self._others)
        return _key(value) in self._keys


def _key(value: Any) -> tuple[str, Any]:
    if is_empty(value):
        return "empty", None
    number = to_decimal(value)
    # Not a number equals nothing, itself included.
    return type(value).__name__ if number is None else "number", object() if _is_nan(
        number
    ) else number or value


def _is_nan(number: Decimal | None) -> bool:
    return number is not None and number.is_nan()


def _moment(value: Any, style: Style) -> date | None:
    """Return the day or the naive local moment that a value shows."""
    if not isinstance(value, (str, date)) or (isinstance(value, str) and value[4:5] != "-"):
        return None
    moment = parse_datetime(value)
    return local(moment, style) if moment else parse_date(value)


def _order_moments(left: Any, right: Any, style: Style) -> int | None:
    first = _moment(left, style)
    second = first and _moment(right, style)
    if first is None or second is None:
        return None
    if isinstance(first, datetime) is not isinstance(second, datetime):
        first = first.date() if isinstance(first, datetime) else first
        second = second.date() if isinstance(second, datetime) else second
    return (first > second) - (first < second)
