"""Words as 8-bit fonts show them, known to the whole process: a second document only looks them up."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate, count, filterfalse, repeat
from operator import add, itemgetter, sub
from typing import TYPE_CHECKING, Final
from weakref import ref

from rendering.formats.pdf.typeset.atoms import LONG, simple, whole
from rendering.formats.pdf.typeset.codepages import NAMES, WESTERN

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.faces import Face

# Step: the width with a space behind, in em/1000. Page: the name of the code page, "" for ASCII, which all of
# them have. Code: the inside of a TJ array without the first and the last parenthesis.
Entry = tuple[float, str, str]
KEPT: Final = 20_000  # words of a face
HYPHEN: Final = b"-\n"
_END: Final = "\n"
_FIRST: Final = itemgetter(0)


class Vocabulary(dict[str, Entry]):
    """Words of one face without a place for a break inside.

    Safe for many threads: an entry is the same whoever makes it, and a lost one is made again.
    """

    __slots__ = ("_face", "_western")

    def __init__(self, face: Face, *, western: bool) -> None:
        """Take in words of all code pages or of the Western one only."""
        self._face = ref(face)  # weak: it is kept by the face itself
        self._western = western

    def learn(self, words: Collection[str]) -> dict[str, Entry]:
        """Take in those of `words` that the face shows in an 8-bit font; return the new ones.

        Words have no blanks and no line ends. Many at a time cost a quarter of one by one.
        """
        # In the order of their first use: words that come often lie side by side in memory, which counts.
        new = dict.fromkeys(filterfalse(self.__contains__, words))
        if len(self) + len(new) > KEPT:
            self.clear()
            new = dict.fromkeys(words)
        new.pop("", None)
        found = self.made(list(new))
        self.update(found)
        return found

    def entries(self, words: Sequence[str]) -> list[Entry] | None:
        """Return the entries of words, learnt where they are new; None when one cannot be taken in."""
        try:
            return list(map(self.__getitem__, words))
        except KeyError:
            pass
        self.learn(words)
        try:
            return list(map(self.__getitem__, words))
        except KeyError:
            return None

    def made(self, words: list[str]) -> dict[str, Entry]:
        """Return the entries of those of `words` that the face shows in an 8-bit font, known or not."""
        found: dict[str, Entry] = {}
        for page, some in self._sorted(words).items():
            found.update(self._entries(page, some))
        return found

    def splits(self, word: str, places: Sequence[int]) -> list[tuple[int, float, float]]:
        """Return where a word that is known may be hyphenated: see `breaking.Splits`.

        Its parts are measured, not learnt: few of them come to stand on a line.
        """
        face, (_, page, _) = self._face(), self[word]
        if face is None:
            return []
        table, codes = face.pages[page or WESTERN], word.encode(page or "ascii")
        steps = list(table.spelt(codes)[1])
        cut = b"".join([codes[at - 1 : at] + HYPHEN for at in places])
        before = list(table.spelt(cut)[1])[::3]
        hyphen, space = map(table.widths.__getitem__, b"- ")
        found: list[tuple[int, float, float]] = []
        for at, ended in zip(places, before, strict=True):
            tail = sum(steps[at:])
            # The kerning between the parts is gone, that before the hyphen has come.
            found.append((at, tail + steps[at - 1] - ended - hyphen, tail + space))
        return found

    def _sorted(self, words: list[str]) -> dict[str, list[str]]:
        """Return the words that can be taken in by code page: the first that has all letters of a word."""
        face = self._face()
        if face is None or not words:
            return {}
        if max(map(len, words)) >= LONG or not whole(_END.join(words)):
            words = list(filter(simple, words))
        found: dict[str, list[str]] = {}
        others = [word for word in words if not word.isascii()]
        plain = [word for word in words if word.isascii()] if others else words
        if plain:
            found[""] = face.pages.those("", plain)
        # A letter that no earlier page has leaves a word to one page, which most often has the others, too.
        groups: dict[str, list[str]] = {}
        for page, word in zip(map(face.pages.firsts.__getitem__, map(_FIRST, others)), others, strict=True):
            groups.setdefault(page, []).append(word)
        names = (WESTERN,) if self._western else NAMES
        for first, some in groups.items():
            for name in names[names.index(first) :] if first in names else ():
                taken = face.pages.those(name, some)
                found.setdefault(name, []).extend(taken)
                if len(taken) == len(some):
                    break
                some = sorted(set(some).difference(taken))
        return found

    def _entries(self, name: str, words: list[str]) -> Iterator[tuple[str, Entry]]:
        """Yield words of a code page with their entries; all of them are measured as one text.

        A line end stands for the space behind a word: it is as wide, and it is not kerned.
        """
        face = self._face()
        if face is None:
            return iter(())
        text = _END.join(words) + _END
        code, widths = face.pages[name or WESTERN].spelt(text.encode(name or "ascii"))
        places = list(accumulate(widths))
        ends = [places[at] for at in map(add, accumulate(map(len, words)), count())]
        steps = map(float, map(sub, ends, [0, *ends]))
        # Words of their own, side by side: those given lie between words that are known already. Most of
        # ASCII is its own code.
        words, codes = text.split(_END), code.split(_END)
        if not name:
            codes = [word if word == code else code for word, code in zip(words, codes, strict=True)]
        return zip(words, zip(steps, repeat(name), codes, strict=False), strict=False)


def vocabulary(face: Face, *, western: bool) -> Vocabulary | None:
    """Return the vocabulary of a face; None when its 8-bit fonts have no space."""
    known = face.vocabularies.get(western)
    if known is None:
        if face.pages.of(" ") is None or not face.pages[WESTERN].widths[ord(" ")]:
            return None
        known = face.vocabularies.setdefault(western, Vocabulary(face, western=western))
    return known
