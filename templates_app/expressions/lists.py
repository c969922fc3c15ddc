"""Lists and counts in a language: `a, b and c`, `1 item`, `2 items`. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from babel import Locale
from babel.lists import format_list

_CATEGORIES = ("zero", "one", "two", "few", "many", "other")
_WORD = r"[^,=\s{}|@]{1,60}"
_NAMED = rf"(?:{'|'.join(_CATEGORIES)})={_WORD}"
# "item,items", or named words of which one is "other".
PLURAL_ARGUMENT = rf"{_WORD},{_WORD}|(?:{_NAMED},){{0,5}}other={_WORD}(?:,{_NAMED}){{0,5}}"
_MANY = 3
_MAX_DIGITS = 9


def join_list(items: Sequence[str], alternative: bool, locale: Locale) -> str:
    """Return items joined by commas and the locale's "and", or its "or"."""
    style: Literal["standard", "or"] = "or" if alternative and "or" in locale.list_patterns else "standard"
    if len(items) <= _MANY:
        return format_list(items, style=style, locale=locale)
    # Babel adds one item after the other; the same in one go, with the seams of a list of four.
    first, second, third, fourth = "\x01\x02\x03\x04"
    text = format_list([first, second, third, fourth], style=style, locale=locale)
    head, rest = text.split(first)
    start, rest = rest.split(second)
    middle, rest = rest.split(third)
    end, tail = rest.split(fourth)
    return head + items[0] + start + middle.join(items[1:-1]) + end + items[-1] + tail


def plural_word(count: int | Decimal, argument: str, locale: Locale) -> str:
    """Return the word of an argument for a count, by the plural categories of CLDR."""
    words = argument.split(",")
    if "=" in argument:
        named = dict(word.split("=", 1) for word in words)
    else:
        named = {"one": words[0], "other": words[-1]}
    return named.get(locale.plural_form(_countable(Decimal(count))), named["other"])


def _countable(count: Decimal) -> Decimal:
    """Return a number of the same plural category that is small enough to calculate with; 1.0 is one."""
    whole, _, fraction = format(count.copy_abs(), ".6f").partition(".")
    if len(whole) > _MAX_DIGITS:
        whole = "1" + whole[-_MAX_DIGITS:]
    return Decimal(f"{whole}.{fraction}".rstrip("0").rstrip("."))
