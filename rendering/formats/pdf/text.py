"""Text as it may be drawn: cleaned, measured, broken into lines. There is no markup, so none is obeyed."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from rendering.formats.pdf.fonts import Face

ELLIPSIS: Final = "…"
_NEWLINES: Final = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_WORDS: Final = re.compile("[ \u2002-\u2006\u2008-\u200a]+")


@lru_cache(maxsize=4096)
def _drawable(character: str) -> str:
    """Return what stands for a character: controls and invisible marks vanish, half ones are marked."""
    if character in "\n\xa0\u202f\u2007":
        return character
    if character == "\t":
        return "    "
    category = unicodedata.category(character)
    if category == "Cs":
        return "\ufffd"
    return "" if category in {"Cc", "Cf", "Co", "Cn"} else character


def clean(text: str) -> str:
    """Return `text` without what cannot be drawn; line ends become newlines."""
    if text.isprintable():
        return text
    return "".join(map(_drawable, _NEWLINES.sub("\n", text)))


def one_line(text: str) -> str:
    """Return the cleaned text with every run of blanks as a single space."""
    return " ".join(clean(text).split())


class Measure:
    """Widths in one face and size, with the words already measured kept."""

    __slots__ = ("_words", "face", "size", "space")

    KEPT: Final = 20_000

    def __init__(self, face: Face, size: float) -> None:
        self.face = face
        self.size = size
        self.space = face.width(" ", size)
        self._words: dict[str, float] = {}

    def width(self, text: str) -> float:
        """Return the width of a text in points; not kept."""
        return self.face.width(text, self.size)

    def word(self, text: str) -> float:
        """Return the width of a word, kept for the next time."""
        width = self._words.get(text)
        if width is None:
            if len(self._words) >= self.KEPT:
                self._words.clear()
            width = self._words[text] = self.face.width(text, self.size)
        return width

    def wrap(self, text: str, width: float) -> list[str]:
        """Return cleaned `text` in lines no wider than `width`; newlines are kept, words too long are broken.

        A line holds at least one character, however narrow the column; time is linear in the text.
        """
        if "\n" not in text:
            return [text] if self.width(text) <= width else self._wrap_line(text, width)
        lines: list[str] = []
        for line in text.split("\n"):
            lines.extend([line] if self.width(line) <= width else self._wrap_line(line, width))
        return lines

    def _wrap_line(self, text: str, width: float) -> list[str]:
        lines: list[str] = []
        words: list[str] = []
        used = 0.0
        for word in _WORDS.split(text):
            needed = self.word(word)
            if words and used + self.space + needed > width:
                lines.append(" ".join(words))
                words = []
            if words:
                used += self.space + needed
                words.append(word)
                continue
            if needed > width:
                *full, word = self._broken(word, width)
                lines.extend(full)
                needed = self.word(word)
            words, used = [word], needed
        lines.append(" ".join(words))
        return lines

    def _broken(self, word: str, width: float) -> list[str]:
        """Return a word in pieces that fit, a combining mark staying with its letter."""
        pieces: list[str] = []
        start, used = 0, 0.0
        for index, character in enumerate(word):
            step = self.word(character)
            if used + step > width and index > start and not unicodedata.combining(character):
                pieces.append(word[start:index])
                start, used = index, 0.0
            used += step
        pieces.append(word[start:])
        return pieces

    def longest_word(self, text: str) -> float:
        """Return the width of the widest word."""
        return max((self.word(word) for word in text.split()), default=0.0)

    def clipped(self, text: str, width: float) -> str:
        """Return a single line no wider than `width`, ended by an ellipsis when something was cut."""
        if self.width(text) <= width:
            return text
        room = width - self.word(ELLIPSIS)
        used = 0.0
        for index, character in enumerate(text):
            used += self.word(character)
            if used > room:
                return text[:index].rstrip() + ELLIPSIS if room > 0 else ""
        return text
