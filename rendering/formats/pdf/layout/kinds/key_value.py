"""Pairs of label and value: a grid from the left, a totals block at the right, or centred on their gutter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from config.value import dataclass
from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.items import Item
from rendering.formats.pdf.layout.measures import BLOCK_GAP, CAP_HEIGHT, ENDLESS_LINE, MM
from rendering.formats.pdf.layout.pairs import (
    GUTTER,
    LEADING,
    MOST_KEPT,
    SLACK,
    Grid,
    column_width,
    draw_short,
    grid_of,
    pair_tags,
    rule_of,
    styles_of,
)
from rendering.formats.pdf.typeset.atoms import behind_signs, is_address, parts
from rendering.formats.pdf.typeset.paragraph import Paragraph, compose, place
from rendering.formats.pdf.typeset.rich import cleaned
from rendering.formats.pdf.typeset.style import TextStyle
from templates_app.resolved import Align, ResolvedKeyValue, Rich, plain

if TYPE_CHECKING:
    from rendering.formats.pdf.layout.structure import Element

NARROWEST: Final = 60.0  # column, and values in many lines
LINES: Final = 2.5  # of values: where they would take more, columns are fewer
MEASURED: Final = 4_000  # characters of a text in which long words are sought
LONGEST: Final = 20  # words of a text among which the widest is sought
CHECKED: Final = 100  # rows between two looks at the clock
_SIDES: Final[tuple[Align, Align]] = ("left", "right")


@dataclass(slots=True)
class _Text:
    """A label or a value: measured first, then fitted into its column."""

    text: Rich
    style: TextStyle
    paragraph: Paragraph
    natural: float  # width of the widest line

    def widest_word(self, flow: Flow) -> float:
        """Return the width of the widest part that only a hyphen can divide, of some long words."""
        flow.limits.check_time()
        words = sorted(set(plain(self.text)[:MEASURED].split()), key=len)[-LONGEST:]
        font = flow.typesetter.font(self.style)
        pieces = [piece for word in words for part in parts(word) for piece in _pieces(part)]
        return max((font.width(piece, self.style.size) for piece in pieces), default=0.0)

    def fitted(self, width: float, align: Align, flow: Flow) -> Paragraph:
        """Return the lines in a column."""
        paragraph = self.paragraph
        if self.natural > width + SLACK:
            leading = paragraph.leading
            return compose(
                self.text,
                self.style,
                width,
                typesetter=flow.typesetter,
                align=align,
                leading=leading,
                hyphenate="long",
            )
        share = 1.0 if align == "right" else 0.0
        for line in paragraph.lines:  # those from right to left are at the right already
            line.x = (1.0 if line.x else share) * (width - line.width)
        paragraph.width = width
        return paragraph


def _pieces(word: str) -> Sequence[str]:
    """Return what an address is broken into behind its signs; any other word as it is."""
    if not is_address(word):
        return (word,)
    ends = [*behind_signs(word), len(word)]
    return [word[begin:end] for begin, end in pairwise((0, *ends))]


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
    flow.open("L")
    if not draw_short(section, columns, flow):
        _draw_any(section, columns, flow)
    flow.close()
    flow.gap(BLOCK_GAP)


def _draw_any(section: ResolvedKeyValue, columns: int, flow: Flow) -> None:
    pairs = _measured(section, flow)
    widest = max([pair.label.natural for pair in pairs]), max([pair.value.natural for pair in pairs])
    words = _widest_words(pairs, flow) if _crowded(section, *widest, columns, flow) else (0.0, 0.0)
    lines = max(words[1], min(widest[1] / LINES, NARROWEST))
    while columns > 1 and _crowded(section, words[0], lines, columns, flow):
        columns -= 1
    grid = grid_of(section, *widest, columns, flow, words)
    rows = [_row(pairs[start : start + columns], grid, flow) for start in range(0, len(pairs), columns)]
    if len(rows) <= MOST_KEPT:
        together = sum([row.height for row in rows])
        if together <= flow.height:  # a balance must not stand alone on the next page
            flow.need(together)
    for number, row in enumerate(rows):
        if number % CHECKED == CHECKED - 1:
            flow.limits.check_time()
        _draw(row, grid, flow, first=number == 0)


def _crowded(section: ResolvedKeyValue, label: float, value: float, columns: int, flow: Flow) -> bool:
    """Tell whether labels and values so wide are too much for a column."""
    if section.label_width is not None:
        label = section.label_width * MM
    return label + GUTTER + value > column_width(section.align, columns, flow) + SLACK


def _widest_words(pairs: Sequence[_Pair], flow: Flow) -> tuple[float, float]:
    """Return the widths of the widest word of all labels, and of all values."""
    return (
        max([pair.label.widest_word(flow) for pair in pairs]),
        max([pair.value.widest_word(flow) for pair in pairs]),
    )


def _measured(section: ResolvedKeyValue, flow: Flow) -> list[_Pair]:
    """Return the pairs with the widths they would like to have."""
    setter = flow.typesetter
    styles = {strong: styles_of(section, flow, strong=strong) for strong in (False, True)}

    def measured(text: Rich, style: TextStyle, leading: float) -> _Text:
        text = cleaned(text)
        paragraph = compose(text, style, ENDLESS_LINE, typesetter=setter, leading=leading)
        return _Text(text, style, paragraph, paragraph.natural_width)

    made = []
    for pair in section.pairs:
        label, value = styles[pair.strong]
        leading = label.size * LEADING
        drop = (leading + CAP_HEIGHT * label.size) / 2
        texts = measured(pair.label, label, leading), measured(pair.value, value, leading)
        made.append(_Pair(*texts, pair.strong, drop))
    return made


def _row(pairs: Sequence[_Pair], grid: Grid, flow: Flow) -> _Row:
    label_align, value_align = (_SIDES[bool(share)] for share in grid.shares)
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
    """Draw one row; the texts of one that is taller than a page flow on side by side."""
    if row.height > flow.height:
        flows = []
        flow.need(2 * max(label.leading for label, _, _ in row.cells))
        for number, (label, value, _) in enumerate(row.cells):
            _, left, right = grid.places(number)
            for paragraph, x, role, tag in _sides(label, left, value, right, flow):
                flows.append(flow.beside(x, paragraph.width))
                flows[-1].tag(tag)
                flows[-1].paragraph(paragraph, x, role)
        flow.join(flows)
        return
    flow.need(row.height)
    for number, (label, value, pair) in enumerate(row.cells):
        x, left, right = grid.places(number)
        if grid.align == "right" and (pair.strong or not first):
            flow.put(rule_of(grid, x, flow, strong=pair.strong))
        baseline = flow.y - grid.pad - row.drop
        for paragraph, begin, role, tag in _sides(label, left, value, right, flow):
            flow.tag(tag)
            _place(paragraph, begin, baseline, role, flow.items)
    flow.advance(row.height)


def _sides(
    label: Paragraph, left: float, value: Paragraph, right: float, flow: Flow
) -> Sequence[tuple[Paragraph, float, str, Element | None]]:
    """Return both texts of a pair, where they begin, what they are, and their elements."""
    tags = pair_tags(flow)
    return (label, left, "label", tags[0]), (value, right, "value", tags[1])


def _place(paragraph: Paragraph, x: float, baseline: float, role: str, items: list[Item]) -> None:
    """Add the lines of a text whose first one stands on `baseline`."""
    for line in paragraph.lines:
        items.extend(place(line, x, baseline, role))
        baseline -= paragraph.leading
