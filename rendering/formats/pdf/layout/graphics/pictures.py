"""Images in boxes: their size, and PNG, JPEG, WebP or SVG as one item. Lengths are points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rendering.formats.base import RenderError
from rendering.formats.pdf.layout.items import Group, Item, Picture
from rendering.formats.pdf.layout.measures import MM, PIXEL
from templates_app.resolved import ImageFile

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.typesetter import Typesetter

SVG: Final = "image/svg+xml"
LEAST: Final = 0.01


def natural_size(image: ImageFile) -> tuple[float, float]:
    """Return width and height at 96 pixels to the inch."""
    return max(image.width, 1) * PIXEL, max(image.height, 1) * PIXEL


def frame_size(
    image: ImageFile, width: float | None, height: float | None, most: tuple[float, float]
) -> tuple[float, float]:
    """Return the frame of an image: as wished (mm), the missing side by the ratio, scaled down to `most`."""
    wide, high = natural_size(image)
    ratio = wide / high
    if width is not None and height is not None:
        wide, high = width * MM, height * MM
    elif width is not None:
        wide, high = width * MM, width * MM / ratio
    elif height is not None:
        wide, high = height * MM * ratio, height * MM
    scale = min(1.0, most[0] / max(wide, LEAST), most[1] / max(high, LEAST))
    return max(wide * scale, LEAST), max(high * scale, LEAST)


def fitted(image: ImageFile, width: float, height: float, mode: str) -> tuple[float, float]:
    """Return the size of an image in a frame: whole (`fit`), filling it (`cover`) or stretched (`exact`)."""
    if mode == "exact":
        return width, height
    wide, high = natural_size(image)
    across, down = width / wide, height / high
    scale = max(across, down) if mode == "cover" else min(across, down)
    return wide * scale, high * scale


def picture(
    image: ImageFile,
    x: float,
    y: float,
    width: float,
    height: float,
    alt: str = "",
    *,
    typesetter: Typesetter,
) -> Picture | Group:
    """Return an image stretched over a box; raises RenderError for one that cannot be read.

    The text of an SVG is set in the document's fonts.
    """
    if image.content_type != SVG:
        return Picture(x, y, width, height, image, alt)
    from rendering.formats.pdf.layout.graphics.lettering import Lettering
    from rendering.formats.pdf.layout.graphics.svg import svg_group

    box, lettering = (x, y, width, height), Lettering(typesetter)
    try:
        return svg_group(image.content, box, lettering, alt=alt, check_time=typesetter.check_time)
    except ValueError as error:
        raise RenderError(f"Image cannot be read: {error}") from error


def framed(
    image: ImageFile,
    box: tuple[float, float, float, float],
    mode: str,
    alt: str,
    typesetter: Typesetter,
    align: float = 0.5,
) -> Sequence[Item]:
    """Return an image in a frame (x, y, width, height): in its middle, what is over is cut.

    `align` is the share of the free width to the left of an image that is narrower than its frame.
    """
    x, y, width, height = box
    wide, high = fitted(image, width, height, mode)
    share = align if wide < width else 0.5
    item = picture(
        image, x + (width - wide) * share, y + (height - high) / 2, wide, high, alt, typesetter=typesetter
    )
    if wide > width + LEAST or high > height + LEAST:
        return (Group((item,), clip=box),)
    return (item,)
