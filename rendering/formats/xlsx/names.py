"""Names of worksheets: valid for Excel and unique in the workbook. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

LONGEST: Final = 31
_FORBIDDEN: Final = re.compile(r"[\[\]:*?/\\\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]+")
_RESERVED: Final = {"history"}
LONGEST_HEAD: Final = 200
_REFERENCE: Final = re.compile(r"[A-Za-z]{1,3}\d+|[RrCc]\d*|[Rr]\d*[Cc]\d*")


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


class TableNames:
    """Hands out names of Excel tables: letters, digits and `_`, unlike any cell's reference."""

    def __init__(self) -> None:
        """Begin with none in use."""
        self._used: set[str] = set()

    def take(self, title: str) -> str:
        """Return a free name close to `title`."""
        wished = re.sub(r"[^A-Za-z0-9_]+", "_", title).strip("_")[:LONGEST]
        if not wished or not wished[0].isalpha() or _REFERENCE.fullmatch(wished):
            wished = f"Table_{wished}".rstrip("_")
        name, number = wished, 1
        while name.lower() in self._used:
            number += 1
            name = f"{wished}_{number}"
        self._used.add(name.lower())
        return name


def heads(texts: Iterable[str]) -> list[str]:
    """Return heads as an Excel table needs them: on one line, none empty, no two alike."""
    used: set[str] = set()
    found = []
    for index, text in enumerate(texts, start=1):
        wished = " ".join(text.split())[:LONGEST_HEAD] or f"Column{index}"
        name, number = wished, 1
        while name.lower() in used:
            number += 1
            name = f"{wished} {number}"
        used.add(name.lower())
        found.append(name)
    return found


def _valid(title: str) -> str:
    text = " ".join(_FORBIDDEN.sub(" ", title).split())
    return _shortened(text.strip("' "), LONGEST).strip("' ")


def _shortened(text: str, longest: int) -> str:
    """Return at most `longest` UTF-16 units, as Excel counts, never half a character."""
    while len(text.encode("utf-16-le")) // 2 > longest:
        text = text[:-1]
    return text.rstrip("' ")
