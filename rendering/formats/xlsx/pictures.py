"""Images on a worksheet: PNG and JPEG as they are, WebP as PNG; others are left out."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, TypeGuard

from config.kept import Kept
from config.large_images import turn_for
from rendering.formats.xlsx.texts import legal
from templates_app.resolved import ImageFile

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

AS_THEY_ARE: Final = frozenset({"image/png", "image/jpeg"})
CONVERTED: Final = "image/webp"
MOST_PICTURES: Final = 2000  # in a table
MOST_PIXELS: Final = 40_000_000
WITH_CELLS: Final = 1  # move and size with the cells
SCREEN: Final = 96.0  # pixels to an inch
PIXELS: Final = SCREEN / 25.4  # to a millimetre
EDGE: Final = 2  # pixels between a picture and the edges of its cell
DIGIT: Final = 7  # pixels of a character in a column's width
MARGIN: Final = 5  # pixels that a column has beside its characters
WIDEST: Final = 40.0  # characters of a column that pictures alone make wide


# Logos come back in every row and with every document.
_converted: Final = Kept[bytes, bytes](32 << 20)


def takes_room(image: ImageFile | None) -> TypeGuard[ImageFile]:
    """Return whether a picture is of a type that a worksheet shows: none is made for drawings (SVG)."""
    return image is not None and (image.content_type in AS_THEY_ARE or image.content_type == CONVERTED)


def usable(image: ImageFile) -> bytes | None:
    """Return the bytes of a picture that Excel shows, None for another."""
    if image.content_type in AS_THEY_ARE:
        return image.content
    if image.content_type != CONVERTED or image.width * image.height > MOST_PIXELS:
        return None
    content = image.content
    return _converted.get(content, lambda: _as_png(content), lambda png: len(content) + len(png)) or None


def width_of(images: Iterable[ImageFile | None], height: float) -> float:
    """Return the width, in characters, of a column with these pictures at `height` pixels."""
    shown = [image for image in images if takes_room(image) and image.width > 0 and image.height > 0]
    pixels = max((image.width * height / image.height for image in shown), default=0.0)
    return min((pixels + 2 * EDGE - MARGIN) / DIGIT, WIDEST) if pixels else 0.0


def pixels_inside(width: float) -> float:
    """Return how wide a picture may be in a column of `width` characters."""
    return width * DIGIT + MARGIN - 2 * EDGE


def _as_png(webp: bytes) -> bytes:
    """Return a WebP as PNG, nothing for one that cannot be read."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(webp), formats=["WEBP"]) as picture:
            out = io.BytesIO()
            with turn_for(picture.width * picture.height):
                picture.convert("RGBA").save(out, "PNG")
    except (OSError, ValueError, SyntaxError):
        return b""
    return out.getvalue()


def place_picture(
    sheet: Worksheet,
    row: int,
    column: int,
    image: ImageFile,
    *,
    height: float | None = None,
    width: float | None = None,
    alt: str = "",
) -> bool:
    """Put a picture over a cell, at most `width` x `height` pixels; returns whether there is one."""
    from xlsxwriter.exceptions import XlsxWriterException

    content = usable(image)
    if content is None or image.width < 1 or image.height < 1:
        return False
    scales = [limit / size for limit, size in ((width, image.width), (height, image.height)) if limit]
    scale = min(scales, default=1.0)
    try:
        done = sheet.insert_image(
            row,
            column,
            "image",
            {
                "image_data": io.BytesIO(content),
                "object_position": WITH_CELLS,
                "x_offset": EDGE,
                "y_offset": EDGE,
                "description": legal(alt),
                "decorative": not alt,
            },
        )
    except (XlsxWriterException, ValueError, IndexError):
        return False
    if done != 0:
        return False
    # XlsxWriter goes by the resolution in the file; pixels are what was measured.
    placed = sheet.images[-1]
    placed._x_scale = scale * placed._x_dpi / SCREEN
    placed._y_scale = scale * placed._y_dpi / SCREEN
    return True
