"""From the tree of an SVG to items: the walk over its elements.

A scene has its origin at the lower left, y upwards, and is `UNITS` units at its longer side, so that page
code with two decimals is exact enough for any viewBox.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from assets.images import read_header
from assets.svg import InvalidSvg, Node, embedded_image, length, parse_svg, svg_size, view_box
from config.value import dataclass
from rendering.formats.pdf.layout.graphics import svg_paths as paths
from rendering.formats.pdf.layout.graphics.svg_paths import Matrix, Segment, multiplied
from rendering.formats.pdf.layout.graphics.svg_style import (
    INITIAL,
    Paint,
    Paints,
    Sheet,
    Style,
    fraction,
    styled,
)
from rendering.formats.pdf.layout.graphics.svg_text import Chunks
from rendering.formats.pdf.layout.items import Group, Path, Picture
from templates_app.resolved import ImageFile

UNITS: Final = 1000.0
MOST_ELEMENTS: Final = 20_000  # drawn, those that `use` repeats counted each time
MOST_SEGMENTS: Final = 150_000
MOST_LEVELS: Final = 120
MOST_GROUPS: Final = 16  # within each other; readers take 28 of all kinds (ISO 19005-2, 6.1.13)
MOST_PIXELS: Final = 40_000_000  # of an embedded raster image
MOST_LETTERS: Final = 20_000
_CAPS: Final = {"round": 1, "square": 2}
_JOINS: Final = {"round": 1, "bevel": 2}
_ALIGN: Final = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}


@dataclass(frozen=True, slots=True)
class Scene:
    """A drawn picture: items (and SvgText among them) in a box of `width` x `height`."""

    width: float
    height: float
    items: Sequence[Any]
    has_text: bool
    weight: int  # about how many bytes it takes


def scene_of(content: bytes, check_time: Callable[[], None]) -> Scene:
    """Draw an SVG; raises InvalidSvg. `check_time` is called for each element and may raise."""
    root = parse_svg(content)
    wide, high = svg_size(root)
    scale = UNITS / max(wide, high)
    walk = _Walk(root, check_time)
    outer: Matrix = (scale, 0.0, 0.0, -scale, 0.0, high * scale)
    matrix = multiplied(outer, _viewport(root, 0.0, 0.0, wide, high))
    items = walk.children(root, styled(root, dict(INITIAL), walk.sheet), matrix, _view(root, wide, high), 0)
    if _levels(items) > MOST_GROUPS:
        raise InvalidSvg(f"the SVG has more than {MOST_GROUPS} clips and opacities within each other")
    return Scene(wide * scale, high * scale, items, walk.has_text, walk.weight)


def _levels(items: Sequence[Any]) -> int:
    """Return how many groups there are within each other, at most."""
    return max((1 + _levels(item.items) for item in items if isinstance(item, Group)), default=0)


def _view(node: Node, wide: float, high: float) -> tuple[float, float]:
    """Return what percentages inside are of."""
    box = view_box(node)
    return (box[2], box[3]) if box else (wide, high)


def _viewport(node: Node, x: float, y: float, wide: float, high: float) -> Matrix:
    """Return the matrix that fits the viewBox of an element into its frame."""
    box = view_box(node)
    if box is None:
        return (1.0, 0.0, 0.0, 1.0, x, y)
    return fit_box(box, (x, y, wide, high), node.attributes.get("preserveAspectRatio", ""))


def fit_box(
    inner: tuple[float, float, float, float], outer: tuple[float, float, float, float], rule: str
) -> Matrix:
    """Return the matrix from one box into another by the rule of `preserveAspectRatio`."""
    across, down = outer[2] / inner[2], outer[3] / inner[3]
    words = rule.split() or ["xMidYMid"]
    if words[0] == "none":
        return (across, 0.0, 0.0, down, outer[0] - inner[0] * across, outer[1] - inner[1] * down)
    scale = max(across, down) if words[-1] == "slice" else min(across, down)
    share_x, share_y = _ALIGN.get(words[0][1:4], 0.5), _ALIGN.get(words[0][5:8], 0.5)
    x = outer[0] + (outer[2] - inner[2] * scale) * share_x - inner[0] * scale
    y = outer[1] + (outer[3] - inner[3] * scale) * share_y - inner[1] * scale
    return (scale, 0.0, 0.0, scale, x, y)


@dataclass(slots=True)
class _Place:
    """Where an element is drawn."""

    style: Style
    matrix: Matrix
    view: tuple[float, float]  # width and height that percentages are of
    level: int


@dataclass(slots=True)
class _Budget:
    elements: int = 0
    segments: int = 0
    letters: int = 0


class _Walk:
    """One picture while it is drawn."""

    def __init__(self, root: Node, check_time: Callable[[], None]) -> None:
        self._check_time = check_time
        self._ids: dict[str, Node] = {}
        sheets: list[str] = []
        left = [root]
        while left:
            node = left.pop()
            left += reversed(node.elements)
            self._ids.setdefault(node.attributes.get("id", ""), node)
            if node.name == "style":
                sheets.append(node.text)
        self.sheet = Sheet("\n".join(sheets))
        self._paints = Paints(self._ids, self.sheet)
        self._budget = _Budget()
        # Of path data and of links, which `use` repeats.
        self._outlines: dict[str, list[Segment]] = {}
        self._images: dict[str, ImageFile | None] = {}
        self.has_text = False
        self.weight = 0
        self._draw: dict[str, Callable[[Node, _Place], list[Any]]] = {
            "g": self._group,
            "a": self._group,
            "svg": self._nested,
            "use": self._use,
            "switch": self._switch,
            "text": self._text,
            "image": self._image,
            **dict.fromkeys(
                ("path", "rect", "circle", "ellipse", "line", "polyline", "polygon"), self._shape
            ),
        }

    def children(
        self, node: Node, style: Style, matrix: Matrix, view: tuple[float, float], level: int
    ) -> list[Any]:
        """Return the items of the elements inside of another."""
        out: list[Any] = []
        for child in node.elements:
            out += self.element(child, style, matrix, view, level + 1)
        return out

    def element(
        self, node: Node, inherited: Style, matrix: Matrix, view: tuple[float, float], level: int
    ) -> list[Any]:
        """Return the items of one element with its transform, clip and opacity; raises InvalidSvg."""
        draw = self._draw.get(node.name)
        if draw is None:
            return []
        self._check_time()
        self._budget.elements += 1
        if self._budget.elements > MOST_ELEMENTS:
            raise InvalidSvg(f"the SVG draws more than {MOST_ELEMENTS} elements")
        if level > MOST_LEVELS:
            raise InvalidSvg(f"the SVG is nested deeper than {MOST_LEVELS} elements")
        style = styled(node, inherited, self.sheet)
        if style.get("display") == "none":
            return []
        if "transform" in node.attributes:
            matrix = multiplied(matrix, paths.transform(node.attributes["transform"]))
        if abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) < 1e-12:
            return []
        items = draw(node, _Place(style, matrix, view, level))
        opacity = 0.0 if self._blurred(node, style) else fraction(style.get("opacity"))
        clip = self._clip(style.get("clip-path", ""), matrix, view)
        if not items or not opacity or clip == ():
            return []
        if opacity < 1 or clip:
            return [Group(items, clip=clip or None, opacity=opacity)]
        return items

    def _blurred(self, node: Node, style: Style) -> bool:
        """Tell whether a filter leaves nothing sharp of an element: a soft shadow, which is left out."""
        name = style.get("filter") or node.attributes.get("filter", "")
        effect = (
            self._ids.get(name.removeprefix("url(").rstrip(")").strip("\"' ").removeprefix("#"))
            if name
            else None
        )
        steps = [step for step in effect.elements if step.name.startswith("fe")] if effect else []
        return bool(steps) and steps[-1].name == "feGaussianBlur"

    # ------------------------------------------------------------ structure

    def _group(self, node: Node, place: _Place) -> list[Any]:
        return self.children(node, place.style, place.matrix, place.view, place.level)

    def _switch(self, node: Node, place: _Place) -> list[Any]:
        for child in node.elements:
            if child.name in self._draw and not child.attributes.get("systemLanguage"):
                return self.element(child, place.style, place.matrix, place.view, place.level + 1)
        return []

    def _nested(
        self, node: Node, place: _Place, size: tuple[str | None, str | None] = (None, None)
    ) -> list[Any]:
        """Draw an `svg` or `symbol` inside of another: a frame of its own, cut at its edge."""
        at = node.attributes
        x, y = self._lengths(at, place.view, "x", "y") if node.name == "svg" else (0.0, 0.0)
        wide = length(size[0] or at.get("width", "100%"), place.view[0])
        high = length(size[1] or at.get("height", "100%"), place.view[1])
        if not wide or not high or wide < 0 or high < 0:
            return []
        matrix = multiplied(place.matrix, _viewport(node, x, y, wide, high))
        items = self.children(node, place.style, matrix, _view(node, wide, high), place.level)
        if not items or (view_box(node) is None and node.name == "symbol"):
            return items
        frame = paths.bounds(paths.rectangle(x, y, wide, high, 0, 0), place.matrix)
        return [Group(items, clip=frame)]

    def _use(self, node: Node, place: _Place) -> list[Any]:
        target = self._ids.get(node.attributes.get("href", "").strip().removeprefix("#"))
        if target is None or target is node:
            return []
        x, y = self._lengths(node.attributes, place.view, "x", "y")
        matrix = multiplied(place.matrix, (1.0, 0.0, 0.0, 1.0, x, y))
        if target.name not in ("symbol", "svg"):
            return self.element(target, place.style, matrix, place.view, place.level + 1)
        style = styled(target, place.style, self.sheet)
        size = node.attributes.get("width"), node.attributes.get("height")
        self._budget.elements += 1
        if place.level > MOST_LEVELS or self._budget.elements > MOST_ELEMENTS:
            raise InvalidSvg(f"the SVG is nested deeper than {MOST_LEVELS} elements")
        return self._nested(target, _Place(style, matrix, place.view, place.level + 1), size)

    def _clip(
        self, reference: str, matrix: Matrix, view: tuple[float, float]
    ) -> tuple[float, float, float, float] | tuple[()] | None:
        """Return the box around a clip path: None for no clip, empty when nothing is left."""
        if not reference.startswith("url("):
            return None
        node = self._ids.get(reference[4:].rstrip(") ").strip("\"' ").removeprefix("#"))
        if (
            node is None
            or node.name != "clipPath"
            or node.attributes.get("clipPathUnits") == "objectBoundingBox"
        ):
            return None
        if "transform" in node.attributes:
            matrix = multiplied(matrix, paths.transform(node.attributes["transform"]))
        boxes = []
        for child in node.elements[:1000]:
            shape = child
            inner = multiplied(matrix, paths.transform(child.attributes.get("transform", "")))
            if child.name == "use":
                shape = self._ids.get(child.attributes.get("href", "").removeprefix("#"), child)
                inner = multiplied(inner, paths.transform(shape.attributes.get("transform", "")))
            box = paths.bounds(self._outline(shape, view), inner)
            boxes += [box] if box else []
        if not boxes:
            return ()
        left, low = min(box[0] for box in boxes), min(box[1] for box in boxes)
        right, high = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
        return (left, low, right - left, high - low)

    # ------------------------------------------------------------ shapes

    def _shape(self, node: Node, place: _Place) -> list[Any]:
        style, matrix = place.style, place.matrix
        if style.get("visibility") in ("hidden", "collapse"):
            return []
        fill = None if node.name == "line" else self._paint("fill", style)
        stroke = self._paint("stroke", style)
        thickness = self._one(style.get("stroke-width"), place.view, 1.0) * paths.scale_of(matrix)
        if thickness <= 0:
            stroke = None
        if fill is None and stroke is None:
            return []
        segments = self._outline(node, place.view)
        if not segments:
            return []
        code = paths.code(segments, matrix)
        self.weight += len(code)
        even_odd = style.get("fill-rule") == "evenodd"
        pen: dict[str, Any] = {
            "thickness": round(thickness, 3),
            "dash": _dash(style.get("stroke-dasharray", ""), paths.scale_of(matrix)),
            "cap": _CAPS.get(style.get("stroke-linecap", ""), 0),
            "join": _JOINS.get(style.get("stroke-linejoin", ""), 0),
        }
        if fill and stroke and fill.opacity == stroke.opacity:
            both = Path(code, fill.color, stroke.color, even_odd=even_odd, role="", **pen)
            return _faded(both, fill.opacity)
        out: list[Any] = []
        if fill:
            out += _faded(Path(code, fill.color, even_odd=even_odd, role=""), fill.opacity)
        if stroke:
            out += _faded(Path(code, None, stroke.color, role="", **pen), stroke.opacity)
        return out

    def _paint(self, which: str, style: Style) -> Paint | None:
        paint = self._paints.paint(style.get(which, INITIAL[which]), style)
        if paint is None:
            return None
        opacity = paint.opacity * fraction(style.get(f"{which}-opacity"))
        return Paint(paint.color, opacity) if opacity > 0 else None

    def _outline(self, node: Node, view: tuple[float, float]) -> list[Segment]:
        at = node.attributes
        match node.name:
            case "path":
                data = at.get("d", "")
                segments = self._outlines.get(data) or self._outlines.setdefault(data, paths.path(data))
            case "rect":
                segments = self._rectangle(at, view)
            case "circle":
                cx, cy, r = self._lengths(at, view, "cx", "cy", "r")
                segments = paths.ellipse(cx, cy, r, r)
            case "ellipse":
                cx, cy, rx, ry = self._lengths(at, view, "cx", "cy", "rx", "ry")
                segments = paths.ellipse(cx, cy, rx, ry)
            case "line":
                ends = self._lengths(at, view, "x1", "y1", "x2", "y2")
                segments = paths.polygon(ends, closed=False)
            case "polyline" | "polygon":
                closed = node.name == "polygon"
                segments = paths.polygon(paths.points(at.get("points", "")), closed=closed)
            case _:
                return []
        self._budget.segments += len(segments)
        if self._budget.segments > MOST_SEGMENTS:
            raise InvalidSvg(f"the SVG draws more than {MOST_SEGMENTS} lines and curves")
        return segments

    def _rectangle(self, at: dict[str, str], view: tuple[float, float]) -> list[Segment]:
        x, y, width, height = self._lengths(at, view, "x", "y", "width", "height")
        if width <= 0 or height <= 0:
            return []
        rx, ry = (length(at.get(key), whole) for key, whole in zip(("rx", "ry"), view, strict=True))
        first, second = rx if rx is not None else ry, ry if ry is not None else rx
        return paths.rectangle(x, y, width, height, max(first or 0.0, 0.0), max(second or 0.0, 0.0))

    def _lengths(self, at: dict[str, str], view: tuple[float, float], *keys: str) -> list[float]:
        wholes = {"x": view[0], "c": view[0], "y": view[1], "w": view[0], "h": view[1], "r": _diagonal(view)}
        wholes |= {"cy": view[1], "rx": view[0], "ry": view[1]}
        return [length(at.get(key), wholes.get(key, wholes[key[0]])) or 0.0 for key in keys]

    def _one(self, text: str | None, view: tuple[float, float], default: float) -> float:
        found = length(text, _diagonal(view))
        return default if found is None else found

    # ------------------------------------------------------------ text and images

    def _text(self, node: Node, place: _Place) -> list[Any]:
        chunks = Chunks(self.sheet, self._paint, place.matrix)
        chunks.walk(node, place.style, 0)
        self._budget.letters += chunks.letters
        if self._budget.letters > MOST_LETTERS:
            raise InvalidSvg(f"the SVG has more than {MOST_LETTERS} letters of text")
        found = chunks.finished()
        self.has_text = self.has_text or bool(found)
        return list(found)

    def _image(self, node: Node, place: _Place) -> list[Any]:
        link = node.attributes.get("href", "")
        if link not in self._images:
            self._images[link] = self._embedded(link)
        image = self._images[link]
        if image is None:
            return []
        x, y, wide, high = self._lengths(node.attributes, place.view, "x", "y", "width", "height")
        wide, high = wide or (high * image.width / image.height if high else image.width), high
        high = high or wide * image.height / image.width
        if wide <= 0 or high <= 0:
            return []
        inner = (0.0, 0.0, float(image.width), float(image.height))
        fitted = fit_box(inner, (x, y, wide, high), node.attributes.get("preserveAspectRatio", ""))
        # A picture stands upright where y grows upwards.
        upright: Matrix = (1.0, 0.0, 0.0, -1.0, 0.0, float(image.height))
        picture = Picture(0.0, 0.0, image.width, image.height, image, role="")
        frame = paths.bounds(paths.rectangle(x, y, wide, high, 0, 0), place.matrix)
        matrix = multiplied(multiplied(place.matrix, fitted), upright)
        return [Group([Group([picture], matrix)], clip=frame)]

    def _embedded(self, link: str) -> ImageFile | None:
        """Return the raster image of a data URI; None for anything else."""
        content = embedded_image(link)
        if content is None:
            return None
        try:
            info = read_header(content, MOST_PIXELS)
        except ValueError as error:
            raise InvalidSvg(f"an image inside of the SVG: {error}") from None
        self.weight += len(content)
        return ImageFile(content, info.content_type, info.width, info.height)


def _diagonal(view: tuple[float, float]) -> float:
    return math.hypot(*view) / math.sqrt(2)


def _faded(path: Path, opacity: float) -> list[Any]:
    return [path] if opacity >= 1 else [Group([path], opacity=round(opacity, 4))]


def _dash(text: str, scale: float) -> tuple[float, ...]:
    numbers = [number * scale for number in paths.points(text)[:16]]
    if not numbers or min(numbers) < 0 or sum(numbers) < 0.01:
        return ()
    return tuple(round(number, 3) for number in numbers)
