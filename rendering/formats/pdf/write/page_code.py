"""Placed items to page code (a content stream, ISO 32000-2, 8 and 9). Says only what changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Protocol

from rendering.formats.pdf.layout.items import (
    Anchor,
    Group,
    Item,
    Language,
    Late,
    Link,
    Path,
    Picture,
    Rect,
    Rects,
    Region,
    Rules,
    TextBlock,
    TextLine,
    TextRun,
)
from rendering.formats.pdf.numbers import HUNDREDTHS, number, precise
from rendering.formats.pdf.write.file import text_bytes
from rendering.formats.pdf.write.images import Matrix
from templates_app.resolved import ImageFile

if TYPE_CHECKING:
    from rendering.formats.pdf.layout.structure import Element

IDENTITY: Final[Matrix] = (1, 0, 0, 1, 0, 0)
_LANGUAGE: Final = "/Span<</Lang("  # and the tag, and what ends it
_ROUND: Final = 0.5522848  # how far a Bezier's handles reach for a quarter of a circle, in radii


# What Q brings back, by attribute of PageCode.
_SAVED: Final = (
    *("_font", "_size", "_rise", "_spread", "_fill", "_stroke", "_thickness", "_dash", "_cap", "_join"),
    *("_opacity", "_groups", "_matrix"),
)
_saved: Final = attrgetter(*_SAVED)


@lru_cache(1024)
def color(value: str, gray: str, rgb: str) -> str:
    """Return the code that sets a colour `#rrggbb` with one of two operators."""
    parts = [precise(round(int(value[at : at + 2], 16) / 255, 3)) for at in (1, 3, 5)]
    return f"{parts[0]} {gray}" if parts[0] == parts[1] == parts[2] else f"{' '.join(parts)} {rgb}"


class Resources(Protocol):
    """What page code refers to by name."""

    def picture(self, image: ImageFile) -> tuple[str, Matrix | None]:
        """Return the name of an image, and how to turn it upright."""

    def opacity(self, value: float) -> str:
        """Return the name of a graphics state of this opacity."""


class Surroundings(Protocol):
    """Takes what is on a page without being page code; matrices lead to the coordinates of the page."""

    def link(self, item: Link, matrix: Matrix, element: Element | None = None) -> None:
        """Take an area that leads somewhere, and its element of the structure."""

    def anchor(self, item: Anchor, matrix: Matrix) -> None:
        """Take a place that links lead to."""

    def late(self, item: Late, around: tuple[Group, ...], element: Element | None = None) -> None:
        """Take what is drawn later; `around` are the groups that it is in, the outermost first."""


class PageCode:
    """Writes the code of one content stream; `add` items, then `finish`."""

    def __init__(self, resources: Resources, surroundings: Surroundings) -> None:
        """Begin in the state that a page begins in."""
        self._resources = resources
        self._surroundings = surroundings
        self._code: list[str] = []
        self._in_text = False
        self._x = self._y = 0  # hundredths: where the line began that Td counts from
        self._font = ""
        self._size = self._rise = self._spread = 0.0
        self._fill = self._stroke = "#000000"
        self._thickness = 1.0
        self._dash: tuple[float, ...] = ()
        self._cap = self._join = 0
        self._opacity = 1.0
        self._groups: tuple[Group, ...] = ()
        self._matrix = IDENTITY

    def add(self, items: Sequence[Item]) -> None:
        """Write items, later ones above earlier ones."""
        for item in items:
            WRITERS[type(item)](self, item)

    def finish(self) -> bytes:
        """Return the code; empty when nothing was drawn."""
        self._end_text()
        if not self._code:
            return b""
        # The state that it leaves behind is not to be that of a second stream of the same page.
        return "\n".join(("q", *self._code, "Q\n")).encode("latin-1", "replace")

    # ------------------------------------------------------------ text

    def _line(self, item: TextLine) -> None:
        code = self._code
        self._begin_text()
        x, y, n = round(item.x * 100), round(item.y * 100), HUNDREDTHS
        # Steps, not positions: a paragraph repeats "0 -14.2 Td", which packs to nearly nothing.
        code.append(f"{n[x - self._x]} {n[y - self._y]} Td")
        self._x, self._y = x, y
        for run in item.runs:
            if run.font != self._font or run.size != self._size:
                self._set_font(run.font, run.size)
            if run.color != self._fill:
                self._set_fill(run.color)
            if run.rise != self._rise:
                self._rise = run.rise
                code.append(f"{number(run.rise)} Ts")
            if run.spread != self._spread:
                self._spread = run.spread
                code.append(f"{run.spread:.3f} Tw" if run.spread else "0 Tw")
            if run.actual:
                self._actual(run)
            elif run.code:
                # The pen stands where the run before ended.
                code.append(f"[{run.code}]TJ")
                if run.after:
                    self._font = run.after

    def _actual(self, run: TextRun) -> None:
        said = text_bytes(run.text).hex()
        self._code.append(f"/Span<</ActualText<{said}>>>BDC\n[{run.code}]TJ\nEMC")

    def _block(self, item: TextBlock) -> None:
        if not item.code:
            return
        self._end_text()
        if self._rise:
            self._rise = 0.0
            self._code.append("0 Ts")
        if self._spread:
            self._spread = 0.0
            self._code.append("0 Tw")
        if item.font != self._font or item.size != self._size:
            self._set_font(item.font, item.size)
        if item.color != self._fill:
            self._set_fill(item.color)
        self._code.append(f"BT\n{item.code}\nET")
        self._spread = item.spread
        if item.after:
            self._font = item.after

    def _begin_text(self) -> None:
        if not self._in_text:
            self._code.append("BT")
            self._in_text = True
            self._x = self._y = 0

    def _end_text(self) -> None:
        if self._in_text:
            self._in_text = False
            self._code.append("ET")

    def _set_font(self, font: str, size: float) -> None:
        self._font, self._size = font, size
        self._code.append(f"/{font} {precise(size)} Tf")

    # ------------------------------------------------------------ shapes

    def _rect(self, item: Rect) -> None:
        if item.fill is None and item.stroke is None:
            return
        box = (item.x, item.y, item.width, item.height)
        shape = _rounded(*box, item.radius, item.square) if item.radius > 0 else _box(box)
        self._paint(shape, item.fill, item.stroke, item.thickness)

    def _rects(self, item: Rects) -> None:
        if item.boxes:
            n = HUNDREDTHS
            boxes = [
                f"{n[round(x * 100)]} {n[round(y * 100)]} {n[round(width * 100)]} {n[round(height * 100)]} re"
                for x, y, width, height in item.boxes
            ]
            self._paint("\n".join(boxes), item.fill, None)

    def _rules(self, item: Rules) -> None:
        if item.lines:
            n = HUNDREDTHS
            lines = [
                f"{n[round(x1 * 100)]} {n[round(y1 * 100)]} m {n[round(x2 * 100)]} {n[round(y2 * 100)]} l"
                for x1, y1, x2, y2 in item.lines
            ]
            self._paint("\n".join(lines), None, item.color, item.thickness, item.dash)

    def _path(self, item: Path) -> None:
        if not item.code or (item.fill is None and item.stroke is None):
            return
        pen = (item.cap, item.join)
        self._paint(item.code, item.fill, item.stroke, item.thickness, item.dash, pen, item.even_odd)

    def _paint(
        self,
        shape: str,
        fill: str | None,
        stroke: str | None,
        thickness: float = 1.0,
        dash: tuple[float, ...] = (),
        pen: tuple[int, int] = (0, 0),
        even_odd: bool = False,
    ) -> None:
        self._end_text()
        if fill is not None and fill != self._fill:
            self._set_fill(fill)
        if stroke is not None:
            self._set_pen(stroke, thickness, dash, *pen)
        operator = "S" if fill is None else "f" if stroke is None else "B"
        self._code.append(f"{shape}\n{operator}{'*' if even_odd and fill is not None else ''}")

    def _set_fill(self, value: str) -> None:
        self._fill = value
        self._code.append(color(value, "g", "rg"))

    def _set_pen(self, stroke: str, thickness: float, dash: tuple[float, ...], cap: int, join: int) -> None:
        if stroke != self._stroke:
            self._stroke = stroke
            self._code.append(color(stroke, "G", "RG"))
        if thickness != self._thickness:
            self._thickness = thickness
            self._code.append(f"{precise(thickness)} w")
        if dash != self._dash:
            self._dash = dash
            self._code.append(f"[{' '.join(map(number, dash))}]0 d")
        if cap != self._cap:
            self._cap = cap
            self._code.append(f"{cap} J")
        if join != self._join:
            self._join = join
            self._code.append(f"{join} j")

    # ------------------------------------------------------------ pictures and groups

    def _picture(self, item: Picture) -> None:
        if item.width <= 0 or item.height <= 0:
            return
        name, turn = self._resources.picture(item.image)
        self._end_text()
        place: Matrix = (item.width, 0, 0, item.height, item.x, item.y)
        code = f"q\n{' '.join(map(number, times(turn, place) if turn else place))} cm\n/{name} Do\nQ"
        self._code.append(self._described(code, item.alt))

    def _group(self, item: Group) -> None:
        self._end_text()
        outside, kept = self._code, _saved(self)
        self._code = code = []
        self._groups += (item,)
        self._matrix = times(item.matrix, self._matrix)
        if item.matrix != IDENTITY:
            a, b, c, d, e, f = item.matrix
            turned = " ".join(map(precise, (a, b, c, d)))
            code.append(f"{turned} {number(e)} {number(f)} cm")
        if item.clip is not None:
            code.append(f"{_box(item.clip)} W n")
        if item.opacity < 1:
            # Of each item alone: where two of a group overlap, the lower one shows through.
            self._opacity *= max(item.opacity, 0)
            code.append(f"/{self._resources.opacity(self._opacity)} gs")
        begun = len(code)
        self.add(item.items)
        self._end_group()
        self._code = outside
        for name, value in zip(_SAVED, kept, strict=True):
            setattr(self, name, value)
        if len(code) > begun:  # nothing when it holds links only
            outside.append(self._described("\n".join(("q", *code, "Q")), item.alt))

    def _end_group(self) -> None:
        self._end_text()

    def _described(self, code: str, alt: str) -> str:
        """Mark code with the words that stand for it when it cannot be seen."""
        return f"/Span<</Alt<{text_bytes(alt).hex()}>>>BDC\n{code}\nEMC" if alt else code

    # ------------------------------------------------------------ what is no code

    def _link(self, item: Link) -> None:
        self._surroundings.link(item, self._matrix)

    def _anchor(self, item: Anchor) -> None:
        self._surroundings.anchor(item, self._matrix)

    def _late(self, item: Late) -> None:
        self._surroundings.late(item, self._groups)

    def _region(self, item: Region) -> None:
        """Write nothing: it is for who looks at the layout."""

    def _language(self, item: Language) -> None:
        """Begin or end a stretch in another language (ISO 32000-2, 14.9.2.3); an empty one is no code."""
        self._end_text()
        if item.tag:
            self._code.append(f"{_LANGUAGE}{item.tag.replace('_', '-')})>>BDC")
        elif self._code[-1].startswith(_LANGUAGE):
            del self._code[-1]
        else:
            self._code.append("EMC")


# Functions, not bound methods: these would tie each PageCode into a cycle that only a collection frees.
WRITERS: Final[dict[type, Callable[[PageCode, Any], None]]] = {
    TextLine: PageCode._line,
    TextBlock: PageCode._block,
    Rect: PageCode._rect,
    Rects: PageCode._rects,
    Rules: PageCode._rules,
    Path: PageCode._path,
    Picture: PageCode._picture,
    Group: PageCode._group,
    Link: PageCode._link,
    Anchor: PageCode._anchor,
    Late: PageCode._late,
    Region: PageCode._region,
    Language: PageCode._language,
}


def times(first: Matrix, second: Matrix) -> Matrix:
    """Return the matrix that applies `first`, then `second`."""
    if first == IDENTITY:
        return second
    a, b, c, d, e, f = first
    g, h, i, j, k, m = second
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def _box(box: tuple[float, float, float, float]) -> str:
    x, y, width, height = box
    n = HUNDREDTHS
    return f"{n[round(x * 100)]} {n[round(y * 100)]} {n[round(width * 100)]} {n[round(height * 100)]} re"


def _rounded(x: float, y: float, width: float, height: float, radius: float, square: str | None) -> str:
    """Return a rectangle with round corners, anticlockwise from the lower left one's right end.

    Those at the side `square` ("left" or "right") are corners all the same.
    """
    r = min(radius, width / 2, height / 2)
    k = r * (1 - _ROUND)
    left, right, low, high = x, x + width, y, y + height
    steps: list[tuple[str, tuple[float, ...]]]
    if square == "right":
        steps = [("m", (left + r, low)), ("l", (right, low)), ("l", (right, high))]
    else:
        steps = [
            ("m", (left if square else left + r, low)),
            ("l", (right - r, low)),
            ("c", (right - k, low, right, low + k, right, low + r)),
            ("l", (right, high - r)),
            ("c", (right, high - k, right - k, high, right - r, high)),
        ]
    if square == "left":
        steps.append(("l", (left, high)))
    else:
        steps += [
            ("l", (left + r, high)),
            ("c", (left + k, high, left, high - k, left, high - r)),
            ("l", (left, low + r)),
            ("c", (left, low + k, left + k, low, left + r, low)),
        ]
    return "\n".join(f"{' '.join(map(number, values))} {operator}" for operator, values in steps) + " h"
