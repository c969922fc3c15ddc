"""How the entries of ordered lists are counted: digits, letters, Roman numbers, or 1., 1.1, 1.1.1. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from rendering.formats.directions import subtags

STYLES: Final = ("decimal", "alpha", "roman")
OUTLINE: Final = "outline"  # as clauses are counted: each level goes on from the number above it
MOST_ROMAN: Final = 3999
_ROMAN: Final = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
MOST_HEBREW: Final = 999
# 15 and 16 are not written as 10 + 5 and 10 + 6, which begin the name of God.
_HEBREW: Final = (
    (400, "ת"), (300, "ש"), (200, "ר"), (100, "ק"), (90, "צ"), (80, "פ"), (70, "ע"), (60, "ס"), (50, "נ"),
    (40, "מ"), (30, "ל"), (20, "כ"), (16, "טז"), (15, "טו"), (10, "י"), (9, "ט"), (8, "ח"), (7, "ז"),
    (6, "ו"), (5, "ה"), (4, "ד"), (3, "ג"), (2, "ב"), (1, "א"),
)  # fmt: skip
_ABJAD: Final = "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ"  # the order in which Arabic counts; no letter after the last


def alpha(number: int) -> str:
    """Return a to z, aa, ab and so on; below 1 the number itself."""
    letters = ""
    rest = number
    while rest > 0:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters or str(number)


def roman(number: int) -> str:
    """Return a lower-case Roman number; the number itself where there is none."""
    return _added(number, _ROMAN) if 1 <= number <= MOST_ROMAN else str(number)


def hebrew(number: int) -> str:
    """Return a number in Hebrew letters; the number itself where there are none."""
    return _added(number, _HEBREW) if 1 <= number <= MOST_HEBREW else str(number)


def abjad(number: int) -> str:
    """Return one of the 28 letters of Arabic; the number itself where there is none."""
    return _ABJAD[number - 1] if 1 <= number <= len(_ABJAD) else str(number)


def _added(number: int, signs: tuple[tuple[int, str], ...]) -> str:
    letters = ""
    for value, sign in signs:
        count, number = divmod(number, value)
        letters += sign * count
    return letters


_WRITTEN: Final[Mapping[str, Callable[[int], str]]] = {"decimal": str, "alpha": alpha, "roman": roman}
_ALPHABETS: Final[Mapping[str, Callable[[int], str]]] = {
    "ar": abjad, "fa": abjad, "ur": abjad, "he": hebrew, "iw": hebrew, "yi": hebrew,
}  # fmt: skip


def style_of_level(style: str, depth: int) -> str:
    """Return how a list counts that is so deep in others, of which the outermost (0) counts in a style."""
    if style == OUTLINE:
        return "decimal"
    return STYLES[(STYLES.index(style) + depth) % len(STYLES)]


def marks(style: str, depth: int, language: str, numbers: Iterable[int], above: str) -> list[str]:
    """Return the marks of the items of an ordered list that is so deep in others.

    `style` is how the outermost of these counts, `above` the mark of the item that they belong to.
    """
    if style == OUTLINE and above:
        return [f"{above.removesuffix('.')}.{number}" for number in numbers]
    write = counter(style_of_level(style, depth), language)
    return [f"{write(number)}." for number in numbers]


def counter(style: str, language: str) -> Callable[[int], str]:
    """Return what writes numbers in a style; `alpha` is the alphabet of the language (BCP 47), else Latin."""
    if style == "alpha":
        return _ALPHABETS.get(subtags(language)[0], alpha)
    return _WRITTEN[style]
