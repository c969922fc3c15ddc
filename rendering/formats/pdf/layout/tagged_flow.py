"""The pen of tagged documents: it makes the tree of what is said, and marks what it places.

Everything stands where a plain Flow places it.
"""

from __future__ import annotations

from typing import Any

from rendering.formats.pdf.layout.flow import Flow, Milestone
from rendering.formats.pdf.layout.items import Tag
from rendering.formats.pdf.layout.places import PlacedFlow
from rendering.formats.pdf.layout.structure import Attributes, Element


class TaggedFlow(Flow):
    """A Flow whose items belong to the elements of `context.structure`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._tagged: Element | None = None  # what is placed belongs to it
        super().__init__(*args, **kwargs)
        assert self.context.structure is not None
        self._container = self.context.structure

    @property
    def container(self) -> Element:
        """The element that was opened last."""
        return self._container

    def element(self, kind: str, *, alt: str = "") -> Element | None:
        """Return a new element of the structure, behind those so far."""
        return Element(kind, self._container, alt=alt, language=self._language)

    def tag(self, element: Element | None) -> None:
        """Say that what is placed from here on belongs to an element; None: it only decorates."""
        self._tagged = element
        self.put(Tag(element))

    def open(self, kind: str, attributes: Attributes | None = None) -> None:
        """Begin an element of elements."""
        self._container = Element(kind, self._container, language=self._language, attributes=attributes)

    def close(self) -> None:
        """End the element that was opened last; what is held may still come into it."""
        assert self._container.parent is not None
        self._container = self._container.parent

    @property
    def _language(self) -> str:
        spoken = self.typesetter.language
        return "" if spoken == self.context.typesetter.language else spoken

    def need(self, height: float) -> None:
        """Make sure of the height; what waited is drawn first and has tags of its own."""
        before = self._tagged
        super().need(height)
        if self._tagged is not before:
            self.tag(before)

    def new_page(self) -> None:
        """Go on at the top of the next page, with the same element."""
        super().new_page()
        self.tag(self._tagged)

    def milestone(self) -> Milestone:
        """Return how far the document is, and its structure."""
        return self.context.anchors, len(self._container.children)

    def go_back_to(self, milestone: Milestone) -> None:
        """Forget what was laid out in galleys since then."""
        self.context.anchors, count = milestone
        del self._container.children[count:]

    def _go_on_as(self, other: Flow) -> None:
        super()._go_on_as(other)
        assert isinstance(other, TaggedFlow)
        self._container, self._tagged = other._container, other._tagged


class TaggedPlacedFlow(PlacedFlow, TaggedFlow):
    """Both: regions of sections, and the structure."""


def tagged(flow: type[Flow]) -> type[TaggedFlow]:
    """Return the pen that does the same in a tagged document."""
    return TaggedPlacedFlow if issubclass(flow, PlacedFlow) else TaggedFlow
