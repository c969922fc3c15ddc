"""Images: whole, filling a frame, or stretched; never wider than the column nor taller than the page."""

from __future__ import annotations

from rendering.formats.pdf.layout.column import SHARES
from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.graphics.pictures import fitted, frame_size, framed
from rendering.formats.pdf.layout.items import Link
from rendering.formats.pdf.layout.measures import BLOCK_GAP
from templates_app.resolved import ResolvedImage


def render(section: ResolvedImage, flow: Flow) -> None:
    """Draw an image; an optional one that the data does not give leaves no gap. Raises RenderError."""
    image = section.image
    if image is None:
        return
    width, height = frame_size(image, section.width, section.height, (flow.width, flow.height))
    if section.mode == "fit":
        width, height = fitted(image, width, height, "fit")  # the frame gives no blank height away
    flow.gap(BLOCK_GAP)
    flow.need(height)
    box = (flow.x_of(width, section.align), flow.y - height, width, height)
    if section.link:
        flow.open("Link")
    # One that says nothing only decorates, but for the way that it leads.
    says = section.alt or section.link
    flow.tag(flow.element("Figure", alt=says) if says else None)
    flow.put(*framed(image, box, section.mode, section.alt, flow.typesetter, SHARES[section.align]))
    if section.link:
        flow.put(Link(*box, section.link))
        flow.close()
    flow.advance(height)
    flow.gap(BLOCK_GAP)
