"""Page code of tagged documents: all that is drawn is some element's, or an artifact (ISO 32000-2, 14.8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from rendering.formats.pdf.layout.items import (
    ARTIFACT,
    Anchor,
    Group,
    Item,
    Language,
    Late,
    Link,
    Rect,
    Rects,
    Region,
    Rules,
    Tag,
    TextBlock,
    TextLine,
    TextRun,
)
from rendering.formats.pdf.layout.structure import Element
from rendering.formats.pdf.typeset.atoms import SOFT_HYPHEN, ZERO_SPACE
from rendering.formats.pdf.typeset.bidi import has_rtl
from rendering.formats.pdf.write.file import text_bytes
from rendering.formats.pdf.write.page_code import WRITERS, PageCode, Resources, Surroundings
from rendering.formats.pdf.write.structure import PageMarks, Structure

# What draws nothing.
_UNDRAWN: Final = frozenset({Anchor, Late, Link, Region, Language, Tag})
# What may stand between a text and the areas of the links in it: lines below it.
_BESIDE: Final = frozenset({Link, Rules, Rect})
_NEAR: Final = 100  # items that are looked at
_GO_ON: Final = (SOFT_HYPHEN, ZERO_SPACE)  # the ends of lines that are no ends of words
_CLOSE: Final = 0.5  # points between glyphs of one word


class TaggedCode(PageCode):
    """Writes the code of one content stream and tells the structure what of it belongs to which element."""

    def __init__(
        self, resources: Resources, surroundings: Surroundings, structure: Structure, marks: PageMarks
    ) -> None:
        """Begin with what belongs to no element."""
        super().__init__(resources, surroundings)
        self._structure = structure
        self._marks = marks
        self.element: Element | None = None  # what comes belongs to it
        self._links: dict[int, Element] = {}  # links whose texts are written, by id of their areas
        # The link that the text ends with: where to, its element.
        self._last: tuple[str, Element] | None = None
        self._followed: Element | None = None  # after its last text stands what parts it from the next one
        self._is_open = False
        self._owner: Element | None = None  # of the marked content that is open
        self._is_of_text = False  # it began between BT and ET, and so it has to end
        self._whole = False  # inside of what is marked as a whole

    def add(self, items: Sequence[Item]) -> None:
        """Write items, later ones above earlier ones, each as its element's."""
        if self._whole:
            super().add(items)
            return
        for at, item in enumerate(items):
            kind = type(item)
            if isinstance(item, TextLine):
                self._text(item, items, at)
            elif isinstance(item, TextBlock):
                self._block_of(item, items, at)
            elif kind in _UNDRAWN or (kind is Group and not item.role):
                _WRITERS[kind](self, item)
            elif not (kind is Rects and not item.boxes) and not (kind is Rules and not item.lines):  # type: ignore[union-attr]
                self._end_text()
                self._open(None if item.role == ARTIFACT else self.element)
                _WRITERS[kind](self, item)

    def finish(self) -> bytes:
        """Return the code; empty when nothing was drawn."""
        self._close()
        return super().finish()

    # ------------------------------------------------------------ marks

    def _open(self, owner: Element | None, said: str = "") -> None:
        """Begin marked content of an element (None: an artifact), or go on with it; `said` stands for it."""
        if self._is_open and owner is self._owner and not said:
            return
        self._close()
        if owner is None:
            self._code.append("/Artifact BMC")
        elif has_rtl(said):
            # Poppler and PDFium turn what marked content says around once more: its element says it.
            spoken = self._structure.said_in(owner, said)
            self._code.append(f"/Span<</MCID {self._structure.mark(spoken, self._marks)}>>BDC")
        else:
            # Not one in the other: some readers take the end of the inner for that of the outer.
            number = self._structure.mark(owner, self._marks)
            told = f"/ActualText<{text_bytes(said).hex()}>" if said else ""
            self._code.append(f"/{'Span' if said else owner.kind}<</MCID {number}{told}>>BDC")
        self._is_open, self._owner, self._is_of_text = True, owner, self._in_text

    def _close(self) -> None:
        """End the marked content that is open; that of text stands within the text."""
        if self._is_open:
            self._code.append("EMC")
            self._is_open = self._is_of_text = False

    def _end_text(self) -> None:
        if self._is_of_text:
            self._close()
        super()._end_text()

    # ------------------------------------------------------------ text

    def _block_of(self, item: TextBlock, items: Sequence[Item], at: int) -> None:
        lines = list(item.lines())
        for line, following in pairwise(lines):
            self._text(line, (line, *_links(items, at), following), 0)
        if lines:
            self._text(lines[-1], (lines[-1], *items[at + 1 : at + _NEAR]), 0)

    def _text(self, line: TextLine, items: Sequence[Item], at: int) -> None:
        """Write a line as content of the element in work; it is the item at a place, before others."""
        element = self.element
        if element is None or line.role == ARTIFACT:
            self._shown(line, None)
            return
        begins = self._followed is not element and self._structure.goes_on(element)
        end = _end(line, items, at)
        self._followed = None if end is None else element
        self._structure.part(element, within_word=line.said[-1:] in _GO_ON)
        links = list(_links(items, at))
        if not links and not begins:  # as most
            self._last = None
            self._ended(line, element, _said(line), end)
            return
        parts = _parts(line, links)
        for number, (link, part, said) in enumerate(parts, start=1):
            owner = self._part_of(element, link)
            if begins:
                said, begins = self._blank_before(part, owner, said), False
            if number < len(parts):
                self._shown(part, owner, said)
            else:
                self._ended(part, owner, said, end)

    def _blank_before(self, line: TextLine, owner: Element | None, said: str) -> str:
        """Part a line from the text of its element that went before elsewhere; return what it says."""
        first = line.runs[0] if line.runs else None
        if first is None or not first.code.startswith("("):  # glyph numbers
            return f" {said or line.text}"
        # What comes begins where the line begins, not where the blank ends.
        blank = replace(first, code="( )", text=" ", actual=False, after="")
        self._shown(replace(line, runs=(blank,)), owner)
        return said

    def _ended(self, line: TextLine, owner: Element | None, said: str, end: str | None) -> None:
        """Write a line and what is between it and the next one: a blank, or a hyphen that is not said."""
        code = line.runs[-1].code if line.runs else ""
        if end and not said:
            if end == " " and code.endswith(")"):
                line, end = _with_code(line, f"{code}( )"), ""
            elif end == SOFT_HYPHEN and code.endswith("-)"):
                self._shown(_with_code(line, f"{code[:-2]})"), owner)
                self._open(owner, SOFT_HYPHEN)
                self._code.append("[(-)]TJ")
                self._close()
                return
            else:  # glyph numbers
                said = line.text[:-1] if end == SOFT_HYPHEN else line.text
        self._shown(line, owner, said + end if said and end == " " else said)

    def _shown(self, line: TextLine, owner: Element | None, said: str = "") -> None:
        if not self._in_text:
            self._close()
            self._begin_text()
        self._open(owner, said)
        self._line(line)
        if said:
            self._close()

    def _part_of(self, element: Element, link: Link | None) -> Element:
        """Return what a part of a text belongs to: the element itself, or the link over the part."""
        owner = None if link is None else self._link_to(link.target)
        if link is None or owner is None:
            self._last = None
            return element
        self._links[id(link)] = owner
        return owner

    def _link_to(self, target: str) -> Element | None:
        """Return the link of the element in work: one that goes on in the next line is the same."""
        element = self.element
        if element is None or (element.parent is not None and element.parent.kind == "Link"):
            return element and element.parent
        if self._last is None or self._last[0] != target:
            self._last = target, self._structure.link_in(element)
        return self._last[1]

    # ------------------------------------------------------------ what is written in another way

    def _group(self, item: Group) -> None:
        if item.role or self._whole:
            before, self._whole = self._whole, True
            super()._group(item)
            self._whole = before
            return
        self._end_text()
        self._close()
        super()._group(item)

    def _end_group(self) -> None:
        super()._end_group()
        if not self._whole:
            self._close()

    def _actual(self, run: TextRun) -> None:
        self._code.append(f"[{run.code}]TJ")  # its line says it

    def _described(self, code: str, alt: str) -> str:
        return code  # its element says it

    def _language(self, item: Language) -> None:
        """Write nothing: elements have their language."""

    def _link(self, item: Link) -> None:
        link = self._links.pop(id(item), None)
        if link is None and not self._whole:
            link = self._link_to(item.target)
        self._surroundings.link(item, self._matrix, link or self._structure.link_aside(item.target))

    def _late(self, item: Late) -> None:
        self._surroundings.late(item, self._groups, self.element)

    def _tag(self, item: Tag) -> None:
        if item.element is not self.element:
            self.element, self._last = item.element, None


