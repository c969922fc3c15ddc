"""Text as it may be set: what cannot be drawn is gone. There is no markup, so none is obeyed."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_NEWLINES: Final = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
# Kept although they are controls: newline, soft hyphen, zero-width space, (non-)joiners, direction marks,
# word joiner, and the spaces that `isprintable` does not count as printable.
_KEPT: Final = frozenset("\n\xad\u200b\u200c\u200d\u200e\u200f\u061c\u2060")
_BLANKS: Final = {"\t": "    ", "\ufeff": "\u2060"}


class _Drawable(dict[int, str]):
    """What stands for each character; filled as characters are met."""

    KEPT: Final = 8192

    def __missing__(self, code: int) -> str:
        if len(self) >= self.KEPT:
            self.clear()
        self[code] = shown = _drawable(chr(code))
        return shown


def _drawable(character: str) -> str:
    """Return what stands for a character: controls and invisible marks vanish, half ones are marked."""
    if character in _KEPT:
        return character
    if character in _BLANKS:
        return _BLANKS[character]
    category = unicodedata.category(character)
    if category == "Cs":
        return "\ufffd"
    if category == "Cn":  # younger than our tables; the noncharacters end in FFFE and FFFF or are FDD0..FDEF
        code = ord(character)
        return "" if code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF else character
    return "" if category in {"Cc", "Cf", "Co"} else character


_TABLE: Final = _Drawable()


def clean(text: str) -> str:
    """Return `text` without what cannot be drawn; line ends become newlines.

    Soft hyphens, joiners, zero-width spaces and direction marks stay: they steer their neighbours.
    """
    if text.isprintable() or text.replace("\n", "").isprintable():
        return text
    return _NEWLINES.sub("\n", text).translate(_TABLE)


def one_line(text: str) -> str:
    """Return the cleaned text with every run of blanks as a single space."""
    return " ".join(clean(text).split())


def is_line(text: str) -> bool:
    """Return whether a text is words with one space between, and clean."""
    if text[:1] == " " or text[-1:] == " " or "  " in text or not text:
        return False
    return text.isprintable() or text.replace("\xa0", " ").isprintable()
