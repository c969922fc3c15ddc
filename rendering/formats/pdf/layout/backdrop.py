"""What lies behind the content of every page: an image that covers it, a watermark across it. Points."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from rendering.formats.pdf.layout.graphics.pictures import picture
from rendering.formats.pdf.layout.items import Group, Item
from rendering.formats.pdf.layout.measures import CAP_HEIGHT
from rendering.formats.pdf.typeset.paragraph import compose, place
from rendering.formats.pdf.typeset.style import TextStyle
from rendering.formats.pdf.typeset.typesetter import Typesetter
from templates_app.resolved import ImageFile, ResolvedPage, Watermark


def backdrops(
    page: ResolvedPage, size: tuple[float, float], typesetter: Typesetter
) -> tuple[Sequence[Item], Sequence[Item]]:
    """Return what the first page begins with, and what the others do.

    Raises RenderError for an image that cannot be read.
    """
    over = [] if page.watermark is None else _watermark(page.watermark, *size, typesetter)
    rest = _covering(page.background, *size, typesetter)
    first = rest
    if page.first_background is not page.background:
        first = _covering(page.first_background, *size, typesetter)
    return [*first, *over], [*rest, *over]


def _covering(image: ImageFile | None, width: float, height: float, typesetter: Typesetter) -> list[Item]:
    """Return an image that covers the page: its ratio kept, what is over cut."""
    if image is None:
        return []
    ratio = max(width / image.width, height / image.height)
    wide, high = image.width * ratio, image.height * ratio
    item = picture(image, (width - wide) / 2, (height - high) / 2, wide, high, typesetter=typesetter)
    return [Group([item], clip=(0, 0, width, height), role="artifact")]


def _watermark(mark: Watermark, width: float, height: float, typesetter: Typesetter) -> list[Item]:
    """Return words or an image across the middle of the page."""
    angle = math.radians(mark.angle)
    cos, sin = math.cos(angle), math.sin(angle)
    matrix = (cos, sin, -sin, cos, width / 2, height / 2)
    if mark.image is not None:
        ratio = min(width * 0.6 / mark.image.width, height * 0.6 / mark.image.height)
        wide, high = mark.image.width * ratio, mark.image.height * ratio
        items: Sequence[Item] = [picture(mark.image, -wide / 2, -high / 2, wide, high, typesetter=typesetter)]
    else:
        items = _watermark_words(mark, width, height, typesetter)
    return [Group(items, matrix, opacity=mark.opacity, role="artifact")] if items else []


def _watermark_words(mark: Watermark, width: float, height: float, typesetter: Typesetter) -> list[Item]:
    size = mark.size or 100.0
    for _ in range(2):
        style = TextStyle(size, mark.color, bold=True)
        lines = compose(mark.text, style, 1e6, typesetter=typesetter, hyphenate="none").lines
        if not lines or not lines[0].width:
            return []
        # on the diagonal, within three quarters of the page in either direction
        angle = math.radians(mark.angle)
        reach = min(
            0.75 * width / max(abs(math.cos(angle)), 0.01), 0.75 * height / max(abs(math.sin(angle)), 0.01)
        )
        if mark.size or abs(lines[0].width - reach) < 1:
            break
        size = min(size * reach / lines[0].width, 200.0)
    line = dataclasses.replace(lines[0], x=0.0)
    return list(place(line, -line.width / 2, -CAP_HEIGHT * size / 2, "artifact"))
