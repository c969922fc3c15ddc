"""ReportLab drawings as items: shapes with their inherited state, texts in the document's fonts. Points.

ReportLab keeps the shapes, the state that groups hand on, and the transforms; its fonts and its writer are
not used. Transforms are worked into the coordinates. An image shape could name a file: it is left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from reportlab.graphics.renderbase import Renderer, StateTracker, getStateDelta
from reportlab.graphics.shapes import Drawing
from reportlab.pdfgen.canvas import FILL_EVEN_ODD

from rendering.formats.pdf.layout.graphics import svg_paths as paths
from rendering.formats.pdf.layout.graphics.lettering import Anchor, Lettering
from rendering.formats.pdf.layout.graphics.svg_paths import Matrix, Segment
from rendering.formats.pdf.layout.items import Group, Item, Path
from rendering.formats.pdf.typeset.style import TextStyle

ANCHORS: dict[str, Anchor] = {"start": "start", "middle": "middle", "end": "end"}
_OPERATORS = (("m", 2), ("l", 2), ("c", 6), ("h", 0))  # of a ReportLab path, by its numbers


def drawing_items(drawing: Drawing, lettering: Lettering) -> list[Item]:
    """Return a drawing's items, its lower left corner at 0, 0: parts of a figure that says what it is."""
    pen = _Pen(lettering, StateTracker(defaultObj=drawing))
    pen.drawNode(drawing)
    return pen.items


class _Pen(Renderer):
    """A renderer whose page is a list of items. ReportLab calls the `draw...` methods by their names."""

    def __init__(self, lettering: Lettering, tracker: StateTracker) -> None:
        self._lettering = lettering
        self._tracker = tracker
        self._canvas = None
        self.items: list[Item] = []

    def drawNode(self, node: Any) -> None:
        """Draw a shape or a group in the state that it changes."""
        self._tracker.push(getStateDelta(node))
        self.drawNodeDispatcher(node)
        self._tracker.pop()

    def drawGroup(self, group: Any) -> None:
        """Draw what is in a group; a clipping path cuts what comes after it, by its box."""
        before = self.items
        self.items = []
        inside = self.items
        clip: tuple[float, float, float, float] | None = None
        for node in group.getContents():
            if getattr(node, "isClipPath", False):
                self._wrap(before, clip)
                inside = self.items
                clip = paths.bounds(_path_segments(node), self._matrix())
            else:
                self.drawNode(node)
        self.items = inside
        self._wrap(before, clip)
        self.items = before

    def _wrap(self, outer: list[Item], clip: tuple[float, float, float, float] | None) -> None:
        """Hand the items so far to the list outside."""
        if self.items:
            outer += self.items if clip is None else [Group(self.items, clip=clip)]
        self.items = []

    # ------------------------------------------------------------ shapes

    def drawRect(self, rect: Any) -> None:
        """Draw a rectangle, its corners rounded."""
        x, width = min(rect.x, rect.x + rect.width), abs(rect.width)
        y, height = min(rect.y, rect.y + rect.height), abs(rect.height)
        self._fill_and_stroke(paths.rectangle(x, y, width, height, rect.rx or 0.0, rect.ry or 0.0))

    def drawCircle(self, circle: Any) -> None:
        """Draw a circle."""
        self._fill_and_stroke(paths.ellipse(circle.cx, circle.cy, circle.r, circle.r))

    def drawEllipse(self, ellipse: Any) -> None:
        """Draw an ellipse."""
        self._fill_and_stroke(paths.ellipse(ellipse.cx, ellipse.cy, ellipse.rx, ellipse.ry))

    def drawLine(self, line: Any) -> None:
        """Draw a straight line."""
        self._stroke(paths.polygon([line.x1, line.y1, line.x2, line.y2], closed=False))

    def drawPolyLine(self, line: Any) -> None:
        """Draw lines through points."""
        self._stroke(paths.polygon(line.points, closed=False))

    def drawPolygon(self, polygon: Any) -> None:
        """Draw a closed shape of straight lines."""
        self._fill_and_stroke(paths.polygon(polygon.points))

    def drawPath(self, path: Any) -> None:
        """Draw any shape."""
        self._fill_and_stroke(_path_segments(path))

    def drawWedge(self, wedge: Any) -> None:
        """Draw a slice of a pie or of a ring, as true arcs."""
        yradius, inner, inner_y = wedge._xtraRadii()
        self._fill_and_stroke(
            wedge_segments(
                (wedge.centerx, wedge.centery),
                (wedge.radius, yradius),
                (inner or 0.0, inner_y or 0.0),
                (wedge.startangledegrees, wedge.endangledegrees),
            )
        )

    def drawImage(self, *given: Any, **named: Any) -> None:
        """Leave an image out: its source may be a path."""

    def drawString(self, string: Any) -> None:
        """Set a text in the document's fonts."""
        state = self._tracker.getState()
        color = _color(state["fillColor"])
        size = float(state["fontSize"])
        if color is None or size <= 0:
            return
        text = self._lettering.cleaned(str(string.text))
        style = _text_style(str(state["fontName"]), size, color)
        anchor = ANCHORS.get(state["textAnchor"], "start")
        a, b, c, d, e, f = self._matrix()
        if (a, b, c, d) == (1, 0, 0, 1):
            lines = self._lettering.line(text, style, string.x + e, string.y + f, anchor)
            self.items += _faded(lines, _opacity(state["fillOpacity"], state["fillColor"]))
        else:
            lines = self._lettering.line(text, style, string.x, string.y, anchor)
            self.items += [Group(lines, (a, b, c, d, e, f))] if lines else []

    # ------------------------------------------------------------ painting

    def _matrix(self) -> Matrix:
        a, b, c, d, e, f = self._tracker.getCTM()
        return (a, b, c, d, e, f)

    def _stroke(self, segments: Sequence[Segment]) -> None:
        self._paint(segments, None, _color(self._tracker["strokeColor"]))

    def _fill_and_stroke(self, segments: Sequence[Segment]) -> None:
        state = self._tracker.getState()
        self._paint(segments, _color(state["fillColor"]), _color(state["strokeColor"]))

    def _paint(self, segments: Sequence[Segment], fill: str | None, stroke: str | None) -> None:
        state = self._tracker.getState()
        matrix = self._matrix()
        scale = paths.scale_of(matrix)
        if not state["strokeWidth"] or state["strokeWidth"] < 0:
            stroke = None
        if not segments or (fill is None and stroke is None):
            return
        code = paths.code(segments, matrix)
        filled = _opacity(state["fillOpacity"], state["fillColor"])
        stroked = _opacity(state["strokeOpacity"], state["strokeColor"])
        even_odd = state["fillMode"] == FILL_EVEN_ODD
        pen: dict[str, Any] = {
            "thickness": (state["strokeWidth"] or 0) * scale,
            "dash": tuple(number * scale for number in state["strokeDashArray"] or ()),
            "cap": int(state["strokeLineCap"] or 0),
            "join": int(state["strokeLineJoin"] or 0),
        }
        if fill and stroke and filled == stroked:
            both = Path(code, fill, stroke, even_odd=even_odd, role="", **pen)
            self.items += _faded([both], filled)
            return
        if fill:
            self.items += _faded([Path(code, fill, even_odd=even_odd, role="")], filled)
        if stroke:
            self.items += _faded([Path(code, None, stroke, role="", **pen)], stroked)


