"""How each kind that is no table shows on the cover sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rendering.formats.counters import marks
from rendering.formats.xlsx.cover import PIXEL_ROW, Cover
from rendering.formats.xlsx.pictures import PIXELS, place_picture
from rendering.formats.xlsx.styles import Properties
from rendering.formats.xlsx.texts import unmarked
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
)

SIZES: Final = {1: 20.0, 2: 15.0, 3: 13.0}
MOST_WIDTH: Final = 700.0  # pixels: both columns
MOST_HEIGHT: Final = 600.0
BULLET: Final = "\u2022"
INDENT: Final = 2


def heading(section: ResolvedHeading, cover: Cover) -> None:
    """Write a heading."""
    cover.gap()
    size = SIZES.get(section.level, 11.0)
    text = " ".join(filter(None, (section.numbered, unmarked(section.text))))
    look = cover.words(cover.book.theme.headings[section.level].color)
    cover.wide(text, {**look, "bold": True, "font_size": size, "align": section.align}, size)


def text(section: ResolvedText, cover: Cover) -> None:
    """Write a block of text."""
    align = "left" if section.align == "justify" else section.align
    look: Properties = {**cover.words(section.color), "align": align}
    look |= {"bold": True} if section.bold else {}
    look |= {"italic": True} if section.italic else {}
    cover.wide(unmarked(section.text), look)


def key_value(section: ResolvedKeyValue, cover: Cover) -> None:
    """Write labels and their values beside each other."""
    cover.gap()
    label, value = cover.words(cover.book.theme.muted), cover.words()
    for pair in section.pairs:
        weight: Properties = {"bold": True} if pair.strong else {}
        cover.pair(unmarked(pair.label), unmarked(pair.value), (label | weight, value | weight), pair.typed)


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
        look: Properties = {**cover.words(), "align": "left", "indent": min(depth * INDENT, 15)}
        cover.wide(f"{mark} {unmarked(item.text)}", look)
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
        line: Properties = {**cover.words(), "top": 1}
        cover.pair(unmarked(signer.name), unmarked(signer.date), ({**line, "bold": True}, line), signer.typed)
        if role := unmarked(signer.role):
            cover.wide(role, cover.words(cover.book.theme.muted))


def barcode(section: ResolvedBarcode, cover: Cover) -> None:
    """Write the value: a spreadsheet has no bars."""
    cover.wide(section.value, cover.words())
