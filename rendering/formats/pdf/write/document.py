"""Pages of placed items to a PDF file, page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, BinaryIO, Final

from config.value import dataclass
from rendering.formats.pdf.layout.items import Anchor, Group, Item, Late, Link, Page, Tag
from rendering.formats.pdf.numbers import number
from rendering.formats.pdf.write.file import PdfFile
from rendering.formats.pdf.write.images import Matrix
from rendering.formats.pdf.write.links import area, is_address, place, write_address, write_jump
from rendering.formats.pdf.write.metadata import Metadata, identity, output_intents
from rendering.formats.pdf.write.outline import Outline
from rendering.formats.pdf.write.page_code import PageCode
from rendering.formats.pdf.write.resources import SharedResources
from templates_app.resolved import ResolvedDocument

if TYPE_CHECKING:
    from rendering.formats.pdf.layout.structure import Element
    from rendering.formats.pdf.typeset.typesetter import Typesetter
    from rendering.formats.pdf.write.structure import PageMarks, Structure

# Kids of a node of the page tree: up to here the tree is flat, up to the square it has two levels.
_KIDS: Final = 150


@dataclass(slots=True)
class _Sheet:
    """What is kept of a page until the end; its code is written already."""

    number: int  # of the object
    width: float
    height: float
    contents: list[int] = field(default_factory=list)
    notes: list[int] = field(default_factory=list)  # annotations
    jumps: list[tuple[str, str, Element | None]] = field(default_factory=list)  # area, name of an anchor
    lates: list[tuple[Late, tuple[Group, ...], Element | None]] = field(default_factory=list)
    blends: bool = False
    marks: PageMarks | None = None  # in a tagged document


class DocumentWriter:
    """Writes the pages of a document: `page` for each, then `finish`. The same input gives the same bytes."""

    def __init__(
        self,
        out: BinaryIO,
        document: ResolvedDocument,
        typesetter: Typesetter,
        structure: Element | None = None,
    ) -> None:
        """Begin the file. Only `out.write` is used, from now on and not only at the end.

        `structure` is the root of what a tagged document says; it is complete when `finish` is called.
        """
        self._metadata = Metadata.of(document)
        self._typesetter = typesetter
        self._file = PdfFile(out, protection=document.protection, file_id=identity(document))
        self._resources = SharedResources(
            self._file, only_rgb=document.archivable, check_time=typesetter.check_time
        )
        self._sheets: list[_Sheet] = []
        self._places: dict[str, tuple[int, str]] = {}  # page (from 1) and destination by anchor
        self._titles: dict[str, str] = {}  # of places, by anchor, in a tagged document
        self._outline = Outline()
        self._structure = (
            None if structure is None else _structure(structure, self._file, typesetter.check_time)
        )

    def page(self, page: Page) -> None:
        """Write the code of a finished page. Raises RenderError for an image that cannot be read."""
        sheet = _Sheet(self._file.reserve(), page.width, page.height)
        self._sheets.append(sheet)
        if self._structure is not None:
            sheet.marks = self._structure.page(sheet.number)
        code = self._code(sheet)
        code.add(page.items)
        self._write_code(sheet, code)

    def finish(self, extra: Callable[[int, int], Sequence[Item]]) -> int:
        """Write what only the whole document tells, and the end of the file; return the number of pages.

        `extra(number, count)` gives the items that a page shows above its own, such as its bands; anchors
        among these are ignored, or each page would have the same entry in the outline.
        """
        file = self._file
        count = len(self._sheets)
        pages = {name: page for name, (page, _) in self._places.items()}
        for at, sheet in enumerate(self._sheets, start=1):
            code = self._code(sheet, anchors=False)
            code.add(extra(at, count))
            while sheet.lates:  # what is late may have late items of its own
                late, around, element = sheet.lates.pop(0)
                items = _within(around, late.build(pages, count))
                code.add(items if element is None else (Tag(element), *items))
            self._write_code(sheet, code)
        root = self._write_pages()
        self._resources.write(self._write_fonts())
        file.finish(root=self._write_catalog(root), info=self._metadata.write_info(file))
        return count

    def _code(self, sheet: _Sheet, *, anchors: bool = True) -> PageCode:
        """Return what writes a content stream of a page."""
        takes = _Takes(self, sheet, anchors)
        if self._structure is None or sheet.marks is None:
            return PageCode(self._resources, takes)
        from rendering.formats.pdf.write.tagged_code import TaggedCode

        return TaggedCode(self._resources, takes, self._structure, sheet.marks)

    def _write_code(self, sheet: _Sheet, code: PageCode) -> None:
        data = code.finish()
        if data:
            sheet.contents.append(self._file.add_stream(data))
        sheet.blends |= self._resources.blends
        self._resources.blends = False

    def _write_fonts(self) -> dict[str, int]:
        from rendering.formats.pdf.typeset.embedding import write_fonts

        return write_fonts(self._typesetter.used(), self._file)

    def _write_pages(self) -> int:
        """Write the page tree and return its root; what all pages share stands there once."""
        file, sheets = self._file, self._sheets
        root = file.reserve()
        box = _box(sheets[0]) if sheets else ""
        nodes = []
        for start in range(0, len(sheets), _KIDS):
            part = sheets[start : start + _KIDS]
            node = root if len(sheets) <= _KIDS else file.reserve()
            for sheet in part:
                self._write_page(sheet, node, box)
            kids = _references(sheet.number for sheet in part)
            if node != root:
                file.put(node, f"<</Type/Pages/Parent {root} 0 R/Count {len(part)}/Kids{kids}>>")
                nodes.append(node)
        kids = _references(nodes or [sheet.number for sheet in sheets])
        file.put(root, f"<</Type/Pages/Count {len(sheets)}{box}/Kids{kids}>>")
        return root

    def _write_page(self, sheet: _Sheet, parent: int, usual_box: str) -> None:
        file = self._file
        for where, name, element in sheet.jumps:
            if name in self._places:
                entries = self._note(element, self._titles.get(name, ""))
                self._add_note(write_jump(where, self._places[name][1], file, entries), sheet, element)
        # Resources are no more inherited than they must be: archives want them at each page.
        code = f"<</Type/Page/Parent {parent} 0 R/Resources {self._resources.number} 0 R"
        box = _box(sheet)
        if box != usual_box:
            code += box
        if sheet.blends:
            # Says in which colours to mix: without it a reader may mix in those of a printer.
            code += "/Group<</S/Transparency/CS/DeviceRGB>>"
        if sheet.contents:
            code += f"/Contents{_references(sheet.contents)}"
        if sheet.notes:
            code += f"/Annots{_references(sheet.notes)}"
        if sheet.marks is not None:
            code += f"/StructParents {sheet.marks.key}/Tabs/S"
        file.put(sheet.number, code + ">>")

    def _write_catalog(self, pages: int) -> int:
        file = self._file
        code = f"<</Type/Catalog/Pages {pages} 0 R/Metadata {self._metadata.write_xmp(file)} 0 R"
        if self._metadata.archive:
            code += output_intents(file)
        if self._metadata.language:
            code += f"/Lang{file.text(self._metadata.language)}"
        outline = self._outline.write(file)
        if outline is not None:
            code += f"/Outlines {outline} 0 R/PageMode/UseOutlines"
        if self._structure is not None:
            code += f"/StructTreeRoot {self._structure.write()} 0 R/MarkInfo<</Marked true>>"
        return file.add(code + "/ViewerPreferences<</DisplayDocTitle true>>>>")

    def take_anchor(self, item: Anchor, y: float) -> None:
        """Remember a place on the page in work; the first one of a name counts."""
        where = place(self._sheets[-1].number, y)
        if item.name:
            self._places.setdefault(item.name, (len(self._sheets), where))
        if self._structure is not None:
            self._titles.setdefault(item.name, item.title)
        if item.title:
            self._outline.add(item.title, item.level, where)

    def take_link(self, item: Link, where: str, sheet: _Sheet, element: Element | None) -> None:
        """Write a link to an address at once, so that a table of a million of them takes no memory."""
        if item.target.startswith("#"):
            sheet.jumps.append((where, item.target[1:], element))
        elif is_address(item.target):
            entries = self._note(element, item.target)
            self._add_note(write_address(where, item.target, self._file, entries), sheet, element)

    def _note(self, element: Element | None, contents: str) -> str:
        """Return what an annotation says about its element of the structure, and instead of it."""
        if self._structure is None or element is None:
            return ""
        return f"/StructParent {self._structure.note(element)}/Contents{self._file.text(contents)}"

    def _add_note(self, note: int, sheet: _Sheet, element: Element | None) -> None:
        sheet.notes.append(note)
        if self._structure is not None and element is not None:
            self._structure.refer(element, sheet.number, note)


@dataclass(slots=True)
class _Takes:
    """Takes from the page code what belongs to the page and is no code."""

    writer: DocumentWriter
    sheet: _Sheet
    anchors: bool = True

    def link(self, item: Link, matrix: Matrix, element: Element | None = None) -> None:
        self.writer.take_link(item, area(item, matrix), self.sheet, element)

    def anchor(self, item: Anchor, matrix: Matrix) -> None:
        if self.anchors:
            self.writer.take_anchor(item, item.y * matrix[3] + matrix[5])

    def late(self, item: Late, around: tuple[Group, ...], element: Element | None = None) -> None:
        self.sheet.lates.append((item, around, element))


def _structure(root: Element, file: PdfFile, check_time: Callable[[], None]) -> Structure:
    from rendering.formats.pdf.write.structure import Structure  # loaded with the first tagged document

    return Structure(root, file, check_time)


def _within(groups: tuple[Group, ...], items: Sequence[Item]) -> Sequence[Item]:
    """Return items inside of copies of `groups`, the outermost first."""
    for group in reversed(groups):
        items = (replace(group, items=items, alt=""),)
    return items


def _references(numbers: Iterable[int]) -> str:
    return f"[{' '.join([f'{of} 0 R' for of in numbers])}]"


def _box(sheet: _Sheet) -> str:
    return f"/MediaBox[0 0 {number(sheet.width)} {number(sheet.height)}]"
