"""Names of worksheets: valid for Excel and unique in the workbook. Pure."""

from __future__ import annotations

import re
from typing import Final

LONGEST: Final = 31
_FORBIDDEN: Final = re.compile(r"[\[\]:*?/\\\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]+")
_RESERVED: Final = {"history"}


class SheetNames:
    """Hands out names; two that differ only in case count as the same."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def take(self, title: str) -> str:
        """Return a free name close to `title`: "Sheet1" for an empty one, "Title (2)" for the second."""
        wished = _valid(title)
        if not wished:
            number = 1
            while f"sheet{number}" in self._used:
                number += 1
            wished = f"Sheet{number}"
        name, number = wished, 1
        while name.lower() in self._used or name.lower() in _RESERVED:
            number += 1
            ending = f" ({number})"
            name = _shortened(wished, LONGEST - len(ending)) + ending
        self._used.add(name.lower())
        return name


def _valid(title: str) -> str:
    text = " ".join(_FORBIDDEN.sub(" ", title).split())
    return _shortened(text.strip("' "), LONGEST).strip("' ")


def _shortened(text: str, longest: int) -> str:
    """Return at most `longest` UTF-16 units, as Excel counts, never half a character."""
    while len(text.encode("utf-16-le")) // 2 > longest:
        text = text[:-1]
    return text.rstrip("' ")
