"""SVG images as plain items: paths, boxes and texts. From bytes only; nothing is ever opened. In points.

svglib was weighed and left: it opens files that a picture refers to, asks the system for fonts in a process
of its own, and knows neither opacity nor our fonts. What logos are made of is drawn here: shapes, paths,
groups, `use`, nested pictures, styles, clips (by their box), text in the document's fonts, raster images.
Gradients become their average colour; filters, masks, patterns and markers are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from assets.svg import InvalidSvg
from config.kept import Kept
from rendering.formats.pdf.layout.graphics.lettering import Lettering
from rendering.formats.pdf.layout.graphics.svg_scene import Scene, scene_of
from rendering.formats.pdf.layout.graphics.svg_text import SvgText
from rendering.formats.pdf.layout.items import Group, Item
from rendering.formats.pdf.typeset.style import TextStyle

MOST_SCENES: Final = 64
MOST_WEIGHT: Final = 16_000_000  # bytes of SVG and of page code that stay in memory


_kept: Final = Kept[bytes, Scene](MOST_WEIGHT, MOST_SCENES, worth=1)


def svg_scene(content: bytes, check_time: Callable[[], None] = lambda: None) -> Scene:
    """Return a picture as items in a box of its own; raises ValueError (InvalidSvg) with the reason.

    `check_time` is called while it is drawn; what it raises is passed on.
    """

    def draw() -> Scene:
        try:
            return scene_of(content, check_time)
        except RecursionError:
            raise InvalidSvg("the SVG is nested too deeply") from None

    return _kept.get(content, draw, lambda scene: len(content) + scene.weight)


def svg_group(
    content: bytes,
    box: tuple[float, float, float, float],
    lettering: Lettering,
    *,
    alt: str = "",
    check_time: Callable[[], None] = lambda: None,
) -> Group:
    """Return a picture stretched over a box (x, y, width, height) and cut at its edge; raises ValueError.

    Its texts are set by `lettering`; `check_time` is called while it is drawn.
    """
    scene = svg_scene(content, check_time)
    x, y, width, height = box
    items = _dressed(scene.items, lettering) if scene.has_text else scene.items
    matrix = (width / scene.width, 0.0, 0.0, height / scene.height, x, y)
    return Group(items, matrix, clip=(0.0, 0.0, scene.width, scene.height), role="figure", alt=alt)


# ---------------------------------------------------------------- text


def _dressed(items: Sequence[Any], lettering: Lettering) -> list[Item]:
    """Return the items with their texts set in the document's fonts."""
    out: list[Item] = []
    for item in items:
        if isinstance(item, SvgText):
            out += _set(item, lettering)
        elif isinstance(item, Group):
            out.append(replace(item, items=_dressed(item.items, lettering)))
        else:
            out.append(item)
    return out


def _set(text: SvgText, lettering: Lettering) -> list[Item]:
    """Return one chunk of text: its pieces after each other, the whole anchored at its place."""
    styles = [
        TextStyle(piece.size, piece.color, piece.bold, piece.italic, "code" if piece.code else "body")
        for piece in text.pieces
    ]
    widths = [lettering.width(piece.text, style) for piece, style in zip(text.pieces, styles, strict=True)]
    total = sum(widths) + sum(piece.dx for piece in text.pieces)
    x = -total * {"middle": 0.5, "end": 1.0}.get(text.anchor, 0.0)
    y = 0.0
    out: list[Item] = []
    for piece, style, width in zip(text.pieces, styles, widths, strict=True):
        x += piece.dx
        y += piece.dy
        lines = lettering.line(piece.text, style, x, y - piece.shift)
        if lines:
            out.append(lines[0] if piece.opacity >= 1 else Group(lines, opacity=piece.opacity))
        x += width
    return [Group(out, text.matrix)] if out else []
