"""Lines of plain words in one style, the quick way: most text of most documents.

Paragraphs are lists of words that are already known, broken and joined by C code. A word that needs more
(scripts without spaces, right to left, places for a break inside) raises `Unusual`; `running` does it then.
Widths of words and places on lines are thousandths of an em.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, compress
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from rendering.formats.pdf.typeset import breaking
from rendering.formats.pdf.typeset.atoms import SOFT_HYPHEN
from rendering.formats.pdf.typeset.hyphenation import points
from rendering.formats.pdf.typeset.known import Known, Resources, Split, Unusual, known_by
from rendering.formats.pdf.typeset.plain_lines import PlainLines, Row
from rendering.formats.pdf.typeset.running import HOLE, HYPHEN, Setting
from rendering.formats.pdf.typeset.style import TextStyle
from rendering.formats.pdf.typeset.vocabulary import Entry

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.typesetter import Font

LATITUDE: Final = 1e-6  # rounding
_NONE: Final = "0"  # how much every space is wider
_NEARLY: Final = ("0.000", "-0.000")
PIECE: Final = 100_000  # characters of a source line that are set at once: some 30 pages


_step = itemgetter(0)
_page = itemgetter(1)
_code = itemgetter(2)


# Gaps before each word of a paragraph, where every gap is one space.
_COUNTS: Final = list(range(4096))


def _shown(
    entries: Sequence[Entry], breaks: Sequence[int], known: Known, size: float
) -> Iterable[tuple[str, str, str]]:
    """Yield the code of each line of words, the font that it begins in, and the one it leaves behind."""
    codes, pages = list(map(_code, entries)), list(map(_page, entries))
    kinds = set(pages)
    kinds.discard("")  # ASCII, which every font has
    if len(kinds) > 1 or "F" in {kind[0] for kind in kinds}:
        return _mixed(codes, pages, breaks, known.resources, f"{size:.6g}")
    font = known.resources[kinds.pop() if kinds else ""]
    bounds = zip([0, *breaks], breaks, strict=False)
    return [(f"({' '.join(codes[begin:end])})", font, font) for begin, end in bounds]


def _mixed(
    codes: list[str], pages: Sequence[str], breaks: Sequence[int], resources: Resources, size: str
) -> Iterator[tuple[str, str, str]]:
    """Yield lines of words of several fonts: the code of each word, and where the font changes.

    ASCII, spaces among it, stays in the font that is there. A foreign word has its own font and the one
    before it again behind: so the space there is the first face's, and is spread as all others are.
    """
    current = next((page for page in pages if page and page[0] != "F"), "")
    font = resources[current]
    begin = 0
    for end in breaks:
        parts, some, first = codes[begin:end], pages[begin:end], font
        for index, page in compress(enumerate(some), some):
            if page == current:
                continue
            if page[0] == "F":
                parts[index] = f")]TJ/{page} {size} Tf[{parts[index]}]TJ/{font} {size} Tf[("
                continue
            current, font = page, resources[page]
            if index:
                parts[index] = f")]TJ/{font} {size} Tf[({parts[index]}"
            else:
                first = font
        yield f"({' '.join(parts)})", first, font
        begin = end


class Quick:
    """Lines of plain words in one style."""

    __slots__ = ("_color", "_heights", "_known", "_measure", "_setting", "_size")

    def __init__(self, font: Font, style: TextStyle, setting: Setting) -> None:
        self._known = known_by(font)
        self._setting = setting
        self._size = style.size
        self._color = style.color
        self._measure = setting.measure / style.size * 1000
        self._heights = font.ascent * style.size, font.descent * style.size

    def lines(self, rows: Sequence[Row]) -> PlainLines:
        """Return lines that `set` has made."""
        return PlainLines(rows, self._size, self._color, self._heights)

    def set(self, line: str, rows: list[Row], share: float) -> None:
        """Add the lines of a source line; raises `Unusual` when it needs more.

        Some of them may have been added then.
        """
        if len(line) <= PIECE:
            self._set(line, rows, share)
        else:
            self._set_long(line, rows, share)

    def _set_long(self, line: str, rows: list[Row], share: float) -> None:
        """Set a source line piece by piece, so that memory is that of one piece.

        The last line of a piece is not filled: its words begin the next piece.
        """
        begun, at = "", 0
        while len(line) - at > PIECE:
            stop = line.rfind(" ", at, at + PIECE)
            if stop < 0:
                raise Unusual
            self._setting.check_time()
            self._set(begun + line[at:stop], rows, share)
            *_, said, begin, end = rows.pop()
            begun, at = " ".join(said.split(" ")[begin:end]) + " ", stop + 1
        self._set(begun + line[at:], rows, share)

    def _set(self, line: str, rows: list[Row], share: float) -> None:
        known = self._known
        entries = known.of_line(line)  # of several spaces in a row too: none knows the empty word
        count = len(entries)
        if count == 1:
            if entries[0][1][:1] == "F":
                raise Unusual  # a foreign word alone: it needs no space, so no other font
            places = [0.0, entries[0][0]]
        else:
            places = list(accumulate(map(_step, entries), initial=0.0))
        if places[-1] <= self._measure + known.space + LATITUDE:
            self._whole(line, entries, places, (count,), rows, share)
            return
        setting = self._setting
        if not setting.justify:
            self._ragged(line, entries, places, rows, share)
            return
        gaps = _COUNTS if count <= len(_COUNTS) else range(count)
        ends, measure = places[1:], self._measure + known.space
        whole = breaking.total_fit(places, ends, gaps, measure, known.space)
        if whole:
            self._whole(line, entries, places, whole, rows, share)
            return
        self._not_broken(entries)
        words = line.split(" ")
        splits = self._splitter(words)
        cuts = breaking.total_fit_hyphenated(places, ends, gaps, measure, known.space, splits)
        self._hyphenated(words, entries, cuts, rows, share)

    def _not_broken(self, entries: Sequence[Entry]) -> None:
        """Raise `Unusual` when a word is wider than the line."""
        if max(map(_step, entries)) > self._measure + self._known.space + LATITUDE:
            raise Unusual

    def _ragged(
        self,
        line: str,
        entries: Sequence[Entry],
        places: Sequence[float],
        rows: list[Row],
        share: float,
    ) -> None:
        """Set more than one line as each of them fits."""
        self._not_broken(entries)
        ends, measure = places[1:], self._measure + self._known.space
        whole = breaking.first_fit(places, ends, measure)
        if not self._setting.language or not self._holes(whole, places):
            self._whole(line, entries, places, whole, rows, share)
            return
        words = line.split(" ")
        splits = self._splitter(words)
        cuts = breaking.first_fit_hyphenated(places, ends, measure, splits, HOLE * self._measure)
        self._hyphenated(words, entries, cuts, rows, share)

    def _holes(self, breaks: Sequence[int], places: Sequence[float]) -> bool:
        """Return whether a line but the last one leaves much of the measure free."""
        least = (1 - HOLE) * self._measure + self._known.space
        begins = [0, *breaks]
        return any(
            places[end] - places[begin] < least for begin, end in zip(begins, breaks[:-1], strict=False)
        )

    def _splitter(self, words: Sequence[str]) -> breaking.Splits:
        """Return what tells where a word may be hyphenated."""
        language, known = self._setting.language, self._known.measured
        if not language:
            return lambda atom: ()

        def splits(atom: int) -> Split:
            key = words[atom], language
            found = known.get(key)
            if found is None:
                if len(known) >= Known.KEPT:
                    known.clear()
                found = known[key] = self._measured(*key)
            return found

        return splits

    def _measured(self, word: str, language: str) -> Split:
        """Return where a word may be hyphenated: see `breaking.Splits`."""
        places = points(word, language)
        if not places:
            return ()
        splits = self._known.splits(word, places)
        if splits is not None:
            return splits
        parts = [word, *(word[:at] + HYPHEN for at in places), *(word[at:] for at in places)]
        whole, *steps = map(_step, self._known.entries(parts))
        before, after = steps[: len(places)], steps[len(places) :]
        return [(at, whole - head, tail) for at, head, tail in zip(places, before, after, strict=True)]

    def _whole(
        self,
        said: str,
        entries: Sequence[Entry],
        places: Sequence[float],
        breaks: Sequence[int],
        rows: list[Row],
        share: float,
    ) -> None:
        """Set lines that end between the words of `said`."""
        scale, full, measure = self._size / 1000, self._setting.measure, self._measure
        justify, space, begin = self._setting.justify, self._known.space, 0
        shown, count = _shown(entries, breaks, self._known, self._size), len(entries)
        for end, (code, font, after) in zip(breaks, shown, strict=True):
            natural = places[end] - places[begin] - space
            spread = _NONE
            if justify and end - begin > 1 and (end != count or natural > measure):
                spread = f"{(measure - natural) / (end - begin - 1) * scale:.3f}"
                if spread in _NEARLY:
                    spread = _NONE
                natural = measure
            width = natural * scale
            x = share * (full - width) if share and width < full else 0.0
            rows.append((code, font, after, width, spread, x, end == count, said, begin, end))
            begin = end

    def _hyphenated(
        self,
        words: Sequence[str],
        entries: Sequence[Entry],
        breaks: Sequence[breaking.Break],
        rows: list[Row],
        share: float,
    ) -> None:
        """Set lines that may end inside of a word: its parts are words then."""
        parts: list[str] = []
        shown: list[Entry] = []
        torn: list[int] = []
        whole: list[int] = []
        begin, offset = 0, 0
        for end, cut in breaks:
            first = len(parts)
            parts += words[begin:end]
            shown += entries[begin:end]
            if offset and end > begin:
                parts[first] = parts[first][offset:]
                torn.append(first)
            if cut:
                torn.append(len(parts))
                parts.append(words[end][offset if end == begin else 0 : cut] + HYPHEN)
                shown.append(entries[end])
            whole.append(len(parts))
            begin, offset = end, cut
        for index, entry in zip(torn, self._known.entries([parts[at] for at in torn]), strict=True):
            shown[index] = entry
        for last, (_, cut) in zip(whole, breaks, strict=True):
            if cut:
                parts[last - 1] = parts[last - 1][:-1] + SOFT_HYPHEN
        places = list(accumulate(map(_step, shown), initial=0.0))
        self._whole(" ".join(parts), shown, places, whole, rows, share)
