"""Operators of formulas on single values: exact decimals, texts, dates, nothing. Pure.

What cannot be calculated is None and prints nothing: a division by zero, a product with an empty factor, a
text in a sum. In `+` and `-` an empty operand counts as 0, unless both are empty.

Operators take numbers as Decimals only: `cleaned` makes these of the data's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime, timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal
from typing import Any

from templates_app.expressions.compare import equal, is_empty, order
from templates_app.expressions.exact import DIVISION, EXACT, Fixed, fixed
from templates_app.expressions.helpers import Style, parse_date, parse_datetime, plain_text

Number = int | Decimal

_NEUTRAL = Style()
MAX_DIGITS = 20
_MAX_BITS = 2000
_ONE = Decimal(1)
_MAX_TEXT = 32_767  # a spreadsheet's cell holds no more


def cleaned(values: Iterable[Any]) -> list[Any]:
    """Return values as operators take them: finite numbers as Decimals of 50 digits, others as None."""
    return [value if value is None or value.__class__ is str else _cleaned(value) for value in values]


def _cleaned(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return value
    if isinstance(value, int):
        return None if value.bit_length() > _MAX_BITS else _finite(EXACT.create_decimal(value))
    return _finite(EXACT.create_decimal(repr(value) if isinstance(value, float) else value))


def _finite(number: Decimal) -> Decimal | None:
    return number if number.is_finite() else None


def result(value: Any) -> Any:
    """Return a calculated value as a cell: a decimal without a fraction becomes an int."""
    if value.__class__ is Decimal:
        return int(value) if value == value.to_integral_value() else value
    return None if isinstance(value, (list, dict)) else value


# ---------------------------------------------------------------- arithmetic


def _sum(left: Any, right: Any, sign: int) -> Any:
    if is_empty(right):
        return left if left.__class__ is Decimal else None
    if is_empty(left):
        return (right if sign > 0 else EXACT.minus(right)) if right.__class__ is Decimal else None
    try:
        return _of_moments(_moment_of(left), _moment_of(right), left, right, sign)
    except (OverflowError, TypeError):  # beyond the calendar, or an offset on one side only
        return None


def _moment_of(value: Any) -> date | None:
    return value if isinstance(value, date) else parse_datetime(value) or parse_date(value)


def _of_moments(left: date | None, right: date | None, first: Any, second: Any, sign: int) -> Any:
    """Return a date that is days later or earlier, or the days between two."""
    if left is not None and second.__class__ is Decimal:
        return left + sign * timedelta(days=float(second))
    if right is not None and first.__class__ is Decimal and sign > 0:
        return right + timedelta(days=float(first))
    if left is None or right is None or sign > 0:
        return None
    if isinstance(left, datetime) and isinstance(right, datetime):
        return DIVISION.divide(Decimal((left - right) // timedelta(seconds=1)), Decimal(86_400))
    return Decimal((_day(left) - _day(right)).days)


def _day(value: date) -> date:
    return value.date() if isinstance(value, datetime) else value


def plus(left: Any, right: Any) -> Any:
    """Add numbers, or days to a date."""
    if left.__class__ is right.__class__ is Decimal:
        return _finite(EXACT.add(left, right))
    return _sum(left, right, 1)


def minus(left: Any, right: Any) -> Any:
    """Subtract numbers, days from a date, or a date from another (in days)."""
    if left.__class__ is right.__class__ is Decimal:
        return _finite(EXACT.subtract(left, right))
    return _sum(left, right, -1)


def times(left: Any, right: Any) -> Decimal | None:
    """Multiply; None when a factor is missing."""
    return _finite(EXACT.multiply(left, right)) if left.__class__ is right.__class__ is Decimal else None


def divide(left: Any, right: Any) -> Decimal | None:
    """Divide to 28 digits; None by zero and when an operand is missing."""
    if left.__class__ is right.__class__ is Decimal and right:
        return _finite(DIVISION.divide(left, right))
    return None


def negative(value: Any) -> Decimal | None:
    """Change the sign."""
    return EXACT.minus(value) if value.__class__ is Decimal else None


def absolute(value: Any) -> Decimal | None:
    """Drop the sign."""
    return EXACT.abs(value) if value.__class__ is Decimal else None


def rounded(value: Any, digits: Any) -> Decimal | None:
    """Round half up to so many decimals, from -20 to 20."""
    if digits.__class__ is not Decimal or digits != digits.to_integral_value() or abs(digits) > MAX_DIGITS:
        return None
    return to_step(value, Decimal(1).scaleb(-int(digits)), ROUND_HALF_UP)


def floored(value: Any) -> Decimal | None:
    """Round down to a whole number."""
    return to_step(value, _ONE, ROUND_FLOOR)


def ceiled(value: Any) -> Decimal | None:
    """Round up to a whole number."""
    return to_step(value, _ONE, ROUND_CEILING)


def to_step(value: Any, step: Decimal, rounding: str = ROUND_HALF_UP) -> Decimal | None:
    """Round a number to the decimals of `step`, None for what is no number."""
    if value.__class__ is not Decimal:
        return None
    found: Decimal = value.quantize(step, rounding, EXACT)
    # Only what has too many digits before the step to show any behind it.
    return found if found.is_finite() else value


# ---------------------------------------------------------------- the rest


def joined(left: Any, right: Any) -> str:
    """Join two values as text: numbers in full, dates as ISO 8601, nothing for what is missing."""
    text = text_of(left)
    return text if len(text) >= _MAX_TEXT else (text + text_of(right))[:_MAX_TEXT]


def text_of(value: Any) -> str:
    """Return a value as text, the same in every language."""
    if isinstance(value, date):
        return value.isoformat()
    if value.__class__ is Decimal and not value:
        return "0"  # without the sign that a zero may have
    return "" if isinstance(value, (list, dict)) else plain_text(value, _NEUTRAL)


def truth(value: Any) -> bool:
    """Return whether a value counts as true: what is neither false, nor 0, nor empty."""
    return not is_empty(value) and value is not False and value != 0


def comparison(operator: str) -> Callable[[Any, Any], bool]:
    """Return the function of a comparison, as conditions compare."""
    if operator in {"=", "!="}:
        wanted = operator == "="
        return lambda left, right: equal(left, right) is wanted
    signs = {"<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (0, 1)}[operator]
    return lambda left, right: order(left, right) in signs


def aggregate(function: str, values: Iterable[Any]) -> Number | None:
    """Return `sum`, `average`, `count`, `min` or `max` of cells, exactly.

    When there is nothing to take, `sum` is 0 as in a spreadsheet, and of the others only `count` has a value.
    Empty cells and what is no number are passed over; `count` counts every cell that is not empty.
    """
    cells = values if isinstance(values, list) else list(values)
    if function == "count":
        return sum(not is_empty(cell) for cell in cells)
    column = fixed(cells)
    return _aggregate_fixed(function, column) if column is not None else _aggregate(function, cleaned(cells))


def row_aggregate(function: str, *values: Any) -> Number | None:
    """Return the same of the arguments of a function, cleaned already."""
    return (
        sum(not is_empty(value) for value in values) if function == "count" else _aggregate(function, values)
    )


def _aggregate(function: str, values: Iterable[Any]) -> Number | None:
    numbers = [value for value in values if value.__class__ is Decimal]
    if not numbers:
        return 0 if function == "sum" else None
    if function in {"min", "max"}:
        return result(min(numbers) if function == "min" else max(numbers))
    total = Decimal(0)
    for number in numbers:
        total = EXACT.add(total, number)
    return result(_finite(total if function == "sum" else DIVISION.divide(total, Decimal(len(numbers)))))


def _aggregate_fixed(function: str, column: Fixed) -> Number | None:
    ints = column.ints
    if function in {"min", "max"}:
        found = Decimal(min(ints) if function == "min" else max(ints))
    else:
        found = EXACT.plus(Decimal(sum(ints)))
        if function == "average":
            found = DIVISION.divide(found, Decimal(len(ints)))
    return result(EXACT.scaleb(found, -column.scale))
