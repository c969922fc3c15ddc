"""Rows that are not data: the head, headings of groups, sums, and what is brought and carried forward."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from config.value import dataclass, value
from rendering.formats.pdf.layout.measures import HAIRLINE
from rendering.formats.pdf.layout.tables.cells import Content, Spot
from rendering.formats.pdf.layout.tables.lanes import Lane
from rendering.formats.pdf.layout.tables.look import (
    FIGURES_SHRINK,
    HEAD_SHRINK,
    HEAD_SIZE,
    INDENT,
    Look,
    even_size,
)
from rendering.formats.pdf.layout.tables.measuring import sums_of
from rendering.formats.pdf.layout.tables.setting import Setter, whole_scale
from rendering.formats.pdf.layout.tables.sheet import Sheet
from rendering.formats.pdf.layout.tables.tracks import Track
from rendering.formats.pdf.typeset.atoms import parts
from rendering.formats.pdf.typeset.clean import clean
from rendering.formats.pdf.typeset.hyphenation import points
from rendering.formats.pdf.typeset.style import TextStyle
from templates_app.resolved import Cell, ResolvedGroupOfRows, ResolvedTable, Rich, plain

if TYPE_CHECKING:
    from rendering.formats.pdf.layout.structure import Element

STRONG: Final = 1.0  # thickness of the rule above the totals
ASIDE: Final = 0.33  # of the table: a label in less than this is not broken into lines
SHORT: Final = 64  # characters of a head that is looked at as a whole first


@value
class Slot:
    """A cell in the structure of a table: `count` columns from `column` on, in a row of the strip.

    `scope` says which cells one of kind "TH" heads: those of its "Column" or its "Row".
    """

    column: int
    count: int = 1
    kind: str = "TD"
    scope: str = ""
    line: int = 0


@dataclass(slots=True)
class Strip:
    """A row of contents at any place of a page. `left` and `width` are the table's."""

    look: Look
    left: float
    width: float
    height: float
    cells: Sequence[tuple[Track, Content, float]]  # the last: how far below the upper end it begins
    fill: str | None = None
    # lines (x1, x2, distance below the upper end), by colour and thickness
    rules: Sequence[tuple[float, float, float, str, float]] = ()
    # cells over columns (x1, x2, distances of both ends below the upper end): a grid does not cross them
    spans: Sequence[tuple[float, float, float, float]] = ()
    slots: Sequence[Slot] = ()  # of each cell

    def draw(self, sheet: Sheet, top: float, role: str, elements: Sequence[Element] | None = None) -> None:
        """Draw the strip with its upper end at `top`, in a tagged document each cell for its element."""
        if self.fill is not None:
            sheet.fill(self.fill, [(self.left, top - self.height, self.width, self.height)])
        for left, right, below, color, thickness in self.rules:
            sheet.rule(color, thickness, [(left, top - below, right, top - below)])
        for number, (track, content, below) in enumerate(self.cells):
            if elements is not None:
                sheet.tag(elements[number])
            last = min(content.count, self.look.span)
            content.draw(sheet, self.look, track, Spot(top - below, self.height - below, 0, last, role))


@value
class _Span:
    """A head that `count` columns share, from `column` on, and their outer ends, padding included."""

    label: str
    track: Track
    left: float
    right: float
    column: int
    count: int


