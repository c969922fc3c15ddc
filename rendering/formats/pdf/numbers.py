"""Numbers as page code writes them."""

from __future__ import annotations

from functools import lru_cache
from typing import Final


class _Hundredths(dict[int, str]):
    """The code of n / 100 for whole n: short, without exponent and without -0. Filled as it is asked."""

    def __missing__(self, n: int) -> str:
        whole, part = divmod(abs(n), 100)
        text = f"{whole}.{part:02}".rstrip("0").removesuffix(".")
        if n < 0:
            text = "-" + text
        if len(self) > 20_000:
            self.clear()  # bounded; what is lost is made again
        self[n] = text
        return text


# Points to a hundredth. Shared by all threads: the worst that a race does is to make an entry twice.
HUNDREDTHS: Final = _Hundredths()


def number(value: float) -> str:
    """Return the code of a length in points."""
    return HUNDREDTHS[round(value * 100)]


@lru_cache(1024)
def precise(value: float) -> str:
    """Return the code of a factor or a font size, five places: a hundredth would show over a long line."""
    text = f"{value:.5f}".rstrip("0").removesuffix(".")
    return "0" if text == "-0" else text
