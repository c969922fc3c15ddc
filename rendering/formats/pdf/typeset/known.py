"""What a document knows of the words of a font: each with its width and its code."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary, proxy

from rendering.formats.pdf.typeset.atoms import simple
from rendering.formats.pdf.typeset.vocabulary import Entry, Vocabulary, vocabulary

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.typesetter import Font


Split = Sequence[tuple[int, float, float]]  # where a word may be hyphenated: see `breaking.Splits`


class Unusual(Exception):
    """A word needs more than the quick way can do."""


class Resources(dict[str, str]):
    """The resource of a font in each code page, asked for when a word of the page is first shown."""

    __slots__ = ("_font",)

    def __init__(self, font: Font) -> None:
        self._font = font

    def __missing__(self, page: str) -> str:
        self[page] = found = self._font.resource_of(page)
        return found


class Known(dict[str, Entry]):
    """The words of a document in one font, once one of them is foreign: not in the font's 8-bit fonts.

    The entry of a foreign word has the resource of its face in place of a code page, and a whole TJ array.
    """

    KEPT: Final = 20_000
    LONG: Final = 64
    AHEAD: Final = 150_000  # characters: some 5,000 different words

    __slots__ = (
        "__weakref__",
        "_expected",
        "_foreign",
        "_looked",
        "_met",
        "_places",
        "_vocabulary",
        "font",
        "measured",
        "resources",
        "space",
    )

    def __init__(self, font: Font) -> None:
        self.font = proxy(font)  # weak: what is known of a font must not keep it
        self.space = font.space
        self._vocabulary = vocabulary(font.face, western=font.western)
        self.resources = Resources(self.font)
        self.measured: dict[tuple[str, str], Split] = {}  # by word and language
        self._foreign = False
        self._expected: list[str] = []  # lines, of which as many are `_looked` at
        self._places: dict[str, int] = {}  # of each of them in the list
        self._looked = 0
        self._met: dict[str, list[Entry]] = {}  # the entries of lines that will come, looked up together

    def of_line(self, line: str) -> list[Entry]:
        """Return what is known of the words of a line; raises `Unusual` for one that needs more."""
        met = self._met.pop(line, None)
        if met is not None:
            return met
        words, known = line.split(" "), self._vocabulary
        if known is None:
            raise Unusual
        if not self._foreign:
            try:
                return list(map(known.__getitem__, words))
            except KeyError:
                pass
        place = self._places.get(line, -1)
        if place >= self._looked:
            self._look_ahead(known, place)
        return self._met.pop(line, None) or self.entries(words)

    def entries(self, words: Sequence[str]) -> list[Entry]:
        """Return what is known of words; raises `Unusual` for one that needs more."""
        known = self._vocabulary
        if known is None:
            raise Unusual
        if not self._foreign:
            found = known.entries(words)
            if found is not None:
                return found
            self._foreign = True
        return list(map(self.__getitem__, words))

    def expect(self, text: str) -> None:
        """Hear which lines will come: when a word is new, those of many lines are learnt together."""
        self._expected = [line.rstrip(" ") for line in text.split("\n") if 0 < len(line) <= self.AHEAD]
        last = len(self._expected) - 1
        self._places = dict(zip(reversed(self._expected), range(last, -1, -1), strict=True))
        self._looked = 0
        self._met = {}

    def _look_ahead(self, known: Vocabulary, place: int) -> None:
        """Meet the lines that are expected from one on: a bounded part."""
        stop, size = place, 0
        while stop < len(self._expected) and size < self.AHEAD:
            size += len(self._expected[stop])
            stop += 1
        self._looked = stop
        lines = self._expected[place:stop]
        words = [line.split(" ") for line in lines]
        known.learn(list(chain.from_iterable(words)))
        self._met = {}
        for line, some in zip(lines, words, strict=True):
            with suppress(KeyError):
                self._met[line] = list(map(known.__getitem__, some))

    def splits(self, word: str, places: Sequence[int]) -> list[tuple[int, float, float]] | None:
        """Return where a word may be hyphenated (see `breaking.Splits`), None for a foreign word."""
        try:
            return None if self._vocabulary is None else self._vocabulary.splits(word, places)
        except KeyError:
            return None

    def __missing__(self, word: str) -> Entry:
        known = self._vocabulary
        if known is None:
            raise Unusual
        entry = known.get(word) or known.learn((word,)).get(word)
        if entry is None:
            # Another thread may have learnt it between these two, so that it was not new any more.
            entry = known.made([word]).get(word) or self._of_foreign(word)
        if len(word) < self.LONG:
            if len(self) >= self.KEPT:
                self.clear()
            self[word] = entry
        return entry

    def _of_foreign(self, word: str) -> Entry:
        if not simple(word):
            raise Unusual
        shaped = self.font.word(word)
        if len(shaped.pieces) != 1 or shaped.rtl:
            raise Unusual
        piece = shaped.pieces[0]
        if piece.actual or piece.rise:
            raise Unusual
        return shaped.width + self.space, piece.font, piece.code


_known: WeakKeyDictionary[Font, Known] = WeakKeyDictionary()


def known_by(font: Font) -> Known:
    known = _known.get(font)
    if known is None:
        known = _known[font] = Known(font)
    return known
