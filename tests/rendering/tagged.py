"""The structure of a tagged PDF, read back: what every such file promises, and what one says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import pikepdf

from rendering.formats.base import Limits
from rendering.formats.pdf.layout.document import DocumentLayout
from rendering.formats.pdf.layout.items import ARTIFACT, Group, Item, Page, Tag, TextBlock, TextLine
from rendering.formats.pdf.layout.structure import Element
from rendering.formats.pdf.typeset.typesetter import Typesetter
from templates_app.resolved import ResolvedDocument

PAINTING = {"Tj", "TJ", "'", '"', "f", "f*", "S", "B", "B*", "s", "b", "Do", "sh"}


@dataclass
class Node:
    """An element of the structure as the file tells it; `marks` are pages (from 0) and numbers on them."""

    kind: str
    alt: str | None
    said: str | None
    language: str | None
    attributes: dict[str, Any]
    marks: list[tuple[int, int]] = field(default_factory=list)
    notes: list[pikepdf.Object] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        """Yield this element and all below it, in the order of reading."""
        yield self
        for child in self.children:
            yield from child.walk()

    def all(self, *kinds: str) -> list[Node]:
        """Return the elements of these kinds."""
        return [node for node in self.walk() if node.kind in kinds]

    def outline(self) -> Any:
        """Return kinds only, as nested lists."""
        return [self.kind, *[child.outline() for child in self.children]] if self.children else self.kind


class Tagged:
    """A tagged PDF; made only of one that keeps what the standard demands."""

    def __init__(self, content: bytes) -> None:
        self.pdf = pikepdf.open(BytesIO(content))
        assert self.pdf.Root.MarkInfo.Marked
        assert str(self.pdf.Root.get("/Lang", "")) or "/Lang" in self.pdf.Root.StructTreeRoot.K[0]
        self._pages = {page.obj.objgen: number for number, page in enumerate(self.pdf.pages)}
        self._owners: dict[tuple[int, int], tuple[int, int]] = {}  # element of a mark
        tree = self.pdf.Root.StructTreeRoot
        roots = tree.K if isinstance(tree.K, pikepdf.Array) else [tree.K]
        self.roots = [self._node(root, tree) for root in roots]
        self._check_parents(tree)
        for number, page in enumerate(self.pdf.pages):
            self._check_code(number, page)
        for root in self.roots:
            _check_elements(root)

    def _node(self, element: Any, parent: Any) -> Node:
        assert element.P.objgen == parent.objgen
        attributes = element.get("/A", {})
        node = Node(
            str(element.S)[1:],
            _text(element, "/Alt"),
            _text(element, "/ActualText"),
            _text(element, "/Lang"),
            {str(name)[1:]: value for name, value in attributes.items()},
        )
        kids = element.get("/K", pikepdf.Array())
        for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
            if isinstance(kid, int):
                self._mark(node, element, element.Pg, kid)
            elif kid.get("/Type") == "/MCR":
                self._mark(node, element, kid.Pg, int(kid.MCID))
            elif kid.get("/Type") == "/OBJR":
                assert kid.Obj.objgen in [note.objgen for note in kid.Pg.Annots]
                assert str(kid.Obj.Contents)
                entry = pikepdf.NumberTree(self.pdf.Root.StructTreeRoot.ParentTree)[int(kid.Obj.StructParent)]
                assert entry.objgen == element.objgen
                node.notes.append(kid.Obj)
            else:
                node.children.append(self._node(kid, element))
        return node

    def _mark(self, node: Node, element: Any, page: Any, number: int) -> None:
        mark = self._pages[page.objgen], number
        assert mark not in self._owners, "content of two elements"
        self._owners[mark] = element.objgen
        node.marks.append(mark)

    def _check_parents(self, tree: Any) -> None:
        """Content and annotations lead back to their elements."""
        parents = pikepdf.NumberTree(tree.ParentTree)
        assert max(parents, default=-1) < int(tree.ParentTreeNextKey)
        for number, page in enumerate(self.pdf.pages):
            if "/StructParents" not in page.obj:  # of an untagged document among merged ones
                continue
            entries = parents[int(page.obj.StructParents)]
            owners = {key: owner for key, owner in self._owners.items() if key[0] == number}
            assert {(number, at): entry.objgen for at, entry in enumerate(entries)} == owners

    def _check_code(self, number: int, page: pikepdf.Page) -> None:
        """All that is painted is some element's or an artifact, and neither is inside of the other."""
        if "/StructParents" not in page.obj:
            return
        is_open, found, in_text = False, [], False
        for operands, operator in pikepdf.parse_content_stream(page):
            name = str(operator)
            if name in ("BDC", "BMC"):
                assert not is_open, "marked content in marked content"
                is_open = True
                if str(operands[0]) != "/Artifact":
                    found.append(int(operands[1].MCID))
                opened_in_text = in_text
            elif name == "EMC":
                assert is_open
                assert in_text == opened_in_text
                is_open = False
            elif name in ("BT", "ET"):
                in_text = name == "BT"
            elif name in PAINTING:
                assert is_open, f"{name} belongs to nothing"
        assert not is_open
        assert found == list(range(len(found)))
        assert {(number, mark) for mark in found} == {key for key in self._owners if key[0] == number}


def homeless(document: ResolvedDocument, limits: Limits) -> list[str]:
    """Return the texts of a tagged document's sections that belong to no element and yet say something."""
    pages: list[Page] = []
    typesetter = Typesetter(document.theme, document.language, limits.check_time)
    DocumentLayout(document, typesetter, limits).run(pages.append)
    return [text for page in pages for text in _homeless(page.items, None)]


def _homeless(items: Sequence[Item], element: Element | None) -> Iterator[str]:
    for item in items:
        match item:
            case Tag():
                element = item.element
            case Group() if not item.role:
                yield from _homeless(item.items, element)
            case TextLine() | TextBlock() if element is None and item.role != ARTIFACT:
                yield from (line.text for line in ([item] if isinstance(item, TextLine) else item.lines()))


def _check_elements(root: Node) -> None:
    for node in root.walk():
        kinds = [child.kind for child in node.children]
        assert not node.marks or set(kinds) <= {"Link", "Span"}
        if node.kind == "Table":
            assert set(kinds) <= {"TR", "Caption"}
            assert "Caption" not in kinds[1:]
            widths = {
                sum(cell.attributes.get("ColSpan", 1) for cell in row.children) for row in node.all("TR")
            }
            assert len(widths) <= 1, "rows of one width"
        elif node.kind == "TR":
            assert set(kinds) <= {"TH", "TD"}
        elif node.kind == "L":
            assert set(kinds) == {"LI"}
        elif node.kind == "TOC":
            assert set(kinds) == {"TOCI"}
        elif node.kind == "TOCI":
            assert set(kinds) == {"Reference"}
        elif node.kind == "Link":
            assert node.notes
        elif node.kind == "Span":
            assert node.said
            assert node.marks
        elif node.kind == "TH":
            assert node.attributes["Scope"] in ("/Column", "/Row")


def _text(element: Any, name: str) -> str | None:
    return str(element[name]) if name in element else None
