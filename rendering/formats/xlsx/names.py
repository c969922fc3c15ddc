"""Names of worksheets, Excel tables and their columns: valid for Excel and unique. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from rendering.formats.xlsx.texts import ESCAPE, shortened

LONGEST: Final = 31
_LIKE_ESCAPE: Final = re.compile("_+(?=x[0-9a-fA-F]{4})")  # with what may be appended
_FORBIDDEN: Final = re.compile(r"[\[\]:*?/\\\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]+")
_RESERVED: Final = {"history"}
LONGEST_HEAD: Final = 200
# What a formula takes for a cell or for a truth value, and names that Excel gives itself.
_TAKEN: Final = re.compile(
    r"[a-z]{1,3}\d+|[rc]\d*|r\d*c\d*|true|false|print_area|print_titles|criteria|database|extract", re.I
)


def _folded(name: str) -> str:
    """Return what two names have in common that Excel may take for one: case and width count for nothing."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


class _Unique:
    """Names of which no two are alike, whatever their case."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.used = set(taken)  # folded
        self._numbers: dict[str, int] = {}  # the last one that was tried for a wish

    def take(self, wished: str, numbered: Callable[[int], str]) -> str:
        """Return the wish, or the first of `numbered(2)`, `numbered(3)` ... that is free.

        Numbers that were tried before are not tried again.
        """
        name, number = wished, self._numbers.get(_folded(wished), 1)
        while _folded(name) in self.used:
            number += 1
            name = numbered(number)
        self._numbers[_folded(wished)] = number
        self.used.add(_folded(name))
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
            return _bare(shortened(wished, LONGEST - len(ending))) + ending

        return self._names.take(wished, numbered)


class TableNames:
    """Hands out names of Excel tables: letters, digits and `_`, unlike what a formula reads otherwise."""

    def __init__(self) -> None:
        """Begin with none in use."""
        self._names = _Unique()

    def take(self, title: str) -> str:
        """Return a free name close to `title`."""
        # What looks like the format's own escape is one in formulas and none in the name itself.
        wished = _LIKE_ESCAPE.sub("", re.sub(r"[^A-Za-z0-9_]+", "_", title)).strip("_")[:LONGEST]
        if not wished or not wished[0].isalpha() or _TAKEN.fullmatch(wished):
            wished = f"Table_{wished}".rstrip("_")
        return self._names.take(wished, partial("{}_{}".format, wished))


def heads(texts: Iterable[str]) -> list[str]:
    """Return heads as an Excel table needs them: on one line, none empty, no two alike."""
    names = _Unique()
    lines = (shortened(" ".join(text.split()), LONGEST_HEAD).rstrip() for text in texts)
    wishes = (line or f"Column{at}" for at, line in enumerate(lines, start=1))
    return [names.take(wished, partial("{} {}".format, wished)) for wished in wishes]


def in_doubt(header: str) -> bool:
    """Return whether readers differ about a head in a structured reference.

    [MS-XLSX] 2.2.2 lets no apostrophe stand before `@`, Excel's own help asks for it; LibreOffice does not
    find the end of a head after an escaped apostrophe.
    """
    return "@" in header or header.endswith("'")


def specified(header: str) -> str:
    """Return a head as it stands in the brackets of a structured reference."""
    for sign in "'#[]":
        header = header.replace(sign, f"'{sign}")
    return header


def _valid(title: str) -> str:
    # Names stand in places where Excel reads its escape `_x000A_` and in others where it does not.
    text = ESCAPE.sub("_ ", _FORBIDDEN.sub(" ", title))
    return _bare(shortened(_bare(" ".join(text.split())), LONGEST))


def _bare(name: str) -> str:
    """Return a name without blanks and apostrophes at its ends."""
    return name.strip("' ")
