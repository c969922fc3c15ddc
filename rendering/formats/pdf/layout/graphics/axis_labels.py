"""Names along the axis of categories: on one line, wrapped, slanted, or only some of them. Points."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from config.value import dataclass
from rendering.formats.pdf.layout.graphics.sketch import Area, Sketch

AIR: Final = 3.0  # between two labels
ABOVE: Final = 5.0  # between the axis and its labels
ANGLE: Final = 40.0
MOST_SLANTED: Final = 30
MOST_LINES: Final = 3
LEADING: Final = 1.2
LONGEST: Final = 110.0  # of a slanted label
SMALLER: Final = 0.88  # type of names that would not fit otherwise
WIDEST_THINNED: Final = 64.0  # of names of which only some are there: more of them rather than longer ones
APART: Final = 8.0  # between two of those
TRIED: Final = 8  # how many more are left out so that all others keep the same distance
EDGE: Final = 12.0  # of a line's first and last point, from the edge of the plot


@dataclass(frozen=True, slots=True)
class Label:
    """A name in lines, its middle at `x` from the left edge of the plot; with an `angle` it ends there."""

    x: float
    lines: Sequence[str]
    angle: float = 0.0


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels below a plot and the height that they take.

    `wants` is the room that they would like to the left of the plot; `factor` makes their type smaller.
    """

    labels: Sequence[Label]
    height: float
    wants: float = 0.0
    factor: float = 1.0


@dataclass(frozen=True, slots=True)
class Names:
    """The labels beside a plot: for each category its lines, none where it is left out."""

    rows: Sequence[Sequence[str]]
    width: float


def places(count: int, width: float, *, along: bool) -> list[float]:
    """Return the middle of each category; points of a line reach nearly from edge to edge."""
    if along and count > 1:
        edge = min(EDGE, width / count / 2)
        return [edge + index * (width - 2 * edge) / (count - 1) for index in range(count)]
    return [(index + 0.5) * width / count for index in range(count)]


def below(
    sketch: Sketch, names: Sequence[str], left: float, width: float, most: float, *, along: bool
) -> Labels:
    """Return the labels of categories side by side; `left` is what is free before the plot."""
    if not any(names):
        return Labels((), sketch.looks.axis.size * 0.5)
    middles = places(len(names), width, along=along)
    step = middles[1] - middles[0] if len(names) > 1 else width
    room = step - AIR
    if along and len(names) > 1:
        # the outer ones are moved to stay inside, and must not reach their neighbours
        room = min(room, (middles[1] + left - AIR) / 1.5, (width - middles[-2] - AIR) / 1.5)
    for factor in (1.0, SMALLER):
        labels = _upright(sketch, names, middles, (left, width, most), room, factor)
        if labels is not None:
            return labels
    row = sketch.looks.category.size * LEADING
    if len(names) <= MOST_SLANTED and step >= row and not (along and len(names) > 12):
        return _slanted(sketch, names, middles, left, most)
    return _thinned(sketch, names, middles, left, width)


def _upright(
    sketch: Sketch,
    names: Sequence[str],
    middles: Sequence[float],
    space: tuple[float, float, float],
    room: float,
    factor: float,
) -> Labels | None:
    """Return the names wrapped to `room`; None when words would be cut, or the lines are too many."""
    if room < 9:
        return None
    left, width, most = space
    lettering, style = sketch.lettering, sketch.looks.category
    style = style.but(size=style.size * factor)
    if room < 60 and any(lettering.widest(name.split(" "), style) > room for name in names):
        return None
    wrapped = [lettering.wrapped(name, style, room, MOST_LINES) for name in names]
    height = max(len(lines) for lines in wrapped) * style.size * LEADING + ABOVE
    if height > most:
        return None
    pairs = zip(middles, wrapped, strict=True)
    labels = [_kept(sketch, Label(x, lines), left, width, factor) for x, lines in pairs]
    return Labels(labels, height, factor=factor)


