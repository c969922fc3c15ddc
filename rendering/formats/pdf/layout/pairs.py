"""Pairs of label and value whose texts are one plain line each, as most are: placed without paragraphs.

What it places is what `kinds.key_value` would, which does all others. Lengths are points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from config.value import value
from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.items import Item, Rules, TextLine, TextRun
from rendering.formats.pdf.layout.measures import CAP_HEIGHT, MM
from templates_app.resolved import Align, ResolvedKeyValue

if TYPE_CHECKING:
    from rendering.formats.pdf.layout.structure import Element
    from rendering.formats.pdf.typeset.style import TextStyle
    from rendering.formats.pdf.typeset.typesetter import Font

# In the theme's font sizes; see `size_of`.
SIZE: Final = 0.95  # unless the section has a size of its own
STRONG_SIZE: Final = 1.15  # in a totals block
LEADING: Final = 1.3  # in font sizes of the pair
GUTTER: Final = 14.0  # between label and value, at most
LEAST_GUTTER: Final = 0.12  # of a column that is too narrow for more
COLUMN_GAP: Final = 28.0
PAD_Y: Final = 2.2
PAD_X: Final = 5.0  # of a totals block: its figures stand under those of a table
MOST_PAD: Final = 0.1  # of the width
LEAST: Final = 10.0  # width of a label
LEAST_VALUE: Final = 1.5  # width in those sizes: an emoji in strong type needs 1.46
PINCHED: Final = 0.36  # least width of a totals block, as a share of the page's
WIDEST_LETTER: Final = 0.26  # of the width: the font size at which an emoji fits into a label and a value
LABEL_SHARES: Final = {"left": 0.42, "center": 0.6, "right": 0.6}  # at most, of a column
MOST_KEPT: Final = 60  # rows that are measured to stay on one page
SHORT: Final = 64  # characters of a text that may be a plain line
SLACK: Final = 0.01


@value
class Grid:
    """Widths of one block of pairs, in points."""

    x: float
    label: float
    value: float
    align: Align
    inset: float
    gutter: float
    columns: int
    mirrored: bool  # the first column is at the right, and so are the labels

    @property
    def block(self) -> float:
        """The width of one column."""
        return self.label + self.gutter + self.value + 2 * self.inset

    @property
    def pad(self) -> float:
        """Height above and below the text of a row; a totals block stands wider apart."""
        return PAD_Y * (2 if self.align == "right" else 1)

    @property
    def shares(self) -> tuple[float, float]:
        """The shares of free width on the left of labels and of values."""
        label, value = 1.0 if self.align == "center" else 0.0, 1.0 if self.align == "right" else 0.0
        return (1.0 - label, 1.0) if self.mirrored else (label, value)

    def places(self, number: int) -> tuple[float, float, float]:
        """Return the left ends of a column, of its label and of its value."""
        step = self.block + COLUMN_GAP
        if not self.mirrored:
            x = self.x + number * step
            return x, x + self.inset, x + self.inset + self.label + self.gutter
        x = self.x + (self.columns - 1 - number) * step
        return x, x + self.inset + self.value + self.gutter, x + self.inset


def column_width(align: Align, columns: int, flow: Flow) -> float:
    """Return the width of each of some columns of pairs, without the padding of a totals block."""
    inset = min(PAD_X, flow.width * MOST_PAD) if align == "right" else 0.0
    return (flow.width - (columns - 1) * COLUMN_GAP) / columns - 2 * inset


def grid_of(
    section: ResolvedKeyValue,
    widest_label: float,
    widest_value: float,
    columns: int,
    flow: Flow,
    words: tuple[float, float] = (0.0, 0.0),
) -> Grid:
    """Return the grid of pairs whose texts would like to be so wide, with room for whole `words` of both.

    It is never wider than the flow: where that is narrow, the gutter gives way first, then all the rest.
    """
    align, mirrored = section.align, flow.typesetter.mirrored
    inset = min(PAD_X, flow.width * MOST_PAD) if align == "right" else 0.0
    column = column_width(align, columns, flow)
    least = LEAST_VALUE * size_of(section, flow)
    gutter = min(GUTTER, max(column - 2 * least, column * LEAST_GUTTER))
    least = min(least, (column - gutter) / 2)
    if section.label_width is not None:
        label = section.label_width * MM
    else:
        label = min(widest_label, (column - gutter) * LABEL_SHARES[align])
        if label < words[0]:
            label = max(label, min(words[0] + SLACK, column - gutter - words[1]))
    label = min(max(label, LEAST), column - gutter - least)
    room = column - label - gutter
    if align == "left":
        return Grid(flow.left, label, room, "left", inset, gutter, columns, mirrored)
    value = min(widest_value, room)
    if align == "right":
        rest = min(max(flow.width * PINCHED - gutter - value, label), column - gutter - value) - label
        # the room goes between labels and figures, which stand at the edge of the page
        label, value = (label + rest, value) if mirrored else (label, value + rest)
    total = columns * (label + gutter + value + 2 * inset + COLUMN_GAP) - COLUMN_GAP
    free = max(flow.width - total, 0.0)
    # a totals block stands under the amounts of a table, which are at the other side of a mirrored one
    left = flow.left + (free / 2 if align == "center" else 0.0 if mirrored else free)
    return Grid(left, label, value, align, inset, gutter, columns, mirrored)


def rule_of(grid: Grid, x: float, flow: Flow, *, strong: bool) -> Item:
    """Return the line above a row of a totals block, at the flow's place."""
    color, thickness = (flow.theme.rule_strong, 0.9) if strong else (flow.theme.rule, 0.5)
    return Rules(((x, flow.y, x + grid.block, flow.y),), color, thickness)


