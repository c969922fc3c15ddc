"""Pairs of label and value: a grid from the left, a totals block at the right, or centred on their gutter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rendering.formats.pdf.blocks import Block, Line, lines_of
from rendering.formats.pdf.flow import Flow
from rendering.formats.pdf.fonts import face
from rendering.formats.pdf.styles import (
    BLOCK_GAP,
    INK,
    MM,
    MUTED,
    PAIR_COLUMN_GAP,
    PAIR_GUTTER,
    PAIR_PAD_Y,
    PAIR_SIZE,
    PAIR_STRONG_SIZE,
    RULE,
    RULE_STRONG,
    TABLE_LEADING,
    TABLE_PAD_X,
)
from rendering.formats.pdf.text import Measure, clean
from templates_app.resolved import ResolvedKeyValue, ResolvedPair

MOST_KEPT = 60  # rows that are measured to stay on one page


@dataclass(frozen=True, slots=True)
class _Grid:
    """Widths of one block of pairs, in points."""

    x: float
    label: float
    value: float
    align: str
    inset: float

    @property
    def step(self) -> float:
        """Distance from one column to the next."""
        return self.label + PAIR_GUTTER + self.value + 2 * self.inset + PAIR_COLUMN_GAP


def render(section: ResolvedKeyValue, flow: Flow) -> None:
    """Draw the pairs row by row, in as many columns as wished and possible."""
    if not section.pairs:
        return
    pairs = [ResolvedPair(clean(pair.label), clean(pair.value), pair.strong) for pair in section.pairs]
    columns = max(1, min(section.columns, len(pairs), int(flow.width // 60)))
    grid = _grid(section, pairs, columns, flow)
    flow.gap(BLOCK_GAP)
    rows = [pairs[start : start + columns] for start in range(0, len(pairs), columns)]
    if len(rows) <= MOST_KEPT:
        together = sum(_height(_cells(row, grid), grid) for row in rows)
        if together <= flow.height:  # a balance must not stand alone on the next page
            flow.need(together)
    for number, row in enumerate(rows):
        if number % 200 == 0:
            flow.limits.check_time()
        _row(row, grid, flow, first=number == 0)
    flow.gap(BLOCK_GAP)


def _grid(section: ResolvedKeyValue, pairs: Sequence[ResolvedPair], columns: int, flow: Flow) -> _Grid:
    inset = TABLE_PAD_X if section.align == "right" else 0.0  # figures stand under those of a table
    column = (flow.width - (columns - 1) * PAIR_COLUMN_GAP) / columns - 2 * inset
    value = max(_styles(pair)[1].width(line) for pair in pairs for line in pair.value.split("\n"))
    if section.label_width is not None:
        label = min(section.label_width * MM, column - PAIR_GUTTER - 10)
    else:
        widest = max(_styles(pair)[0].width(pair.label) for pair in pairs)
        label = min(widest, (column - PAIR_GUTTER) * (0.42 if section.align == "left" else 0.6))
    label = max(label, 10.0)
    room = max(column - label - PAIR_GUTTER, 10.0)
    if section.align == "left":
        return _Grid(flow.left, label, room, "left", inset)
    value = min(value, room)
    if section.align == "right":  # at least a third of the page: a totals block should not look pinched
        value = min(max(value, flow.width * 0.36 - label - PAIR_GUTTER), room)
    total = columns * (label + PAIR_GUTTER + value + 2 * inset + PAIR_COLUMN_GAP) - PAIR_COLUMN_GAP
    free = max(flow.width - total, 0.0)
    return _Grid(
        flow.left + (free if section.align == "right" else free / 2), label, value, section.align, inset
    )


def _styles(pair: ResolvedPair) -> tuple[Measure, Measure]:
    """Return the measures of label and value."""
    size = PAIR_STRONG_SIZE if pair.strong else PAIR_SIZE
    strong = Measure(face(bold=pair.strong), size)
    return strong, strong


def _row(pairs: Sequence[ResolvedPair], grid: _Grid, flow: Flow, *, first: bool) -> None:
    """Draw one row; one that is taller than the page flows on, a column after the other."""
    cells = _cells(pairs, grid)
    height = _height(cells, grid)
    if height > flow.height:
        for blocks in cells:
            for block in blocks:
                block.draw(flow)
        return
    flow.need(height)
    top = flow.y
    if grid.align == "right":
        _rules(pairs, grid, flow, first=first)
    for blocks in cells:
        for block in blocks:
            flow.y = top - PAIR_PAD_Y * (2 if grid.align == "right" else 1)
            for line in block.lines:
                block.draw_line(flow, line)
    flow.y = top - height


def _cells(pairs: Sequence[ResolvedPair], grid: _Grid) -> list[tuple[Block, Block]]:
    return [_cell(pair, grid, grid.x + number * grid.step) for number, pair in enumerate(pairs)]


def _height(cells: Sequence[tuple[Block, Block]], grid: _Grid) -> float:
    """Return the height of one row; a totals block stands wider apart."""
    tallest = max(block.height for blocks in cells for block in blocks)
    return tallest + PAIR_PAD_Y * (4 if grid.align == "right" else 2)


def _rules(pairs: Sequence[ResolvedPair], grid: _Grid, flow: Flow, *, first: bool) -> None:
    for number, pair in enumerate(pairs):
        if first and not pair.strong:
            continue
        width = grid.step - PAIR_COLUMN_GAP
        color, thickness = (RULE_STRONG, 0.9) if pair.strong else (RULE, 0.5)
        flow.canvas.rule(grid.x + number * grid.step, flow.y, width, color, thickness)


def _cell(pair: ResolvedPair, grid: _Grid, x: float) -> tuple[Block, Block]:
    label_measure, value_measure = _styles(pair)
    leading = label_measure.size * TABLE_LEADING
    x += grid.inset
    label_align = "right" if grid.align == "center" else "left"
    value_align = "right" if grid.align == "right" else "left"
    color = INK if pair.strong else MUTED

    def block(text: str, measure: Measure, ink: str, align: str, left: float, width: float) -> Block:
        lines: list[Line] = lines_of(text.strip(), measure, width + 0.01)
        return Block(lines, measure, ink, align, leading, left, width)

    return (
        block(pair.label, label_measure, color, label_align, x, grid.label),
        block(pair.value, value_measure, INK, value_align, x + grid.label + PAIR_GUTTER, grid.value),
    )