@dataclass(slots=True)
class Strips:
    """Makes the strips of one table."""

    table: ResolvedTable
    look: Look
    setter: Setter
    lanes: Sequence[Lane]
    left: float
    width: float
    _usual: Sequence[float] | None = None  # sizes of sums, once somebody has asked

    # ---------------------------------------------------------------- head

    def head(self) -> Strip | None:
        """Return the head, None when the table has none."""
        columns = self.table.columns
        if not self.table.head or not any(column.header or column.head_group for column in columns):
            return None
        style = self._head_style()
        spans = self._spans()
        above = [(span.track, self._composed(span.label, span.track, style)) for span in spans]
        top = max((self._count(content) for _, content in above), default=0) * self.look.leading
        top = round(top + (0.6 * self.look.pad_y if above else 0.0), 2)
        tracks = [lane.head_track for lane in self.lanes]
        below = [
            (track, self._composed(lane.column.header, track, style))
            for lane, track in zip(self.lanes, tracks, strict=True)
        ]
        lines = max(self._count(content) for _, content in below)
        height = round(self.look.height(lines) + top, 2)
        cells: list[tuple[Track, Content, float]] = [(track, content, 0.0) for track, content in above]
        cells += [
            (track, content, round(top + (lines - self._count(content)) * self.look.leading, 2))
            for track, content in below
        ]
        theme, under = self.look.theme, self.look.pad_y + top - 0.3 * self.look.pad_y
        # in a grid the rule below a shared head meets the lines beside it
        grid = self.table.rules == "grid"
        shared = [(span.left, span.right, 0.0, under) for span in spans]
        ends = [(span.left, span.right) if grid else (span.track.left, span.track.right) for span in spans]
        rules = [(x1, x2, under, theme.rule_strong, HAIRLINE) for x1, x2 in ends]
        if self.table.rules != "none":
            rules.append((self.left, self.left + self.width, height, theme.rule_strong, 1.5 * HAIRLINE))
        slots = [Slot(span.column, span.count, "TH", "Column") for span in spans]
        slots += [Slot(number, 1, "TH", "Column", line=1) for number in range(len(self.lanes))]
        return Strip(self.look, self.left, self.width, height, cells, theme.tint, rules, shared, slots)

    def _head_style(self) -> TextStyle:
        """Return the style of heads: a little smaller where a word would be torn that no hyphen can part."""
        style = self.look.style(bold=True, scale=HEAD_SIZE)
        font, scale = self.look.font(style), 1.0
        for lane in self.lanes:
            head, room = plain(lane.column.header), 0.99 * lane.head_track.width
            line = font.line(head) if len(head) <= SHORT else None
            if line is not None and line[1] * style.size / 1000 <= room:
                continue  # as most do
            for word in clean(head).split():
                if font.width(word, style.size) > room:
                    self.look.typesetter.check_time()
                    widest = max(font.width(piece, style.size) for piece in self._pieces(word))
                    if room < widest <= room / HEAD_SHRINK:
                        scale = min(scale, room / widest)
        return style.but(size=round(style.size * scale, 2)) if scale < 1.0 else style

    def _pieces(self, word: str) -> Sequence[str]:
        """Return the parts of a word that are torn where they are too wide."""
        language = self.look.typesetter.language
        return [piece for piece in parts(word) if not points(piece, language)] or [""]

    def _spans(self) -> list[_Span]:
        """Return the heads that neighbours share."""
        spans: list[_Span] = []
        start = 0
        while start < len(self.lanes):
            label, stop = self.lanes[start].column.head_group, start + 1
            while stop < len(self.lanes) and self.lanes[stop].column.head_group == label:
                stop += 1
            if label:
                ends = self.lanes[start], self.lanes[stop - 1]
                left = min(end.head_track.left for end in ends)
                right = max(end.head_track.right for end in ends)
                track = Track.of(left, right - left, "center")
                outer = min(end.left for end in ends), max(end.right for end in ends)
                spans.append(_Span(label, track, *outer, start, stop - start))
            start = stop
        return spans

    def _count(self, content: Content) -> int:
        return min(content.count, self.look.span)

    # ---------------------------------------------------------------- groups

    def heading(self, group: ResolvedGroupOfRows, *, again: bool = False) -> Strip:
        """Return the heading of a group, `again` the quiet one of a further page."""
        look, theme = self.look, self.look.theme
        style = look.style(bold=not again, color=theme.muted if again or group.level > 1 else theme.ink)
        indent = min(INDENT * group.level, 0.3 * self.width)
        track = self._across(self.left + look.pad_x, self.left + self.width - look.pad_x, indent)
        content = self._composed(group.title, track, style)
        height = look.height(self._count(content))
        fill = theme.tint if not again and not group.level else None
        ruled = self.table.rules == "grid" or (fill is not None and self.table.rules != "none")
        rules = [self._rule(height, theme.rule, HAIRLINE)] if ruled else []
        cells = [(track, content, 0.0)]
        slots = [Slot(0, len(self.lanes), "TH", "Row")]
        return Strip(look, self.left, self.width, height, cells, fill, rules, self._whole(height), slots)

    def subtotals(self, group: ResolvedGroupOfRows) -> Strip:
        """Return the sums of a group."""
        theme = self.look.theme
        rules = [self._rule(0.0, theme.rule_strong, HAIRLINE)]
        indent = min(INDENT * group.level, 0.3 * self.width)
        style = self.look.style(bold=True)
        strip = self._sums(group.label, group.subtotals or (), style, None, rules, indent)
        if self.table.rules != "none":
            strip.rules = [*rules, self._rule(strip.height, theme.rule, HAIRLINE)]
        return strip

    def totals(self) -> Strip:
        """Return the sums of the table."""
        theme = self.look.theme
        rules = [self._rule(0.0, theme.ink, STRONG)]
        style = self.look.style(bold=True)
        return self._sums(self.table.totals_label, self.table.totals or (), style, theme.tint, rules)

    def forward(self, label: str, values: Sequence[Cell]) -> Strip:
        """Return the line of what is brought or carried forward."""
        theme = self.look.theme
        rules = [] if self.table.rules == "none" else [self._rule(0.0, theme.rule, HAIRLINE)]
        style = self.look.style(italic=True, color=theme.muted)
        strip = self._sums(label, values, style, None, rules, whole=True)
        if self.table.rules == "grid":
            strip.rules = [*rules, self._rule(strip.height, theme.rule, HAIRLINE)]
        return strip

    def empty(self) -> Strip:
        """Return what stands for the rows that are not there."""
        look, theme = self.look, self.look.theme
        track = self._across(self.left + look.pad_x, self.left + self.width - look.pad_x)
        content = self._composed(self.table.empty_text, track, look.style(italic=True, color=theme.muted))
        height = look.height(self._count(content))
        cells = [(track, content, 0.0)]
        whole, slots = self._whole(height), [Slot(0, len(self.lanes))]
        return Strip(look, self.left, self.width, height, cells, spans=whole, slots=slots)

    def _whole(self, below: float) -> Sequence[tuple[float, float, float, float]]:
        """Return the span of a cell over all columns, down to `below` the upper end."""
        return [(self.left, self.left + self.width, 0.0, below)]

    def _rule(self, below: float, color: str, thickness: float) -> tuple[float, float, float, str, float]:
        return self.left, self.left + self.width, below, color, thickness

    def _sums(
        self,
        label: Rich,
        values: Sequence[Cell],
        style: TextStyle,
        fill: str | None,
        rules: Sequence[tuple[float, float, float, str, float]],
        indent: float = 0.0,
        *,
        whole: bool = False,
    ) -> Strip:
        """Return a row with a label in front of sums; the label takes the columns that have none.

        `whole`: sums stay on one line whatever their size, so that the height does not depend on them.
        """
        texts = [lane.column.total_text(value) for lane, value in zip(self.lanes, values, strict=True)]
        filled = [index for index, text in enumerate(texts) if text]
        cells: list[tuple[Track, Content, float]] = []
        slots: list[Slot] = []
        sizes = self._sum_sizes(texts, filled, style, whole=whole)
        drop = 0.0
        if label:
            track = self._label_track(filled, indent)
            content = self._composed(label, track, style)
            if filled and (not filled[0] or (content.count > 1 and track.width < ASIDE * self.width)):
                # little room before the first sum: a line of its own
                track = self._label_track((), indent)
                content = self._composed(label, track, style)
                drop = round(self._count(content) * self.look.leading, 2)
            cells.append((track, content, 0.0))
            over = len(self.lanes) if drop or not filled else filled[0]
            slots.append(Slot(0, over, "TH", "Row"))
        for index in filled:
            slots.append(Slot(index, line=1 if drop else 0))
            track, text = self.lanes[index].track, texts[index]
            content = self.setter.content(
                text, track, "wrap" if " " in text else "cut", style.but(size=sizes[index])
            )
            cells.append((track, content, drop))
        height = max(
            (self.look.height(self._count(content)) + below for _, content, below in cells),
            default=self.look.row,
        )
        height = round(height, 2)
        spans: Sequence[tuple[float, float, float, float]] = ()
        if label and (drop or not filled):
            spans = self._whole(drop + self.look.pad_y / 2 if drop else height)
        elif label:
            spans = [(*self._label_ends(filled[0]), 0.0, height)]
        beside = [style.size] if label and not drop else []
        look = self.look.based([*sizes.values(), *beside]) if sizes else self.look
        return Strip(look, self.left, self.width, height, cells, fill, rules, spans, slots)

    def _label_ends(self, before: int) -> tuple[float, float]:
        """Return the left and right end of the columns before one, cells and their padding."""
        beside = self.lanes[before - 1]
        if self._mirrored:
            return beside.left, self.left + self.width
        return self.left, beside.right

    def _label_track(self, filled: Sequence[int], indent: float) -> Track:
        look = self.look
        left = self.left + look.pad_x
        right = self.left + self.width - look.pad_x
        if filled and filled[0]:
            beside = self.lanes[filled[0] - 1].track
            left, right = (beside.left, right) if self._mirrored else (left, beside.right)
        return self._across(left, right, min(indent, 0.3 * (right - left)))

    def _across(self, left: float, right: float, indent: float = 0.0) -> Track:
        """Return a track between two places, `indent` behind the one where lines begin."""
        width = max(right - left - indent, 1.0)
        return Track.of(left, width, "right") if self._mirrored else Track.of(left + indent, width, "left")

    @property
    def _mirrored(self) -> bool:
        return self.look.typesetter.mirrored

    def _sum_sizes(
        self, texts: Sequence[str], filled: Sequence[int], style: TextStyle, *, whole: bool
    ) -> Mapping[int, float]:
        """Return the sizes of a row's sums by column: one for all, in which each fits."""
        sizes = {index: self._size(texts[index], index, style, whole=whole) for index in filled}
        found = [*sizes.values(), *self._usual_sizes()]
        if not sizes or min(found) == max(found):
            return sizes
        even = even_size(found)
        return {index: min(size, even) for index, size in sizes.items()}

    def _usual_sizes(self) -> Sequence[float]:
        """Return the sizes that known sums need where they may be too wide: all rows of sums are alike."""
        if self._usual is None:
            style, table = self.look.style(bold=True), self.table
            self._usual = [
                min(self._size(text, index, style) for text in texts)
                for index, lane in enumerate(self.lanes)
                if not lane.fits
                if (texts := [text for text in sums_of(table, index) if text])
            ]
        return self._usual

    def _size(self, text: str, index: int, style: TextStyle, *, whole: bool = False) -> float:
        """Return the size of a sum: no larger than the cells above it, smaller where it would not fit.

        `whole`: however small that is.
        """
        lane = self.lanes[index]
        size = min(style.size, lane.style.size)
        needed = self.look.font(style).word(text).width * size / 1000
        least = 0.0 if whole else FIGURES_SHRINK * self.look.size / size
        return round(size * whole_scale(needed, lane.track, least), 3)

    def _composed(self, text: Rich, track: Track, style: TextStyle) -> Content:
        return self.setter.paragraph(text, track, style)
