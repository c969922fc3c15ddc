"""Where words may be hyphenated, by language."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Final

LEAST_LETTERS: Final = 6
LEAST_BEFORE: Final = 2
LEAST_AFTER: Final = 3
MOST_LETTERS: Final = 90  # longer ones are no words
DICTIONARIES: Final = 4  # kept in memory at the same time; the largest takes some 15 MB

_LETTERS: Final = re.compile(r"[^\W\d_]+")
_APOSTROPHES: Final = frozenset("'’ʼ")
_DIGITS: Final = b"0123456789"
_BEGIN: Final = itemgetter(slice(2))
_HEX: Final = re.compile(r"\^\^([0-9a-f]{2})")
_COMMENTS: Final = ("%", "#", "LEFTHYPHENMIN", "RIGHTHYPHENMIN", "COMPOUND", "NOHYPHEN", "NEXTLEVEL")
_BEGINNINGS: Final = frozenset(comment[0] for comment in _COMMENTS)
_loaded: OrderedDict[str, Patterns | None] = OrderedDict()
_lock = threading.Lock()


class Patterns:
    """Patterns of one language in the format of Liang's algorithm (TeX, LibreOffice).

    A pattern is kept as it is written and read when a word has it: reading all of them beforehand takes up
    to a second.
    """

    def __init__(self, path: Path) -> None:
        """Read a dictionary of pyphen."""
        content = path.read_bytes()
        encoding = content.split(b"\n", 1)[0].strip().decode("ascii").lower()
        text = content.decode("cp1251" if encoding == "microsoft-cp1251" else encoding)
        if "^^" in text:
            text = _HEX.sub(lambda match: chr(int(match.group(1), 16)), text)
        lines = [
            line
            for line in text.split("\n")[1:]
            if line and (line[0] not in _BEGINNINGS or not line.startswith(_COMMENTS))
        ]
        # What is behind a slash says how the spelling changes; those points are told, not used.
        letters = "\n".join(lines).encode().translate(None, _DIGITS).decode().split("\n")
        if "/" in text:
            letters = [name.split("/", 1)[0] for name in letters]
        self._patterns = dict(zip(map(str.strip, letters), lines, strict=True))
        # The lengths of patterns by their first two letters: where in a word others need not be looked for.
        lengths: dict[str, set[int]] = {}
        for begin, length in set(zip(map(_BEGIN, self._patterns), map(len, self._patterns), strict=True)):
            lengths.setdefault(begin, set()).add(length)
        self._lengths = {begin: some | lengths.get(begin[:1], set()) for begin, some in lengths.items()}

    def positions(self, word: str) -> list[int]:
        """Return the offsets at which a word of letters may be hyphenated without changing its spelling."""
        pointed = f".{word.lower()}."
        if len(pointed) != len(word) + 2:
            return []  # lower case has another number of letters: offsets would be wrong
        count = len(pointed)
        levels = [0] * (count + 1)
        respelled = [0] * (count + 1)  # the level at which a pattern that changes the spelling asks for it
        known, lengths = self._patterns, self._lengths
        for start in range(count - 1):
            begin = pointed[start : start + 2]
            for length in lengths.get(begin) or lengths.get(begin[0]) or ():
                pattern = known.get(pointed[start : start + length])
                if pattern is not None:
                    _raise(levels, respelled, start, pattern)
        return [
            place - 1
            for place, level in enumerate(levels)
            if level % 2 and respelled[place] < level and 1 < place < count - 1
        ]


def _raise(levels: list[int], respelled: list[int], start: int, pattern: str) -> None:
    """Raise the levels between letters to those of a pattern that begins at `start`."""
    plain, slash, _ = pattern.strip().partition("/")
    place = start
    for character in plain:
        if character.isdigit():
            level = int(character)
            if level > levels[place]:
                levels[place] = level
            if slash and level % 2:
                respelled[place] = max(respelled[place], level)
        else:
            place += 1


def _patterns(language: str) -> Patterns | None:
    """Return the patterns of a language such as `de` or `de-AT`; None when there are none."""
    with _lock:
        if language in _loaded:
            _loaded.move_to_end(language)
            return _loaded[language]
        import pyphen  # loaded when the first word is hyphenated

        name = pyphen.language_fallback(language)
        patterns = Patterns(Path(pyphen.LANGUAGES[name])) if name is not None else None
        _loaded[language] = patterns
        if len(_loaded) > DICTIONARIES:
            _loaded.popitem(last=False)
        return patterns


@lru_cache(maxsize=20_000)
def points(word: str, language: str) -> tuple[int, ...]:
    """Return the offsets at which a word may end a line, with a hyphen; ascending.

    Short words, numbers, addresses and words with inner capitals (abbreviations) have none. Punctuation
    around the word is allowed.
    """
    if len(word) < LEAST_LETTERS or len(word) > MOST_LETTERS + 8:
        return ()
    start, letters = (0, word) if word.isalpha() else _longest(word)
    if not LEAST_LETTERS <= len(letters) <= MOST_LETTERS or not letters[1:].islower():
        return ()
    patterns = _patterns(language)
    if patterns is None:
        return ()
    last = len(letters) - LEAST_AFTER
    places = patterns.positions(letters)
    return tuple([start + place for place in places if LEAST_BEFORE <= place <= last])


def _longest(word: str) -> tuple[int, str]:
    """Return the longest stretch of letters in a word and where it begins; none in what is no word."""
    parts = list(_LETTERS.finditer(word))
    if not parts or any(map(str.isdigit, word)) or any(mark in word for mark in "@/\\_"):
        return 0, ""
    # Two stretches of letters may be an elision ("l'appartement"); others are addresses and file names.
    if len(parts) > 2 or (len(parts) == 2 and word[parts[0].end() : parts[1].start()] not in _APOSTROPHES):
        return 0, ""
    part = max(parts, key=lambda match: match.end() - match.start())
    return part.start(), part.group()
