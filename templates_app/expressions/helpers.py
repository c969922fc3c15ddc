"""The formatting helpers: one table for `{{total|currency}}`, for variables and for table columns. Pure.

A helper turns a typed value into text (`text`) and names the spreadsheet's number format (`excel`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo

from babel import Locale, dates, numbers

from templates_app.expressions import excel_formats


class HelperArgumentError(ValueError):
    """The argument after `:` does not suit the helper."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a template writes values: Babel locale, IANA time zone, ISO 4217 currency."""

    locale: str = "en_US"
    timezone: str = "UTC"
    currency: str = "USD"


@dataclass(frozen=True, slots=True)
class Helper:
    """One helper.

    `text(value, argument, style)` gets a value other than None; `excel(argument, style)` returns a number
    format or None; `argument` is a pattern its argument must match, None when it takes none.
    """

    name: str
    help: str
    text: Callable[[Any, str | None, Style], str]
    excel: Callable[[str | None, Style], str | None] = lambda argument, style: None
    argument: str | None = None
    example: str = ""
    # A value to try an argument on: what looks like a pattern may still be none.
    sample: Any = None

    def check_argument(self, argument: str | None) -> None:
        """Raise HelperArgumentError when `argument` does not suit."""
        if argument is None:
            return
        if self.argument is None:
            raise HelperArgumentError(f'helper "{self.name}" takes no argument')
        if not re.fullmatch(self.argument, argument):
            raise HelperArgumentError(f'helper "{self.name}" cannot use the argument "{argument[:60]}"')
        try:
            self.text(self.sample, argument, Style())
        except Exception as error:
            message = f'helper "{self.name}" cannot use the argument "{argument[:60]}"'
            raise HelperArgumentError(message) from error


@dataclass(frozen=True, slots=True)
class Format:
    """A helper bound to its argument and style: how one column, variable or expression is written."""

    helper: str | None
    argument: str | None
    style: Style

    def text(self, value: Any) -> str:
        """Return `value` as text; None is nothing."""
        if value is None:
            return ""
        if self.helper is None:
            return plain_text(value, self.style)
        return HELPERS[self.helper].text(value, self.argument, self.style)

    def number_format(self) -> str | None:
        """Return the spreadsheet number format, None for general."""
        return None if self.helper is None else HELPERS[self.helper].excel(self.argument, self.style)


def plain_text(value: Any, style: Style) -> str:
    """Return a value as it is, without grouping: numbers in full, dates in the locale's medium form."""
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case float():
            return _fixed(Decimal(repr(value)))
        case Decimal():
            return _fixed(value)
        case datetime():
            return _datetime(value, None, style)
        case date():
            return _date(value, None, style)
        case list() | tuple():
            return ", ".join(plain_text(item, style) for item in value)
        case dict():
            return ""
    return str(value)


def parse_format(text: str) -> tuple[str, str | None]:
    """Split `currency:EUR` into helper and argument; raises ValueError for an unknown or misused helper."""
    name, colon, argument = text.partition(":")
    if name not in HELPERS:
        raise ValueError(f"unknown helper; known are {', '.join(sorted(HELPERS))}")
    HELPERS[name].check_argument(argument if colon else None)
    return name, argument if colon else None


@lru_cache(maxsize=64)
def babel_locale(name: str) -> Locale:
    """Return Babel's locale for `de-AT` or `de_AT`; raises ValueError when there is none."""
    try:
        return Locale.parse(name.replace("-", "_"))
    except Exception as error:
        raise ValueError(f'unknown locale "{name}"') from error


def _fixed(number: Decimal) -> str:
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def to_decimal(value: Any) -> Decimal | None:
    """Return a number as the exact decimal its JSON text showed; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, Decimal):
        return value
    if isinstance(value, int):
        return Decimal(value)
    if isinstance(value, float):
        return Decimal(repr(value))
    return None


def _numeric(write: Callable[[Decimal, str | None, Style], str]) -> Callable[[Any, str | None, Style], str]:
    """Let a number helper pass other values through: formatting never loses what it cannot format."""

    def text(value: Any, argument: str | None, style: Style) -> str:
        number = to_decimal(value)
        if number is None:
            return plain_text(value, style)
        # Merchants round half up, and so do spreadsheets; Babel takes the context's rounding.
        with localcontext() as context:
            context.rounding = ROUND_HALF_UP
            context.prec = 400  # the largest float has 309 digits before its decimals
            return write(number, argument, style)

    return text


def _number(value: Decimal, argument: str | None, style: Style) -> str:
    locale = babel_locale(style.locale)
    if argument is None:
        return numbers.format_decimal(value, locale=locale, decimal_quantization=False)
    pattern = "#,##0" + ("." + "0" * int(argument) if int(argument) else "")
    return numbers.format_decimal(value, format=pattern, locale=locale)


def _integer(value: Decimal, argument: str | None, style: Style) -> str:
    return numbers.format_decimal(value, format="#,##0", locale=babel_locale(style.locale))


def _currency(value: Decimal, argument: str | None, style: Style) -> str:
    return numbers.format_currency(value, argument or style.currency, locale=babel_locale(style.locale))


def _percent(value: Decimal, argument: str | None, style: Style) -> str:
    locale = babel_locale(style.locale)
    if argument is None:
        return numbers.format_percent(value, locale=locale, decimal_quantization=False)
    base = locale.percent_formats[None].pattern
    digits = "." + "0" * int(argument) if int(argument) else ""
    return numbers.format_percent(
        value, format=re.sub(r"0(?=[^0#]*$)", "0" + digits, base, count=1), locale=locale
    )


def parse_date(value: Any) -> date | None:
    """Return a date from `YYYY-MM-DD`; None when it is none."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}", value, re.ASCII):
        try:
            return date.fromisoformat(value)
        except ValueError:
            return None
    return None


