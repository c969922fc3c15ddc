"""Words as 8-bit fonts show them, known to the whole process: a second document only looks them up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, compress, count, repeat
from operator import add, sub
from typing import TYPE_CHECKING, Final
from weakref import ref

from rendering.formats.pdf.typeset.atoms import LONG, simple, whole
from rendering.formats.pdf.typeset.codepages import WESTERN

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.faces import Face

# Step: the width with a space behind, in em/1000. Page: the name of the code page, "" for ASCII, which all of
# them have. Code: the inside of a TJ array without the first and the last parenthesis.
Entry = tuple[float, str, str]
KEPT: Final = 20_000  # words of a face
HYPHEN: Final = "-"
_END: Final = "\n"
_ESCAPED: Final = {"\\": "\\\\", "(": "\\(", ")": "\\)"}


class Vocabulary(dict[str, Entry]):
    """Words of one face without a place for a break inside.

    Safe for many threads: an entry is the same whoever makes it, and a lost one is made again.
    """

    __slots__ = ("_face", "_western")

    def __init__(self, face: Face, *, western: bool) -> None:
        """Take in words of all code pages or of the Western one only."""
        self._face = ref(face)  # weak: it is kept by the face itself
        self._western = western

    def learn(self, words: Iterable[str]) -> dict[str, Entry]:
        """Take in those of `words` that the face shows in an 8-bit font; return the new ones.

        Words have no blanks and no line ends. Many at a time cost a quarter of one by one.
        """
        found: dict[str, Entry] = {}
        for page, new in self._sorted([word for word in set(words) if word not in self]).items():
            found.update(self._entries(page, new))
        if len(self) + len(found) > KEPT:
            self.clear()
        self.update(found)
        return found

    def splits(self, word: str, places: Sequence[int]) -> list[tuple[int, float, float]]:
        """Return where a word that is known may be hyphenated: see `breaking.Splits`.

        Its parts are measured, not learnt: few of them come to stand on a line.
        """
        face, (_, page, _) = self._face(), self[word]
        if face is None:
            return []
        widths = list(map(face.pages[page or WESTERN].widths.__getitem__, word.encode(page or "ascii")))
        kerns = face.kernings([*map(add, word, word[1:]), *(word[at - 1] + HYPHEN for at in places)])
        hyphen, space = map(face.pages[WESTERN].widths.__getitem__, b"- ")
        found: list[tuple[int, float, float]] = []
        for at, kern in zip(places, kerns[len(word) - 1 :], strict=True):
            tail = sum(widths[at:]) + sum(kerns[at : len(word) - 1])
            # The kerning between the parts is gone, that before the hyphen has come.
            found.append((at, tail + kerns[at - 1] - kern - hyphen, tail + space))
        return found

    def _sorted(self, words: Iterable[str]) -> dict[str, list[str]]:
        """Return the words that can be taken in by code page."""
        face = self._face()
        pages: dict[str, list[str]] = {}
        if face is None:
            return pages
        page_of = face.pages.of
        plain = [word for word in words if word.isascii()]
        if (
            plain
            and max(map(len, plain)) < LONG
            and page_of("".join(plain)) == ""
            and whole("\n".join(plain))
        ):
            pages[""] = plain
            words = [word for word in words if not word.isascii()]
        for word in words:
            page = page_of(word)
            if page is None or not simple(word):
                continue
            if not (self._western and page not in {"", WESTERN}):
                pages.setdefault(page, []).append(word)
        return pages

    def _entries(self, name: str, words: list[str]) -> Iterator[tuple[str, Entry]]:
        """Yield words of a code page with their entries; all of them are measured as one text.

        A line end stands for the space behind a word: it is as wide, and it is not kerned.
        """
        face = self._face()
        if face is None:
            return iter(())
        text = _END.join(words) + _END
        codes = text.encode(name or "ascii")
        widths = face.pages[name or WESTERN].widths.copy()
        widths[ord(_END)] = widths[ord(" ")]
        kerns = [*face.pages[name or WESTERN].kernings(codes), 0]
        shown = list(codes.decode("latin-1"))
        for sign in _ESCAPED:
            if sign in text:
                shown = [_ESCAPED.get(character, character) for character in shown]
                break
        for at in compress(count(), kerns):
            shown[at] += f"){-kerns[at]}("
        places = list(accumulate(map(add, map(widths.__getitem__, codes), kerns)))
        ends = [places[at] for at in map(add, accumulate(map(len, words)), count())]
        steps = map(float, map(sub, ends, [0, *ends]))
        return zip(words, zip(steps, repeat(name), "".join(shown).split(_END), strict=False), strict=False)


def vocabulary(face: Face, *, western: bool) -> Vocabulary | None:
    """Return the vocabulary of a face; None when its 8-bit fonts have no space."""
    known = face.vocabularies.get(western)
    if known is None:
        if face.pages.of(" ") is None or not face.pages[WESTERN].widths[ord(" ")]:
            return None
        known = face.vocabularies.setdefault(western, Vocabulary(face, western=western))
    return known
