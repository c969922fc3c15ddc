"""Names of worksheets: valid for Excel and unique in the workbook. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

LONGEST: Final = 31
_FORBIDDEN: Final = re.compile(r"[\[\]:*?/\\\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]+")
_RESERVED: Final = {"history"}
LONGEST_HEAD: Final = 200
_REFERENCE: Final = re.compile(r"[A-Za-z]{1,3}\d+|[RrCc]\d*|[Rr]\d*[Cc]\d*")


class _Unique:
    """Names of which no two are alike, in upper or lower case."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.used = set(taken)  # in lower case
        self._numbers: dict[str, int] = {}  # the last one that was tried for a wish

    def take(self, wished: str, numbered: Callable[[int], str]) -> str:
        """Return the wish, or the first of `numbered(2)`, `numbered(3)` ... that is free.

        Numbers that were tried before are not tried again.
        """
        name, number = wished, self._numbers.get(wished.lower(), 1)
        while name.lower() in self.used:
            number += 1
            name = numbered(number)
        self._numbers[wished.lower()] = number
        self.used.add(name.lower())
        return name


class SheetNames:
    """Hands out names of worksheets."""

    def __init__(self) -> None:
        self._names = _Unique(_RESERVED)
        self._untitled = 1

    def take(self, title: str) -> str:
        """Return a free name close to `title`: "Sheet1" for an empty one, "Title (2)" for the second."""
        wished = _valid(title)
        if not wished:
            while f"sheet{self._untitled}" in self._names.used:
                self._untitled += 1
            wished = f"Sheet{self._untitled}"

        def numbered(number: int) -> str:
            ending = f" ({number})"
            return _shortened(wished, LONGEST - len(ending)) + ending

        return self._names.take(wished, numbered)


class TableNames:
    """Hands out names of Excel tables: letters, digits and `_`, unlike any cell's reference."""

    def __init__(self) -> None:
        """Begin with none in use."""
        self._names = _Unique()

    def take(self, title: str) -> str:
        """Return a free name close to `title`."""
        wished = re.sub(r"[^A-Za-z0-9_]+", "_", title).strip("_")[:LONGEST]
        if not wished or not wished[0].isalpha() or _REFERENCE.fullmatch(wished):
            wished = f"Table_{wished}".rstrip("_")
        return self._names.take(wished, partial("{}_{}".format, wished))


def heads(texts: Iterable[str]) -> list[str]:
    """Return heads as an Excel table needs them: on one line, none empty, no two alike."""
    names = _Unique()
    wishes = (
        " ".join(text.split())[:LONGEST_HEAD] or f"Column{at}" for at, text in enumerate(texts, start=1)
    )
    return [names.take(wished, partial("{} {}".format, wished)) for wished in wishes]


def _valid(title: str) -> str:
    text = " ".join(_FORBIDDEN.sub(" ", title).split())
    return _shortened(text.strip("' "), LONGEST).strip("' ")


def _shortened(text: str, longest: int) -> str:
    """Return at most `longest` UTF-16 units, as Excel counts, never half a character."""
    text = text[:longest]
    while len(text.encode("utf-16-le")) // 2 > longest:
        text = text[:-1]
    return text.rstrip("' ")
