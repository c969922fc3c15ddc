"""The formatting helpers: one table for `{{total|currency}}`, for variables and for table columns. Pure.

A helper turns a typed value into text (`text`) and names the spreadsheet's number format (`excel`). Behind
`@` an argument may name another locale and time zone than the template's: `currency:EUR@de-AT`, `date@fr`,
`time@Europe/Vienna`, `datetime:short@fr,Europe/Paris`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from config.value import dataclass
from templates_app.expressions import excel_formats, letters
from templates_app.expressions.lists import PLURAL_ARGUMENT
from templates_app.expressions.moments import moment_writer
from templates_app.expressions.texts import (
    date_text,
    datetime_text,
    joined_text,
    letters_text,
    markdown_text,
    number_writer,
    numeric_text,
    plain_text,
    plural_text,
    time_text,
    words_text,
    yes_no_text,
)
from templates_app.expressions.values import (
    Style,
    babel_locale,
    local,
    localized,
    parse_date,
    parse_datetime,
    to_decimal,
)

__all__ = [
    "HELPERS",
    "MOMENT_HELPERS",
    "NUMBER_HELPERS",
    "TEXT_HELPERS",
    "Format",
    "Helper",
    "HelperArgumentError",
    "Style",
    "babel_locale",
    "local",
    "many_moments",
    "number_writer",
    "parse_date",
    "parse_datetime",
    "parse_format",
    "plain_text",
    "split_call",
    "to_decimal",
]


class HelperArgumentError(ValueError):
    """The argument after `:` does not suit the helper."""


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
    # Whether `@locale` and `@Zone/City` may follow the argument.
    local: bool = False
    # Whether the helper is nothing without its argument.
    needed: bool = False

    @property
    def call(self) -> str:
        """Return the example without its variable, as a `format` has it too: `currency:EUR`."""
        return self.example.removesuffix("}}").partition("|")[2]

    def check_argument(self, argument: str | None) -> None:
        """Raise HelperArgumentError when `argument` does not suit."""
        if self.local and argument is not None and "@" in argument:
            try:
                argument = localized(argument, Style())[0]
            except ValueError as error:
                raise HelperArgumentError(f'helper "{self.name}": {error}') from None
        if argument is None:
            if self.needed:
                raise HelperArgumentError(f'helper "{self.name}" needs an argument, as in {self.call}')
            return
        if self.argument is None:
            raise HelperArgumentError(f'helper "{self.name}" takes no argument')
        if not re.fullmatch(self.argument, argument):
            raise self._unusable(argument)
        try:
            self.text(self.sample, argument, Style())
        except Exception as error:
            raise self._unusable(argument) from error

    def _unusable(self, argument: str) -> HelperArgumentError:
        return HelperArgumentError(
            f'helper "{self.name}" cannot use the argument "{argument[:60]}"; write it as in {self.call}'
        )


@dataclass(frozen=True, slots=True)
class Format:
    """A helper bound to its argument and style: how one column, variable or expression is written.

    A locale or time zone in the argument moves to the style.
    """

    helper: str | None
    argument: str | None
    style: Style

    def __post_init__(self) -> None:
        """Take `@de-AT` from the argument."""
        if self.argument is not None and "@" in self.argument and self.helper and HELPERS[self.helper].local:
            argument, style = localized(self.argument, self.style)
            object.__setattr__(self, "argument", argument)
            object.__setattr__(self, "style", style)

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


def split_call(call: str) -> tuple[str, str | None]:
    """Split `currency:EUR@de` into `currency` and `EUR@de`, `date@fr` into `date` and `@fr`."""
    end = min(at for at in (call.find(":"), call.find("@"), len(call)) if at >= 0)
    name, rest = call[:end], call[end:]
    return name, None if not rest else rest.removeprefix(":")


def parse_format(text: str) -> tuple[str, str | None]:
    """Split `currency:EUR` into helper and argument; raises ValueError for an unknown or misused helper."""
    name, argument = split_call(text)
    if name not in HELPERS:
        raise ValueError(f"unknown helper; known are {', '.join(sorted(HELPERS))}")
    HELPERS[name].check_argument(argument)
    return name, argument


def many_moments(written: Format, kind: type) -> Callable[[Any], str] | None:
    """Return a writer for a column of many naive moments of one class, None where there is no quick way."""
    name = written.helper or kind.__name__
    if name != kind.__name__:
        return None
    return moment_writer(name, written.argument or "medium", babel_locale(written.style.locale))


_DIGITS = r"\d|1\d|20"
_WIDTHS = r"short|medium|long|full"
# Blanks inside of a pattern are for the `format` of variables and columns: braces hold none.
_PATTERN = _WIDTHS + r"|(?! )[yQqMLdDE./,'_ -]{1,40}(?<! )"
_TIME_PATTERN = _WIDTHS + r"|(?! )[ahHkKmsS:./,'_ -]{1,40}(?<! )"
_DATETIME_PATTERN = _WIDTHS + r"|(?! )[yQqMLdDEahHkKmsS:./,'_ -]{1,40}(?<! )"
_SAMPLE = datetime(2026, 11, 21, 13, 5, 9)

_NUMBERS = (
    Helper(
        name="number",
        local=True,
        help="Number with the locale's grouping; the argument fixes the decimals.",
        text=numeric_text("number"),
        excel=excel_formats.number,
        argument=_DIGITS,
        sample=1,
        example="{{weight|number:2}}",
    ),
    Helper(
        name="integer",
        local=True,
        help="Number rounded to a whole one.",
        text=numeric_text("integer"),
        excel=excel_formats.integer,
        example="{{quantity|integer}}",
    ),
    Helper(
        name="currency",
        local=True,
        help="Amount of money; the argument is the ISO code, else the template's currency.",
        text=numeric_text("currency"),
        excel=excel_formats.currency,
        argument="[A-Z]{3}",
        sample=1,
        example="{{total|currency:EUR}}",
    ),
    Helper(
        name="percent",
        local=True,
        help="Share as percent (0.19 is 19%); the argument fixes the decimals.",
        text=numeric_text("percent"),
        excel=excel_formats.percent,
        argument=_DIGITS,
        sample=1,
        example="{{rate|percent:1}}",
    ),
)
_MOMENTS = (
    Helper(
        name="date",
        local=True,
        help="Date; short, medium, long, full or a CLDR pattern.",
        text=date_text,
        excel=excel_formats.date,
        argument=_PATTERN,
        sample=_SAMPLE,
        example="{{issued|date:long}}",
    ),
    Helper(
        name="datetime",
        local=True,
        help="Date and time in the template's time zone.",
        text=datetime_text,
        excel=excel_formats.datetime,
        argument=_DATETIME_PATTERN,
        sample=_SAMPLE,
        example="{{printed_at|datetime:short}}",
    ),
    Helper(
        name="time",
        local=True,
        help="Time of day in the template's time zone.",
        text=time_text,
        excel=excel_formats.time,
        argument=_TIME_PATTERN,
        sample=_SAMPLE,
        example="{{starts_at|time:short}}",
    ),
)
_WORDS = (
    Helper(
        name="yesno",
        help="One of two words for true and false.",
        text=yes_no_text,
        argument=r"[^,\s{}|]{1,40},[^,\s{}|]{1,40}",
        example="{{paid|yesno:paid,open}}",
    ),
    Helper("upper", "Text in capitals.", letters_text(letters.upper), example="{{code|upper}}"),
    Helper("lower", "Text in small letters.", letters_text(letters.lower), example="{{email|lower}}"),
    Helper("title", "Each word with a capital.", letters_text(letters.title), example="{{name|title}}"),
    Helper(
        "capitalize",
        "First letter as a capital.",
        letters_text(letters.capitalize),
        example="{{note|capitalize}}",
    ),
    Helper("trim", "Text without surrounding white space.", words_text(str.strip), example="{{name|trim}}"),
    Helper(
        "join",
        "Entries of a list, parted by commas; `and` or `or` before the last, in the locale's words.",
        joined_text,
        argument="and|or|comma",
        local=True,
        sample=["a", "b", "c"],
        example="{{tags|join:and}}",
    ),
    Helper(
        "plural",
        "The word that suits a count: for one and for more, or by CLDR category (`one=..,few=..,other=..`).",
        plural_text,
        argument=PLURAL_ARGUMENT,
        needed=True,
        local=True,
        sample=2,
        example="{{count|plural:item,items}}",
    ),
    Helper(
        "markdown",
        "Text whose own marks (`**bold**`, `[text](https://...)`) are applied.",
        markdown_text,
        example="{{note|markdown}}",
    ),
)

HELPERS: dict[str, Helper] = {helper.name: helper for helper in (*_NUMBERS, *_MOMENTS, *_WORDS)}
NUMBER_HELPERS: Final = frozenset(helper.name for helper in _NUMBERS)
MOMENT_HELPERS: Final = frozenset(helper.name for helper in _MOMENTS)
TEXT_HELPERS: Final = frozenset(helper.name for helper in _WORDS)
