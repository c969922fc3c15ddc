"""The structure of a tagged document in its file (ISO 32000-2, 14.7): elements and their content."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from rendering.formats.pdf.layout.structure import Element
from rendering.formats.pdf.write.file import PdfFile

_NODE: Final = 100  # entries of a node of the parent tree
_CHECKED: Final = 1_000  # elements between two looks at the clock
# What says nothing by itself: where nothing came into them they are left out.
_HOLDERS: Final = frozenset({"Div", "L", "TOC", "Table"})
# What attributes of an element belong to, by its kind (14.8.5).
_OWNERS: Final = {"L": "List", "TH": "Table", "TD": "Table"}


class PageMarks:
    """The marked content of one page; its place in the list is its number on the page (MCID)."""

    __slots__ = ("key", "owners", "page")

    def __init__(self, page: int, key: int) -> None:
        """Begin with none; `page` is the number of the page's object, `key` that of the page in the tree."""
        self.page = page
        self.key = key
        self.owners: list[int] = []  # numbers of elements


class Structure:
    """Takes what is marked on the pages and writes the tree at the end."""

    def __init__(self, root: Element, file: PdfFile, check_time: Callable[[], None]) -> None:
        """Begin the tree below `root`; `check_time` is called again and again while it is written."""
        self._root = root
        self._file = file
        self._check_time = check_time
        self._asides: dict[str, Element] = {}
        self._keys: list[PageMarks | int] = []  # entries of the parent tree: pages, and elements of links
        self._numbers: dict[Element, int] = {}
        self._content: dict[Element, list[str | Element]] = {}  # in the order of reading
        self._parted: set[Element] = set()  # whose text so far ends within a word
        self._pages: dict[Element, int] = {}  # where most of its content is: that of the first

    def page(self, number: int) -> PageMarks:
        """Return the marks of a new page."""
        marks = PageMarks(number, len(self._keys))
        self._keys.append(marks)
        return marks

    def mark(self, element: Element, marks: PageMarks) -> int:
        """Return the number of new marked content of an element on a page."""
        mcid = len(marks.owners)
        marks.owners.append(self._number(element))
        usual = self._pages.setdefault(element, marks.page)
        code = f"{mcid}" if usual == marks.page else f"<</Type/MCR/Pg {marks.page} 0 R/MCID {mcid}>>"
        self._content.setdefault(element, []).append(code)
        return mcid

    def part(self, element: Element, *, within_word: bool) -> None:
        """Say whether the text of an element so far ends within a word."""
        if within_word:
            self._parted.add(element)
        else:
            self._parted.discard(element)

    def goes_on(self, element: Element) -> bool:
        """Tell whether the text of an element goes on with a new word."""
        return element in self._content and element not in self._parted

    def link_in(self, element: Element) -> Element:
        """Return a new link among the content of an element."""
        link = Element("Link")
        link.parent = element
        self._content.setdefault(element, []).append(link)
        return link

    def said_in(self, element: Element, text: str) -> Element:
        """Return a new part of an element's content that says a text, whatever its glyphs say."""
        part = Element("Span")
        part.parent, part.said = element, text
        self._content.setdefault(element, []).append(part)
        return part

    def link_aside(self, target: str) -> Element:
        """Return the link of all areas that lead to a target and belong to no element, as those of headers.

        It is told at the end of the document, once.
        """
        link = self._asides.get(target)
        if link is None:
            link = self._asides[target] = Element("Link")
        return link

    def note(self, link: Element) -> int:
        """Return the key by which an annotation refers to its link (/StructParent)."""
        self._keys.append(self._number(link))
        return len(self._keys) - 1

    def refer(self, link: Element, page: int, note: int) -> None:
        """Let a link lead where an annotation on a page does, given as the numbers of their objects."""
        code = f"<</Type/OBJR/Pg {page} 0 R/Obj {note} 0 R>>"
        self._content.setdefault(link, []).append(code)

    def write(self) -> int:
        """Write everything; return the number of the root of the tree."""
        file, root = self._file, self._file.reserve()
        _clear(self._root)
        self._root.children += [link for link in self._asides.values() if link in self._content]
        waiting, levels, count = [(self._root, root)], list[int](), 0
        while waiting:
            count += 1
            if count % _CHECKED == 0:
                self._check_time()
            element, parent = waiting.pop()
            number = self._number(element)
            inside = [*self._content.get(element, ()), *element.children]
            file.pack(number, self._code(element, _kind(element, levels), parent, inside))
            waiting += [(child, number) for child in reversed(inside) if isinstance(child, Element)]
        parents, kids = self._write_parents(), self._number(self._root)
        keys = f"/ParentTree {parents} 0 R/ParentTreeNextKey {len(self._keys)}"
        file.pack(root, f"<</Type/StructTreeRoot/K {kids} 0 R{keys}>>")
        return root

    def _code(self, element: Element, kind: str, parent: int, inside: list[str | Element]) -> str:
        """Return the code of an element."""
        plain = self._file.plain
        code = f"<</Type/StructElem/S/{kind}/P {parent} 0 R"
        page = self._pages.get(element)
        if page is not None:
            code += f"/Pg {page} 0 R"
        if element.attributes:
            told = "".join([f"/{name} {_value(value)}" for name, value in element.attributes.items()])
            code += f"/A<</O/{_OWNERS[element.kind]}{told}>>"
        if element.alt:
            code += f"/Alt{plain(element.alt)}"
        if element.said:
            code += f"/ActualText{plain(element.said)}"
        if element.language:
            code += f"/Lang{plain(element.language.replace('_', '-'))}"
        kids = [kid if isinstance(kid, str) else f"{self._number(kid)} 0 R" for kid in inside]
        if kids:
            code += f"/K {kids[0]}" if len(kids) == 1 else f"/K[{' '.join(kids)}]"
        return code + ">>"

    def _number(self, element: Element) -> int:
        number = self._numbers.get(element)
        if number is None:
            number = self._numbers[element] = self._file.reserve()
        return number

    def _write_parents(self) -> int:
        """Write whose marked content and annotations are, by key; return the number of the root."""
        file, entries = self._file, list(self._parents())
        root = file.reserve()
        nodes = []
        for start in range(0, len(entries), _NODE):
            part = entries[start : start + _NODE]
            node = file.reserve()
            limits = f"/Limits[{start} {start + len(part) - 1}]"
            file.pack(node, f"<<{limits}/Nums[{' '.join(part)}]>>")
            nodes.append(f"{node} 0 R")
        file.pack(root, f"<</Kids[{' '.join(nodes)}]>>")
        return root

    def _parents(self) -> Iterator[str]:
        for key, entry in enumerate(self._keys):
            if isinstance(entry, int):
                yield f"{key} {entry} 0 R"
            else:
                number = self._file.reserve()
                self._file.pack(number, f"[{' '.join([f'{owner} 0 R' for owner in entry.owners])}]")
                yield f"{key} {number} 0 R"


def _clear(element: Element) -> None:
    """Take out what was opened and holds nothing, such as a column without sections."""
    for child in element.children:
        if child.kind != "TR":  # cells may be empty
            _clear(child)
    element.children = [child for child in element.children if child.children or child.kind not in _HOLDERS]


def _kind(element: Element, levels: list[int]) -> str:
    """Return the kind of the next element in the order of reading; headings leave no level out.

    Authors choose levels by their looks; who moves from heading to heading goes by the level. `levels` are
    those of the headings that this one stands below.
    """
    if not element.kind.startswith("H"):
        return element.kind
    level = int(element.kind[1:])
    while levels and levels[-1] >= level:
        levels.pop()
    levels.append(level)
    return f"H{len(levels)}"


def _value(value: int | str) -> str:
    return str(value) if isinstance(value, int) else f"/{value}"
