"""Pairs of label and value: a grid from the left, a totals block at the right, or centred on their gutter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from config.value import value
from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.items import Item, Rules
from rendering.formats.pdf.layout.measures import BLOCK_GAP, CAP_HEIGHT, MM
from rendering.formats.pdf.typeset.paragraph import Paragraph, compose, place
from rendering.formats.pdf.typeset.rich import cleaned
from rendering.formats.pdf.typeset.style import TextStyle
from templates_app.resolved import Align, ResolvedKeyValue, ResolvedPair, Rich

# In the theme's font sizes.
SIZE: Final = 0.95
STRONG_SIZE: Final = 1.15
LEADING: Final = 1.3  # in font sizes of the pair
GUTTER: Final = 14.0  # between label and value
COLUMN_GAP: Final = 28.0
PAD_Y: Final = 2.2
PAD_X: Final = 5.0  # of a totals block: its figures stand under those of a table
NARROWEST: Final = 60.0  # column
LEAST: Final = 10.0  # width of a label or a value
PINCHED: Final = 0.36  # least width of a totals block, as a share of the page's
LABEL_SHARES: Final = {"left": 0.42, "center": 0.6, "right": 0.6}  # at most, of a column
MOST_KEPT: Final = 60  # rows that are measured to stay on one page
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
        if self.natural > width + 0.01:
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


@value
class _Grid:
    """Widths of one block of pairs, in points."""

    x: float
    label: float
    value: float
    align: Align
    inset: float

    @property
    def block(self) -> float:
        """The width of one column."""
        return self.label + GUTTER + self.value + 2 * self.inset

    @property
    def pad(self) -> float:
        """Height above and below the text of a row; a totals block stands wider apart."""
        return PAD_Y * (2 if self.align == "right" else 1)


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
    pairs = _measured(section.pairs, flow)
    columns = max(1, min(section.columns, len(pairs), int(flow.width // NARROWEST)))
    grid = _grid(section, pairs, columns, flow)
    rows = [_row(pairs[start : start + columns], grid, flow) for start in range(0, len(pairs), columns)]
    flow.gap(BLOCK_GAP)
    if len(rows) <= MOST_KEPT:
        together = sum([row.height for row in rows])
        if together <= flow.height:  # a balance must not stand alone on the next page
            flow.need(together)
    for number, row in enumerate(rows):
        if number % CHECKED == CHECKED - 1:
            flow.limits.check_time()
        _draw(row, grid, flow, first=number == 0)
    flow.gap(BLOCK_GAP)


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


def _grid(section: ResolvedKeyValue, pairs: Sequence[_Pair], columns: int, flow: Flow) -> _Grid:
    align = section.align
    inset = PAD_X if align == "right" else 0.0
    column = (flow.width - (columns - 1) * COLUMN_GAP) / columns - 2 * inset
    if section.label_width is not None:
        label = min(section.label_width * MM, column - GUTTER - LEAST)
    else:
        widest = max([pair.label.natural for pair in pairs])
        label = min(widest, (column - GUTTER) * LABEL_SHARES[align])
    label = max(label, LEAST)
    room = max(column - label - GUTTER, LEAST)
    if align == "left":
        return _Grid(flow.left, label, room, "left", inset)
    value = min(max([pair.value.natural for pair in pairs]), room)
    if align == "right":
        value = min(max(value, flow.width * PINCHED - label - GUTTER), room)
    total = columns * (label + GUTTER + value + 2 * inset + COLUMN_GAP) - COLUMN_GAP
    free = max(flow.width - total, 0.0)
    return _Grid(flow.left + (free if align == "right" else free / 2), label, value, align, inset)


def _row(pairs: Sequence[_Pair], grid: _Grid, flow: Flow) -> _Row:
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


def _draw(row: _Row, grid: _Grid, flow: Flow, *, first: bool) -> None:
    """Draw one row; one that is taller than a page flows on, a text after the other."""
    step, gutter = grid.block + COLUMN_GAP, grid.label + GUTTER
    if row.height > flow.height:
        for number, (label, value, _) in enumerate(row.cells):
            x = grid.x + number * step + grid.inset
            flow.paragraph(label, x, "label")
            flow.paragraph(value, x + gutter, "value")
        return
    flow.need(row.height)
    items: list[Item] = []
    for number, (label, value, pair) in enumerate(row.cells):
        x = grid.x + number * step
        if grid.align == "right" and (pair.strong or not first):
            color, thickness = (flow.theme.rule_strong, 0.9) if pair.strong else (flow.theme.rule, 0.5)
            items.append(Rules(((x, flow.y, x + grid.block, flow.y),), color, thickness))
        x += grid.inset
        baseline = flow.y - grid.pad - row.drop
        _place(label, x, baseline, "label", items)
        _place(value, x + gutter, baseline, "value", items)
    flow.put(*items)
    flow.advance(row.height)


def _place(paragraph: Paragraph, x: float, baseline: float, role: str, items: list[Item]) -> None:
    """Add the lines of a text whose first one stands on `baseline`."""
    for line in paragraph.lines:
        items.extend(place(line, x, baseline, role))
        baseline -= paragraph.leading
