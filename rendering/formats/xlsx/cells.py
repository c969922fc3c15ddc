"""Values to what a cell stores: numbers as digits, dates as serials, whole columns at a time. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

import orjson

from templates_app.expressions.helpers import MOMENT_HELPERS, Format, local, parse_date, parse_datetime

WHOLE: Final = 10**15  # a spreadsheet keeps 15 digits
SAFE_DIGITS: Final = 15
GENERAL_DIGITS: Final = 11  # longer whole numbers without a number format show as 1.23457E+11
MOST_EXPONENT: Final = 300
SAMPLE: Final = 300  # of values that are made on demand
FIRST_YEAR: Final = 1900
DECIMAL_TYPES: Final = frozenset({int, float, Decimal})
_EPOCH: Final = date(1899, 12, 30).toordinal()
_LEAP_BUG: Final = 61  # serials below are one too high: Lotus took 1900 for a leap year
_REGULAR: Final = date(1900, 3, 1)  # from here on serials are right
_DAY: Final = 86_400
_PLAIN_DIGITS: Final = re.compile(r"[0-9.\-]*")


@lru_cache(maxsize=256)
def pattern_of(written: Format) -> str | None:
    """Return the number format of a column, None for general."""
    pattern = written.number_format()
    return None if pattern in {None, "General", "general", "@"} else pattern


def storable(value: int | float | Decimal) -> bool:
    """Return whether a spreadsheet holds a number: finite, and whole ones with all their digits.

    Long whole numbers are identifiers more often than amounts, and a changed digit goes unnoticed.
    """
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, Decimal):
        if not value.is_finite() or abs(value.adjusted()) >= MOST_EXPONENT:
            return False
        return abs(value) < WHOLE or value != value.to_integral_value()
    return abs(value) < WHOLE


def looked_at(values: Sequence[Any]) -> Sequence[Any]:
    """Return the values, or some of those made on demand: all of them would take the time twice."""
    return values if isinstance(values, list | tuple) else values[:: max(1, len(values) // SAMPLE)]


def digits(values: Sequence[Any], types: set[type]) -> list[str] | None:
    """Return numbers as they are stored, None when one of them cannot be.

    `types` are the exact types of the values, within `DECIMAL_TYPES`.
    """
    return _short_digits(values, types) or (list(map(number, values)) if all(map(storable, values)) else None)


def _short_digits(values: Sequence[Any], types: set[type]) -> list[str] | None:
    """Return numbers as they are stored the quick way, None where one of them needs a closer look."""
    if Decimal in types:
        texts = list(map(str, values))
        # Few enough characters keep every digit; the long, the non-finite and those with exponent take
        # the exact way.
        safe = max(map(len, texts)) <= SAFE_DIGITS and _PLAIN_DIGITS.fullmatch("".join(texts))
        return texts if safe else None
    if int in types and not (max(values) < WHOLE and min(values) > -WHOLE):
        return None
    # The quickest shortest-digits writer at hand; what is not finite becomes null.
    text = orjson.dumps(values).decode()
    return None if "null" in text else text[1:-1].split(",")


def number(value: int | float | Decimal) -> str:
    """Return one storable number as it is stored."""
    return repr(value) if isinstance(value, float) else str(value)


def long(body: str) -> bool:
    """Return whether a number as it is stored is a whole one that needs a number format to show in full."""
    return len(body) > GENERAL_DIGITS and body.lstrip("-").isdecimal()


def serial(value: date) -> str | None:
    """Return the spreadsheet's number for a day or a moment on the wall clock; None before 1900."""
    if value.year < FIRST_YEAR:
        return None
    day = value.toordinal() - _EPOCH
    if day < _LEAP_BUG:
        day -= 1
    if not isinstance(value, datetime):
        return str(day)
    # Cut to the milliseconds of a spreadsheet: rounded, the last moment of a day would be in the next one.
    seconds = value.hour * 3600 + value.minute * 60 + value.second + value.microsecond // 1000 / 1000
    return repr(day + seconds / _DAY)


def serials(days: Sequence[date]) -> list[str | None]:
    """Return the numbers of days that have no time."""
    if days and min(days) >= _REGULAR:
        return [str(day.toordinal() - _EPOCH) for day in days]
    return [serial(day) for day in days]


def moment(value: Any, written: Format) -> date | None:
    """Return a value of a date column as a date, or as a moment on the template's clock; None for another.

    ISO text is a date only where the column's format says that it holds dates.
    """
    if isinstance(value, str):
        if written.helper not in MOMENT_HELPERS:
            return None
        value = parse_datetime(value) or parse_date(value)
    if isinstance(value, datetime):
        return local(value, written.style)
    return value if isinstance(value, date) else None