def _slanted(
    sketch: Sketch, names: Sequence[str], middles: Sequence[float], left: float, most: float
) -> Labels:
    style = sketch.looks.category
    cos, sin = math.cos(math.radians(ANGLE)), math.sin(math.radians(ANGLE))
    longest = min(LONGEST, (most - ABOVE - style.size * cos) / sin)
    labels = []
    height = wants = 0.0
    for name, x in zip(names, middles, strict=True):
        wants = max(wants, min(sketch.lettering.width(name, style), longest) * cos + 3 - x)
        text = sketch.lettering.fitted(name, style, max(min(longest, (left + x - 2) / cos), 1.0))
        labels.append(Label(x, (text,), ANGLE))
        height = max(height, sketch.lettering.width(text, style) * sin)
    return Labels(labels, height + style.size * cos + ABOVE, wants)


def _thinned(
    sketch: Sketch, names: Sequence[str], middles: Sequence[float], left: float, width: float
) -> Labels:
    """Name every second, third ... category: as many as there is room for."""
    style = sketch.looks.category
    wide = min(sketch.lettering.widest(names[:400], style), WIDEST_THINNED, width)
    step = max(middles[1] - middles[0] if len(middles) > 1 else width, 1e-6)
    least = max(1, math.ceil((wide + APART) / step))
    for every in range(least, least + TRIED):
        labels = [
            _kept(sketch, Label(middles[index], (text,)), left, width)
            for index, text in _every(sketch, names, every, max(wide, min(every * step - APART, width)))
        ]
        clear = _clear(sketch, labels)
        if clear == labels[: len(clear)] and len(labels) - len(clear) < 2:
            break  # none is missing but perhaps the last
    return Labels(clear, style.size * LEADING + ABOVE)


def _every(sketch: Sketch, names: Sequence[str], every: int, wide: float) -> Iterator[tuple[int, str]]:
    """Yield each so-manieth name, cut to a width, with its index."""
    for index in range(0, len(names), every):
        yield index, sketch.lettering.fitted(names[index], sketch.looks.category, wide)


def _clear(sketch: Sketch, labels: Sequence[Label]) -> list[Label]:
    """Return the labels that stand clear of the one before: one that was moved may be in the way."""
    clear: list[Label] = []
    end = float("-inf")
    for label in labels:
        half = sketch.lettering.widest(label.lines, sketch.looks.category) / 2
        if label.x - half >= end + AIR:
            clear.append(label)
            end = label.x + half
    return clear


def _kept(sketch: Sketch, label: Label, left: float, width: float, factor: float = 1.0) -> Label:
    """Return a label moved so far that it stays inside."""
    style = sketch.looks.category
    half = sketch.lettering.widest(label.lines, style.but(size=style.size * factor)) / 2
    return Label(max(min(label.x, width - half), half - left), label.lines)


def draw_below(sketch: Sketch, labels: Labels, plot: Area) -> None:
    """Set the labels under a plot."""
    style = sketch.looks.category
    style = style.but(size=style.size * labels.factor)
    for label in labels.labels:
        y = plot.y - ABOVE - style.size * 0.8
        if label.angle:
            sketch.text(label.lines[0], style, plot.x + label.x + 2, y + 2, "end", label.angle)
            continue
        for line in label.lines:
            sketch.text(line, style, plot.x + label.x, y, "middle")
            y -= style.size * LEADING


# ---------------------------------------------------------------- beside


def beside(sketch: Sketch, names: Sequence[str], height: float, most: float) -> Names:
    """Return the labels of categories one below the other."""
    if not any(names):
        return Names((), 0.0)
    style, lettering = sketch.looks.category, sketch.lettering
    band = height / len(names)
    row = style.size * LEADING
    lines = min(max(int(band // row), 1), MOST_LINES)
    every = max(1, math.ceil(row / band))
    width = min(lettering.widest(names[::every], style), most)
    rows = [
        lettering.wrapped(name, style, width + 0.01, lines) if index % every == 0 else ()
        for index, name in enumerate(names)
    ]
    return Names(rows, max((lettering.widest(each, style) for each in rows), default=0.0))


def draw_beside(sketch: Sketch, names: Names, plot: Area, gap: float) -> None:
    """Set the labels to the left of a plot, the first one on top."""
    style = sketch.looks.category
    band = plot.height / max(len(names.rows), 1)
    row = style.size * LEADING
    for index, lines in enumerate(names.rows):
        y = plot.top - (index + 0.5) * band + (len(lines) - 1) * row / 2 - style.size * 0.33
        for line in lines:
            sketch.text(line, style, plot.x - gap, y, "end")
            y -= row
