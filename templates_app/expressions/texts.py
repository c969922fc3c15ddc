"""How each helper writes a value. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal, localcontext
from functools import lru_cache, partial
from typing import Any

from babel import Locale, dates, numbers

from templates_app.expressions.lists import join_list, plural_word
from templates_app.expressions.moments import WIDTHS, moment_writer
from templates_app.expressions.numerals import (
    CONTEXT,
    NumberWriter,
    SlowWriter,
    currency_pattern,
    minus,
    written,
)
from templates_app.expressions.values import (
    Style,
    babel_locale,
    local,
    parse_date,
    parse_datetime,
    to_decimal,
    with_zone,
)


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
            return _fixed(written(value))
        case datetime():
            return datetime_text(value, None, style)
        case date():
            return date_text(value, None, style)
        case list() | tuple():
            return ", ".join(_said(value, style))
        case dict():
            return ""
    return str(value)


def _said(entries: list[Any] | tuple[Any, ...], style: Style) -> list[str]:
    """Return the entries of a list as texts; those that print nothing leave no comma either."""
    return [text for entry in entries if (text := plain_text(entry, style))]


def _fixed(number: Decimal) -> str:
    number = number or abs(number)  # zero has no sign
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


# ---------------------------------------------------------------- numbers

Slow = Callable[[Decimal, str | None, Style], str]


def numeric_text(name: str) -> Callable[[Any, str | None, Style], str]:
    """Let a number helper pass other values through: formatting never loses what it cannot format."""

    def text(value: Any, argument: str | None, style: Style) -> str:
        number: Any = value if value.__class__ in _NUMBER_TYPES else to_decimal(value)
        if number is None:
            return plain_text(value, style)
        return _number_writer(name, argument, style.locale, style.currency).one(number)

    return text


def number_writer(name: str, argument: str | None, style: Style) -> NumberWriter | SlowWriter:
    """Return the compiled writer of a number helper; `one` and `many` take ints, floats and Decimals."""
    return _number_writer(name, argument, style.locale, style.currency)


@lru_cache(maxsize=512)
def _number_writer(
    name: str, argument: str | None, locale_name: str, template_currency: str
) -> NumberWriter | SlowWriter:
    style = Style(locale_name, currency=template_currency)
    slow = partial(_written_slowly, _SLOW[name], argument, style)
    locale = babel_locale(style.locale)
    currency, digits = None, None if argument is None else int(argument) if argument.isdigit() else None
    try:
        pattern = locale.percent_formats[None] if name == "percent" else locale.decimal_formats[None]
        if name == "integer":
            digits = 0
        if name == "currency":
            currency = argument or style.currency
            pattern, digits = currency_pattern(locale, currency), numbers.get_currency_precision(currency)
        return NumberWriter(pattern, locale, currency, digits, slow)
    except (ValueError, KeyError):
        return SlowWriter(slow)


def _written_slowly(write: Slow, argument: str | None, style: Style, value: Decimal) -> str:
    # Merchants round half up, and so do spreadsheets; Babel takes the context's rounding.
    with localcontext(CONTEXT):
        text = write(value, argument, style)
    return text.replace("-", minus(babel_locale(style.locale)), 1) if value.is_signed() else text


def _number(value: Decimal, argument: str | None, style: Style) -> str:
    locale = babel_locale(style.locale)
    if argument is None:
        return numbers.format_decimal(written(value), locale=locale, decimal_quantization=False)
    return numbers.format_decimal(value, format=_decimal_pattern(locale, int(argument)), locale=locale)


def _integer(value: Decimal, argument: str | None, style: Style) -> str:
    locale = babel_locale(style.locale)
    return numbers.format_decimal(value, format=_decimal_pattern(locale, 0), locale=locale)


def _decimal_pattern(locale: Locale, digits: int) -> str:
    """Return the locale's pattern, which knows its grouping, with so many decimals."""
    base = re.sub(r"\.[0#]+", "", locale.decimal_formats[None].pattern)
    return re.sub(r"(?<=0)(?=[^0#]*(;|$))", "." + "0" * digits, base) if digits else base


def _currency(value: Decimal, argument: str | None, style: Style) -> str:
    locale, currency = babel_locale(style.locale), argument or style.currency
    return numbers.format_currency(value, currency, currency_pattern(locale, currency), locale)


def compact_text(value: Decimal, helper: str | None, argument: str | None, style: Style) -> str | None:
    """Return a number shortened as its locale does, `$1.4M`; None for what has no short form."""
    if helper not in {None, "number", "integer", "currency"} or not value.is_finite():
        return None
    locale, currency = babel_locale(style.locale), argument or style.currency
    if not _is_shortened(value, locale):
        return None
    with localcontext(CONTEXT):
        if helper != "currency":
            return numbers.format_compact_decimal(value, locale=locale, fraction_digits=1)
        text = numbers.format_compact_currency(value, currency, locale=locale, fraction_digits=1)
    symbol = numbers.get_currency_symbol(currency, locale)
    return re.sub(rf"(?<={re.escape(symbol)})(?=\d)", "\xa0", text) if symbol[-1:].isalpha() else text


