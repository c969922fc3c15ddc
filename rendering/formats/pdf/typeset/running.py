"""Lines of text in any styles, scripts and directions: the general way. Lengths are points."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final

from config.value import dataclass
from rendering.formats.pdf.typeset import bidi
from rendering.formats.pdf.typeset.atoms import (
    BLANK_WIDTHS,
    LONGEST,
    SOFT_HYPHEN,
    ZERO_SPACE,
    Text,
    atoms,
    behind_signs,
    is_address,
)
from rendering.formats.pdf.typeset.breaking import (
    Break,
    first_fit,
    first_fit_hyphenated,
    total_fit,
    total_fit_hyphenated,
)
from rendering.formats.pdf.typeset.clusters import clusters
from rendering.formats.pdf.typeset.hyphenation import points
from rendering.formats.pdf.typeset.lines import LineSetter, Look, SetLine
from rendering.formats.pdf.typeset.shaping import MOST

HOLE: Final = 0.25  # a ragged line that leaves more of the measure free ends with a hyphenated word
HYPHEN: Final = "-"
NEAR: Final = 500  # characters on either side of an atom that tell whether it belongs to an address
CHECKED: Final = 64  # lines, or words too long for one, between two looks at the clock


@dataclass(slots=True)
class Setting:
    """How lines are set: over which width, filled out or not, hyphenated in which language (None: not).

    `long_words` is the language in which words are hyphenated all the same that are wider than a line.
    `check_time` is called every few lines and may raise.
    """

    measure: float
    justify: bool
    language: str | None
    check_time: Callable[[], None] = lambda: None
    long_words: str | None = None


@dataclass(slots=True)
class _Bit:
    """What stands between two stretchable gaps, in visual order; `gap` after it is in spaces.

    `rtl` None: the line has one direction only. `wider`: how much its blanks are wider than spaces.
    """

    begin: int
    stop: int
    blanks: int = 0
    gap: float = 0.0
    rtl: bool | None = None
    hyphen: bool = False
    wider: float = 0.0


class Source:
    """A line of source text: what it says and how each part of it looks."""

    def __init__(
        self, line: Text, stops: Sequence[int], looks: Sequence[Look], *, mirrored: bool = False
    ) -> None:
        """Take `looks[i]` up to the offset `stops[i]`; the last stop is the text's length.

        `mirrored`: it stands among text of a language from right to left.
        """
        self.line = line
        self.text = line.text
        self.stops = stops
        self.looks = looks
        self.base = bidi.base_direction(line.text, mirrored=mirrored) if bidi.has_rtl(line.text) else None

    @property
    def rtl(self) -> bool:
        """Whether the line begins at the right."""
        return self.base == "rtl"

    @cached_property
    def directions(self) -> bidi.Paragraph:
        """The directions of its letters, found once for all lines that it is set in."""
        return bidi.Paragraph(self.text, self.base or "ltr")

    def look(self, offset: int) -> Look:
        """Return the look of the character at an offset."""
        if len(self.looks) == 1:
            return self.looks[0]
        return self.looks[min(bisect_right(self.stops, offset), len(self.looks) - 1)]

    def fragments(self, begin: int, stop: int) -> list[tuple[str, Look]]:
        """Return a stretch of the text, parted where its look changes."""
        if len(self.looks) == 1:
            return [(self.text[begin:stop], self.looks[0])]
        found: list[tuple[str, Look]] = []
        index = bisect_right(self.stops, begin)
        while begin < stop:
            end = min(self.stops[index], stop)
            found.append((self.text[begin:end], self.looks[index]))
            begin = end
            index += 1
        return found

    def width(self, begin: int, stop: int) -> float:
        """Return the width of a stretch of the text."""
        if len(self.looks) == 1:
            return self.looks[0].width(self.text[begin:stop])
        return sum(look.width(text) for text, look in self.fragments(begin, stop))

    def in_address(self, begin: int, stop: int) -> bool:
        """Return whether an atom belongs to an address, which a hyphen would make another one."""
        first, last = max(begin - NEAR, 0), stop + NEAR
        before = self.text[first:begin].rpartition(" ")[2]
        after = self.text[stop:last].partition(" ")[0]
        return is_address(before + self.text[begin:stop] + after)

    def wider(self, begin: int, stop: int) -> float:
        """Return how much wider a stretch of blanks is than as many spaces; less than 0 for thin ones."""
        blanks = self.text[begin:stop]
        if blanks.isascii():
            return 0.0
        look = self.look(begin)
        widths = [BLANK_WIDTHS[blank] for blank in blanks if blank in BLANK_WIDTHS]
        return sum(widths) * look.size - len(widths) * look.space


class _Row:
    """The atoms of a source line with their places on one endless line."""

    def __init__(self, source: Source, setting: Setting) -> None:
        self.source = source
        self.setting = setting
        self.begins: list[int] = []
        self.stops: list[int] = []
        self.starts: list[float] = []
        self.ends: list[float] = []
        self.gaps: list[float] = []
        self.after: list[float] = []
        self._splits: dict[int, Sequence[tuple[int, float, float]]] = {}
        self._x = self._stretch = 0.0
        self._steps = 0
        self._wide = False  # a word is hyphenated because it is wider than a line
        found = atoms(source.line)
        following = [*found.begins[1:], *found.stops[-1:]]
        for begin, stop, gap, begin_next in zip(
            found.begins, found.stops, found.gaps, following, strict=True
        ):
            self._put(begin, stop)
            self._stretch += gap
            self.after[-1] = gap
            if begin_next > stop:
                self._x += (begin_next - stop) * source.look(stop).space + source.wider(stop, begin_next)

    def _put(self, begin: int, stop: int) -> None:
        """Add one atom, in parts when it is wider than the line."""
        if stop - begin > LONGEST:
            self._put_parts(begin, stop)
            return
        width = self.source.width(begin, stop)
        if (
            width > self.setting.measure + 1e-6
            and stop - begin > 1
            and not self._hyphens_do(begin, stop, width)
        ):
            self._put_parts(begin, stop)
        else:
            self._wide = self._wide or width > self.setting.measure + 1e-6
            self._add(begin, stop, width)

    def _hyphens_do(self, begin: int, stop: int, width: float) -> bool:
        """Return whether a word that is wider than the line fits when it is hyphenated."""
        splits = self._measured_splits(begin, stop, width)
        if not splits:
            return False
        # Each part begins where the one before it ended, and the last one ends with the word.
        begins = [width, *(tail for _, _, tail in splits)]
        ends = [*(reach for _, reach, _ in splits), 0.0]
        return all(first - last <= self.setting.measure for first, last in zip(begins, ends, strict=True))

    def _put_parts(self, begin: int, stop: int) -> None:
        """Add an atom in parts: those between its signs, and where these are too wide what fills a line."""
        signs = [begin + offset for offset in behind_signs(self.source.text[begin:stop])]
        if not signs:
            self._put_clusters(begin, stop)
            return
        for first, last in zip([begin, *signs], [*signs, stop], strict=True):
            self._put(first, last)

    def _put_clusters(self, begin: int, stop: int) -> None:
        """Add an atom in parts that fill lines, broken between clusters."""
        source, measure = self.source, self.setting.measure
        # Many texts of one such word each: none has steps enough for a look by itself.
        self.setting.check_time()
        start, used, end = begin, 0.0, begin
        for _, after in clusters(source.text[begin:stop]):
            step = source.width(end, begin + after)
            if end > start and (used + step > measure or end - start > MOST):
                start = self._part(start, end)
                used = source.width(start, end) if start < end else 0.0
            used += step
            end = begin + after
        while start < stop:
            start = self._part(start, stop)

    def _part(self, begin: int, stop: int) -> int:
        """Add as much of a stretch as fits when it is set as a whole; returns where the rest begins."""
        source, limit = self.source, self.setting.measure + 1e-6
        self._look_at_the_clock()
        width = source.width(begin, stop)
        if width > limit:  # kerning and joining letters: the whole is not the sum of its clusters
            pieces = list(clusters(source.text[begin:stop]))
            while len(pieces) > 1 and width > limit:
                stop = begin + pieces.pop()[0]
                width = source.width(begin, stop)
        self._add(begin, stop, width)
        return stop

    def _look_at_the_clock(self) -> None:
        self._steps += 1
        if self._steps % CHECKED == 0:
            self.setting.check_time()

    def _add(self, begin: int, stop: int, width: float) -> None:
        self.begins.append(begin)
        self.stops.append(stop)
        self.starts.append(self._x)
        self._x += width
        self.ends.append(self._x)
        self.gaps.append(self._stretch)
        self.after.append(0.0)

    def splits(self, atom: int) -> Sequence[tuple[int, float, float]]:
        """Return where an atom may be hyphenated: see `breaking.Splits`."""
        known = self._splits.get(atom)
        if known is None:
            begin, stop = self.begins[atom], self.stops[atom]
            known = self._measured_splits(begin, stop, self.ends[atom] - self.starts[atom])
            self._splits[atom] = known
        return known

    def _measured_splits(self, begin: int, stop: int, whole: float) -> Sequence[tuple[int, float, float]]:
        self._look_at_the_clock()
        source = self.source
        soft = source.line.soft
        offsets: Sequence[int] = [
            at - begin for at in soft[bisect_right(soft, begin) : bisect_left(soft, stop)]
        ]
        look = source.look(begin)
        language = self.setting.language
        if whole > self.setting.measure + 1e-6:
            language = language or self.setting.long_words
        if not offsets and language and look is source.look(max(stop - 1, begin)):
            if soft and not self.setting.justify:
                return ()
            offsets = points(source.text[begin:stop], language)
            if offsets and source.in_address(begin, stop):
                return ()
        return [
            (
                offset,
                whole - source.width(begin, begin + offset) - source.look(begin + offset - 1).width(HYPHEN),
                source.width(begin + offset, stop),
            )
            for offset in offsets
        ]

    def breaks(self) -> Sequence[Break]:
        """Return where the lines end."""
        measure, setting = self.setting.measure, self.setting
        count = len(self.ends)
        if not count or self.ends[-1] <= measure + 1e-6:
            return [(count, 0)]
        if setting.justify:
            space = self.source.looks[0].space
            found = total_fit(self.starts, self.ends, self.gaps, measure, space)
            if found is not None:
                return [(atom, 0) for atom in found]
            return total_fit_hyphenated(self.starts, self.ends, self.gaps, measure, space, self.splits)
        soft = self.source.line.soft
        if setting.language or soft or self._wide:
            hole = HOLE * measure if setting.language and not soft else 0.0
            return first_fit_hyphenated(self.starts, self.ends, measure, self.splits, hole)
        return [(atom, 0) for atom in first_fit(self.starts, self.ends, measure)]


def set_source(source: Source, setting: Setting) -> list[SetLine]:
    """Return the lines of one source line, each with `x` 0; an empty one makes one empty line."""
    row = _Row(source, setting)
    lines: list[SetLine] = []
    atom, offset = 0, 0
    breaks = row.breaks()
    for after, cut in breaks:
        if len(lines) % CHECKED == CHECKED - 1:
            setting.check_time()
        last = len(lines) == len(breaks) - 1
        lines.append(_set(row, (atom, offset), (after, cut), last=last))
        atom, offset = after, cut
    return lines


def _set(row: _Row, first: Break, after: Break, *, last: bool) -> SetLine:
    """Set the line from one break to the next."""
    source = row.source
    bits = _logical(row, first, after)
    if source.base is not None and bits:
        bits = _visual(source, bits)
    extra = 0.0
    if row.setting.justify and not (last and _natural(source, bits) <= row.setting.measure):
        stretch = sum(bit.gap for bit in bits)
        extra = (row.setting.measure - _natural(source, bits)) / stretch if stretch else 0.0
    setter = LineSetter()
    for bit in bits:
        for text, look in _ordered(source.fragments(bit.begin, bit.stop), bit.rtl):
            setter.word(text, look, bit.rtl)
        if bit.hyphen:
            setter.word(HYPHEN, source.look(bit.stop - 1))
        if bit.blanks or bit.gap:
            setter.gap(source.look(bit.stop), bit.blanks, extra * bit.gap + bit.wider)
    text = source.text[_offset_after(row, first) : _offset_before(row, after)]
    if after[1]:
        return setter.finish(ends=last, text=text + HYPHEN, goes_on=SOFT_HYPHEN)
    # Between Chinese characters or behind a slash a line ends without a blank.
    joined = not last and row.begins[after[0]] == row.stops[after[0] - 1]
    return setter.finish(ends=last, text=text, goes_on=ZERO_SPACE if joined else "")


def _offset_after(row: _Row, first: Break) -> int:
    """Return the offset of the first character after a break."""
    return row.begins[first[0]] + first[1] if first[0] < len(row.begins) else 0


def _offset_before(row: _Row, after: Break) -> int:
    """Return the offset after the last character before a break."""
    atom, offset = after
    if offset:
        return row.begins[atom] + offset
    return row.stops[atom - 1] if atom else 0


def _logical(row: _Row, first: Break, after: Break) -> list[_Bit]:
    """Return what stands on a line, in logical order."""
    (atom, offset), (end, cut) = first, after
    bits: list[_Bit] = []
    last = end if cut else end - 1
    for index in range(atom, last + 1):
        begin, stop = row.begins[index], row.stops[index]
        if index == atom:
            begin += offset
        if index == last:
            bits.append(_Bit(begin, row.begins[index] + cut, hyphen=True) if cut else _Bit(begin, stop))
        else:
            following = row.begins[index + 1]
            wider = row.source.wider(stop, following) if following > stop else 0.0
            bits.append(_Bit(begin, stop, following - stop, row.after[index], wider=wider))
    return bits


def _visual(source: Source, bits: Sequence[_Bit]) -> list[_Bit]:
    """Return the bits of a line from left to right, parted where the direction changes."""
    whole: list[_Bit] = []
    index_of = [bit.begin for bit in bits]
    for begin, end, rtl in source.directions.runs(bits[0].begin, bits[-1].stop):
        whole.extend(_clipped(bits, index_of, begin, end, rtl=rtl))
    return whole


def _clipped(bits: Sequence[_Bit], begins: Sequence[int], begin: int, end: int, *, rtl: bool) -> list[_Bit]:
    """Return what of the bits is between two offsets, blanks apart; the other way round for `rtl`."""
    found: list[_Bit] = []
    index = max(bisect_right(begins, begin) - 1, 0)
    while index < len(bits) and bits[index].begin < end:
        bit = bits[index]
        left, right = max(bit.begin, begin), min(bit.stop, end)
        if left < right:
            found.append(_Bit(left, right, rtl=rtl, hyphen=bit.hyphen and right == bit.stop))
        # The gap goes with the blanks; one without blanks with the letters before it.
        if bit.blanks and begin < bit.stop + bit.blanks <= end:
            found.append(_Bit(bit.stop, bit.stop, bit.blanks, bit.gap, rtl, wider=bit.wider))
        elif bit.gap and not bit.blanks and left < right == bit.stop:
            found.append(_Bit(bit.stop, bit.stop, 0, bit.gap, rtl))
        index += 1
    return found[::-1] if rtl else found


def _ordered(fragments: list[tuple[str, Look]], rtl: bool | None) -> list[tuple[str, Look]]:
    return fragments[::-1] if rtl else fragments


def _natural(source: Source, bits: Sequence[_Bit]) -> float:
    """Return the width of bits without stretch."""
    width = 0.0
    for bit in bits:
        if bit.stop > bit.begin:
            width += source.width(bit.begin, bit.stop)
        if bit.hyphen:
            width += source.look(bit.stop - 1).width(HYPHEN)
        if bit.blanks:
            width += bit.blanks * source.look(bit.stop).space + bit.wider
    return width
