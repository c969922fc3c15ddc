"""Grapheme clusters (what readers take for one character) and scripts, as far as choosing faces needs it."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

JOINER: Final = "\u200d"
# Characters that draw nothing and steer their neighbours: joiners, direction marks, variation selectors.
IGNORABLE: Final = frozenset(
    map(chr, (0x00AD, 0x034F, 0x061C, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)))
) | frozenset(map(chr, (*range(0xFE00, 0xFE10), 0xFEFF, *range(0xE0000, 0xE0200))))
# Between two consonants these make one sign of them.
LINKERS: Final = frozenset("\u094d\u09cd\u0a4d\u0acd\u0b4d\u0c4d\u0ccd\u0d4d\u1039\u17d2")
MOST: Final = 64  # characters of a cluster: thousands of marks on one letter are nobody's text
_TONES: Final = ("\U0001f3fb", "\U0001f3ff")
_REGIONS: Final = ("\U0001f1e6", "\U0001f1ff")
_TAGS: Final = ("\U000e0020", "\U000e007f")

# First character of ranges and their script; "" belongs to any. Scripts that share a shaper (Latin, Greek,
# Cyrillic and whatever is not listed) are one: "Latn".
_SCRIPTS: Final = (
    (0x0000, "Latn"), (0x0590, "Hebr"), (0x0600, "Arab"), (0x0700, "Syrc"), (0x0750, "Arab"),
    (0x0780, "Thaa"), (0x07C0, "Nkoo"), (0x0800, "Samr"), (0x0840, "Mand"), (0x0860, "Syrc"),
    (0x0870, "Arab"), (0x0900, "Deva"), (0x0980, "Beng"), (0x0A00, "Guru"), (0x0A80, "Gujr"),
    (0x0B00, "Orya"), (0x0B80, "Taml"), (0x0C00, "Telu"), (0x0C80, "Knda"), (0x0D00, "Mlym"),
    (0x0D80, "Sinh"), (0x0E00, "Thai"), (0x0E80, "Laoo"), (0x0F00, "Tibt"), (0x1000, "Mymr"),
    (0x10A0, "Latn"), (0x1100, "Hang"), (0x1200, "Latn"), (0x1700, "Tglg"), (0x1780, "Khmr"),
    (0x1800, "Mong"), (0x18B0, "Latn"), (0x1CD0, ""), (0x1D00, "Latn"), (0x2E80, "Hani"),
    (0x3040, "Hira"), (0x30A0, "Kana"), (0x3100, "Bopo"), (0x3130, "Hang"), (0x3190, "Hani"),
    (0x31F0, "Kana"), (0x3200, "Hani"), (0xA000, "Latn"), (0xA8E0, "Deva"), (0xA900, "Latn"),
    (0xAC00, "Hang"), (0xD800, "Latn"), (0xF900, "Hani"), (0xFB00, "Latn"), (0xFB1D, "Hebr"),
    (0xFB50, "Arab"), (0xFE00, ""), (0xFE70, "Arab"), (0xFF00, "Latn"), (0x10800, "Hebr"),
    (0x11000, "Latn"), (0x1E800, "Arab"), (0x1F000, ""), (0x20000, "Hani"), (0xE0000, ""),
)  # fmt: skip
_FIRSTS: Final = [first for first, _ in _SCRIPTS]
_NAMES: Final = [name for _, name in _SCRIPTS]


def script(character: str) -> str:
    """Return the script of a letter or digit of a script, empty for what belongs to all of them."""
    if not character.isalpha():
        return ""
    return _NAMES[bisect_right(_FIRSTS, ord(character)) - 1]


def _extends(character: str) -> bool:
    """Return whether a character belongs to the one before it, whatever that is."""
    if character < "\u0300":
        return False
    return (
        character in IGNORABLE
        or unicodedata.category(character)[0] == "M"
        or _TONES[0] <= character <= _TONES[1]
        or _TAGS[0] <= character <= _TAGS[1]
    )


def _jamo(character: str) -> int:
    """Return 1 for a leading, 2 for a middle, 3 for a closing Hangul letter, 0 for others."""
    if not "\u1100" <= character <= "\u11ff":
        return 0
    return 1 if character < "\u1160" else 2 if character < "\u11a8" else 3


def clusters(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and stop of each grapheme cluster."""
    start = 0
    regions = 0  # flags are pairs of these
    for index in range(1, len(text)):
        before, character = text[index - 1], text[index]
        joined = False
        if character >= "\u0300":
            regions = regions + 1 if _REGIONS[0] <= before <= _REGIONS[1] else 0
            joined = (
                _extends(character)
                or (before == JOINER and unicodedata.category(character) == "So")
                or (character.isalpha() and (text[index - 2] if before == JOINER else before) in LINKERS)
                or (regions % 2 == 1 and _REGIONS[0] <= character <= _REGIONS[1])
                or 0 < _jamo(before) <= _jamo(character) > (1 if _jamo(before) > 1 else 0)
            )
        else:
            regions = 0
        if not joined or index - start >= MOST:
            yield start, index
            start = index
    if text:
        yield start, len(text)
