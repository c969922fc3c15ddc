"""From a resolved document to pages of placed items.

`DocumentLayout` hands each page on as soon as it is complete; `pages_of` keeps them all, with everything in
place, for whoever wants to look at the layout without opening a PDF.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from rendering.formats.base import Limits, RenderError
from rendering.formats.pdf.layout.bands import Bands
from rendering.formats.pdf.layout.context import Context, Entry
from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.items import Anchor, Group, Item, Late, Page
from rendering.formats.pdf.layout.kinds import KINDS
from rendering.formats.pdf.layout.measures import MM
from rendering.formats.pdf.layout.pages import Pages
from rendering.formats.pdf.typeset.paragraph import expect
from rendering.formats.pdf.typeset.typesetter import Typesetter
from templates_app.resolved import (
    ResolvedContents,
    ResolvedDocument,
    ResolvedHeading,
    every_section,
    plain,
)

EXPECTED: Final = 1_000  # characters of running text from which on its words are learnt beforehand
LEAST: Final = 10 * MM  # a page body smaller than this in either direction is refused


class DocumentLayout:
    """Lays a document out, page by page."""

    def __init__(
        self,
        document: ResolvedDocument,
        typesetter: Typesetter,
        limits: Limits,
        flow: type[Flow] = Flow,
    ) -> None:
        """Measure headers and footers; raises RenderError when the page leaves no room for content.

        `flow` is the pen: PlacedFlow for a document whose sections know where they are written.
        """
        page = document.page
        self._document = document
        self._limits = limits
        self._flow, structure = flow, None
        if document.tagged:
            from rendering.formats.pdf.layout.structure import Element
            from rendering.formats.pdf.layout.tagged_flow import tagged

            self._flow, structure = tagged(flow), Element("Document")
        self.context = Context(
            typesetter=typesetter,
            theme=document.theme,
            limits=limits,
            kinds=KINDS,
            entries=contents(document.sections, document.language),
            structure=structure,
        )
        self.size = page.width * MM, page.height * MM
        self._bands = Bands(page, self.context, flow)  # what pages repeat belongs to no element
        self._left = page.margin_left * MM
        self._width = self.size[0] - (page.margin_left + page.margin_right) * MM
        self._first, self._rest = self._bands.body(first=True), self._bands.body(first=False)
        for body in (self._first, self._rest):
            if self._width < LEAST or body.top - body.bottom < LEAST:
                raise RenderError("Page margins leave no room for content")

    def run(self, emit: Callable[[Page], None]) -> int:
        """Lay out every section; `emit` gets each page when it is complete. Returns how many there are."""
        pages = Pages(
            size=self.size,
            first=self._first,
            rest=self._rest,
            backdrops=self._backdrops(),
            limits=self._limits,
            emit=emit,
        )
        flow = self._flow(self.context, pages, left=self._left, width=self._width, top_level=True)
        sections = self._document.sections
        self._expect(sections, flow)
        flow.draw(sections)
        flow.settle()
        pages.seal(pages.count)
        return pages.count

    def _expect(self, sections: Sequence[Any], flow: Flow) -> None:
        """Tell what headings and running text will say: words learnt many at a time are learnt sooner."""
        texts: dict[tuple[bool, bool, str, str], list[str]] = {}
        headings = self._document.theme.headings
        for section, language in every_section(sections, self._document.language):
            kind = section.kind
            if kind == "text":
                look = section.bold, section.italic, "body", language
            elif kind == "heading":
                look = headings[section.level].bold, False, "heading", language
            else:
                continue
            if section.text.__class__ is str:
                texts.setdefault(look, []).append(section.text)
        for (bold, italic, family, language), some in texts.items():
            if sum(map(len, some)) >= EXPECTED:
                style = flow.style(bold=bold, italic=italic, family=family)
                expect("\n".join(some), style, self.context.speaking(language))

    def bands(self, number: int, count: int) -> Sequence[Item]:
        """Return header and footer of page `number` of `count`."""
        return self._bands.items(number, count)

    def _backdrops(self) -> tuple[Sequence[Item], Sequence[Item]]:
        page = self._document.page
        if page.background is page.first_background is page.watermark is None:
            return (), ()
        from rendering.formats.pdf.layout.backdrop import backdrops

        return backdrops(page, self.size, self.context.typesetter)


def contents(sections: Sequence[Any], language: str) -> list[Entry]:
    """Return every heading in the order of layout, when a table of contents asks for them."""
    walked = list(every_section(sections, language))
    if not any(isinstance(section, ResolvedContents) for section, _ in walked):
        return []
    headings = [found for found in walked if isinstance(found[0], ResolvedHeading)]
    return [
        Entry(heading.numbered, plain(heading.text).strip(), heading.level, f"h{count}", spoken)
        for count, (heading, spoken) in enumerate(headings, start=1)
    ]


def pages_of(document: ResolvedDocument, limits: Limits) -> list[Page]:
    """Return every page with headers, footers and page numbers in place: the layout, to be looked at."""
    pages: list[Page] = []
    typesetter = Typesetter(document.theme, document.language, limits.check_time)
    layout = DocumentLayout(document, typesetter, limits)
    count = layout.run(pages.append)
    numbers = {anchor.name: page.number for page in pages for anchor in _anchors(page.items) if anchor.name}
    for page in pages:
        page.items = _settled(page.items, numbers, count)
        page.items.extend(layout.bands(page.number, count))
    return pages


def _anchors(items: Sequence[Item]) -> Iterator[Anchor]:
    for item in items:
        if isinstance(item, Anchor):
            yield item
        elif isinstance(item, Group):
            yield from _anchors(item.items)


def _settled(items: Sequence[Item], numbers: Mapping[str, int], count: int) -> list[Item]:
    made: list[Item] = []
    for item in items:
        if isinstance(item, Late):
            made += item.build(numbers, count)
        elif isinstance(item, Group):
            made.append(dataclasses.replace(item, items=_settled(item.items, numbers, count)))
        else:
            made.append(item)
    return made
