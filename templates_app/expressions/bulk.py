"""Whole columns of cells as text, compiled once per format. Pure.

`texts_of(written, values)` is `written.text(value)` for every cell, at a fraction of its price: numbers are
formatted as one long text (`numerals.py`), dates are looked up (`moments.py`), texts stay what they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from templates_app.expressions.helpers import NUMBER_HELPERS, Format, many_moments, number_writer
from templates_app.expressions.numerals import unsigned_zeros

_NUMBERS = frozenset({int, float, Decimal})
_MOMENTS = frozenset({date, datetime})
_PART = "\0"
_FEW = 200
_RARE = re.compile("[en]")  # of an exponent, of inf and nan


def has_fixed_decimals(written: Format) -> bool:
    """Tell whether all numbers are written with the same decimals."""
    return written.helper in NUMBER_HELPERS and (written.helper != "number" or written.argument is not None)


def texts_of(written: Format, values: Sequence[Any]) -> list[str]:
    """Return `written.text(value)` of every cell; a cell that is a text already stays as it is."""
    kinds = set(map(type, values))
    if kinds == {str}:
        return list(values)
    if kinds <= _NUMBERS and (texts := _numbers(written, values)) is not None:
        return texts
    if not kinds & _NUMBERS:
        return _others(written, values)
    numbers = [value for value in values if value.__class__ in _NUMBERS]
    if (found := _numbers(written, numbers)) is None:
        return _others(written, values)
    texts_of_others = iter(_others(written, [value for value in values if value.__class__ not in _NUMBERS]))
    texts_of_numbers = iter(found)
    return [next(texts_of_numbers if value.__class__ in _NUMBERS else texts_of_others) for value in values]


def _numbers(written: Format, values: Sequence[Any]) -> list[str] | None:
    """Return a column of numbers as texts, None where the helper has no quick way."""
    if written.helper in NUMBER_HELPERS:
        return number_writer(written.helper or "", written.argument, written.style).many(values)
    if written.helper is not None or not values:
        return None
    kinds = set(map(type, values))
    if kinds == {int}:
        return list(map(str, values))
    if Decimal in kinds:
        return None
    joined = _PART.join(map(repr, values))
    if _RARE.search(joined):
        return None
    return (unsigned_zeros(joined) + _PART).replace(f".0{_PART}", _PART)[:-1].split(_PART)


def _others(written: Format, values: Sequence[Any]) -> list[str]:
    """Return other cells as texts; a date is written once however often it stands in the column."""
    kinds = set(map(type, values))
    if len(values) > _FEW and len(kinds) == 1 and kinds <= _MOMENTS:
        naive = all(getattr(value, "tzinfo", None) is None for value in values)
        if naive and (write := many_moments(written, kinds.pop())):
            texts_of_moments = {value: write(value) for value in set(values)}
            return list(map(texts_of_moments.__getitem__, values))
    known: dict[Any, str] = {}
    texts = []
    for value in values:
        if value is None:
            texts.append("")
        elif isinstance(value, str):
            texts.append(value)
        elif value.__class__ in _MOMENTS:
            key = (value.__class__, value)
            text = known.get(key)
            if text is None:
                text = known[key] = written.text(value)
            texts.append(text)
        else:
            texts.append(written.text(value))
    return texts
