"""Images, scaled to fit the page body."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from rendering.formats.base import RenderError
from rendering.formats.pdf.blocks import SHARES
from rendering.formats.pdf.flow import Flow
from rendering.formats.pdf.styles import BLOCK_GAP, MM, PIXEL
from templates_app.resolved import ImageFile, ResolvedImage

if TYPE_CHECKING:
    from reportlab.lib.utils import ImageReader


def render(section: ResolvedImage, flow: Flow) -> None:
    """Draw an image; an optional one that the data does not give leaves no gap. Raises RenderError."""
    if section.image is None:
        return
    width, height = size(section, section.image, flow.width, flow.height)
    flow.gap(BLOCK_GAP)
    flow.need(height)
    x = flow.left + (flow.width - width) * SHARES[section.align]
    try:
        reader = _reader(flow, section.image)
        flow.canvas.drawImage(reader, x, flow.y - height, width, height, mask="auto")
    except Exception as error:  # Pillow and ReportLab raise many kinds for one cause
        raise RenderError("Image cannot be read") from error
    flow.advance(height)
    flow.gap(BLOCK_GAP)


def size(
    section: ResolvedImage, image: ImageFile, most_width: float, most_height: float
) -> tuple[float, float]:
    """Return width and height in points: as wished, the missing one by the ratio, scaled down to fit."""
    natural_width, natural_height = max(image.width, 1) * PIXEL, max(image.height, 1) * PIXEL
    ratio = natural_width / natural_height
    match section.width, section.height:
        case None, None:
            width, height = natural_width, natural_height
        case None, float() | int() as given:
            width, height = given * MM * ratio, given * MM
        case float() | int() as given, None:
            width, height = given * MM, given * MM / ratio
        case _:
            width, height = (section.width or 0) * MM, (section.height or 0) * MM
    scale = min(1.0, most_width / max(width, 0.01), most_height / max(height, 0.01))
    return width * scale, height * scale


def _reader(flow: Flow, image: ImageFile) -> ImageReader:
    from reportlab.lib.utils import ImageReader

    reader = flow.images.get(image)
    if reader is None:
        reader = flow.images[image] = ImageReader(BytesIO(image.content))
    return reader
