"""A ReportLab drawing being made, with text that can be measured: what charts draw on. Points."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from reportlab.graphics import shapes
from reportlab.lib.colors import Color, HexColor

from config.value import dataclass
from rendering.formats.pdf.layout.graphics.drawing import drawing_items
from rendering.formats.pdf.layout.graphics.lettering import Anchor, Lettering
from rendering.formats.pdf.layout.items import Item
from rendering.formats.pdf.typeset.style import TextStyle
from templates_app.resolved import Theme

# The standard ratio of a round corner's handle to its radius, taken from the corner.
HANDLE = 1 - 0.5522847498


@dataclass(frozen=True, slots=True)
class Area:
    """A box; its lower left corner, width and height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.y + self.height


@dataclass(frozen=True, slots=True)
class Looks:
    """Colours and text styles of a chart, from the theme."""

    theme: Theme
    axis: TextStyle
    category: TextStyle
    legend: TextStyle
    value: TextStyle

    @classmethod
    def of(cls, theme: Theme) -> Looks:
        """Return the looks of a theme; small text follows its size within limits."""
        factor = min(max(theme.size / 10, 0.8), 1.4)
        return cls(
            theme,
            axis=TextStyle(7.5 * factor, theme.muted),
            category=TextStyle(8 * factor, theme.muted),
            legend=TextStyle(8 * factor, theme.ink),
            value=TextStyle(7.5 * factor, theme.ink),
        )


@lru_cache(maxsize=256)
def tone(color: str) -> Color:
    """Return `#rrggbb` as ReportLab takes it."""
    return HexColor(color)


class Sketch:
    """Shapes of one chart, lower left corner at 0, 0."""

    def __init__(self, width: float, height: float, lettering: Lettering, theme: Theme) -> None:
        self.width = width
        self.height = height
        self.lettering = lettering
        self.theme = theme
        self.looks = Looks.of(theme)
        self._drawing = shapes.Drawing(width, height)

    def items(self) -> list[Item]:
        """Return what was drawn."""
        return drawing_items(self._drawing, self.lettering)

    def add(self, shape: Any) -> None:
        """Draw a shape over the others."""
        self._drawing.add(shape)

    def line(self, x1: float, y1: float, x2: float, y2: float, color: str, thickness: float = 0.5) -> None:
        """Draw a straight line."""
        self.add(shapes.Line(x1, y1, x2, y2, strokeColor=tone(color), strokeWidth=thickness))

    def lines(self, points: Sequence[tuple[float, float]], color: str, thickness: float) -> None:
        """Draw a line through points, its corners round."""
        self.add(
            shapes.PolyLine(
                [number for point in points for number in point],
                strokeColor=tone(color),
                strokeWidth=thickness,
                strokeLineJoin=1,
                strokeLineCap=1,
            )
        )

    def fill(self, points: Sequence[tuple[float, float]], color: str, opacity: float) -> None:
        """Fill a shape of straight edges."""
        self.add(
            shapes.Polygon(
                [number for point in points for number in point],
                fillColor=tone(color),
                fillOpacity=opacity,
                strokeColor=None,
            )
        )

    def dot(self, x: float, y: float, color: str, radius: float) -> None:
        """Draw a dot with a white edge."""
        self.add(
            shapes.Circle(x, y, radius, fillColor=tone(color), strokeColor=tone("#ffffff"), strokeWidth=0.5)
        )

    def box(self, area: Area, color: str, radius: float = 0.0) -> None:
        """Fill a box."""
        self.add(
            shapes.Rect(
                area.x,
                area.y,
                area.width,
                area.height,
                rx=radius,
                ry=radius,
                fillColor=tone(color),
                strokeColor=None,
            )
        )

    def text(
        self, text: str, style: TextStyle, x: float, y: float, anchor: Anchor = "start", angle: float = 0.0
    ) -> None:
        """Set a text on the baseline `y`; `angle` in degrees, anticlockwise around that place."""
        if not text:
            return
        name = style.family + ("-bold" if style.bold else "") + ("-italic" if style.italic else "")
        string = shapes.String(0.0 if angle else x, 0.0 if angle else y, text)
        string.fontName, string.fontSize, string.textAnchor = name, style.size, anchor
        string.fillColor = tone(style.color)
        if not angle:
            self.add(string)
            return
        group = shapes.Group(string)
        group.translate(x, y)
        group.rotate(angle)
        self.add(group)


class Bars:
    """All bars of one colour as one shape: quick however many there are."""

    def __init__(self, color: str) -> None:
        self._path = shapes.Path(fillColor=tone(color), strokeColor=None, fillMode=1)
        self._any = False

    def add(self, area: Area, round_end: str = "", radius: float = 0.0) -> None:
        """Add a bar; its end at the `top`, `bottom`, `left` or `right` is rounded."""
        x, y, right, top = area.x, area.y, area.right, area.top
        sides = (area.height, area.width) if round_end in ("top", "bottom") else (area.width, area.height)
        r = min(radius, sides[0], sides[1] / 2) if round_end else 0.0
        corners = [(x, y), (x, top), (right, top), (right, y)]  # clockwise from the lower left
        rounded = {"top": (1, 2), "right": (2, 3), "bottom": (3, 0), "left": (0, 1)}.get(round_end, ())
        path = self._path
        for index, (cx, cy) in enumerate(corners):
            before, after = corners[index - 1], corners[(index + 1) % 4]
            if index not in rounded or r < 0.2:
                (path.lineTo if index else path.moveTo)(cx, cy)
                continue
            ax, ay = cx + _sign(before[0] - cx) * r, cy + _sign(before[1] - cy) * r
            bx, by = cx + _sign(after[0] - cx) * r, cy + _sign(after[1] - cy) * r
            (path.lineTo if index else path.moveTo)(ax, ay)
            path.curveTo(
                ax + (cx - ax) * (1 - HANDLE),
                ay + (cy - ay) * (1 - HANDLE),
                bx + (cx - bx) * (1 - HANDLE),
                by + (cy - by) * (1 - HANDLE),
                bx,
                by,
            )
        path.closePath()
        self._any = True

    def draw(self, sketch: Sketch) -> None:
        """Draw them all."""
        if self._any:
            sketch.add(self._path)


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
