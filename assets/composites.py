"""Letters that are made of other letters, in a TrueType font. Pure.

An `ä` is an `a` and two dots, each of which may be made of others. Twelve such levels of forty parts are some
kilobytes, and more outlines than any reader ever draws; a letter that contains itself has no end at all.
"""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import Final

MOST_OUTLINES: Final = 1000  # of one letter; usual are two or three
MOST_LEVELS: Final = 16
MOST_PARTS: Final = 1_000_000  # of all letters together
_WORDS, _SCALE, _MORE, _TWO_SCALES, _MATRIX = 0x0001, 0x0008, 0x0020, 0x0040, 0x0080


class EndlessLetter(ValueError):
    """A letter that is made of too many others, or of itself."""


def check_composites(head: bytes, loca: bytes, glyf: bytes) -> None:
    """Look at every letter; raises EndlessLetter, and struct.error or IndexError for damaged tables."""
    composites = _composites(head, loca, glyf)
    known: dict[int, tuple[int, int]] = {}

    def measured(glyph: int, level: int) -> tuple[int, int]:
        """Return the outlines and the levels of a letter."""
        if glyph not in composites:
            return 1, 0
        if glyph not in known:
            outlines, levels = 0, 0
            for part in composites[glyph] if level < MOST_LEVELS else ():
                inside = measured(part, level + 1)
                outlines, levels = outlines + inside[0], max(levels, inside[1] + 1)
            if not levels or levels > MOST_LEVELS or outlines > MOST_OUTLINES:
                raise EndlessLetter(glyph)
            known[glyph] = outlines, levels
        return known[glyph]

    for glyph in composites:
        measured(glyph, 0)


def _composites(head: bytes, loca: bytes, glyf: bytes) -> dict[int, list[int]]:
    """Return the parts of each letter that has some, by the numbers of their glyphs."""
    is_long = struct.unpack_from(">h", head, 50)[0] != 0
    places = struct.unpack(f">{len(loca) // 4}L", loca[: len(loca) // 4 * 4]) if is_long else None
    if places is None:
        places = tuple(2 * half for half in struct.unpack(f">{len(loca) // 2}H", loca[: len(loca) // 2 * 2]))
    found: dict[int, list[int]] = {}
    left = MOST_PARTS
    for glyph, (start, stop) in enumerate(pairwise(places)):
        # Less than nothing: the rest of the glyph is a list of parts.
        if stop >= start + 10 and stop <= len(glyf) and glyf[start] & 0x80:
            found[glyph] = _parts(glyf, start + 10, min(left, MOST_OUTLINES))
            left -= len(found[glyph])
    return found


def _parts(glyf: bytes, at: int, most: int) -> list[int]:
    parts: list[int] = []
    flags = _MORE
    while flags & _MORE:
        if len(parts) >= most:
            raise EndlessLetter
        flags, part = struct.unpack_from(">HH", glyf, at)
        parts.append(part)
        at += 4 + (4 if flags & _WORDS else 2)
        at += 2 if flags & _SCALE else 4 if flags & _TWO_SCALES else 8 if flags & _MATRIX else 0
    return parts
