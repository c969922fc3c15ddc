"""Graphics on bare paper, and where each of their marks stands, for the tests of charts, codes and images."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from rendering.formats.pdf.layout.graphics.lettering import Lettering
from rendering.formats.pdf.layout.items import Group, Item, Path, Rects, Rules, TextLine
from rendering.formats.pdf.typeset.typesetter import Typesetter
from templates_app.expressions.helpers import Format, Style
from templates_app.resolved import Theme
from tests.rendering.paper import drawn

MM = 72 / 25.4
WIDTH, HEIGHT = 400.0, 500.0
Box = tuple[float, float, float, float]
NUMBER = Format("number", None, Style())


def laid(*sections: Any, language: str = "en") -> list[list[Item]]:
    """Return the items of each page, 400 x 500 points, without margins."""
    pages = drawn(lambda flow: flow.draw(sections), width=WIDTH, height=HEIGHT, language=language)
    return [page.items for page in pages]


def lettering() -> Lettering:
    """Return what sets the words of a graphic."""
    return Lettering(Typesetter(Theme(), "en"))


def _turned(points: Sequence[tuple[float, float]], matrix: Sequence[float]) -> list[tuple[float, float]]:
    a, b, c, d, e, f = matrix
    return [(a * x + c * y + e, b * x + d * y + f) for x, y in points]


def marks(items: Sequence[Item], matrix: Sequence[float] = (1, 0, 0, 1, 0, 0)) -> Iterator[tuple[Item, Box]]:
    """Yield every item that is no group, with the box around it on the page."""
    for item in items:
        if isinstance(item, Group):
            a, b, c, d, e, f = item.matrix
            columns = _turned([(a, b), (c, d)], (*matrix[:4], 0, 0)) + _turned([(e, f)], matrix)
            yield from marks(item.items, [number for point in columns for number in point])
            continue
        if isinstance(item, TextLine):
            points = [(item.x, item.y), (item.x + item.width, item.y + 0.6 * item.runs[0].size)]
        elif isinstance(item, Path):
            ends = re.findall(r"(-?[\d.]+) (-?[\d.]+) [mlc]", item.code)
            points = [(float(x), float(y)) for x, y in ends]
        elif isinstance(item, Rects):
            points = [p for x, y, w, h in item.boxes for p in ((x, y), (x + w, y + h))]
        elif isinstance(item, Rules):
            points = [p for x, y, z, w in item.lines for p in ((x, y), (z, w))]
        else:
            points = [(item.x, item.y), (item.x + item.width, item.y + item.height)]
        corners = _turned(points, matrix)
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        yield item, (min(xs), min(ys), max(xs), max(ys))


def texts(items: Sequence[Item]) -> list[str]:
    """Return the texts in the order of their items."""
    return [item.text for item, _ in marks(items) if isinstance(item, TextLine)]


def figure(items: Sequence[Item]) -> Group:
    """Return the first figure: a graphic with its words for who cannot see it."""
    return next(item for item in items if isinstance(item, Group) and item.role == "figure")
