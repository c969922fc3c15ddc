"""Tables: one linear pass over the rows, the header on every page, tall rows parted between pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rendering.formats.pdf.blocks import SHARES
from rendering.formats.pdf.columns import Wish, column_widths
from rendering.formats.pdf.flow import EPSILON, Flow
from rendering.formats.pdf.fonts import face
from rendering.formats.pdf.styles import (
    CAP_HEIGHT,
    CAPTION_SIZE,
    HAIRLINE,
    INK,
    MUTED,
    RULE,
    RULE_STRONG,
    TABLE_GAP,
    TABLE_LEADING,
    TABLE_PAD_X,
    TABLE_PAD_Y,
    TINT,
    ZEBRA,
)
from rendering.formats.pdf.text import Measure, clean, one_line
from templates_app.expressions.helpers import Format
from templates_app.resolved import Cell, ResolvedTable

SAMPLE: Final = 300  # rows that are measured for the widths of columns
CHECK_EVERY: Final = 200  # rows between two looks at the clock
SHORT_HEADER: Final = 6.5  # font sizes
LEAST_COLUMN: Final = 2.0  # font sizes that an average column has at least
SMALLEST: Final = 0.5  # font size in points
WIDEST: Final = 4_000  # characters of a cell that are measured for the width of its column

Lines = Sequence[Sequence[str]]  # a row: the lines of each cell


def render(section: ResolvedTable, flow: Flow) -> None:
    """Draw the table, its title above it; a row without values is still drawn."""
    if not section.columns:
        return
    flow.gap(TABLE_GAP)
    if section.title:
        _caption(section, flow)
    _Table(section, flow).draw()
    flow.gap(TABLE_GAP)


def _caption(section: ResolvedTable, flow: Flow) -> None:
    measure = Measure(face(bold=True), CAPTION_SIZE)
    text = measure.clipped(one_line(section.title), flow.width)
    leading = CAPTION_SIZE * TABLE_LEADING
    flow.hold(leading, lambda: flow.line(text, measure.face, CAPTION_SIZE, INK, flow.left, leading))
    flow.gap(5)


def cell_text(value: Cell, written: Format) -> str:
    """Return what a cell shows; text is shown as it is, its helper was applied when the data was read."""
    return clean(value if isinstance(value, str) else written.text(value))


class _Table:
    """One table on its way down the pages; what belongs on a page is gathered, then written at once."""

    def __init__(self, section: ResolvedTable, flow: Flow) -> None:
        self.section = section
        self.flow = flow
        self.columns = section.columns
        share = flow.width / len(self.columns)
        self.pad_x = min(TABLE_PAD_X, share * 0.15)
        # very many columns: the type shrinks until a few characters fit into each
        size = max(min(section.size, (share - 2 * self.pad_x) / LEAST_COLUMN), SMALLEST)
        self.body = Measure(face(), size)
        self.strong = Measure(face(bold=True), size)
        self.leading = size * TABLE_LEADING
        self.pad_y = size * TABLE_PAD_Y
        self.widths = self._widths()
        self.lefts = [flow.left + sum(self.widths[:index]) for index in range(len(self.widths))]
        # a sliver more than the column: its width came from adding up the same numbers in another order
        self.inner = [max(width - 2 * self.pad_x, 0.5) + EPSILON for width in self.widths]
        self.total = sum(self.widths)
        self.header = self._header()
        self._texts: list[tuple[float, float, str]] = []
        self._fills: list[tuple[float, float]] = []
        self._rules: list[float] = []

    def draw(self) -> None:
        """Draw header and rows."""
        rows = self.section.rows
        first = self._lines(rows[0]) if rows else ()
        self.flow.need(min(self._height(self.header) + self._height(first or [[""]]), self.flow.height))
        self._draw_header()
        for number, row in enumerate(rows):
            if number % CHECK_EVERY == 0:
                self.flow.limits.check_time()
            self._place(self._lines(row), shaded=self.section.zebra and number % 2 == 1)
        if not rows:
            self._draw_empty()
        self._flush()

    def _lines(self, row: Sequence[Cell]) -> list[list[str]]:
        wrap = self.body.wrap
        return [
            wrap(cell_text(value, column.format).rstrip(), width)
            for column, value, width in zip(self.columns, row, self.inner, strict=True)
        ]

    def _widths(self) -> list[float]:
        rows = self.section.rows
        sample = rows[:: max(1, -(-len(rows) // SAMPLE))]
        wishes = []
        for index, column in enumerate(self.columns):
            cells = 0.0
            if column.width is None:
                for row in sample:
                    for line in cell_text(row[index], column.format)[:WIDEST].split("\n"):
                        cells = max(cells, self.body.width(line))
            header = clean(column.header)
            pad = 2 * self.pad_x
            # a short header stays on its line even where the cells of other columns have to wrap
            one = self.strong.width(header)
            least = one if one <= SHORT_HEADER * self.strong.size else self.strong.longest_word(header)
            full, tight = max(cells, one) + pad, max(cells, least) + pad
            wishes.append(Wish(column.width, full, tight, stretches=column.align != "right"))
        return column_widths(wishes, self.flow.width)

    def _header(self) -> Lines:
        """Return the header's lines, at most a third of a page; nothing when no column has a header."""
        if not any(column.header.strip() for column in self.columns):
            return ()
        most = max(1, int(self.flow.height / 3 // self.leading))
        return [
            self.strong.wrap(clean(column.header).strip(), width)[:most]
            for column, width in zip(self.columns, self.inner, strict=True)
        ]

    def _height(self, lines: Lines) -> float:
        return max(map(len, lines)) * self.leading + 2 * self.pad_y if lines else 0.0

    def _draw_header(self) -> None:
        if not self.header:
            self._rules.append(self.flow.y)
            return
        flow, height = self.flow, self._height(self.header)
        canvas = flow.canvas
        canvas.box(flow.left, flow.y - height, self.total, height, TINT)
        self._gather(self.header, self.strong, height)
        self._write(self.strong, INK)
        flow.advance(height)
        canvas.rule(flow.left, flow.y, self.total, RULE_STRONG, HAIRLINE * 1.5)

    def _draw_empty(self) -> None:
        measure = Measure(face(italic=True), self.body.size)
        text = measure.clipped(one_line(self.section.empty_text), self.total - 2 * self.pad_x)
        flow, leading = self.flow, self.leading + 2 * self.pad_y
        flow.line(text, measure.face, measure.size, MUTED, flow.left + self.pad_x, leading)
        self._rules.append(flow.y)

    def _place(self, lines: list[list[str]], *, shaded: bool) -> None:
        """Put a row on this page, the next one, or as many as it takes."""
        flow = self.flow
        header = self._height(self.header)
        while True:
            height = self._height(lines)
            if height <= flow.room + EPSILON:
                self._draw_row(lines, height, shaded=shaded)
                return
            fits = int((flow.room - 2 * self.pad_y + EPSILON) // self.leading)
            fresh = flow.y >= flow.top - header - EPSILON
            if fresh or (height > flow.height - header and fits >= 3):
                fits = max(fits, 1)  # a page too small for one line gets it all the same
                part = [cell[:fits] for cell in lines]
                self._draw_row(part, self._height(part), shaded=shaded)
                lines = [cell[fits:] for cell in lines]
                if not any(lines):
                    return
            self._next_page()

    def _next_page(self) -> None:
        self._flush()
        self.flow.new_page()
        self._draw_header()

    def _draw_row(self, lines: Lines, height: float, *, shaded: bool) -> None:
        if shaded:
            self._fills.append((self.flow.y - height, height))
        self._gather(lines, self.body, height)
        self.flow.advance(height)
        if not self.section.zebra:
            self._rules.append(self.flow.y)

    def _gather(self, lines: Lines, measure: Measure, height: float) -> None:
        """Note where each line of a row goes."""
        top = self.flow.y - self.pad_y - (self.leading + CAP_HEIGHT * measure.size) / 2
        for column, cell, left, width in zip(self.columns, lines, self.lefts, self.inner, strict=True):
            share = SHARES[column.align]
            baseline = top
            for line in cell:
                if line:
                    free = (width - measure.width(line)) * share if share else 0.0
                    self._texts.append((left + self.pad_x + max(free, 0.0), baseline, line))
                baseline -= self.leading

    def _write(self, measure: Measure, color: str) -> None:
        """Write the texts noted so far."""
        self.flow.canvas.texts(self._texts, measure.face, measure.size, color)
        self._texts = []

    def _flush(self) -> None:
        """Write what was noted on this page: shades, rules, then texts, and close it with a rule."""
        canvas, left = self.flow.canvas, self.flow.left
        for y, height in self._fills:
            canvas.box(left, y, self.total, height, ZEBRA)
        for y in self._rules:
            canvas.rule(left, y, self.total, RULE)
        canvas.rule(left, self.flow.y, self.total, RULE_STRONG)
        self._write(self.body, INK)
        self._fills, self._rules = [], []
