"""Pictures for the examples, drawn here: a photograph-like landscape in three formats, a mark as SVG."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping
from typing import Final

from PIL import Image

SVG: Final = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 60">
<rect x="1" y="1" width="118" height="58" rx="10" fill="#eef4fa" stroke="#1f4b73" stroke-width="2"/>
<path d="M14 44 L34 16 L54 44 Z" fill="#1f4b73"/>
<path d="M40 44 L56 24 L72 44 Z" fill="#4f86b8"/>
<circle cx="94" cy="22" r="8" fill="#f2b134"/>
<g fill="none" stroke="#2f7d4f" stroke-width="3" stroke-linecap="round">
<path d="M14 50 C 40 44, 70 56, 106 49"/></g></svg>"""

SIGNATURE: Final = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 150 50">
<path fill="none" stroke="#1d3f8a" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"
d="M8 38 C 14 20, 22 4, 27 8 C 31 12, 22 34, 19 40 C 26 26, 36 6, 42 9 C 47 13, 36 32, 37 38
C 39 42, 46 34, 50 28 C 52 24, 57 24, 56 28 C 54 33, 47 36, 49 38 C 52 41, 58 32, 62 27
C 61 32, 59 38, 62 38 C 66 37, 69 28, 73 27 C 76 27, 71 37, 75 37 C 80 36, 84 29, 87 25
C 85 32, 83 37, 87 37 C 92 36, 95 27, 99 27 C 102 29, 96 36, 101 37 C 110 36, 118 30, 142 27
M70 44 C 90 41, 116 40, 134 41"/></svg>"""


def _landscape() -> Image.Image:
    """Return hills under an evening sky."""
    image = Image.new("RGB", (480, 300))
    pixels = image.load()
    assert pixels is not None
    for x in range(480):
        far = 170 + 24 * math.sin(x / 70) + 9 * math.sin(x / 23)
        near = 225 + 20 * math.sin(x / 55 + 2) + 6 * math.sin(x / 15)
        for y in range(300):
            if y > near:
                pixels[x, y] = (38, 70 - (y - 220) // 4, 52)
            elif y > far:
                pixels[x, y] = (74, 104 - (y - 160) // 5, 112)
            else:
                warm = y / 200
                pixels[x, y] = (int(96 + 140 * warm), int(140 + 50 * warm), int(190 - 50 * warm))
    return image


def _saved(kind: str) -> Callable[[], bytes]:
    def saved() -> bytes:
        out = io.BytesIO()
        _landscape().save(out, kind, quality=85)
        return out.getvalue()

    return saved


def _seal() -> bytes:
    """Return a round seal with soft edges: RGBA."""
    image = Image.new("RGBA", (240, 240))
    pixels = image.load()
    assert pixels is not None
    for x in range(240):
        for y in range(240):
            distance = math.hypot(x - 120, y - 120)
            ring = 1 if 84 < distance < 108 or distance < 60 else 0
            alpha = max(0.0, min(1.0, 112 - distance)) * (0.9 if ring else 0.25)
            pixels[x, y] = (31, 75, 115, int(255 * alpha))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


PICTURES: Final[Mapping[str, Callable[[], bytes]]] = {
    "photo.jpg": _saved("JPEG"),
    "photo.png": _saved("PNG"),
    "photo.webp": _saved("WEBP"),
    "mark.svg": lambda: SVG,
    "signature.svg": lambda: SIGNATURE,
    "seal.png": _seal,
}