def _is_shortened(value: Decimal, locale: Locale) -> bool:
    """Return False for what the locale writes in full, as thousands in German: Babel would not group it."""
    forms = locale.compact_decimal_formats["short"]["other"]
    reached = max((int(magnitude) for magnitude in forms if int(magnitude) <= abs(value)), default=0)
    return not reached or numbers.parse_pattern(forms[str(reached)]).pattern != "0"


def _percent(value: Decimal, argument: str | None, style: Style) -> str:
    locale = babel_locale(style.locale)
    if argument is None:
        return numbers.format_percent(written(value), locale=locale, decimal_quantization=False)
    base = locale.percent_formats[None].pattern
    digits = "." + "0" * int(argument) if int(argument) else ""
    return numbers.format_percent(
        value, format=re.sub(r"0(?=[^0#]*$)", "0" + digits, base, count=1), locale=locale
    )


_NUMBER_TYPES = frozenset({int, float, Decimal})
_SLOW: dict[str, Slow] = {
    "number": _number,
    "integer": _integer,
    "currency": _currency,
    "percent": _percent,
}


# ---------------------------------------------------------------- moments

_LONGEST_MOMENT = 40


def _remembered(write: Callable[[Any, str | None, Style], str]) -> Callable[[Any, str | None, Style], str]:
    """Keep the texts of the last few thousand moments: a document repeats its dates."""
    singles = frozenset({str, date, datetime})

    @lru_cache(maxsize=4096, typed=True)
    def known(value: Any, argument: str | None, locale: str, timezone: str) -> str:
        return write(value, argument, Style(locale, timezone))

    def text(value: Any, argument: str | None, style: Style) -> str:
        # A long text is no date, and would make the cache large.
        if value.__class__ in singles and (value.__class__ is not str or len(value) <= _LONGEST_MOMENT):
            return known(value, argument, style.locale, style.timezone)
        return write(value, argument, style)

    return text


@_remembered
def date_text(value: Any, argument: str | None, style: Style) -> str:
    """Return a day, on the wall clock of the style's time zone."""
    moment = parse_datetime(value)
    day = local(moment, style).date() if moment else parse_date(value)
    if day is None:
        return plain_text(value, style)
    locale = babel_locale(style.locale)
    if write := moment_writer("date", argument or "medium", locale):
        return write(day)
    return dates.format_date(day, format=argument or "medium", locale=locale)


@_remembered
def datetime_text(value: Any, argument: str | None, style: Style) -> str:
    """Return a day and time, on the wall clock of the style's time zone."""
    moment = parse_datetime(value)
    if moment is None and argument not in {None, *WIDTHS}:
        day = parse_date(value)
        moment = datetime(day.year, day.month, day.day) if day else None
    if moment is None:
        return date_text(value, argument, style)
    locale, moment = babel_locale(style.locale), local(moment, style)
    if write := moment_writer("datetime", argument or "medium", locale):
        return write(moment)
    return dates.format_datetime(with_zone(moment, style), format=argument or "medium", locale=locale)


@_remembered
def time_text(value: Any, argument: str | None, style: Style) -> str:
    """Return the time of day, on the wall clock of the style's time zone."""
    moment = parse_datetime(value)
    if moment is None:
        return plain_text(value, style)
    locale, moment = babel_locale(style.locale), local(moment, style)
    if write := moment_writer("time", argument or "short", locale):
        return write(moment)
    # The day decides between summer and winter time.
    return dates.format_time(with_zone(moment, style), format=argument or "short", locale=locale)


# ---------------------------------------------------------------- words


def yes_no_text(value: Any, argument: str | None, style: Style) -> str:
    """Return the first of two words for true, the second for false."""
    yes, _, no = (argument or "Yes,No").partition(",")
    return yes if value else no


def joined_text(value: Any, argument: str | None, style: Style) -> str:
    """Return the entries of a list behind each other."""
    if argument in {None, "comma"} or not isinstance(value, (list, tuple)):
        return plain_text(value, style)
    return join_list(_said(value, style), argument == "or", babel_locale(style.locale))


def plural_text(value: Any, argument: str | None, style: Style) -> str:
    """Return the word of the argument that suits a count, or the length of a list."""
    number: Any = len(value) if isinstance(value, (list, tuple)) else to_decimal(value)
    if number is None or (isinstance(number, Decimal) and not number.is_finite()):
        return plain_text(value, style)
    return plural_word(number, argument or "", babel_locale(style.locale))


def markdown_text(value: Any, argument: str | None, style: Style) -> str:
    """Return the words of a text without its marks."""
    # Where marks cannot show, as in a spreadsheet, the words alone are left.
    from templates_app.resolved import plain
    from templates_app.richtext import markdown

    return plain(markdown(plain_text(value, style)))


def words_text(change: Callable[[str], str]) -> Callable[[Any, str | None, Style], str]:
    """Return a helper that changes the letters of a text."""
    return lambda value, argument, style: change(plain_text(value, style))


def letters_text(change: Callable[[str, str], str]) -> Callable[[Any, str | None, Style], str]:
    """Return a helper that changes the letters of a text as the locale's language does."""
    return lambda value, argument, style: change(plain_text(value, style), style.locale)
