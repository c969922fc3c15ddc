"""The legend of a chart: coloured squares with names, in rows below or one below the other at the right.

In a document from right to left squares stand to the right of their names, and rows begin at the right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from config.value import dataclass
from rendering.formats.pdf.layout.graphics.lettering import Anchor
from rendering.formats.pdf.layout.graphics.sketch import Area, Sketch

SQUARE: Final = 7.0
SQUARE_GAP: Final = 4.0  # between square and name
ENTRY_GAP: Final = 14.0
ROW: Final = 1.55  # height of a row, in font sizes
AIR: Final = 10.0  # between legend and chart
WIDEST: Final = 0.38  # share of the width for a legend at the right, and for one of many entries below


@dataclass(frozen=True, slots=True)
class Entry:
    """A colour, what it stands for, and a remark in grey (the share of a slice)."""

    color: str
    name: str
    remark: str = ""


def draw_legend(sketch: Sketch, entries: Sequence[Entry], where: str, area: Area) -> Area:
    """Draw a legend at an edge of an area; returns what it leaves of it."""
    if not entries or where == "none":
        return area
    return _right(sketch, entries, area) if where == "right" else _bottom(sketch, entries, area)


def _right(sketch: Sketch, entries: Sequence[Entry], area: Area) -> Area:
    style = sketch.looks.legend
    row = style.size * ROW
    room = int(area.height // row)
    if room < 1 or area.width < 90:
        return area
    shown, more = _limited(entries, room)
    widest = max(_widths(sketch, entry)[0] for entry in shown)
    width = min(widest, area.width * WIDEST)
    x = area.right - width
    y = area.y + (area.height + row * (len(shown) + bool(more))) / 2
    for entry in shown:
        y -= row
        _draw(sketch, entry, Area(x, y + (row - style.size * 0.66) / 2, width, row))
    if more:
        _more(sketch, more, Area(x, y - row + (row - style.size * 0.66) / 2, width, row))
    return Area(area.x, area.y, area.width - width - AIR * 1.6, area.height)


def _bottom(sketch: Sketch, entries: Sequence[Entry], area: Area) -> Area:
    style = sketch.looks.legend
    row = style.size * ROW
    room = int(area.height * 0.34 // row)
    if room < 1:
        return area
    rows = _rows(sketch, entries, area.width, area.width)
    if len(rows) > room:  # not every name can be there in full
        rows = _rows(sketch, entries, area.width, max(area.width * WIDEST, 60.0))
    more = sum(len(line) for line in rows[room:])
    rows = _below_each_other(rows[:room], area.width)
    y = area.y + len(rows) * row
    x = area.x
    for line in rows:
        y -= row
        x = area.x
        for entry, width in line:
            begin = area.x + area.right - x - width if sketch.lettering.mirrored else x
            _draw(sketch, entry, Area(begin, y + (row - style.size * 0.66) / 2, width, row))
            x += width + ENTRY_GAP
    if more and x + 24 <= area.right + ENTRY_GAP:
        left, right = (area.x, area.x + area.right - x) if sketch.lettering.mirrored else (x, area.right)
        _more(sketch, more, Area(left, y + (row - style.size * 0.66) / 2, right - left, row))
    used = len(rows) * row + AIR
    return Area(area.x, area.y + used, area.width, area.height - used)


def _rows(
    sketch: Sketch, entries: Sequence[Entry], width: float, most: float
) -> list[list[tuple[Entry, float]]]:
    """Return the entries in rows that fit, each with the width that it may take: `most`, if not alone."""
    rows: list[list[tuple[Entry, float]]] = [[]]
    left = width
    for entry in entries:
        takes = min(_widths(sketch, entry)[0], most if len(entries) > 1 else width, width)
        if rows[-1] and takes > left:
            rows.append([])
            left = width
        rows[-1].append((entry, takes))
        left -= takes + ENTRY_GAP
    return rows


def _below_each_other(rows: list[list[tuple[Entry, float]]], width: float) -> list[list[tuple[Entry, float]]]:
    """Return the entries of several rows in columns where they take no more rows; else as they are."""
    entries = [entry for row in rows for entry in row]
    for count in range(len(rows[0]) if len(rows) > 1 else 0, 1, -1):
        widest = [max(takes for _, takes in entries[column::count]) for column in range(count)]
        if -(-len(entries) // count) > len(rows):
            break
        if sum(widest) + ENTRY_GAP * (count - 1) <= width:
            return [
                [(entry, wide) for (entry, _), wide in zip(entries[start:], widest, strict=False)]
                for start in range(0, len(entries), count)
            ]
    return rows


def _limited(entries: Sequence[Entry], room: int) -> tuple[Sequence[Entry], int]:
    if len(entries) <= room:
        return entries, 0
    return entries[: max(room - 1, 1)], len(entries) - max(room - 1, 1)


def _widths(sketch: Sketch, entry: Entry) -> tuple[float, float]:
    """Return the width of an entry, and how much of it the remark takes."""
    style = sketch.looks.legend
    remark = sketch.lettering.width(entry.remark, style) + SQUARE_GAP if entry.remark else 0.0
    return SQUARE + SQUARE_GAP + sketch.lettering.width(entry.name, style) + remark + 0.1, remark


def _draw(sketch: Sketch, entry: Entry, place: Area) -> None:
    """Draw an entry where a line of text would stand whose baseline is the lower end of a place."""
    style, lettering = sketch.looks.legend, sketch.lettering
    middle, mirrored = place.y + style.size * 0.33, lettering.mirrored
    square = place.right - SQUARE if mirrored else place.x
    sketch.box(Area(square, middle - SQUARE / 2, SQUARE, SQUARE), entry.color, 1.5)
    remark, room = _widths(sketch, entry)[1], place.width - SQUARE - SQUARE_GAP
    if remark > room:
        remark = 0.0  # left out: the name says more
    start = square - SQUARE_GAP if mirrored else square + SQUARE + SQUARE_GAP
    anchor: Anchor = "end" if mirrored else "start"
    name = lettering.fitted(entry.name, style, room - remark)
    sketch.text(name, style, start, place.y, anchor)
    if remark:
        step = lettering.width(name, style) + SQUARE_GAP
        muted = style.but(color=sketch.theme.muted)
        sketch.text(entry.remark, muted, start - step if mirrored else start + step, place.y, anchor)


def _more(sketch: Sketch, count: int, place: Area) -> None:
    style, mirrored = sketch.looks.legend, sketch.lettering.mirrored
    muted = style.but(color=sketch.theme.muted)
    x = place.right if mirrored else place.x
    sketch.text(f"+{count}", muted, x, place.y, "end" if mirrored else "start")
