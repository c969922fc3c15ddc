"""Which texts had no room: what the ellipses on the pages stand for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from rendering.formats.pdf.layout.items import Group, Item, Page, TextBlock, TextLine
from rendering.formats.pdf.layout.tables.wrapping import ELLIPSIS
from templates_app.resolved import ResolvedDocument

MOST_CUTS: Final = 5  # of a document, that are named


class CutTexts:
    """Collects the first texts that had no room, with their pages, while a PDF is written.

    `given` is the template and the data: an ellipsis that stands there is not a cut.
    """

    with_places = False

    def __init__(self, given: Any) -> None:
        self._given = given
        self._written: str | None = None
        self.found: list[tuple[int, str]] = []

    def begin(self, document: ResolvedDocument) -> None:
        """Nothing is to be known beforehand."""

    def page(self, page: Page) -> None:
        """Look through a page."""
        self.bands(page.number, page.items)

    def bands(self, number: int, items: Sequence[Item]) -> None:
        """Look through the header and footer of a page."""
        for text in _texts(items) if len(self.found) < MOST_CUTS else ():
            if text.endswith(ELLIPSIS) and not self._is_given(text):
                self.found.append((number, text))
                if len(self.found) == MOST_CUTS:
                    return

    def _is_given(self, text: str) -> bool:
        if self._written is None:
            self._written = repr(self._given)
        return text in self._written


def _texts(items: Sequence[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item, TextLine):
            yield item.text
        elif isinstance(item, TextBlock):
            yield from (line.text for line in item.lines())
        elif isinstance(item, Group):
            yield from _texts(item.items)