# Functions, as those of PageCode.
_WRITERS: Final[dict[type, Callable[[TaggedCode, Any], None]]] = {
    **WRITERS,
    Group: TaggedCode._group,
    Language: TaggedCode._language,
    Link: TaggedCode._link,
    Late: TaggedCode._late,
    Tag: TaggedCode._tag,
}


def _said(line: TextLine) -> str:
    """Return what a line says, without a hyphen that was added; empty where its glyphs say it."""
    said, text = line.said, line.text
    if said[-1:] in _GO_ON:
        text = text[:-1] if said[-1] == SOFT_HYPHEN else text
        said = "" if said[:-1] == text else said[:-1]
    if said or not (any(run.actual for run in line.runs) or has_rtl(text)):
        return said
    return text


def _end(line: TextLine, items: Sequence[Item], at: int) -> str | None:
    """Return what is between a line, the item at a place, and the text of the same element that follows.

    None: no text does here.
    """
    if line.said[-1:] in _GO_ON:
        return SOFT_HYPHEN if line.said[-1] == SOFT_HYPHEN else ""
    for item in items[at + 1 : at + _NEAR]:
        if isinstance(item, TextLine):
            return "" if _joined(line, item) else " "
        if isinstance(item, TextBlock):
            following = next(iter(item.lines()), None)
            return "" if following is None or _joined(line, following) else " "
        if type(item) not in _BESIDE:
            return None
    return None


