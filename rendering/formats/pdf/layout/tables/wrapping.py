"""Lines of plain texts in an 8-bit font: broken between words, cut, or set smaller. Widths in em/1000."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from rendering.formats.pdf.typeset.hyphenation import points

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.typesetter import Font

ELLIPSIS: Final = "…"
HYPHEN: Final = "-"
NARROW: Final = 20  # a character is seldom narrower than this: how much of a long text is looked at
CHECKED: Final = 100  # words from which on a text is worth a look at the clock
_BLANKS: Final = re.compile(r"[ \n]+")


def wrapped(texts: Sequence[str], font: Font, limit: float, language: str) -> list[list[str]]:
    """Return each text in lines no wider than `limit`; newlines are kept, longer words are parted.

    They are hyphenated where the language allows it, else broken anywhere. A line holds at least one
    character. Time is linear in the texts.
    """
    words = [text.replace("\n", " \n ").split(" ") for text in texts]
    advances = iter(font.advances([word for some in words for word in some]))
    return [_wrapped(some, [next(advances) for _ in some], font, limit, language) for some in words]


def _wrapped(
    words: Sequence[str], advances: Sequence[float], font: Font, limit: float, language: str
) -> list[str]:
    lines: list[str] = []
    line: list[str] = []
    used, space = 0.0, font.space
    if len(words) > CHECKED:
        font.check_time()
    for word, advance in zip(words, advances, strict=True):
        if word == "\n":
            lines.append(" ".join(line).rstrip())
            line, used = [], 0.0
            continue
        if line:
            if used + space + advance <= limit:
                line.append(word)
                used += space + advance
                continue
            parts = _hyphenated(word, font, limit, limit - used - space, language) if advance > limit else ()
            if parts:
                line.append(parts[0])
            lines.append(" ".join(line).rstrip())
            if parts:
                *full, word = parts[1:]
                lines.extend(full)
                line, used = [word], font.advances([word])[0]
                continue
            if not word:
                line, used = [], 0.0
                continue
        elif not word and lines:
            continue  # blanks do not begin a line
        if advance > limit:
            *full, word = _hyphenated(word, font, limit, limit, language) or broken(word, font, limit)
            lines.extend(full)
            advance = font.advances([word])[0]
        line, used = [word], advance
    lines.append(" ".join(line).rstrip())
    return lines


def _hyphenated(word: str, font: Font, limit: float, room: float, language: str) -> Sequence[str]:
    """Return a word in parts with hyphens, the first no wider than `room`; none where that cannot be."""
    places = points(word, language)
    parts: list[str] = []
    start = 0
    while places:
        ends = [place for place in places if place > start]
        *heads, rest = font.advances([*(word[start:end] + HYPHEN for end in ends), word[start:]])
        if parts and rest <= limit:
            return [*parts, word[start:]]
        fitting = [end for end, head in zip(ends, heads, strict=True) if head <= (limit if parts else room)]
        if not fitting:
            break
        parts.append(word[start : fitting[-1]] + HYPHEN)
        start = fitting[-1]
    return ()


def broken(word: str, font: Font, limit: float) -> list[str]:
    """Return a word in pieces that fit, a character at least."""
    ends = list(accumulate(font.advances(list(word))))
    pieces: list[str] = []
    start, before = 0, 0.0
    while start < len(word):
        stop = max(bisect_right(ends, before + limit, start), start + 1)
        pieces.append(word[start:stop])
        start, before = stop, ends[stop - 1]
    return pieces


def cut(text: str, font: Font, limit: float) -> str:
    """Return the beginning of a text with an ellipsis, no wider than `limit`."""
    text = one_line(text)[: int(limit / NARROW) + 2]
    room = limit - font.advances([ELLIPSIS])[0]
    if room < 0:
        return ""
    kept = bisect_right(list(accumulate(font.advances(list(text)))), room)
    return text[:kept].rstrip() + ELLIPSIS


def one_line(text: str) -> str:
    """Return a text with its line ends as blanks."""
    return _BLANKS.sub(" ", text) if "\n" in text else text
