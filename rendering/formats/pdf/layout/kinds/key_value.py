"""Pairs of label and value: a grid from the left, a totals block at the right, or centred on their gutter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from config.value import dataclass
from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.items import Item
from rendering.formats.pdf.layout.measures import BLOCK_GAP, CAP_HEIGHT
from rendering.formats.pdf.layout.pairs import (
    COLUMN_GAP,
    LEADING,
    MOST_KEPT,
    SIZE,
    SLACK,
    STRONG_SIZE,
    Grid,
    draw_short,
    grid_of,
    rule_of,
)
from rendering.formats.pdf.typeset.paragraph import Paragraph, compose, place
from rendering.formats.pdf.typeset.rich import cleaned
from rendering.formats.pdf.typeset.style import TextStyle
from templates_app.resolved import Align, ResolvedKeyValue, ResolvedPair, Rich

NARROWEST: Final = 60.0  # column
CHECKED: Final = 100  # rows between two looks at the clock
ENDLESS: Final = 1e6


@dataclass(slots=True)
class _Text:
    """A label or a value: measured first, then fitted into its column."""

    text: Rich
    style: TextStyle
    paragraph: Paragraph
    natural: float  # width of the widest line

    def fitted(self, width: float, align: Align, flow: Flow) -> Paragraph:
        """Return the lines in a column."""
        paragraph = self.paragraph
        if self.natural > width + SLACK:
            leading = paragraph.leading
            return compose(
                self.text, self.style, width, typesetter=flow.typesetter, align=align, leading=leading
            )
        share = 1.0 if align == "right" else 0.0
        for line in paragraph.lines:  # those from right to left are at the right already
            line.x = (1.0 if line.x else share) * (width - line.width)
        paragraph.width = width
        return paragraph


@dataclass(slots=True)
class _Pair:
    label: _Text
    value: _Text
    strong: bool
    drop: float  # how far the first baseline is below the top of the text


@dataclass(slots=True)
class _Row:
    """Fitted label and value of each column; `drop` is where their first baseline is below the text's top."""

    cells: Sequence[tuple[Paragraph, Paragraph, _Pair]]
    height: float
    drop: float


def render(section: ResolvedKeyValue, flow: Flow) -> None:
    """Draw the pairs row by row, in as many columns as wished and possible."""
    if not section.pairs:
        return
    columns = max(1, min(section.columns, len(section.pairs), int(flow.width // NARROWEST)))
    flow.gap(BLOCK_GAP)
    if not draw_short(section, columns, flow):
        _draw_any(section, columns, flow)
    flow.gap(BLOCK_GAP)


def _draw_any(section: ResolvedKeyValue, columns: int, flow: Flow) -> None:
    pairs = _measured(section.pairs, flow)
    widest = max([pair.label.natural for pair in pairs]), max([pair.value.natural for pair in pairs])
    grid = grid_of(section, *widest, columns, flow)
    rows = [_row(pairs[start : start + columns], grid, flow) for start in range(0, len(pairs), columns)]
    if len(rows) <= MOST_KEPT:
        together = sum([row.height for row in rows])
        if together <= flow.height:  # a balance must not stand alone on the next page
            flow.need(together)
    for number, row in enumerate(rows):
        if number % CHECKED == CHECKED - 1:
            flow.limits.check_time()
        _draw(row, grid, flow, first=number == 0)


def _measured(pairs: Sequence[ResolvedPair], flow: Flow) -> list[_Pair]:
    """Return the pairs with the widths they would like to have."""
    theme, setter = flow.theme, flow.typesetter
    usual, strong = SIZE * theme.size, STRONG_SIZE * theme.size
    styles = {
        False: (flow.style(usual, color=theme.muted), flow.style(usual)),
        True: (flow.style(strong, bold=True), flow.style(strong, bold=True)),
    }

    def measured(text: Rich, style: TextStyle, leading: float) -> _Text:
        text = cleaned(text)
        paragraph = compose(text, style, ENDLESS, typesetter=setter, leading=leading)
        return _Text(text, style, paragraph, paragraph.natural_width)

    made = []
    for pair in pairs:
        label, value = styles[pair.strong]
        leading = label.size * LEADING
        drop = (leading + CAP_HEIGHT * label.size) / 2
        texts = measured(pair.label, label, leading), measured(pair.value, value, leading)
        made.append(_Pair(*texts, pair.strong, drop))
    return made


def _row(pairs: Sequence[_Pair], grid: Grid, flow: Flow) -> _Row:
    label_align: Align = "right" if grid.align == "center" else "left"
    value_align: Align = "right" if grid.align == "right" else "left"
    cells = []
    drop = height = 0.0
    for pair in pairs:
        drop = max(drop, pair.drop)
    for pair in pairs:
        label = pair.label.fitted(grid.label, label_align, flow)
        value = pair.value.fitted(grid.value, value_align, flow)
        height = max(height, max(label.height, value.height) + drop - pair.drop)
        cells.append((label, value, pair))
    return _Row(cells, height + 2 * grid.pad, drop)


def _draw(row: _Row, grid: Grid, flow: Flow, *, first: bool) -> None:
    """Draw one row; one that is taller than a page flows on, a text after the other."""
    step, beside = grid.block + COLUMN_GAP, grid.label + grid.gutter
    if row.height > flow.height:
        for number, (label, value, _) in enumerate(row.cells):
            x = grid.x + number * step + grid.inset
            flow.paragraph(label, x, "label")
            flow.paragraph(value, x + beside, "value")
        return
    flow.need(row.height)
    items: list[Item] = []
    for number, (label, value, pair) in enumerate(row.cells):
        x = grid.x + number * step
        if grid.align == "right" and (pair.strong or not first):
            items.append(rule_of(grid, x, flow, strong=pair.strong))
        x += grid.inset
        baseline = flow.y - grid.pad - row.drop
        _place(label, x, baseline, "label", items)
        _place(value, x + beside, baseline, "value", items)
    flow.put(*items)
    flow.advance(row.height)


def _place(paragraph: Paragraph, x: float, baseline: float, role: str, items: list[Item]) -> None:
    """Add the lines of a text whose first one stands on `baseline`."""
    for line in paragraph.lines:
        items.extend(place(line, x, baseline, role))
        baseline -= paragraph.leading
