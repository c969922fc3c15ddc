"""Bar codes, sharp at any size, with the quiet zone that scanners need."""

from __future__ import annotations

from rendering.formats.base import RenderError
from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.graphics.barcodes import alternative, draw_barcode
from rendering.formats.pdf.layout.graphics.lettering import Lettering
from rendering.formats.pdf.layout.measures import BLOCK_GAP
from templates_app.resolved import ResolvedBarcode


def render(section: ResolvedBarcode, flow: Flow) -> None:
    """Draw a bar code; raises RenderError for a value that it cannot hold."""
    try:
        code = draw_barcode(section, Lettering(flow.typesetter), (flow.width, flow.height))
    except ValueError as error:
        raise RenderError(f"Bar code: {error}") from error
    flow.gap(BLOCK_GAP)
    flow.need(code.height)
    x = flow.x_of(code.width, section.align)
    flow.figure(code.items, x, flow.y - code.height, alt=alternative(section))
    flow.advance(code.height)
    flow.gap(BLOCK_GAP)
