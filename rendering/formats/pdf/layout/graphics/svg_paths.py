"""Outlines of SVG shapes: path data and basic shapes to moves, lines and curves, and those to page code."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from assets.svg import NUMBER

Matrix = tuple[float, float, float, float, float, float]
# ("m", x, y), ("l", x, y), ("c", x1, y1, x2, y2, x, y) or ("h",)
Segment = tuple[str, tuple[float, ...]]

IDENTITY: Final[Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
KAPPA: Final = 0.5522847498  # a quarter of a circle as one curve
FARTHEST: Final = 1e6  # in page code
NEAREST: Final = 1e9  # in what is read: no arithmetic takes it to infinity
_COMMAND = re.compile(r"([MmZzLlHhVvCcSsQqTtAa])([^MmZzLlHhVvCcSsQqTtAa]*)")
_NUMBER = re.compile(NUMBER, re.ASCII)
_ARC = re.compile(
    rf"[\s,]*+({NUMBER})" * 3 + r"[\s,]*+([01])[\s,]*+([01])" + rf"[\s,]*+({NUMBER})" * 2, re.ASCII
)
_TRANSFORM = re.compile(r"\b(\w++)\s*+\(([^()]*+)\)")
_SHAPES: Final = {
    "m": "%.2f %.2f m ",
    "l": "%.2f %.2f l ",
    "c": "%.2f %.2f %.2f %.2f %.2f %.2f c ",
    "h": "h ",
}
_TAKES: Final = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7}


# ---------------------------------------------------------------- matrices


def multiplied(outer: Matrix, inner: Matrix) -> Matrix:
    """Return the matrix that applies `inner` first, then `outer`; never so large that arithmetic breaks."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    product = (
        a * g + c * h,
        b * g + d * h,
        a * i + c * j,
        b * i + d * j,
        a * k + c * m + e,
        b * k + d * m + f,
    )
    if max(map(abs, product)) < 1e12:
        return product
    return tuple(min(max(value, -1e12), 1e12) for value in product)  # type: ignore[return-value]


def scale_of(matrix: Matrix) -> float:
    """Return by how much a matrix enlarges, on average."""
    return math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))


def transform(text: str) -> Matrix:
    """Return the matrix of a `transform` attribute; what it does not understand is skipped."""
    matrix = IDENTITY
    for name, inside in _TRANSFORM.findall(text[:4000]):
        step = _step(name, points(inside))
        if step is not None:
            matrix = multiplied(matrix, step)
    return tuple(_bounded(value) for value in matrix)  # type: ignore[return-value]


def _step(name: str, numbers: list[float]) -> Matrix | None:
    match name, numbers:
        case "translate", [x, *rest]:
            return (1, 0, 0, 1, x, rest[0] if rest else 0)
        case "scale", [x, *rest]:
            return (x, 0, 0, rest[0] if rest else x, 0, 0)
        case "rotate", [angle, *rest]:
            cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            turn = (cos, sin, -sin, cos, 0.0, 0.0)
            if len(rest) < 2:
                return turn
            x, y = rest[:2]
            return multiplied(multiplied((1, 0, 0, 1, x, y), turn), (1, 0, 0, 1, -x, -y))
        case "skewX", [angle, *_]:
            return (1, 0, math.tan(math.radians(angle)), 1, 0, 0)
        case "skewY", [angle, *_]:
            return (1, math.tan(math.radians(angle)), 0, 1, 0, 0)
        case "matrix", [a, b, c, d, e, f]:
            return (a, b, c, d, e, f)
    return None


# ---------------------------------------------------------------- shapes


def rectangle(x: float, y: float, width: float, height: float, rx: float, ry: float) -> list[Segment]:
    """Return a rectangle, its corners rounded."""
    rx, ry = min(rx, width / 2), min(ry, height / 2)
    if rx <= 0 or ry <= 0:
        return polygon([x, y, x + width, y, x + width, y + height, x, y + height])
    right, bottom, dx, dy = x + width, y + height, rx * (1 - KAPPA), ry * (1 - KAPPA)
    return [
        ("m", (x + rx, y)),
        ("l", (right - rx, y)),
        ("c", (right - dx, y, right, y + dy, right, y + ry)),
        ("l", (right, bottom - ry)),
        ("c", (right, bottom - dy, right - dx, bottom, right - rx, bottom)),
        ("l", (x + rx, bottom)),
        ("c", (x + dx, bottom, x, bottom - dy, x, bottom - ry)),
        ("l", (x, y + ry)),
        ("c", (x, y + dy, x + dx, y, x + rx, y)),
        ("h", ()),
    ]


def ellipse(cx: float, cy: float, rx: float, ry: float) -> list[Segment]:
    """Return an ellipse."""
    if rx <= 0 or ry <= 0:
        return []
    return rectangle(cx - rx, cy - ry, 2 * rx, 2 * ry, rx, ry)


