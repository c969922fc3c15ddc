"""Letters of a spreadsheet's columns. Pure."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=1024)
def letters_of_column(index: int) -> str:
    """Return the letters of a column counted from 0: A, B, ... Z, AA."""
    letters = ""
    number = index + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
