"""Writes PDF."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, ClassVar

from rendering.formats.base import Limits, Renderer
from rendering.formats.pdf.flow import Flow
from rendering.formats.pdf.sections import SECTIONS
from templates_app.resolved import ResolvedDocument


class PdfRenderer(Renderer):
    """Draws every section kind, one under the other, on as many pages as they take."""

    name: ClassVar[str] = "pdf"
    content_type: ClassVar[str] = "application/pdf"
    extension: ClassVar[str] = "pdf"
    sections: ClassVar[Mapping[str, Callable[..., Any]]] = SECTIONS

    def render(self, document: ResolvedDocument, out: BinaryIO, limits: Limits) -> None:
        """Write the document; raises RenderError (margins, an image that cannot be read) or LimitExceeded."""
        from rendering.formats.pdf.pages import PagedCanvas  # ReportLab: loaded when the first PDF is drawn

        canvas = PagedCanvas(out, document)
        flow = Flow(canvas, document.page, limits)
        for section in document.sections:
            limits.check_time()
            draw = self.sections.get(section.kind)
            if draw is not None:
                draw(section, flow)
        flow.settle()
        canvas.finish()
