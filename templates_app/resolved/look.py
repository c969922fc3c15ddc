"""What documents are made of everywhere: texts with marks, images and fonts, and the theme."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from config.value import value


@value
class Span:
    """A piece of text with its inline marks; `link` is a checked http(s), mailto or tel address."""

    text: str
    bold: bool = False
    italic: bool = False
    underline: bool = False
    strike: bool = False
    script: Literal["", "super", "sub"] = ""
    code: bool = False
    color: str | None = None
    link: str | None = None


# Text without any mark is a plain string: the common case, and the quick one.
Rich = str | tuple[Span, ...]


def plain(text: Rich) -> str:
    """Return the words alone, without their marks."""
    return text if isinstance(text, str) else "".join(span.text for span in text)


@value
class ImageFile:
    """A checked image: PNG, JPEG, WebP or SVG bytes, its size in pixels (SVG: in CSS pixels)."""

    content: bytes
    content_type: str
    width: int
    height: int


@value
class FontFamily:
    """An organization's own typeface: TTF bytes of up to four faces; a missing one is the regular."""

    name: str
    regular: bytes
    bold: bytes | None = None
    italic: bytes | None = None
    bold_italic: bytes | None = None


@value
class HeadingLook:
    """Looks of one heading level; lengths in points."""

    size: float
    color: str
    before: float
    after: float
    bold: bool = True


@value
class Theme:
    """How a document looks, in one place; lengths are points here. The defaults are the house style."""

    font: FontFamily | None = None  # None: the bundled family
    heading_font: FontFamily | None = None  # None: `font`
    size: float = 10.0
    leading: float = 1.42  # line height of running text, in font sizes
    ink: str = "#1b2430"
    muted: str = "#5c6776"
    accent: str = "#1f4b73"
    rule: str = "#dfe3e8"
    rule_strong: str = "#aeb7c2"
    tint: str = "#f1f4f7"  # behind table heads, boxes and code
    zebra: str = "#f8f9fb"
    spacing: float = 1.0  # factor on every gap between blocks
    headings: Mapping[int, HeadingLook] = field(
        default_factory=lambda: {
            1: HeadingLook(24, "#1b2430", 22, 10),
            2: HeadingLook(15, "#1f4b73", 20, 7),
            3: HeadingLook(12, "#1b2430", 15, 5),
            4: HeadingLook(10.5, "#1f4b73", 13, 4),
            5: HeadingLook(10, "#1b2430", 11, 3),
            6: HeadingLook(9, "#5c6776", 10, 3),
        }
    )
