"""What the layout promises about places: everything inside its page, no text over other text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rendering.formats.pdf.layout.items import (
    Group,
    Item,
    Page,
    Path,
    Picture,
    Rect,
    Rects,
    Rules,
    TextBlock,
    TextLine,
)

SLACK = 0.6  # points: hairlines stand on edges


@dataclass(frozen=True)
class Box:
    """A placed thing in page coordinates; for text `top` is about the height of small letters."""

    role: str
    left: float
    bottom: float
    right: float
    top: float
    text: str = ""


def boxes(items: Sequence[Item], dx: float = 0.0, dy: float = 0.0) -> Iterator[Box]:
    """Yield the place of every item that shows; turned and scaled groups are left out, moved ones are not."""
    for item in items:
        match item:
            case TextLine():
                yield _text(item, dx, dy)
            case TextBlock():
                for line in item.lines():
                    yield _text(line, dx, dy)
            case Rect() | Picture():
                x, y = item.x + dx, item.y + dy
                yield Box(item.role, x, y, x + item.width, y + item.height)
            case Rects():
                for x, y, width, height in item.boxes:
                    yield Box(item.role, x + dx, y + dy, x + dx + width, y + dy + height)
            case Rules():
                for x1, y1, x2, y2 in item.lines:
                    left, right = sorted((x1, x2))
                    low, high = sorted((y1, y2))
                    yield Box(item.role, left + dx, low + dy, right + dx, high + dy)
            case Group() if item.matrix[:4] == (1, 0, 0, 1) and item.clip is None and item.opacity == 1.0:
                yield from boxes(item.items, dx + item.matrix[4], dy + item.matrix[5])
            case Path() | Group() | _:
                continue


def _text(line: TextLine, dx: float, dy: float) -> Box:
    size = max((run.size for run in line.runs), default=0.0)
    x, y = line.x + dx, line.y + dy
    return Box(line.role, x, y, x + line.width, y + size * 0.45, line.text)


def outside(page: Page) -> list[Box]:
    """Return what sticks out of the page."""
    return [
        box
        for box in boxes(page.items)
        if box.left < -SLACK
        or box.bottom < -SLACK
        or box.right > page.width + SLACK
        or box.top > page.height + SLACK
    ]


def overlapping(page: Page) -> list[tuple[Box, Box]]:
    """Return pairs of texts that stand over each other."""
    texts = sorted(
        (box for box in boxes(page.items) if box.text.strip() and box.right - box.left > 2 * SLACK),
        key=lambda box: box.bottom,
    )
    found: list[tuple[Box, Box]] = []
    open_boxes: list[Box] = []
    for box in texts:
        open_boxes = [other for other in open_boxes if other.top > box.bottom + 0.05]
        found += [
            (other, box)
            for other in open_boxes
            if other.left < box.right - SLACK and box.left < other.right - SLACK
        ]
        open_boxes.append(box)
    return found


def covered(page: Page) -> list[Box]:
    """Return texts with something drawn over them: a ground or a picture that comes later."""
    found: list[Box] = []
    shown: list[Box] = []
    for item, dx, dy, clip in _placed(page.items):
        if isinstance(item, TextLine | TextBlock):
            shown += boxes([item], dx, dy)
        elif isinstance(item, Picture) or (isinstance(item, Rect) and item.fill is not None):
            (over,) = (_inside(box, clip) for box in boxes([item], dx, dy))
            found += [
                box
                for box in shown
                if over.left < (box.left + box.right) / 2 < over.right
                and over.bottom < (box.bottom + box.top) / 2 < over.top
            ]
    return found


def _placed(
    items: Sequence[Item], dx: float = 0.0, dy: float = 0.0, clip: Box | None = None
) -> Iterator[tuple[Item, float, float, Box | None]]:
    """Yield items in the order of drawing, each with how far its groups move it and what of it they show."""
    for item in items:
        if not isinstance(item, Group):
            yield item, dx, dy, clip
        elif item.matrix[:4] == (1, 0, 0, 1):
            x, y = dx + item.matrix[4], dy + item.matrix[5]
            shown = clip
            if item.clip is not None:
                left, bottom, width, height = item.clip
                box = Box(item.role, x + left, y + bottom, x + left + width, y + bottom + height)
                shown = _inside(box, clip)
            yield from _placed(item.items, x, y, shown)


def _inside(box: Box, clip: Box | None) -> Box:
    """Return the part of a box that shows."""
    if clip is None:
        return box
    return replace(
        box,
        left=max(box.left, clip.left),
        bottom=max(box.bottom, clip.bottom),
        right=min(box.right, clip.right),
        top=min(box.top, clip.top),
    )


def texts(pages: Sequence[Page], *roles: str) -> list[str]:
    """Return the texts of some roles (of all, when none is named) in the order of their items."""
    return [
        box.text
        for page in pages
        for box in boxes(page.items)
        if box.text and (not roles or box.role in roles)
    ]