def polygon(numbers: Sequence[float], *, closed: bool = True) -> list[Segment]:
    """Return lines through points given as x, y, x, y; a number without its partner is left out."""
    points = list(zip(numbers[::2], numbers[1::2], strict=False))
    segments: list[Segment] = [("l" if index else "m", point) for index, point in enumerate(points)]
    if segments and closed:
        segments.append(("h", ()))
    return segments


def points(text: str) -> list[float]:
    """Return the numbers of a list of points."""
    numbers = [float(number) for number in _NUMBER.findall(text)]
    if numbers and (min(numbers) < -NEAREST or max(numbers) > NEAREST):
        return [_near(number) for number in numbers]
    return numbers


# ---------------------------------------------------------------- path data


def path(data: str) -> list[Segment]:
    """Return what `d` draws, up to the first mistake, as the standard wants it."""
    pen = _Pen()
    for command, inside in _COMMAND.findall(data):
        draw = pen.commands[command.lower()]
        relative = command.islower()
        if command in "Zz":
            pen.close()
            continue
        if not pen.segments and command not in "Mm":
            break
        found = False
        for numbers in _arguments(command.lower(), inside):
            draw(numbers, relative)
            found = True
            if command in "Mm":
                draw = pen.commands["l"]  # further pairs after a move are lines
        if not found:
            break
    return pen.segments


def _arguments(command: str, inside: str) -> Iterator[list[float]]:
    if command == "a":
        at = 0
        while match := _ARC.match(inside, at):
            yield [_near(float(number)) for number in match.groups()]
            at = match.end()
        return
    takes = _TAKES[command]
    numbers = points(inside)
    for start in range(0, len(numbers) - takes + 1, takes):
        yield numbers[start : start + takes]


class _Pen:
    """Where path data has come to, and what it has drawn."""

    def __init__(self) -> None:
        self.segments: list[Segment] = []
        self.x = self.y = self.start_x = self.start_y = 0.0
        self._cubic: tuple[float, float] | None = None  # last control point, for smooth curves
        self._quadratic: tuple[float, float] | None = None
        self.commands: dict[str, Callable[[list[float], bool], None]] = {
            "m": self._move,
            "l": self._line,
            "h": self._across,
            "v": self._down,
            "c": self._curve,
            "s": self._smooth,
            "q": self._bend,
            "t": self._smooth_bend,
            "a": self._arc,
            "z": lambda numbers, relative: self.close(),
        }

    def close(self) -> None:
        """Go back to where this part of the path began."""
        if self.segments and self.segments[-1][0] != "h":
            self.segments.append(("h", ()))
        self._to(self.start_x, self.start_y)

    def _to(self, x: float, y: float) -> None:
        self.x, self.y = x, y
        self._cubic = self._quadratic = None

    def _absolute(self, numbers: list[float], relative: bool) -> list[float]:
        if not relative:
            return numbers
        return [number + (self.y if index % 2 else self.x) for index, number in enumerate(numbers)]

    def _move(self, numbers: list[float], relative: bool) -> None:
        x, y = self._absolute(numbers, relative)
        self.segments.append(("m", (x, y)))
        self.start_x, self.start_y = x, y
        self._to(x, y)

    def _line_to(self, x: float, y: float) -> None:
        self._reopen()
        self.segments.append(("l", (x, y)))
        self._to(x, y)

    def _reopen(self) -> None:
        """Begin a new part where the last one was closed."""
        if self.segments[-1][0] == "h":
            self.segments.append(("m", (self.x, self.y)))

    def _line(self, numbers: list[float], relative: bool) -> None:
        self._line_to(*self._absolute(numbers, relative))

    def _across(self, numbers: list[float], relative: bool) -> None:
        self._line_to(numbers[0] + (self.x if relative else 0.0), self.y)

    def _down(self, numbers: list[float], relative: bool) -> None:
        self._line_to(self.x, numbers[0] + (self.y if relative else 0.0))

    def _curve_to(self, x1: float, y1: float, x2: float, y2: float, x: float, y: float) -> None:
        self._reopen()
        self.segments.append(("c", (x1, y1, x2, y2, x, y)))
        self._to(x, y)

    def _curve(self, numbers: list[float], relative: bool) -> None:
        x1, y1, x2, y2, x, y = self._absolute(numbers, relative)
        self._curve_to(x1, y1, x2, y2, x, y)
        self._cubic = (x2, y2)

    def _smooth(self, numbers: list[float], relative: bool) -> None:
        x2, y2, x, y = self._absolute(numbers, relative)
        cx, cy = self._cubic or (self.x, self.y)
        self._curve_to(2 * self.x - cx, 2 * self.y - cy, x2, y2, x, y)
        self._cubic = (x2, y2)

    def _bend_to(self, qx: float, qy: float, x: float, y: float) -> None:
        x1, y1 = self.x + (qx - self.x) * 2 / 3, self.y + (qy - self.y) * 2 / 3
        self._curve_to(x1, y1, x + (qx - x) * 2 / 3, y + (qy - y) * 2 / 3, x, y)
        self._quadratic = (qx, qy)

    def _bend(self, numbers: list[float], relative: bool) -> None:
        self._bend_to(*self._absolute(numbers, relative))

    def _smooth_bend(self, numbers: list[float], relative: bool) -> None:
        x, y = self._absolute(numbers, relative)
        qx, qy = self._quadratic or (self.x, self.y)
        self._bend_to(2 * self.x - qx, 2 * self.y - qy, x, y)

    def _arc(self, numbers: list[float], relative: bool) -> None:
        rx, ry, angle, large, sweep = numbers[:5]
        x, y = self._absolute(numbers[5:], relative)
        for curve in arc_curves(self.x, self.y, abs(rx), abs(ry), angle, bool(large), bool(sweep), x, y):
            self._curve_to(*curve)
        if (self.x, self.y) != (x, y):
            self._line_to(x, y)


