"""Value axes of charts: round ticks, and how they are written."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Final

from babel.numbers import get_decimal_symbol

from config.value import dataclass
from templates_app.expressions.helpers import Format

LARGEST: Final = 1e100  # what is beyond is no value of a chart
STEPS: Final = (1, 2, 5, 10)


@dataclass(frozen=True, slots=True)
class Scale:
    """From `low` to `high`, with ticks and their texts."""

    low: float
    high: float
    ticks: Sequence[float]
    texts: Sequence[str]

    def share(self, value: float) -> float:
        """Return where a value is: 0 at the low end, 1 at the high one."""
        return (value - self.low) / (self.high - self.low)


def usable(value: object) -> float | None:
    """Return a value as float; None for what no axis can show."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and abs(number) < LARGEST else None


def scale_for(values: Iterable[float], written: Format, count: int, *, from_zero: bool) -> Scale:
    """Return a scale that holds all values with about `count` steps of 1, 2 or 5.

    `from_zero` makes it begin (or end) at zero; without it, it does so unless the values are far from zero.
    """
    found = list(values)
    low, high = (min(found), max(found)) if found else (0.0, 0.0)
    far = (low > 0 and low > 0.6 * high) or (high < 0 and high < 0.6 * low)
    if from_zero or not far or high - low < abs(high) * 1e-9:
        low, high = min(low, 0.0), max(high, 0.0)
    if low == high:
        high = low + 1.0
    step = _step((high - low) / max(count, 1))
    first = math.floor(Decimal(low) / step + Decimal("1e-9"))
    last = math.ceil(Decimal(high) / step - Decimal("1e-9"))
    ticks = [index * step for index in range(first, max(last, first + 1) + 1)]
    return Scale(
        float(ticks[0]), float(ticks[-1]), [float(tick) for tick in ticks], tick_texts(ticks, written)
    )


def _step(least: float) -> Decimal:
    """Return the smallest round step that is not below `least`."""
    exponent = math.floor(math.log10(least)) if least > 0 else 0
    power = Decimal(1).scaleb(exponent)
    return next(
        (power * step for step in STEPS if power * step >= Decimal(least) * Decimal("0.999999")), power * 10
    )


def tick_texts(ticks: Sequence[Decimal], written: Format) -> list[str]:
    """Return the ticks as text; where all are whole, without decimals that say nothing."""
    whole = all(tick == tick.to_integral_value() for tick in ticks)
    return [number_text(tick.normalize() + 0, written, whole=whole) for tick in ticks]


def number_text(value: Decimal, written: Format, *, whole: bool) -> str:
    """Return a value as the chart writes it; `whole` leaves out decimals that are zero."""
    text = written.text(value)
    if not whole:
        return text
    return _zeros(written.style.locale).sub("", text)


@lru_cache(maxsize=64)
def _zeros(locale: str) -> re.Pattern[str]:
    """Return what finds decimals that are all zero."""
    return re.compile(re.escape(get_decimal_symbol(locale)) + r"0+(?!\d)")
