"""The contract of an output format."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, Protocol

from config.value import value
from templates_app.resolved import ResolvedDocument

if TYPE_CHECKING:
    from rendering.formats.pdf.layout.items import Item, Page


class RenderError(Exception):
    """The document cannot be written in this format; the message tells the caller what to change."""


class LimitExceeded(RenderError):
    """The document is larger or slower than the operator allows; the message names the limit."""


@value
class Limits:
    """What one render may use. `deadline` is a reading of `time.monotonic()`."""

    max_pages: int
    deadline: float
    seconds: int

    def check_pages(self, pages: int) -> None:
        """Raise LimitExceeded once the document has more than `max_pages` pages."""
        if pages > self.max_pages:
            raise LimitExceeded(f"Document has more than {self.max_pages} pages (MAX_PAGES)")

    def check_time(self) -> None:
        """Raise LimitExceeded once the render has used up its time; call it every few hundred rows."""
        if time.monotonic() > self.deadline:
            raise LimitExceeded(f"Rendering took longer than {self.seconds} seconds (RENDER_TIMEOUT)")


class Watcher(Protocol):
    """Looks at a layout while it is written, so that nobody has to lay the document out again."""

    with_places: bool  # whether sections keep where they are written, for a PlacedFlow

    def begin(self, document: ResolvedDocument) -> None:
        """Take the document before it is laid out."""

    def page(self, page: Page) -> None:
        """Take a page that is complete but for its bands."""

    def bands(self, number: int, items: Sequence[Item]) -> None:
        """Take header and footer of a page."""


class Renderer:
    """Writes one format. Knows no request, no organization, no database."""

    name: ClassVar[str]
    content_type: ClassVar[str]
    extension: ClassVar[str]
    # kind -> function that draws it; a kind that is absent is left out of this format
    sections: ClassVar[Mapping[str, Callable[..., Any]]]
    has_pages: ClassVar[bool] = False  # that a Watcher can see

    def check(self, kinds: Sequence[str]) -> None:
        """Raise RenderError when a template with these section kinds cannot be written in this format."""

    def render(
        self, document: ResolvedDocument, out: BinaryIO, limits: Limits, watcher: Watcher | None = None
    ) -> None:
        """Write the document to `out`; raises RenderError.

        Where the format `has_pages`, `watcher` looks on; the file is the same with and without one.
        """
        raise NotImplementedError