def arc_curves(
    x1: float, y1: float, rx: float, ry: float, angle: float, large: bool, sweep: bool, x2: float, y2: float
) -> list[tuple[float, float, float, float, float, float]]:
    """Return an elliptical arc as curves (SVG 1.1, F.6); nothing when it is a straight line."""
    if rx < 1e-9 or ry < 1e-9 or (x1, y1) == (x2, y2):
        return []
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    dx, dy = (x1 - x2) / 2, (y1 - y2) / 2
    px, py = cos * dx + sin * dy, -sin * dx + cos * dy
    grow = math.hypot(px / rx, py / ry)
    if grow > 1:
        rx, ry = rx * grow, ry * grow
    # The unit circle: the arc goes around its centre from one unit vector to another.
    ux, uy = px / rx, py / ry
    square = ux * ux + uy * uy
    factor = math.sqrt(max(0.0, 1 / square - 1)) if square > 1e-18 else 0.0
    if large == sweep:
        factor = -factor
    cx, cy = factor * uy, -factor * ux
    start = math.atan2(uy - cy, ux - cx)
    sweep_angle = math.atan2(-uy - cy, -ux - cx) - start
    if sweep and sweep_angle < 0:
        sweep_angle += 2 * math.pi
    elif not sweep and sweep_angle > 0:
        sweep_angle -= 2 * math.pi
    count = max(1, math.ceil(abs(sweep_angle) / (math.pi / 2) - 1e-6))
    step = sweep_angle / count
    kappa = 4 / 3 * math.tan(step / 4)
    mx, my = (x1 + x2) / 2, (y1 + y2) / 2

    def placed(ux: float, uy: float) -> tuple[float, float]:
        ex, ey = (ux + cx) * rx, (uy + cy) * ry
        return cos * ex - sin * ey + mx, sin * ex + cos * ey + my

    curves = []
    for index in range(count):
        a, b = start + index * step, start + (index + 1) * step
        first = placed(math.cos(a) - kappa * math.sin(a), math.sin(a) + kappa * math.cos(a))
        second = placed(math.cos(b) + kappa * math.sin(b), math.sin(b) - kappa * math.cos(b))
        end = (x2, y2) if index == count - 1 else placed(math.cos(b), math.sin(b))
        curves.append((*first, *second, *end))
    return curves


# ---------------------------------------------------------------- page code


def code(segments: Sequence[Segment], matrix: Matrix) -> str:
    """Return PDF path construction of segments under a matrix: two decimals, never an exponent."""
    a, b, c, d, e, f = matrix
    values: list[float] = []
    shape: list[str] = []
    for operator, numbers in segments:
        for x, y in zip(numbers[::2], numbers[1::2], strict=True):
            values += (a * x + c * y + e, b * x + d * y + f)
        shape.append(_SHAPES[operator])
    if values and (min(values) < -FARTHEST or max(values) > FARTHEST):
        values = [_bounded(value) for value in values]
    return ("".join(shape) % tuple(values)).replace(".00 ", " ").rstrip()


def bounds(segments: Sequence[Segment], matrix: Matrix) -> tuple[float, float, float, float] | None:
    """Return the box (x, y, width, height) around segments and their control points, under a matrix."""
    a, b, c, d, e, f = matrix
    xs: list[float] = []
    ys: list[float] = []
    for _, numbers in segments:
        for x, y in zip(numbers[::2], numbers[1::2], strict=True):
            xs.append(_bounded(a * x + c * y + e))
            ys.append(_bounded(b * x + d * y + f))
    if not xs:
        return None
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def _near(value: float) -> float:
    """Return a number that no arithmetic here takes to infinity."""
    return min(max(value, -NEAREST), NEAREST)


def _bounded(value: float) -> float:
    return min(max(value, -FARTHEST), FARTHEST) if math.isfinite(value) else 0.0