def _with_code(line: TextLine, code: str) -> TextLine:
    """Return a line with other code of its last run."""
    return replace(line, runs=[*line.runs[:-1], replace(line.runs[-1], code=code)])


def _joined(line: TextLine, following: TextLine) -> bool:
    """Tell whether a text goes on where the one before ends."""
    gaps = following.x - line.x - line.width, line.x - following.x - following.width
    return line.y == following.y and min(map(abs, gaps)) < _CLOSE


def _links(items: Sequence[Item], at: int) -> Iterator[Link]:
    """Yield the areas of links that follow a text."""
    for item in items[at + 1 : at + _NEAR]:
        if type(item) not in _BESIDE:
            return
        if isinstance(item, Link):
            yield item


def _parts(line: TextLine, links: Sequence[Link]) -> list[tuple[Link | None, TextLine, str]]:
    """Return the parts of a line, each with the link over it and what it says, in the order of reading."""
    said = _said(line)
    start, begin, x = 0, line.x, line.x
    at: Link | None = None
    parts: list[tuple[Link | None, TextLine]] = []
    for number, run in enumerate(line.runs):
        link = _over(links, x + run.width / 2)
        if number > start and link is not at:
            parts.append((at, replace(line, x=begin, runs=line.runs[start:number])))
            start, begin = number, x
        at = link
        x += run.width
    if not parts:
        return [(at, line, said)]
    parts.append((at, replace(line, x=begin, runs=line.runs[start:])))
    if not said:
        return [(link, part, "") for link, part in parts]
    places = _places([part for _, part in parts], said)
    order = sorted(range(len(parts)), key=places.__getitem__)
    ends = [0, *[places[number] for number in order[1:]], len(said)]
    return [
        (*parts[number], said[begin:end]) for number, (begin, end) in zip(order, pairwise(ends), strict=True)
    ]


def _places(parts: Sequence[TextLine], said: str) -> list[int]:
    """Return where in what a line says its parts begin, which stand from left to right."""
    find = str.find if said.startswith(parts[0].runs[0].text) else str.rfind
    places = []
    for part in parts:
        found = [len(said)]
        for text in [run.text for run in part.runs if run.text.strip()]:
            at = find(said, text)
            if at >= 0:
                said = said[:at] + "\0" * len(text) + said[at + len(text) :]  # it is found once
                found.append(at)
        places.append(min(found))
    return places


def _over(links: Sequence[Link], x: float) -> Link | None:
    """Return the link whose area is at `x`."""
    return next((link for link in links if link.x <= x <= link.x + link.width), None)
