"""Lines of plain texts in an 8-bit font: broken between words, cut, or set smaller. Widths in em/1000."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Container, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from config.value import value
from rendering.formats.pdf.typeset.atoms import (
    SOFT_HYPHEN,
    ZERO_SPACE,
    behind_signs,
    is_address,
    parts,
    unbroken,
)
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

    They are hyphenated where the language allows it, else broken behind a sign, else anywhere. A line holds
    at least one character. Time is linear in the texts.
    """
    rows = list(map(_pieces, texts))
    advances = iter(font.advances([word for row in rows for word in row.words]))
    return [_wrapped(row, [next(advances) for _ in row.words], font, limit, language) for row in rows]


@value
class _Pieces:
    """A text in pieces that are not parted while they fit; those `joined` follow without a blank.

    `rigid` belong to an address: a hyphen would make another one of it.
    """

    words: Sequence[str]
    joined: Container[int] = ()
    rigid: Container[int] = ()


def _pieces(text: str) -> _Pieces:
    words = text.replace("\n", " \n ").split(" ")
    if unbroken(text):
        return _Pieces(words)
    pieces: list[str] = []
    joined: set[int] = set()
    rigid: set[int] = set()
    for word in words:
        begin = len(pieces)
        pieces += parts(word)
        joined.update(range(begin + 1, len(pieces)))
        if is_address(word):
            rigid.update(range(begin, len(pieces)))
    return _Pieces(pieces, joined, rigid)


def _wrapped(row: _Pieces, advances: Sequence[float], font: Font, limit: float, language: str) -> list[str]:
    words, joined, rigid = row.words, row.joined, row.rigid
    lines: list[str] = []
    line: list[str] = []
    used = 0.0
    if len(words) > CHECKED:
        font.check_time()
    for index, (word, advance) in enumerate(zip(words, advances, strict=True)):
        if word == "\n":
            lines.append("".join(line).rstrip())
            line, used = [], 0.0
            continue
        if line:
            blank, space = ("", 0.0) if index in joined else (" ", font.space)
            if used + space + advance <= limit:
                line.append(blank + word)
                used += space + advance
                continue
            torn: Sequence[str] = ()
            if advance > limit and index not in rigid:
                torn = _hyphenated(word, font, limit, limit - used - space, language)
            if torn:
                line.append(blank + torn[0])
            lines.append("".join(line).rstrip())
            if torn:
                *full, word = torn[1:]
                lines.extend(full)
                line, used = [word], font.advances([word])[0]
                continue
            if not word:
                line, used = [], 0.0
                continue
        elif not word and lines:
            continue  # blanks do not begin a line
        if advance > limit:
            torn = () if index in rigid else _hyphenated(word, font, limit, limit, language)
            *full, word = torn or broken(word, font, limit)
            lines.extend(full)
            advance = font.advances([word])[0]
        line, used = [word], advance
    lines.append("".join(line).rstrip())
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
    """Return a word in pieces that fit, a character at least; behind its signs where it has some."""
    font.check_time()  # a cell may be one word as long as a book, and a table full of them
    ends = list(accumulate(font.advances(list(word))))
    signs = behind_signs(word)
    pieces: list[str] = []
    start, before = 0, 0.0
    while start < len(word):
        stop = max(bisect_right(ends, before + limit, start), start + 1)
        last = bisect_right(signs, stop) - 1
        if stop < len(word) and last >= 0 and signs[last] > start:
            stop = signs[last]
        pieces.append(word[start:stop])
        start, before = stop, ends[stop - 1]
    return pieces


def told(lines: Sequence[str], text: str) -> list[str]:
    """Return what the lines of a wrapped text say where they do not show it (`TextLine.said`).

    Nothing where the lines are not those of the text, such as after something was taken out of it.
    """
    said: list[str] = []
    at = 0
    for line in lines:
        while text[at : at + 1].isspace() and not text.startswith(line or "\n", at):
            at += 1
        added = not text.startswith(line, at)
        kept = line[:-1] if added else line
        if added and not (line[-1:] == "-" and text.startswith(kept, at)):
            return [""] * len(lines)
        at += len(kept)
        goes_on = at < len(text) and not text[at].isspace()
        said.append(kept + (SOFT_HYPHEN if added else ZERO_SPACE) if line and goes_on else "")
    return said


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
