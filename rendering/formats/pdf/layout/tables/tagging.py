"""The structure of a table (ISO 32000-2, 14.8.4.8): its rows and cells as elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rendering.formats.pdf.layout.structure import Attributes, Element
from rendering.formats.pdf.layout.tables.cells import Check, Content, Image

if TYPE_CHECKING:
    from rendering.formats.pdf.layout.tables.strips import Slot, Strip

_CHECKED: Final = {True: "☑", False: "☐"}


class TableTags:
    """Makes the elements of one table, row by row as they are drawn."""

    def __init__(self, table: Element, columns: int) -> None:
        self._table = table
        self._columns = columns
        self._row = -1
        self._cells: Sequence[Element] = ()

    def row(self, row: int) -> None:
        """Begin a row of data with a cell for each column; parts of a parted row are one."""
        if row != self._row:
            line = Element("TR", self._table)
            self._row, self._cells = row, [Element("TD", line) for _ in range(self._columns)]

    def strip(self, strip: Strip) -> Sequence[Element]:
        """Return an element for each cell of a strip; columns without one have an empty cell."""
        made: dict[Slot, Element] = {}
        for line in sorted({slot.line for slot in strip.slots}):
            row, column = Element("TR", self._table), 0
            for slot in sorted(
                (slot for slot in strip.slots if slot.line == line), key=lambda slot: slot.column
            ):
                self._blank(row, slot.column - column)
                made[slot] = Element(slot.kind, row, attributes=_attributes(slot))
                column = slot.column + slot.count
            self._blank(row, self._columns - column)
        return [made[slot] for slot in strip.slots]

    def owner(self, column: int, content: Content | None) -> Element | None:
        """Return what a cell of the row in work shows belongs to: the cell, or a figure in it.

        `content` is None for a plain text.
        """
        cell = self._cells[column]
        if isinstance(content, Check):
            cell.said = _CHECKED[content.checked]
        elif isinstance(content, Image):
            if not content.alt:
                return None
            return cell.children[0] if cell.children else Element("Figure", cell, alt=content.alt)
        return cell

    @staticmethod
    def _blank(row: Element, count: int) -> None:
        if count > 0:
            Element("TD", row, attributes={"ColSpan": count} if count > 1 else None)


def _attributes(slot: Slot) -> Attributes | None:
    found: dict[str, int | str] = {}
    if slot.count > 1:
        found["ColSpan"] = slot.count
    if slot.scope:
        found["Scope"] = slot.scope
    return found or None
