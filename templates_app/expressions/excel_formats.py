"""Number formats of a spreadsheet for the helpers, from the locale's own patterns. Pure.

A spreadsheet shows separators and month names in its user's locale; the stored format is neutral.
"""

from __future__ import annotations

from typing import Any

from babel import Locale, numbers

from config.patterns import late
from templates_app.expressions.numerals import currency_pattern
from templates_app.expressions.values import Style, babel_locale

# Between an amount and its sign; a mark of direction may stand in between.
_GAP = late("¤[\u200e\u200f]?[\\s\u00a0\u202f]|[\\s\u00a0\u202f][\u200e\u200f]?¤")


def number(argument: str | None, style: Style) -> str:
    """Return a grouped number, with fixed decimals when `argument` counts them."""
    # A format with optional decimals would show "5." for 5.
    return "General" if argument is None else "#,##0" + _digits(argument)


def integer(argument: str | None, style: Style) -> str:
    """Return a grouped whole number."""
    return "#,##0"


def percent(argument: str | None, style: Style) -> str:
    """Return a percentage."""
    # A sales tax of 8.875% must not become 8.88%.
    return "0.00##%" if argument is None else f"0{_digits(argument)}%"


def currency(argument: str | None, style: Style) -> str:
    """Return an amount with the currency's sign on the locale's side and its own number of decimals."""
    code = argument or style.currency
    locale = _locale(style)
    sign = f'"{numbers.get_currency_symbol(code, locale)}"'
    amount = "#,##0" + _digits(str(numbers.get_currency_precision(code)))
    pattern = currency_pattern(locale, code).pattern.split(";")[0]
    before = pattern.index("¤") < min(pattern.index("#") if "#" in pattern else 99, pattern.index("0"))
    gap = " " if _GAP.search(pattern) else ""
    return f"{sign}{gap}{amount}" if before else f"{amount}{gap}{sign}"


def date(argument: str | None, style: Style) -> str:
    """Return a date format."""
    return _moment(argument or "medium", lambda width: _locale(style).date_formats[width].pattern)


def time(argument: str | None, style: Style) -> str:
    """Return a time format."""
    return _moment(argument or "short", lambda width: _locale(style).time_formats[width].pattern)


def datetime(argument: str | None, style: Style) -> str:
    """Return a format of date and time."""
    locale = _locale(style)

    def pattern(width: str) -> str:
        return f"{locale.date_formats[width].pattern} {locale.time_formats[width].pattern}"

    return _moment(argument or "medium", pattern)


def _locale(style: Style) -> Locale:
    return babel_locale(style.locale)


def _digits(argument: str) -> str:
    return "." + "0" * int(argument) if int(argument) else ""


# CLDR letters and what a spreadsheet calls them; the other ones of times (zones, eras) are left out.
_TOKENS = {
    "y": lambda n: "yy" if n == 2 else "yyyy",
    "M": lambda n: "m" * min(n, 4),
    "L": lambda n: "m" * min(n, 4),
    "d": lambda n: "d" * min(n, 2),
    "E": lambda n: "dddd" if n >= 4 else "ddd",
    "h": lambda n: "h" * min(n, 2),
    "H": lambda n: "h" * min(n, 2),
    "k": lambda n: "h" * min(n, 2),
    "K": lambda n: "h" * min(n, 2),
    "m": lambda n: "m" * min(n, 2),
    "s": lambda n: "s" * min(n, 2),
    "a": lambda n: "AM/PM",
}
# Quarters, weeks, days of the year: without them the rest of a format would say something else.
_UNKNOWN = frozenset("QqwWYDFg")
_WHOLE_DATE = "yyyy-mm-dd"

# Marks of direction in Arabic dates: a cell that runs from left to right would show 15/01/2026 as 152026/01/.
_MARKS = "\u200e\u200f\u061c"
_PIECES = late(r"'(?P<literal>[^']*)'|(?P<letters>(?P<letter>[A-Za-z])(?P=letter)*)|(?P<other>[^A-Za-z'])")


def _moment(argument: str, pattern_of: Any) -> str:
    pattern = pattern_of(argument) if argument in {"short", "medium", "long", "full"} else argument
    parts: list[str] = []
    for match in _PIECES.finditer(pattern):
        literal, letters, other = match["literal"], match["letters"], match["other"]
        if letters:
            if letters[0] in _UNKNOWN:
                return _WHOLE_DATE
            if token := _TOKENS.get(letters[0]):
                parts.append(token(len(letters)))
        elif other and other not in _MARKS:
            parts.append(other if other in " .-/:," else " " if other.isspace() else f'"{other}"')
        elif literal:
            parts.append(f'"{literal}"')
    return "".join(parts).strip() or "general"
