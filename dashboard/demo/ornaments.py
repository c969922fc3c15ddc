"""What the certificate is adorned with: a double frame, a rosette and two signatures, as small SVG."""

from __future__ import annotations

import base64
import math
from typing import Final

from dashboard.demo.base import AMBER, BLUE, TEAL

_WIDTH: Final = 297  # millimetres of a landscape A4
_HEIGHT: Final = 210
# Pen strokes of two people, on a ground of 150 x 50.
_STROKES: Final = {
    "hartley": "M12 10 C 10 22, 9 32, 10 41 M31 6 C 28 20, 26 32, 28 42 M6 27 C 16 22, 27 21, 36 23 "
    "C 46 26, 40 38, 44 38 C 50 37, 52 27, 56 28 C 60 30, 53 38, 58 38 C 63 37, 65 28, 69 26 "
    "C 68 32, 66 39, 70 38 C 76 35, 80 12, 83 8 C 80 20, 76 38, 80 38 C 86 37, 88 29, 92 28 "
    "C 95 29, 90 33, 93 37 C 98 40, 108 30, 140 24",
    "okoro": "M34 10 C 22 4, 12 12, 20 20 C 28 27, 34 32, 24 40 C 17 44, 9 40, 12 34 "
    "M58 14 C 46 10, 38 26, 44 36 C 52 44, 66 32, 62 20 C 60 13, 52 14, 54 22 "
    "C 60 32, 70 26, 74 10 C 72 22, 69 32, 70 40 "
    "C 72 32, 78 26, 84 24 C 80 29, 77 31, 80 34 C 84 39, 90 36, 93 30 C 96 26, 102 27, 100 33 "
    "C 97 38, 91 35, 94 30 C 100 26, 108 34, 138 30 M64 46 C 84 42, 104 42, 128 44",
}


def _uri(svg: str) -> str:
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def _wave(radius: float, depth: float, waves: int, turn: float = 0.0) -> str:
    """Return a closed path around (50, 50) that swings about a circle."""
    points = []
    steps = waves * 12
    for step in range(steps):
        angle = 2 * math.pi * step / steps
        reach = radius + depth * math.cos(waves * angle + turn)
        points.append(f"{50 + reach * math.cos(angle):.2f} {50 + reach * math.sin(angle):.2f}")
    return "M" + "L".join(points) + "Z"


def _star(outer: float, inner: float, spikes: int) -> str:
    points = []
    for corner in range(2 * spikes):
        reach = inner if corner % 2 else outer
        angle = math.pi * corner / spikes - math.pi / 2
        points.append(f"{50 + reach * math.cos(angle):.2f} {50 + reach * math.sin(angle):.2f}")
    return "M" + "L".join(points) + "Z"


def frame() -> str:
    """Return the frame of the whole page as a data URI."""
    corners = []
    for x, across in ((15, 1), (_WIDTH - 15, -1)):
        for y, down in ((15, 1), (_HEIGHT - 15, -1)):
            corners.append(f"M{x} {y + 11 * down}v{-11 * down}h{11 * across}")
            corners.append(f"M{x + 3 * across} {y + 8 * down}v{-5 * down}h{5 * across}")
    return _uri(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}mm" height="{_HEIGHT}mm" fill="none">'
        f'<rect x="8" y="8" width="{_WIDTH - 16}" height="{_HEIGHT - 16}" stroke="{BLUE}" '
        'stroke-width="1.4"/>'
        f'<rect x="11" y="11" width="{_WIDTH - 22}" height="{_HEIGHT - 22}" stroke="{AMBER}" '
        'stroke-width="0.4"/>'
        f'<path d="{"".join(corners)}" stroke="{TEAL}" stroke-width="0.7"/></svg>'
    )


def rosette() -> str:
    """Return the seal as a data URI."""
    waves = "".join(
        f'<path d="{_wave(35, 4.5, 18, turn)}" stroke="#ffffff" stroke-opacity="0.55" stroke-width="0.5"/>'
        for turn in (0, math.pi / 2, math.pi, 3 * math.pi / 2)
    )
    return _uri(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="100" height="100" fill="none">'
        f'<path d="{_wave(45.5, 2.6, 32)}" fill="{AMBER}"/><circle cx="50" cy="50" r="41.5" fill="{BLUE}"/>'
        f'{waves}<circle cx="50" cy="50" r="27" fill="{BLUE}" stroke="{AMBER}" stroke-width="1.2"/>'
        f'<path d="{_star(17, 7.2, 5)}" fill="{AMBER}"/></svg>'
    )


def signature(name: str) -> str:
    """Return a signature as a data URI."""
    return _uri(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 150 50" width="150" height="50" fill="none">'
        f'<path d="{_STROKES[name]}" stroke="#1d3f8a" stroke-width="1.5" stroke-linecap="round" '
        'stroke-linejoin="round"/></svg>'
    )
