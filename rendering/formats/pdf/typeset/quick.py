"""Lines of plain words in one style, the quick way: most text of most documents.

Paragraphs are lists of words that are already known, broken and joined by C code. A word that needs more
(scripts without spaces, right to left, places for a break inside) raises `Unusual`; `running` does it then.
Widths of words and places on lines are thousandths of an em.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, compress
from operator import itemgetter, ne
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary, proxy

from rendering.formats.pdf.layout.items import TextRun
from rendering.formats.pdf.typeset import breaking
from rendering.formats.pdf.typeset.atoms import simple
from rendering.formats.pdf.typeset.hyphenation import points
from rendering.formats.pdf.typeset.lines import SetLine, number
from rendering.formats.pdf.typeset.running import HOLE, HYPHEN, Setting
from rendering.formats.pdf.typeset.style import TextStyle

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.faces import Face
    from rendering.formats.pdf.typeset.typesetter import Font

LATITUDE: Final = 1e-6  # rounding


class Unusual(Exception):
    """A word needs more than the quick way can do."""


# step (the width with a space, em/1000), resource of the face, code with a space behind
Entry = tuple[float, str, str]
_step = itemgetter(0)
_resource = itemgetter(1)
_code = itemgetter(2)


class Known(dict[str, Entry]):
    """The words that a font has met, for the quick way; an unusual one raises `Unusual`."""

    KEPT: Final = 50_000
    LONG: Final = 64

    __slots__ = ("__weakref__", "_shared", "brackets", "font", "space")

    def __init__(self, font: Font) -> None:
        self.font = proxy(font)  # weak: what is known of a font must not keep it
        self.space = font.space
        self.brackets: dict[str, tuple[str, str, str]] = {}  # resource: before, space, after
        self._shared: dict[str, Entry] = {}

    def __missing__(self, word: str) -> Entry:
        entry = self._shared.get(word)
        if entry is not None:
            self[word] = entry
            return entry
        if not simple(word):
            raise Unusual
        shaped = self.font.word(word)
        if len(shaped.pieces) != 1 or shaped.rtl:
            raise Unusual
        piece = shaped.pieces[0]
        if piece.actual or piece.rise or piece.code[-1:] not in {")", ">"}:
            raise Unusual
        if piece.font not in self.brackets:
            self._meet(word, piece.code, piece.font)
        _, space, after = self.brackets[piece.font]
        entry = (shaped.width + self.space, piece.font, f"{piece.code[:-1]}{space}{after}")
        if len(word) < self.LONG:
            if len(self) >= self.KEPT:
                self.clear()
            self[word] = entry
            # ASCII in an 8-bit font is the same in every document that gave the font this name. What has
            # more than ASCII must be met in each document: it says which characters the font needs.
            if word.isascii() and piece.code[0] == "(":
                if len(self._shared) >= self.KEPT:
                    self._shared.clear()
                self._shared[word] = entry
        return entry

    def _meet(self, word: str, code: str, resource: str) -> None:
        """Learn how the face of a word writes strings and spaces; raises `Unusual` when it has no space."""
        if code[:1] == "(":
            self.brackets[resource] = ("(", " ", ")")
            if resource == self.font.resource:
                self._shared = _shared_words(self.font.face, resource)
            return
        # Glyph numbers: the space is what stands between the same word twice.
        twice = self.font.word(f"{word} {word}").pieces
        inside = code[1:-1]
        space = twice[0].code[1 + len(inside) : -1 - len(inside)] if len(twice) == 1 else ""
        if code[:1] != "<" or len(space) != 4 or twice[0].code != f"<{inside}{space}{inside}>":
            raise Unusual
        self.brackets[resource] = ("<", space, ">")


# Gaps before each word of a paragraph, where every gap is one space.
_COUNTS: Final = list(range(4096))
_known: WeakKeyDictionary[Font, Known] = WeakKeyDictionary()
# What documents of this process know of the words of a face, by the name that the face has in a document.
_shared: WeakKeyDictionary[Face, dict[str, dict[str, Entry]]] = WeakKeyDictionary()
NAMES: Final = 8  # that a face may have at the same time


def _shared_words(face: Face, resource: str) -> dict[str, Entry]:
    names = _shared.setdefault(face, {})
    if len(names) >= NAMES and resource not in names:
        names.clear()
    return names.setdefault(resource, {})


def known_by(font: Font) -> Known:
    known = _known.get(font)
    if known is None:
        known = _known[font] = Known(font)
    return known


class Quick:
    """Lines of plain words in one style."""

    __slots__ = ("_changes", "_color", "_heights", "_known", "_measure", "_setting", "_size")

    def __init__(self, font: Font, style: TextStyle, setting: Setting) -> None:
        self._known = known_by(font)
        self._setting = setting
        self._size = style.size
        self._color = style.color
        self._measure = setting.measure / style.size * 1000
        self._changes: dict[str, str] = {}
        self._heights = font.ascent * style.size, font.descent * style.size

    def set(self, line: str, lines: list[SetLine], share: float) -> None:
        """Add the lines of a source line; raises `Unusual` when it needs more.

        Some of them may have been added then.
        """
        words = line.split(" ")
        known = self._known
        entries = list(map(known.__getitem__, words))
        if "" in words:
            raise Unusual  # more than one space somewhere
        if len(words) == 1:
            places = [0.0, entries[0][0]]
        else:
            places = list(accumulate(map(_step, entries), initial=0.0))
        if places[-1] <= self._measure + known.space + LATITUDE:
            self._whole(words, entries, places, (len(words),), lines, share)
            return
        setting = self._setting
        if not setting.justify:
            self._ragged(words, entries, places, lines, share)
            return
        gaps = _COUNTS if len(words) <= len(_COUNTS) else range(len(words))
        ends, measure = places[1:], self._measure + known.space
        whole = breaking.total_fit(places, ends, gaps, measure, known.space)
        if whole:
            self._whole(words, entries, places, whole, lines, share)
            return
        self._not_broken(entries)
        splits = self._splitter(words)
        cuts = breaking.total_fit_hyphenated(places, ends, gaps, measure, known.space, splits)
        self._hyphenated(words, entries, cuts, lines, share)

    def _not_broken(self, entries: Sequence[Entry]) -> None:
        """Raise `Unusual` when a word is wider than the line."""
        if max(map(_step, entries)) > self._measure + self._known.space + LATITUDE:
            raise Unusual

    def _ragged(
        self,
        words: Sequence[str],
        entries: Sequence[Entry],
        places: Sequence[float],
        lines: list[SetLine],
        share: float,
    ) -> None:
        """Set more than one line as each of them fits."""
        self._not_broken(entries)
        ends, measure = places[1:], self._measure + self._known.space
        whole = breaking.first_fit(places, ends, measure)
        if not self._setting.language or not self._holes(whole, places):
            self._whole(words, entries, places, whole, lines, share)
            return
        splits = self._splitter(words)
        cuts = breaking.first_fit_hyphenated(places, ends, measure, splits, HOLE * self._measure)
        self._hyphenated(words, entries, cuts, lines, share)

    def _holes(self, breaks: Sequence[int], places: Sequence[float]) -> bool:
        """Return whether a line but the last one leaves much of the measure free."""
        least = (1 - HOLE) * self._measure + self._known.space
        begins = [0, *breaks]
        return any(
            places[end] - places[begin] < least for begin, end in zip(begins, breaks[:-1], strict=False)
        )

    def _splitter(self, words: Sequence[str]) -> breaking.Splits:
        """Return what tells where a word may be hyphenated."""
        language, entry = self._setting.language, self._known
        found: dict[str, Sequence[tuple[int, float, float]]] = {}

        def splits(atom: int) -> Sequence[tuple[int, float, float]]:
            word = words[atom]
            known = found.get(word)
            if known is None:
                known = found[word] = [
                    (at, entry[word][0] - entry[word[:at] + HYPHEN][0], entry[word[at:]][0])
                    for at in (points(word, language) if language else ())
                ]
            return known

        return splits

    def _whole(
        self,
        words: Sequence[str],
        entries: Sequence[Entry],
        places: Sequence[float],
        breaks: Sequence[int],
        lines: list[SetLine],
        share: float,
        *,
        ended: bool = True,
    ) -> None:
        """Set lines that end between words; `ended` when the last of them ends the paragraph."""
        known, scale, full, measure = self._known, self._size / 1000, self._setting.measure, self._measure
        resource = last = entries[0][1]
        mixed = len(entries) > 1 and len(set(map(_resource, entries))) > 1
        codes = self._switching(entries) if mixed else list(map(_code, entries))
        before, space, after = known.brackets[resource]
        justify, begin = self._setting.justify, 0
        count = len(entries) if ended else -1
        size, color, heights = self._size, self._color, self._heights
        for end in breaks:
            natural = places[end] - places[begin] - known.space
            shift = ""
            if justify and end - begin > 1 and (end != count or natural > measure):
                shift = f"{(natural - measure) / (end - begin - 1):.1f}"
                natural = measure
            code = shift.join(codes[begin:end])
            if mixed:
                resource, last = entries[begin][1], entries[end - 1][1]
                _, space, after = known.brackets[last]
            code = code[: -len(space) - len(after)] + after
            if mixed:
                code = self._enclosed(code, resource, last)
            elif not shift:
                code = code.replace(after + before, "")  # one string; a bracket inside of one is escaped
            text = " ".join(words[begin:end])
            width = natural * scale
            run = TextRun(resource, size, color, code, width, text)
            x = share * (full - width) if share and width < full else 0.0
            lines.append(SetLine(x, (run,), width, end == count, text, (), *heights))
            begin = end

    def _hyphenated(
        self,
        words: Sequence[str],
        entries: Sequence[Entry],
        breaks: Sequence[breaking.Break],
        lines: list[SetLine],
        share: float,
    ) -> None:
        """Set lines that may end inside of a word."""
        known, begin, offset = self._known, 0, 0
        for end, cut in breaks:
            part, met = list(words[begin:end]), list(entries[begin:end])
            if offset and part:
                part[0] = part[0][offset:]
                met[0] = known[part[0]]
            if cut:
                part.append(words[end][offset if end == begin else 0 : cut] + HYPHEN)
                met.append(known[part[-1]])
            places = list(accumulate(map(_step, met), initial=0.0))
            self._whole(part, met, places, (len(part),), lines, share, ended=end == len(words))
            begin, offset = end, cut

    def _switching(self, entries: Sequence[Entry]) -> list[str]:
        """Return the code of each word, with the change of font in front of it where there is one."""
        codes, fonts = list(map(_code, entries)), list(map(_resource, entries))
        size = number(self._size)
        self._changes = changes = {font: f"]TJ/{font} {size} Tf[" for font in self._known.brackets}
        for index in compress(range(1, len(fonts)), map(ne, fonts, fonts[1:])):
            codes[index] = changes[fonts[index]] + codes[index]
        return codes

    def _enclosed(self, code: str, first: str, last: str) -> str:
        """Return the code of a line in several fonts so that it begins and ends in the first one."""
        if code[0] == "]":
            code = code[code.index("[") + 1 :]
        return code if last == first else code + self._changes[first]