def pair_tags(flow: Flow) -> tuple[Element | None, Element | None]:
    """Return the elements of a label and its value, which are an item of a list."""
    flow.open("LI")
    tags = flow.element("Lbl"), flow.element("LBody")
    flow.close()
    return tags


class _Look:
    """Style and font of labels and values, usual or strong; `drop` is where a first baseline is."""

    __slots__ = ("colors", "drop", "font", "heights", "leading", "size")

    def __init__(self, label: TextStyle, value: TextStyle, flow: Flow) -> None:
        self.font: Font = flow.typesetter.font(label)
        self.size = size = label.size
        self.colors = label.color, value.color
        self.leading = size * LEADING
        self.drop = (self.leading + CAP_HEIGHT * size) / 2
        self.heights = self.font.ascent * size, self.font.descent * size

    def run(self, text: str, color: str) -> TextRun | None:
        """Return a text as a plain line; None when it is none."""
        found = self.font.line(text) if len(text) <= SHORT else None
        if found is None:
            return None
        return TextRun(self.font.resource, self.size, color, found[0], found[1] * self.size / 1000, text)


def size_of(section: ResolvedKeyValue, flow: Flow) -> float:
    """Return the size that pairs go by, in points: the theme's, or the one of which theirs is a part."""
    if section.size is None:
        return flow.theme.size
    # The columns wished for may be narrow, and a letter larger than one of them.
    columns = min(section.columns, len(section.pairs))
    return min(section.size, max(column_width(section.align, columns, flow), LEAST) * WIDEST_LETTER) / SIZE


def styles_of(section: ResolvedKeyValue, flow: Flow, *, strong: bool) -> tuple[TextStyle, TextStyle]:
    """Return the styles of labels and of values; strong ones of a totals block are larger than the others."""
    wished = (STRONG_SIZE if strong and section.align == "right" else SIZE) * size_of(section, flow)
    size = min(wished, flow.width * WIDEST_LETTER)
    if strong:
        style = flow.style(size, bold=True)
        return style, style
    return flow.style(size, color=flow.theme.muted), flow.style(size)


_Pair = tuple[_Look, TextRun, TextRun, bool]


def draw_short(section: ResolvedKeyValue, columns: int, flow: Flow) -> bool:
    """Draw the pairs where each text is a plain line that fits; return whether that is so."""
    if len(section.pairs) > MOST_KEPT * columns:
        return False
    pairs = _pairs(section, flow)
    if pairs is None:
        return False
    widest = max([label.width for _, label, _, _ in pairs]), max([value.width for _, _, value, _ in pairs])
    grid = grid_of(section, *widest, columns, flow)
    if widest[0] > grid.label + SLACK or widest[1] > grid.value + SLACK:
        return False
    rows = [pairs[start : start + columns] for start in range(0, len(pairs), columns)]
    places = [_place_of(row) for row in rows]
    together = sum([height for height, _ in places]) + len(rows) * 2 * grid.pad
    if together > flow.height:
        return False
    flow.need(together)  # a balance must not stand alone on the next page
    for number, (row, (height, drop)) in enumerate(zip(rows, places, strict=True)):
        _draw(row, grid, drop, flow, first=number == 0)
        flow.advance(height + 2 * grid.pad)
    return True


def _pairs(section: ResolvedKeyValue, flow: Flow) -> list[_Pair] | None:
    """Return the pairs as runs, None when a text is no plain line."""
    known: dict[bool, _Look] = {}
    found: list[_Pair] = []
    for pair in section.pairs:
        if pair.label.__class__ is not str or pair.value.__class__ is not str:
            return None
        look = known.get(pair.strong)
        if look is None:
            look = known[pair.strong] = _Look(*styles_of(section, flow, strong=pair.strong), flow)
        label, value = look.run(pair.label, look.colors[0]), look.run(pair.value, look.colors[1])
        if label is None or value is None:
            return None
        found.append((look, label, value, pair.strong))
    return found


def _place_of(row: Sequence[_Pair]) -> tuple[float, float]:
    """Return the height of a row's texts, and how far their first baseline is below the top."""
    drop = max([look.drop for look, _, _, _ in row])
    return max([look.leading + drop - look.drop for look, _, _, _ in row]), drop


def _draw(row: Sequence[_Pair], grid: Grid, drop: float, flow: Flow, *, first: bool) -> None:
    """Place a row at `flow.y`."""
    items, baseline = flow.items, flow.y - grid.pad - drop
    label_share, value_share = grid.shares
    for number, (look, label, shown, strong) in enumerate(row):
        x, left, right = grid.places(number)
        if grid.align == "right" and (strong or not first):
            items.append(rule_of(grid, x, flow, strong=strong))
        right += value_share * (grid.value - shown.width)
        if label_share:
            left += label_share * (grid.label - label.width)
        label_tag, value_tag = pair_tags(flow)
        flow.tag(label_tag)
        items.append(TextLine(left, baseline, (label,), "label", *look.heights))
        flow.tag(value_tag)
        items.append(TextLine(right, baseline, (shown,), "value", *look.heights))
