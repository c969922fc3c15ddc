"""What is the same wherever in a document something is laid out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any

from config.value import dataclass, value
from rendering.formats.base import Limits
from templates_app.resolved import Theme

if TYPE_CHECKING:
    from rendering.formats.pdf.layout.flow import Flow
    from rendering.formats.pdf.layout.structure import Element
    from rendering.formats.pdf.typeset.typesetter import Typesetter


@value
class Entry:
    """A heading for the table of contents; `anchor` is the name of its place."""

    number: str  # empty where headings have none
    title: str
    level: int
    anchor: str
    language: str


@dataclass
class Context:
    """What all flows of a document share."""

    typesetter: Typesetter
    theme: Theme
    limits: Limits
    kinds: Mapping[str, Callable[[Any, Flow], None]]
    entries: Sequence[Entry] = ()
    anchors: int = 0  # headings so far
    outlined: bool = True  # headings become bookmarks (those of headers and footers do not)
    place: str = ""  # of the section that is being drawn, in a layout with places
    structure: Element | None = None  # the root of what a tagged document says
    others: dict[str, Typesetter] = field(default_factory=dict)  # of other languages than the document's
    # By the ids of columns and their width: the columns, and the height that they begin with on a page.
    first_heights: dict[tuple[int, float], tuple[Any, float]] = field(default_factory=dict)

    def speaking(self, language: str) -> Typesetter:
        """Return the typesetter for texts in a language."""
        if language == self.typesetter.language:
            return self.typesetter
        if language not in self.others:
            self.others[language] = self.typesetter.speaking(language)
        return self.others[language]
