"""Dates and times as text, compiled once per pattern and locale; to the character what Babel writes. Pure.

A pattern is split into its fields. A field's text depends on one number only (the month, the hour), so that
Babel is asked once for each and the rest is looked up.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time
from functools import lru_cache
from typing import Any

from babel import Locale, dates

WIDTHS = frozenset({"short", "medium", "long", "full"})
Write = Callable[[Any], str]
_FIELD = re.compile(r"%\((\w+)\)s")
# What of a moment the text of a field depends on.
_READ: dict[str, Callable[[Any], Any]] = {
    "y": lambda moment: moment.year,
    "M": lambda moment: moment.month,
    "L": lambda moment: moment.month,
    "d": lambda moment: moment.day,
    "E": lambda moment: moment.weekday(),
    "h": lambda moment: moment.hour,
    "H": lambda moment: moment.hour,
    "k": lambda moment: moment.hour,
    "K": lambda moment: moment.hour,
    "a": lambda moment: moment.hour,
    "m": lambda moment: moment.minute,
    "s": lambda moment: moment.second,
}
_MAX_YEARS = 500


@lru_cache(maxsize=256)
def moment_writer(kind: str, argument: str, locale: Locale) -> Write | None:
    """Return a function from a naive date, datetime or time (by `kind`) to text; None for rare patterns."""
    width: Any = argument
    if argument not in WIDTHS:
        return _compiled([(dates.parse_pattern(argument).format, True)], locale)
    if kind == "time":
        return _compiled([(dates.get_time_format(width, locale=locale).format, True)], locale)
    day = dates.get_date_format(width, locale=locale).format
    if kind == "date":
        return _compiled([(day, True)], locale)
    formats = {"{1}": day, "{0}": dates.get_time_format(width, locale=locale).format}
    template = str(dates.get_datetime_format(width, locale=locale)).replace("'", "")
    pieces = re.split(r"(\{[01]\})", template)
    return _compiled([(formats.get(piece, piece), piece in formats) for piece in pieces], locale)


def _compiled(formats: list[tuple[Any, bool]], locale: Locale) -> Write | None:
    """Return the writer of patterns (True) and literal texts (False) behind each other."""
    parts: list[str | Write] = []
    for text, is_pattern in formats:
        for at, piece in enumerate(_FIELD.split(text) if is_pattern else [text]):
            if not at % 2:
                parts.append(piece.replace("%%", "%") if is_pattern else piece)
            elif piece[0] in _READ and len(set(piece)) == 1:
                parts.append(_field(piece, _READ[piece[0]], locale))
            else:
                return None
    return lambda moment: "".join([part if isinstance(part, str) else part(moment) for part in parts])


def _field(name: str, read: Callable[[Any], Any], locale: Locale) -> Write:
    known: dict[Any, str] = {}

    def write(moment: date | datetime | time) -> str:
        key = read(moment)
        text = known.get(key)
        if text is None:
            text = dates.DateTimeFormat(moment, locale)[name]
            if len(known) < _MAX_YEARS:
                known[key] = text
        return text

    return write
