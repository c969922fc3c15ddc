"""The tree of what a document says (ISO 32000-2, 14.7): sections, headings, paragraphs, tables, row by row.

Layout makes the elements in the order of reading and says by `Tag` items to which of them belongs what it
places; the writer writes the tree. Only tagged documents have one.
"""

from __future__ import annotations

from collections.abc import Mapping

Attributes = Mapping[str, int | str]  # such as {"ColSpan": 2, "Scope": "Column"}; a str is a name


class Element:
    """One element. Elements are compared by what they are, not by what they say.

    `kind` is a standard structure type ("P", "TD"). An element has either other elements or content of its
    own (the links in it included). `alt` is told instead of what is seen, `said` instead of what is written.
    `language` (BCP 47) is empty where it is that of the document.
    """

    __slots__ = ("alt", "attributes", "children", "kind", "language", "parent", "said")

    def __init__(
        self,
        kind: str,
        parent: Element | None = None,
        *,
        alt: str = "",
        language: str = "",
        attributes: Attributes | None = None,
    ) -> None:
        """Make an element, the last one in its parent."""
        self.kind = kind
        self.parent = parent
        self.alt = alt
        self.said = ""
        self.language = language
        self.attributes = attributes
        self.children: list[Element] = []
        if parent is not None:
            parent.children.append(self)
