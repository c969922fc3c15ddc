"""Columns of exact decimals: whole numbers with a common scale where that is possible. Pure.

A float is the decimal that its shortest text shows. A whole column of prices is then whole cents, and adding
or multiplying two columns is as quick as Python's own integers. What does not fit (empty cells, texts, many
decimals, very large numbers) takes the general path of `scalars.py`, value by value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from operator import add, floordiv, mul, neg, sub
from typing import Any

from config.value import dataclass

# No traps: what overflows becomes infinite or no number, and then nothing.
EXACT = Context(prec=50, rounding=ROUND_HALF_UP, Emin=-400, Emax=400, traps=[])
DIVISION = Context(prec=28, rounding=ROUND_HALF_UP, Emin=-400, Emax=400, traps=[])
# Floats show so many digits exactly.
_FLOAT_DIGITS = 10**15
# Results have at most the digits of the decimal context, so that both paths agree.
LIMIT = 10**50
_MAX_SCALE = 8
_SAMPLES = 64


@dataclass(frozen=True, slots=True)
class Fixed:
    """Numbers `ints[i] / 10**scale`, none of them larger than `bound / 10**scale`."""

    ints: Sequence[int]
    scale: int
    bound: int

    def cells(self) -> list[Any]:
        """Return ints, floats where they show the exact decimal, else Decimals."""
        if not self.scale:
            return list(self.ints)
        if self.bound < _FLOAT_DIGITS and self.scale <= 15:
            divisor = 10**self.scale
            return [number / divisor for number in self.ints]
        power, scaled = 10**self.scale, EXACT.scaleb
        return [
            scaled(Decimal(number), -self.scale) if number % power else number // power
            for number in self.ints
        ]

    def decimals(self) -> list[Decimal]:
        """Return every number as a Decimal."""
        if not self.scale:
            return list(map(Decimal, self.ints))
        scaled, shift = EXACT.scaleb, -self.scale
        return [scaled(Decimal(number), shift) for number in self.ints]


def fixed(values: Sequence[Any]) -> Fixed | None:
    """Return a column as whole numbers with a scale; None when it is not only ints and floats that fit."""
    kinds = set(map(type, values))
    if kinds == {int}:
        return _bounded(values, 0)
    if not kinds or not kinds <= {int, float}:
        return None
    scale = _likely_scale(values)
    while scale <= _MAX_SCALE:
        power = 10**scale
        try:
            ints = [round(value * power) for value in values]
        except (OverflowError, ValueError):  # infinite, or not a number
            return None
        found = _bounded(ints, scale)
        if found is None or found.bound >= _FLOAT_DIGITS:
            return None
        if [number / power for number in ints] == values:
            return found
        scale += 2
    return None


def _likely_scale(values: Sequence[Any]) -> int:
    step = max(1, len(values) // _SAMPLES)
    texts = [repr(value) for value in values[::step]]
    return max((len(text) - text.index(".") - 1 if "." in text else 0 for text in texts), default=0)


def _bounded(ints: Sequence[int], scale: int) -> Fixed | None:
    bound = max(max(ints, default=0), -min(ints, default=0))
    return Fixed(ints, scale, bound) if bound < LIMIT else None


def constant(value: Any, count: int) -> Fixed | None:
    """Return one number for each of `count` rows, None when it is no number that fits."""
    if isinstance(value, Decimal) and value.is_finite():
        sign, digits, exponent = value.as_tuple()
        if not -50 <= int(exponent) <= 50 or len(digits) > 50:
            return None
        number = int("".join(map(str, digits))) * (-1 if sign else 1)
        return _checked([number * 10 ** max(int(exponent), 0)] * count, max(-int(exponent), 0))
    if isinstance(value, int) and not isinstance(value, bool):
        return _checked([value] * count, 0)
    return None


def _checked(ints: list[int], scale: int) -> Fixed | None:
    bound = abs(ints[0]) if ints else 0
    return Fixed(ints, scale, bound) if bound < LIMIT else None


# ---------------------------------------------------------------- operators


def _rescaled(column: Fixed, scale: int) -> Fixed:
    if scale == column.scale:
        return column
    power = 10 ** (scale - column.scale)
    return Fixed([number * power for number in column.ints], scale, column.bound * power)


def aligned(first: Fixed, second: Fixed) -> tuple[Fixed, Fixed] | None:
    """Return two columns with one scale, None when they grow too large."""
    scale = max(first.scale, second.scale)
    first, second = _rescaled(first, scale), _rescaled(second, scale)
    return (first, second) if first.bound < LIMIT and second.bound < LIMIT else None


def _added(first: Fixed, second: Fixed, operation: Callable[[int, int], int]) -> Fixed | None:
    pair = aligned(first, second)
    if pair is None or (bound := pair[0].bound + pair[1].bound) >= LIMIT:
        return None
    return Fixed(list(map(operation, pair[0].ints, pair[1].ints)), pair[0].scale, bound)


def plus(first: Fixed, second: Fixed) -> Fixed | None:
    """Add row by row."""
    return _added(first, second, add)


def minus(first: Fixed, second: Fixed) -> Fixed | None:
    """Subtract row by row."""
    return _added(first, second, sub)


def times(first: Fixed, second: Fixed) -> Fixed | None:
    """Multiply row by row."""
    bound = first.bound * second.bound
    if bound >= LIMIT or first.scale + second.scale > EXACT.prec:
        return None
    return Fixed(list(map(mul, first.ints, second.ints)), first.scale + second.scale, bound)


def divided(column: Fixed, divisor: int | Decimal) -> Fixed | None:
    """Divide by a written number where that ends, as by 4 or 100."""
    number = Decimal(divisor)
    if not number or abs(number) >= LIMIT:
        return None
    whole, shift = number, 0
    while whole != whole.to_integral_value() and shift <= _MAX_SCALE:
        whole, shift = whole * 10, shift + 1
    for extra in range(7):
        if shift <= _MAX_SCALE and not 10**extra % int(whole):
            factor = 10**extra // int(whole) * 10**shift
            if (bound := column.bound * abs(factor)) < LIMIT:
                return Fixed([each * factor for each in column.ints], column.scale + extra, bound)
    return None


def quotients(first: Fixed, second: Fixed) -> list[Decimal | None]:
    """Divide row by row to 28 digits; None by zero."""
    shift, divide = second.scale - first.scale, DIVISION.divide
    first = _rescaled(first, first.scale + max(shift, 0))
    second = _rescaled(second, second.scale + max(-shift, 0))
    return [
        divide(Decimal(left), Decimal(right)) if right else None
        for left, right in zip(first.ints, second.ints, strict=True)
    ]


def extreme(columns: Sequence[Fixed], choose: Callable[..., int]) -> Fixed | None:
    """Return the least or largest number of every row: `choose` is min or max."""
    found = columns[0]
    for column in columns[1:]:
        pair = aligned(found, column)
        if pair is None:
            return None
        first, second = pair
        found = Fixed(list(map(choose, first.ints, second.ints)), first.scale, max(first.bound, second.bound))
    return found


def negative(column: Fixed) -> Fixed:
    """Change every sign."""
    return Fixed(list(map(neg, column.ints)), column.scale, column.bound)


def absolute(column: Fixed) -> Fixed:
    """Drop every sign."""
    return Fixed(list(map(abs, column.ints)), column.scale, column.bound)


def rounded(column: Fixed, digits: int) -> Fixed:
    """Round half up (away from zero) to so many decimals."""
    if column.scale <= digits:
        return column
    power = 10 ** (column.scale - digits)
    half = power // 2
    ints = [(each + half) // power if each >= 0 else -((half - each) // power) for each in column.ints]
    if digits < 0:
        ints = [each * 10**-digits for each in ints]
    return Fixed(ints, max(digits, 0), (column.bound + half) // power * 10 ** max(-digits, 0))


def floored(column: Fixed) -> Fixed:
    """Round down to whole numbers."""
    power = 10**column.scale
    return Fixed([floordiv(each, power) for each in column.ints], 0, column.bound // power + 1)


def ceiled(column: Fixed) -> Fixed:
    """Round up to whole numbers."""
    power = 10**column.scale
    return Fixed([-(-each // power) for each in column.ints], 0, column.bound // power + 1)