def parse_datetime(value: Any) -> datetime | None:
    """Return a moment from ISO 8601, naive when it has no offset; None when it is none."""
    if isinstance(value, datetime):
        return value
    if isinstance(value, str) and re.match(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}", value, re.ASCII):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            return None
    return None


def local(value: datetime, style: Style) -> datetime:
    """Return `value` on the wall clock of the template's time zone, naive; a naive one is there already."""
    if value.tzinfo is None:
        return value
    try:
        return value.astimezone(ZoneInfo(style.timezone)).replace(tzinfo=None)
    except OverflowError:  # the first and the last day of the calendar
        return value.replace(tzinfo=None)


def _date(value: Any, argument: str | None, style: Style) -> str:
    moment = parse_datetime(value)
    day = local(moment, style).date() if moment else parse_date(value)
    if day is None:
        return plain_text(value, style)
    return dates.format_date(day, format=argument or "medium", locale=babel_locale(style.locale))


def _datetime(value: Any, argument: str | None, style: Style) -> str:
    moment = parse_datetime(value)
    if moment is None and argument not in {None, "short", "medium", "long", "full"}:
        day = parse_date(value)
        moment = datetime(day.year, day.month, day.day) if day else None
    if moment is None:
        return _date(value, argument, style)
    return dates.format_datetime(
        local(moment, style), format=argument or "medium", locale=babel_locale(style.locale)
    )


def _time(value: Any, argument: str | None, style: Style) -> str:
    moment = parse_datetime(value)
    if moment is None:
        return plain_text(value, style)
    return dates.format_time(
        local(moment, style).time(), format=argument or "short", locale=babel_locale(style.locale)
    )


def _yes_no(value: Any, argument: str | None, style: Style) -> str:
    yes, _, no = (argument or "Yes,No").partition(",")
    return yes if value else no


def _joined(value: Any, argument: str | None, style: Style) -> str:
    return plain_text(value, style)


def _words(change: Callable[[str], str]) -> Callable[[Any, str | None, Style], str]:
    return lambda value, argument, style: change(plain_text(value, style))


_DIGITS = r"\d|1\d|20"
_WIDTHS = r"short|medium|long|full"
_PATTERN = _WIDTHS + r"|[yQqMLdDE./,'_-]{1,40}"
_TIME_PATTERN = _WIDTHS + r"|[ahHkKmsS:./,'_-]{1,40}"
_DATETIME_PATTERN = _WIDTHS + r"|[yQqMLdDEahHkKmsS:./,'_-]{1,40}"
_SAMPLE = datetime(2026, 11, 21, 13, 5, 9)

_NUMBER_LIKE = (
    Helper(
        name="number",
        help="Number with the locale's grouping; the argument fixes the decimals.",
        text=_numeric(_number),
        excel=excel_formats.number,
        argument=_DIGITS,
        sample=1,
        example="{{weight|number:2}}",
    ),
    Helper(
        name="integer",
        help="Number rounded to a whole one.",
        text=_numeric(_integer),
        excel=excel_formats.integer,
        example="{{quantity|integer}}",
    ),
    Helper(
        name="currency",
        help="Amount of money; the argument is the ISO code, else the template's currency.",
        text=_numeric(_currency),
        excel=excel_formats.currency,
        argument="[A-Z]{3}",
        sample=1,
        example="{{total|currency:EUR}}",
    ),
    Helper(
        name="percent",
        help="Share as percent (0.19 is 19%); the argument fixes the decimals.",
        text=_numeric(_percent),
        excel=excel_formats.percent,
        argument=_DIGITS,
        sample=1,
        example="{{rate|percent:1}}",
    ),
)
_MOMENTS = (
    Helper(
        name="date",
        help="Date; short, medium, long, full or a CLDR pattern.",
        text=_date,
        excel=excel_formats.date,
        argument=_PATTERN,
        sample=_SAMPLE,
        example="{{issued|date:long}}",
    ),
    Helper(
        name="datetime",
        help="Date and time in the template's time zone.",
        text=_datetime,
        excel=excel_formats.datetime,
        argument=_DATETIME_PATTERN,
        sample=_SAMPLE,
        example="{{printed_at|datetime:short}}",
    ),
    Helper(
        name="time",
        help="Time of day in the template's time zone.",
        text=_time,
        excel=excel_formats.time,
        argument=_TIME_PATTERN,
        sample=_SAMPLE,
        example="{{starts_at|time}}",
    ),
)
_WORDS = (
    Helper(
        name="yesno",
        help="One of two words for true and false.",
        text=_yes_no,
        argument=r"[^,\s{}|]{1,40},[^,\s{}|]{1,40}",
        example="{{paid|yesno:paid,open}}",
    ),
    Helper("upper", "Text in capitals.", _words(str.upper), example="{{code|upper}}"),
    Helper("lower", "Text in small letters.", _words(str.lower), example="{{email|lower}}"),
    Helper("title", "Each word with a capital.", _words(str.title), example="{{name|title}}"),
    Helper(
        "capitalize",
        "First letter as a capital.",
        _words(lambda text: text[:1].upper() + text[1:]),
        example="{{note|capitalize}}",
    ),
    Helper("trim", "Text without surrounding white space.", _words(str.strip), example="{{name|trim}}"),
    Helper("join", "Entries of a list, parted by commas.", _joined, example="{{tags|join}}"),
)

HELPERS: dict[str, Helper] = {helper.name: helper for helper in (*_NUMBER_LIKE, *_MOMENTS, *_WORDS)}
