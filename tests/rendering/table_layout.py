"""Tables on paper of any size, and what must hold for the places of their cells; no file is written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.items import Item, Link, Page, Picture, Rects, Rules, TextBlock, TextLine
from templates_app.expressions.helpers import Format, Style
from templates_app.resolved import ResolvedColumn, ResolvedTable
from tests.rendering.paper import drawn

MARGIN = 40.0
PLAIN = Format(None, None, Style())
MONEY = Format("number", "2", Style())


def column(key: str, values: Sequence[Any], **more: Any) -> ResolvedColumn:
    """Return a column; its head is its key."""
    more = {"header": key, "width": None, "align": "left", "format": PLAIN, **more}
    return ResolvedColumn(key=key, values=values, **more)


def table(*columns: ResolvedColumn, **more: Any) -> ResolvedTable:
    """Return a table of as many rows as its columns have values."""
    count = len(columns[0].values)
    more = {"title": "", "zebra": False, "size": None, "empty_text": "Nothing", "count": count, **more}
    return ResolvedTable(columns=columns, **more)


def laid(
    *sections: ResolvedTable | Callable[[Flow], None],
    width: float = 500.0,
    height: float = 700.0,
    language: str = "en",
) -> list[Page]:
    """Return the pages of sections, on paper of a size in points."""

    def draw(flow: Flow) -> None:
        for section in sections:
            section(flow) if callable(section) else flow.draw([section])

    return drawn(draw, width=width, height=height, margin=MARGIN, language=language)


def block(height: float) -> Callable[[Flow], None]:
    """Return a section that takes some height."""

    def draw(flow: Flow) -> None:
        flow.need(height)
        flow.put(Rects([(flow.left, flow.y - height, 10, height)], "#ff0000", role="block"))
        flow.advance(height)

    return draw


def lines(items: Sequence[Item], role: str | None = "td") -> Iterator[TextLine]:
    """Give the lines of text of a role, None for any."""
    for item in items:
        if isinstance(item, TextLine):
            found: Iterator[TextLine] = iter([item])
        elif isinstance(item, TextBlock):
            found = item.lines()
        else:
            continue
        yield from (line for line in found if role is None or line.role == role)


def texts(page: Page, role: str | None = "td") -> list[str]:
    """Return the texts of a page from top to bottom, each line from left to right."""
    found = sorted(lines(page.items, role), key=lambda line: (-round(line.y, 1), line.x))
    return [line.text for line in found]


def boxes(item: Item) -> Iterator[tuple[float, float, float, float]]:
    """Give left, bottom, right, top of what an item covers."""
    match item:
        case TextLine() | TextBlock():
            for line in lines([item], None):
                size = line.runs[0].size
                yield line.x, line.y - 0.2 * size, line.x + line.width, line.y + 0.7 * size
        case Rects():
            yield from ((x, y, x + wide, y + high) for x, y, wide, high in item.boxes)
        case Rules():
            yield from ((x1, min(y1, y2), x2, max(y1, y2)) for x1, y1, x2, y2 in item.lines)
        case Picture() | Link():
            yield item.x, item.y, item.x + item.width, item.y + item.height


def check_inside(pages: Sequence[Page], slack: float = 0.05) -> None:
    """Assert that nothing leaves the body of its page."""
    for page in pages:
        right, top = page.width - MARGIN + slack, page.height - MARGIN + slack
        for item in page.items:
            for box in boxes(item):
                assert box[0] >= MARGIN - slack, (page.number, item)
                assert box[1] >= MARGIN - slack, (page.number, item)
                assert box[2] <= right, (page.number, item)
                assert box[3] <= top, (page.number, item)


def check_apart(pages: Sequence[Page]) -> None:
    """Assert that no text stands on another."""
    for page in pages:
        placed = sorted(
            (box for item in page.items if isinstance(item, TextLine | TextBlock) for box in boxes(item)),
            key=lambda box: -box[3],
        )
        for index, (left, bottom, right, _top) in enumerate(placed):
            for other in placed[index + 1 :]:
                if other[3] <= bottom + 0.05:
                    break
                assert other[2] <= left + 0.1 or other[0] >= right - 0.1, (page.number, placed[index], other)


OPERATORS = re.compile(
    r"(?:1 0 0 1 )?(?P<x>-?[\d.]+) (?P<y>-?[\d.]+) (?P<move>Tm|Td)"
    r"|(?:\[(?P<pull>-?\d+)?)?(?P<code>(?:\((?:\\.|[^\\()])*\)|<[0-9A-Fa-f]*>|-?[\d.]+)+)\]?T[jJ]"
)


def check_code(pages: Sequence[Page]) -> None:
    """Assert that the code of text blocks, run as a viewer runs it, puts the texts where `lines` says."""
    for page in pages:
        for item in page.items:
            if not isinstance(item, TextBlock):
                continue
            x = y = 0.0
            told = ((line.x, line.y, line.runs[0].code) for line in item.lines())
            for found in OPERATORS.finditer(item.code):
                if found["move"]:
                    dx, dy = float(found["x"]), float(found["y"])
                    x, y = (dx, dy) if found["move"] == "Tm" else (x + dx, y + dy)
                elif found["code"] not in {"()", "<>"}:
                    left, bottom, code = next(told)
                    pull = found["pull"] or "0"
                    if code != found["code"]:  # the number in front belongs to the glyphs
                        assert code == pull + found["code"]
                        pull = "0"
                    assert (x - float(pull) * item.size / 1000, y) == pytest.approx((left, bottom), abs=0.06)
            assert next(told, None) is None
