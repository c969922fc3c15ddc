"""Writes PDF: layout hands page after page to the writer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, ClassVar

from rendering.formats.base import Limits, Renderer
from rendering.formats.pdf.layout.kinds import KINDS
from templates_app.resolved import ResolvedDocument


class PdfRenderer(Renderer):
    """Draws every section kind, one under the other, on as many pages as they take."""

    name: ClassVar[str] = "pdf"
    content_type: ClassVar[str] = "application/pdf"
    extension: ClassVar[str] = "pdf"
    sections: ClassVar[Mapping[str, Callable[..., Any]]] = KINDS

    def render(self, document: ResolvedDocument, out: BinaryIO, limits: Limits) -> None:
        """Write the document; raises RenderError (margins, an image that cannot be read) or LimitExceeded."""
        # Fonts and shaping: loaded when the first PDF is drawn.
        from rendering.formats.pdf.layout.document import DocumentLayout
        from rendering.formats.pdf.typeset.typesetter import Typesetter
        from rendering.formats.pdf.write.document import DocumentWriter

        typesetter = Typesetter(document.theme, document.language, limits.check_time)
        layout = DocumentLayout(document, typesetter, limits)
        writer = DocumentWriter(out, document, typesetter)
        layout.run(writer.page)
        writer.finish(layout.bands)
