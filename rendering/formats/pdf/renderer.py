"""Writes PDF: layout hands page after page to the writer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, Protocol

from rendering.formats.base import Limits, Renderer
from rendering.formats.pdf.layout.kinds import KINDS
from templates_app.resolved import ResolvedDocument

if TYPE_CHECKING:
    from rendering.formats.pdf.layout.items import Item, Page


class Watcher(Protocol):
    """Looks at a layout while it is written, so that nobody has to lay the document out again."""

    with_places: bool  # whether sections keep where they are written, for a PlacedFlow

    def begin(self, document: ResolvedDocument) -> None:
        """Take the document before it is laid out."""

    def page(self, page: Page) -> None:
        """Take a page that is complete but for its bands."""

    def bands(self, number: int, items: Sequence[Item]) -> None:
        """Take header and footer of a page."""


class PdfRenderer(Renderer):
    """Draws every section kind, one under the other, on as many pages as they take."""

    name: ClassVar[str] = "pdf"
    content_type: ClassVar[str] = "application/pdf"
    extension: ClassVar[str] = "pdf"
    sections: ClassVar[Mapping[str, Callable[..., Any]]] = KINDS

    def render(self, document: ResolvedDocument, out: BinaryIO, limits: Limits) -> None:
        """Write the document; raises RenderError (margins, an image that cannot be read) or LimitExceeded."""
        self.render_watched(document, out, limits, None)

    def render_watched(
        self, document: ResolvedDocument, out: BinaryIO, limits: Limits, watcher: Watcher | None
    ) -> None:
        """Write the document while `watcher` looks on; the file is the same with and without one."""
        # Fonts and shaping: loaded when the first PDF is drawn.
        from rendering.formats.pdf.layout.document import DocumentLayout
        from rendering.formats.pdf.layout.flow import Flow
        from rendering.formats.pdf.typeset.typesetter import Typesetter
        from rendering.formats.pdf.write.document import DocumentWriter

        typesetter = Typesetter(document.theme, document.language, limits.check_time)
        writer = DocumentWriter(out, document, typesetter)
        if watcher is None:
            layout = DocumentLayout(document, typesetter, limits)
            layout.run(writer.page)
            writer.finish(layout.bands)
            return
        from rendering.formats.pdf.layout.places import PlacedFlow

        watcher.begin(document)
        pen = PlacedFlow if watcher.with_places else Flow
        layout = DocumentLayout(document, typesetter, limits, pen)

        def page(made: Page) -> None:
            watcher.page(made)
            writer.page(made)

        def bands(number: int, count: int) -> Sequence[Item]:
            items = layout.bands(number, count)
            watcher.bands(number, items)
            return items

        layout.run(page)
        writer.finish(bands)
