"""What a face adds between two neighbouring characters, as HarfBuzz finds it; thousandths of an em."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import uharfbuzz as hb

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.faces import Face

# An 8-bit font shows each character as its own glyph.
NO_LIGATURES: Final = dict.fromkeys(("liga", "clig", "calt", "ccmp", "locl", "rlig"), False)
_BETWEEN: Final = "\n"  # no glyph, so it is kerned with nothing
_SCRIPTS: Final = ("\u0370", "\u0400", "\u0530")  # where Greek and Cyrillic begin, and where they end


def of_pair(face: Face, pair: str) -> int:
    """Return what is added between two characters; 0 where they do not stay the glyphs that they are."""
    return _shaped(face, [pair])[0]


def of_pairs(face: Face, pairs: Iterable[str]) -> dict[str, int]:
    """Return what is added between the characters of many pairs of Latin, Greek and Cyrillic text.

    They are shaped together, those of a script at a time: one by one takes five times as long. Pairs with a
    line end have no kerning.
    """
    groups: dict[int, list[str]] = {}
    found = dict.fromkeys(pairs, 0)
    for pair in found:
        if _BETWEEN not in pair:
            groups.setdefault(_script(pair), []).append(pair)
    for group in groups.values():
        found.update(zip(group, _shaped(face, group), strict=True))
    return found


def _script(pair: str) -> int:
    """Return which script's rules count for a pair: those of its first letter."""
    letter = pair[0] if pair[0].isalpha() else pair[1]
    return bisect_right(_SCRIPTS, letter) if letter.isalpha() else -1


def _shaped(face: Face, pairs: list[str]) -> list[int]:
    buffer = hb.Buffer()
    buffer.add_str(_BETWEEN.join(pairs))
    buffer.direction = "ltr"
    buffer.guess_segment_properties()
    hb.shape(face.font, buffer, NO_LIGATURES)
    glyphs = [info.codepoint for info in buffer.glyph_infos]
    if len(glyphs) != 3 * len(pairs) - 1:  # something was put together or taken apart
        return [0] if len(pairs) == 1 else [of_pair(face, pair) for pair in pairs]
    advances = [position.x_advance for position in buffer.glyph_positions or ()]
    alone = {character: face.glyph(character) for character in set("".join(pairs))}
    widths = {character: face.advance(glyph) for character, glyph in alone.items()}
    shown = zip(pairs, glyphs[::3], glyphs[1::3], advances[::3], advances[1::3], strict=True)
    return [
        before + after - widths[pair[0]] - widths[pair[1]]
        if first == alone[pair[0]] and second == alone[pair[1]]
        else 0
        for pair, first, second, before, after in shown
    ]
