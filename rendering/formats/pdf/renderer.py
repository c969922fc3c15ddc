"""Writes PDF: layout hands page after page to the writer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar

from rendering.formats.base import Limits, Renderer, Watcher
from rendering.formats.pdf.layout.kinds import KINDS
from templates_app.resolved import ResolvedDocument

if TYPE_CHECKING:
    from rendering.formats.pdf.layout.flow import Flow
    from rendering.formats.pdf.layout.items import Item, Page

    _Pages = Callable[[Page], None]
    _Bands = Callable[[int, int], Sequence[Item]]


class PdfRenderer(Renderer):
    """Draws every section kind, one under the other, on as many pages as they take."""

    name: ClassVar[str] = "pdf"
    content_type: ClassVar[str] = "application/pdf"
    extension: ClassVar[str] = "pdf"
    sections: ClassVar[Mapping[str, Callable[..., Any]]] = KINDS
    has_pages: ClassVar[bool] = True

    def render(
        self, document: ResolvedDocument, out: BinaryIO, limits: Limits, watcher: Watcher | None = None
    ) -> None:
        """Write the document; raises RenderError (margins, an image that cannot be read) or LimitExceeded."""
        # Fonts and shaping: loaded when the first PDF is drawn.
        from rendering.formats.pdf.layout.document import DocumentLayout
        from rendering.formats.pdf.typeset.typesetter import Typesetter
        from rendering.formats.pdf.write.document import DocumentWriter

        typesetter = Typesetter(document.theme, document.language, limits.check_time)
        layout = DocumentLayout(document, typesetter, limits, _pen(watcher))
        writer = DocumentWriter(out, document, typesetter, layout.context.structure)
        page: _Pages = writer.page
        bands: _Bands = layout.bands
        if watcher is not None:
            watcher.begin(document)
            page, bands = _watched(watcher, page, bands)
        layout.run(page)
        writer.finish(bands)


def _pen(watcher: Watcher | None) -> type[Flow]:
    if watcher is None or not watcher.with_places:
        from rendering.formats.pdf.layout.flow import Flow

        return Flow
    from rendering.formats.pdf.layout.places import PlacedFlow

    return PlacedFlow


def _watched(watcher: Watcher, page: _Pages, bands: _Bands) -> tuple[_Pages, _Bands]:
    """Return what takes pages and what makes bands, with somebody who sees them first."""

    def seen_page(made: Page) -> None:
        watcher.page(made)
        page(made)

    def seen_bands(number: int, count: int) -> Sequence[Item]:
        items = bands(number, count)
        watcher.bands(number, items)
        return items

    return seen_page, seen_bands
