"""Where two rendered pages differ: by their pixels, or by their words. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from PIL import Image, ImageChops

from dashboard.pictures.raster import Words

# Pages are compared small: a dot is some 0.6 mm, a cell of dots is what a mark is made of.
CELL: Final = 4
TONE: Final = 32  # least difference of two greys that counts
MARGIN: Final = 1  # cells around a mark
MOST_MARKS: Final = 40
SAME_PLACE: Final = 0.002  # of the page's width or height

Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Mark:
    """A changed place in hundredths of the page's width and height."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class WordChanges:
    """By page number: words that went, words that came; and the pages where words stand elsewhere now."""

    gone: dict[int, list[Mark]]
    come: dict[int, list[Mark]]
    moved: set[int]


def marks_of_pixels(before: Image.Image, after: Image.Image) -> list[Mark]:
    """Return the places where two grey pages differ; the whole page where their sizes do."""
    if before.size != after.size:
        return [Mark(0, 0, 100, 100)]
    differing = ImageChops.difference(before, after).point(lambda tone: 255 if tone >= TONE else 0)
    if differing.getbbox() is None:
        return []
    wide, high = -(-before.width // CELL), -(-before.height // CELL)
    grid = Image.new("L", (wide * CELL, high * CELL))
    grid.paste(differing)
    cells = grid.reduce(CELL).tobytes()
    boxes = _joined({(index % wide, index // wide) for index, tone in enumerate(cells) if tone})
    if len(boxes) > MOST_MARKS:
        boxes = [_around(boxes)]
    return [_mark(box, before.width / CELL, before.height / CELL) for box in sorted(boxes, key=_reading)]


def compare_words(before: Sequence[Sequence[Words]], after: Sequence[Sequence[Words]]) -> WordChanges:
    """Return which words of two documents' pages are not in the other one, and on which pages some moved."""
    olds = [(page, words) for page, found in enumerate(before, start=1) for words in found if words.text]
    news = [(page, words) for page, found in enumerate(after, start=1) for words in found if words.text]
    matcher = SequenceMatcher(None, [each.text for _, each in olds], [each.text for _, each in news])
    found = WordChanges({}, {}, set())
    for tag, start, stop, first, last in matcher.get_opcodes():
        if tag == "equal":
            for (page, words), (other, same) in zip(olds[start:stop], news[first:last], strict=True):
                if page != other or not _near(words, same):
                    found.moved.update((page, other))
            continue
        for page, words in olds[start:stop]:
            found.gone.setdefault(page, []).append(_mark_of(words))
        for page, words in news[first:last]:
            found.come.setdefault(page, []).append(_mark_of(words))
    return found


def _near(one: Words, other: Words) -> bool:
    return abs(one.left - other.left) < SAME_PLACE and abs(one.top - other.top) < SAME_PLACE


def _mark_of(words: Words) -> Mark:
    left, top = max(words.left - 0.006, 0), max(words.top - 0.004, 0)
    right, bottom = min(words.right + 0.006, 1), min(words.bottom + 0.004, 1)
    return Mark(
        round(100 * left, 2),
        round(100 * top, 2),
        round(100 * (right - left), 2),
        round(100 * (bottom - top), 2),
    )


def _joined(cells: set[tuple[int, int]]) -> list[Box]:
    """Return boxes around cells that are near each other, as words of a line are; none overlaps another."""
    boxes: list[Box] = []
    while cells:
        first = cells.pop()
        pending, box = [first], (*first, *first)
        while pending:
            x, y = pending.pop()
            box = _around([box, (x, y, x, y)])
            for near in ((x + dx, y + dy) for dx in range(-4, 5) for dy in range(-2, 3)):
                if near in cells:
                    cells.remove(near)
                    pending.append(near)
        while touched := [other for other in boxes if _overlap(box, other)]:
            boxes = [other for other in boxes if other not in touched]
            box = _around([box, *touched])
        boxes.append(box)
    return boxes


def _overlap(one: Box, other: Box) -> bool:
    reach = 2 * MARGIN
    return (
        one[0] <= other[2] + reach
        and other[0] <= one[2] + reach
        and one[1] <= other[3] + reach
        and other[1] <= one[3] + reach
    )


def _around(boxes: Sequence[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _reading(box: Box) -> tuple[int, int]:
    return box[1], box[0]


def _mark(box: Box, wide: float, high: float) -> Mark:
    left, top = max(box[0] - MARGIN, 0), max(box[1] - MARGIN, 0)
    right, bottom = min(box[2] + 1 + MARGIN, wide), min(box[3] + 1 + MARGIN, high)
    return Mark(
        round(100 * left / wide, 2),
        round(100 * top / high, 2),
        round(100 * (right - left) / wide, 2),
        round(100 * (bottom - top) / high, 2),
    )