def _path_segments(path: Any) -> list[Segment]:
    points = path.points
    segments: list[Segment] = []
    at = 0
    for operator in path.operators:
        letter, count = _OPERATORS[operator]
        segments.append((letter, tuple(points[at : at + count])))
        at += count
    return segments


def wedge_segments(
    center: tuple[float, float],
    outer: tuple[float, float],
    inner: tuple[float, float],
    angles: tuple[float, float],
) -> list[Segment]:
    """Return a slice between two angles (degrees, anticlockwise); with an inner radius, a piece of a ring."""
    start, end = (math.radians(angle) for angle in angles)
    if end - start >= 2 * math.pi - 1e-6:
        ring = paths.ellipse(*center, *outer)
        return ring + (paths.ellipse(*center, *inner) if inner[0] > 0 else [])
    first, arc = _arc(center, outer, start, end)
    segments: list[Segment] = [("m", first), *arc]
    if inner[0] > 0:
        begin, back = _arc(center, inner, end, start)
        segments += [("l", begin), *back]
    else:
        segments.append(("l", center))
    segments.append(("h", ()))
    return segments


def _arc(
    center: tuple[float, float], radii: tuple[float, float], start: float, end: float
) -> tuple[tuple[float, float], list[Segment]]:
    """Return where an arc begins and its curves, each at most a quarter of the circle."""
    (cx, cy), (rx, ry) = center, radii
    count = max(1, math.ceil(abs(end - start) / (math.pi / 2) - 1e-9))
    step = (end - start) / count
    kappa = 4 / 3 * math.tan(step / 4)
    curves: list[Segment] = []
    for index in range(count):
        a, b = start + index * step, start + (index + 1) * step
        curves.append(
            (
                "c",
                (
                    cx + rx * (math.cos(a) - kappa * math.sin(a)),
                    cy + ry * (math.sin(a) + kappa * math.cos(a)),
                    cx + rx * (math.cos(b) + kappa * math.sin(b)),
                    cy + ry * (math.sin(b) - kappa * math.cos(b)),
                    cx + rx * math.cos(b),
                    cy + ry * math.sin(b),
                ),
            )
        )
    return (cx + rx * math.cos(start), cy + ry * math.sin(start)), curves


def _text_style(name: str, size: float, color: str) -> TextStyle:
    """Return the style that a font name asks for: `heading`, `code`, else the running text; bold, italic."""
    name = name.lower()
    family = "body"
    if name.startswith("heading"):
        family = "heading"
    elif "courier" in name or "mono" in name or name.startswith("code"):
        family = "code"
    return TextStyle(size, color, "bold" in name, "italic" in name or "oblique" in name, family)


def _color(color: Any) -> str | None:
    """Return a ReportLab colour as `#rrggbb`."""
    if color is None:
        return None
    red, green, blue = (min(max(round(channel * 255), 0), 255) for channel in color.rgb())
    return f"#{red:02x}{green:02x}{blue:02x}"


def _opacity(given: float | None, color: Any) -> float:
    return float(getattr(color, "alpha", 1.0) if given is None else given)


def _faded(items: Sequence[Item], opacity: float) -> list[Item]:
    return list(items) if opacity >= 1 or not items else [Group(items, opacity=opacity)]
