"""Number formats of a spreadsheet for the helpers, from the locale's own patterns. Pure.

A spreadsheet shows separators as its user's locale has them. Names of months and days are in the language of
the document, as the words around them are.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from babel import Locale, numbers
from babel.core import get_global

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
    return _moment(argument or "medium", style, lambda width: _locale(style).date_formats[width].pattern)


def time(argument: str | None, style: Style) -> str:
    """Return a time format."""
    return _moment(argument or "short", style, lambda width: _locale(style).time_formats[width].pattern)


def datetime(argument: str | None, style: Style) -> str:
    """Return a format of date and time."""
    locale = _locale(style)

    def pattern(width: str) -> str:
        return f"{locale.date_formats[width].pattern} {locale.time_formats[width].pattern}"

    return _moment(argument or "medium", style, pattern)


def _locale(style: Style) -> Locale:
    return babel_locale(style.locale)


def _digits(argument: str) -> str:
    return "." + "0" * int(argument) if int(argument) else ""


# CLDR letters and what a spreadsheet calls them; those of parts of the day are left out.
_TOKENS = {
    "y": lambda n: "yy" if n == 2 else "yyyy",
    "M": lambda n: "m" * min(n, 4),
    "L": lambda n: "m" * min(n, 4),
    "d": lambda n: "d" * min(n, 2),
    "E": lambda n: "dddd" if n >= 4 else "ddd",
    "c": lambda n: "dddd" if n >= 4 else "ddd",
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
_NAMES: Final = frozenset({"mmm", "mmmm", "ddd", "dddd", "AM/PM"})
# LibreOffice takes Persian names from the Persian calendar, where this month has another name.
_OTHER_CALENDARS: Final = frozenset({"fa"})
# Windows' list names languages and regions only; those of Chinese say which characters are meant.
_PLACES_TELL_SCRIPTS: Final = frozenset({"zh"})
# Two numbers have one name there; the first Spanish one, of the old alphabet, is unknown to LibreOffice.
_CORRECTED: Final = {"bs_BA": 0x141A, "es_ES": 0x0C0A}
_DAYS = frozenset("yMLdEc") | _UNKNOWN
_TIMES = frozenset("hHkKms")

# Marks of direction in Arabic dates: a cell that runs from left to right would show 15/01/2026 as 152026/01/.
_MARKS = "\u200e\u200f\u061c"
_PIECES = late(r"'(?P<literal>[^']*)'|(?P<letters>(?P<letter>[A-Za-z])(?P=letter)*)|(?P<other>[^A-Za-z'])")
# An era or a time zone with the comma, the blank and the brackets around it.
_LEFT_OUT = late(r"('[^']*')|[\s,]*[(\[]?[GzZOvVXx]+[)\]]?")
# A spreadsheet takes m for minutes beside hours or seconds, and else for a month, which is M here.
_KINDS = {"H": "h", "k": "h", "K": "h", "L": "M"}
_MISREAD = late(r"hM|Ms|(?<!h)m(?!s)")


def _moment(argument: str, style: Style, pattern_of: Any) -> str:
    pattern = pattern_of(argument) if argument in {"short", "medium", "long", "full"} else argument
    parts: list[str] = []
    order = ""  # of the letters; see `_MISREAD`
    named = False
    for match in _PIECES.finditer(_LEFT_OUT.sub(lambda found: found[1] or "", pattern)):
        letters, other = match["letters"], match["other"]
        last = parts[-1] if parts else ""
        if letters:
            token = _TOKENS[letters[0]](len(letters)) if letters[0] in _TOKENS else ""
            if letters[0] in _UNKNOWN or (token and last.endswith(token[0])):
                return _without_doubt(pattern)
            if letters[0] == "S" and order.endswith("s") and last in {".", ","}:
                parts[-1] = "." + "0" * min(len(letters), 3)
            elif token:
                parts.append(token)
                named = named or token in _NAMES
                order += "E" if len(token) > 2 else _KINDS.get(letters[0], letters[0])
        elif other and other in " .-/:,":
            parts.append(other)
        elif other and other.isspace():
            parts.append(" ")
        elif literal := match["literal"] or (other if other not in _MARKS else ""):
            # Two texts beside each other are one: "a""b" might be read as a quotation mark in a text.
            parts[-1:] = [f'{last[:-1]}{literal}"'] if last.endswith('"') else [last, f'"{literal}"']
    if _MISREAD.search(order):
        return _without_doubt(pattern)
    written = "".join(parts).strip() if order else "general"
    return _language(_locale(style)) + written if named else written


@lru_cache(maxsize=64)
def _language(locale: Locale) -> str:
    """Return the prefix that says in which language a spreadsheet names months, "" where none does.

    A region without a number of its own takes the one of its language's most usual region.
    """
    # The only list of Windows' numbers in what we have installed; whoever gets here reads calendars already.
    from locale import windows_locale

    language, script = locale.language, locale.script
    if language in _OTHER_CALENDARS:
        return ""
    if script and language not in _PLACES_TELL_SCRIPTS and script not in _likely(language):
        return ""
    known = {name: number for number, name in reversed(windows_locale.items())} | _CORRECTED
    language = "nb" if language == "no" else language
    for region in (locale.territory, _usual_region(language, script)):
        if number := known.get(f"{language}_{region}"):
            return f"[$-{number:X}]"
    same = [number for name, number in known.items() if name.split("_")[0] == language]
    return f"[$-{min(same):X}]" if same else ""


def _usual_region(language: str, script: str | None) -> str:
    """Return where most people speak a language, in that script where it has a region of its own."""
    return (script and _likely(f"{language}_{script}")[-1]) or _likely(language)[-1]


def _likely(language: str) -> list[str]:
    """Return language, script and region that a language, maybe with its script, most likely stands for."""
    return get_global("likely_subtags").get(language, "").split("_")


def _without_doubt(pattern: str) -> str:
    """Return a format for the day, the time, or both, that every spreadsheet reads alike."""
    letters = {match["letter"] for match in _PIECES.finditer(pattern)}
    parts = (("yyyy-mm-dd", _DAYS), ("hh:mm:ss", _TIMES))
    return " ".join(part for part, shown in parts if letters & shown)
