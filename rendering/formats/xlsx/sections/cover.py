"""How each kind that is no table shows on the cover sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rendering.formats.counters import marks
from rendering.formats.xlsx.cover import PIXEL_ROW, WRAPPED, Cover
from rendering.formats.xlsx.pictures import PIXELS, place_picture
from rendering.formats.xlsx.styles import Properties
from templates_app.resolved import (
    ResolvedBarcode,
    ResolvedDivider,
    ResolvedHeading,
    ResolvedImage,
    ResolvedItem,
    ResolvedKeyValue,
    ResolvedList,
    ResolvedSignature,
    ResolvedText,
    plain,
)

SIZES: Final = {1: 20.0, 2: 15.0, 3: 13.0}
MOST_WIDTH: Final = 700.0  # pixels: both columns
MOST_HEIGHT: Final = 600.0
MUTED: Final = "#5c6776"
BULLET: Final = "\u2022"
INDENT: Final = 2


def heading(section: ResolvedHeading, cover: Cover) -> None:
    """Write a heading."""
    cover.gap()
    size = SIZES.get(section.level, 11.0)
    text = " ".join(filter(None, (section.numbered, plain(section.text))))
    cover.wide(text, {**WRAPPED, "bold": True, "font_size": size, "align": section.align}, size)


def text(section: ResolvedText, cover: Cover) -> None:
    """Write a block of text."""
    look: Properties = {**WRAPPED, "align": "left" if section.align == "justify" else section.align}
    look |= {"bold": True} if section.bold else {}
    look |= {"italic": True} if section.italic else {}
    look |= {"font_color": section.color} if section.color and _readable(section.color) else {}
    cover.wide(plain(section.text), look)


def _readable(color: str) -> bool:
    """Tell whether letters of a colour show on white: those of a dark box on the page would not."""
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < 190


def key_value(section: ResolvedKeyValue, cover: Cover) -> None:
    """Write labels and their values beside each other."""
    cover.gap()
    for pair in section.pairs:
        value = {**WRAPPED, "bold": True} if pair.strong else WRAPPED
        label = {**WRAPPED, "font_color": MUTED} | ({"bold": True} if pair.strong else {})
        cover.pair(plain(pair.label), plain(pair.value), (label, value), pair.typed)


def listing(section: ResolvedList, cover: Cover) -> None:
    """Write a list, one row per entry."""
    _items(section.items, section, 0, "", cover)


def _items(
    items: Sequence[ResolvedItem], section: ResolvedList, depth: int, above: str, cover: Cover
) -> None:
    first = section.start if depth == 0 else 1
    counted = marks(section.style, depth, cover.book.language, range(first, first + len(items)), above)
    for item, number in zip(items, counted, strict=True):
        mark = number if section.ordered else BULLET
        cover.wide(
            f"{mark} {plain(item.text)}", {**WRAPPED, "align": "left", "indent": min(depth * INDENT, 15)}
        )
        _items(item.children, section, depth + 1, mark, cover)


def image(section: ResolvedImage, cover: Cover) -> None:
    """Place an image over as many rows as it takes."""
    picture = section.image
    if picture is None or picture.width < 1 or picture.height < 1:
        return
    width = min(section.width * PIXELS if section.width else MOST_WIDTH, MOST_WIDTH)
    height = min(section.height * PIXELS if section.height else MOST_HEIGHT, MOST_HEIGHT)
    scale = min(width / picture.width, height / picture.height)
    if section.width is None and section.height is None:
        scale = min(scale, 1.0)
    size = (picture.width * scale, picture.height * scale)
    if place_picture(cover.sheet, cover.row, 0, picture, width=size[0], height=size[1], alt=section.alt):
        cover.row += -int(-(size[1] + 4) // PIXEL_ROW) + 1


def divider(section: ResolvedDivider, cover: Cover) -> None:
    """Draw a line."""
    cover.rule()


def signature(section: ResolvedSignature, cover: Cover) -> None:
    """Write who signs, each below a line."""
    for signer in section.signers:
        cover.gap()
        cover.gap()
        line: Properties = {**WRAPPED, "top": 1}
        cover.pair(plain(signer.name), plain(signer.date), ({**line, "bold": True}, line), signer.typed)
        if role := plain(signer.role):
            cover.wide(role, {**WRAPPED, "font_color": MUTED})


def barcode(section: ResolvedBarcode, cover: Cover) -> None:
    """Write the value: a spreadsheet has no bars."""
    cover.wide(section.value, WRAPPED)
