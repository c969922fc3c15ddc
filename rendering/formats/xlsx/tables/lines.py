"""The lines of a worksheet that are no rows of the table: heads, headings of groups, subtotals, totals."""

from __future__ import annotations

from typing import Any, Final

from config.value import dataclass
from rendering.formats.xlsx.lengths import lines_of
from rendering.formats.xlsx.styles import HEADER_PADDING, LINE, PADDING, Properties
from rendering.formats.xlsx.tables.layout import MOST_LEVELS, TableLayout
from rendering.formats.xlsx.tables.plan import Extra
from rendering.formats.xlsx.tables.rows import height
from rendering.formats.xlsx.tables.totals import place_of_label, subtotal, table_total
from rendering.formats.xlsx.texts import element, legal, unmarked

MOST_HEAD_LINES: Final = 4


@dataclass(frozen=True, slots=True)
class Sum:
    """A cell in a line of sums: a value or the line's label, and the function where a formula computes it."""

    value: Any
    label: str
    function: str | None


class Lines:
    """Writes them as XML; those between the rows go by their index in `layout.plan.extras`."""

    def __init__(self, layout: TableLayout) -> None:
        """Write for the worksheets of one table."""
        self._layout = layout
        self._book = layout.book

    def head(self) -> str:
        """Return the head, and the heads above it."""
        layout, dress, xf = self._layout, self._book.dress, self._book.looks.xf
        result = ""
        if layout.head_rows > 1:
            texts = {first: text for text, first, _ in layout.head_groups()}
            look = xf({**dress.header, "align": "center"})
            cells = "".join(
                _text_cell(f"{letters}1", look, texts.get(index, ""))
                for index, letters in enumerate(layout.letters)
            )
            result = f'<row r="1">{cells}</row>'
        rooms = [max(width - PADDING, 1.0) for width in layout.widths]
        lines = max((lines_of(text, room) for text, room in zip(layout.heads, rooms, strict=True)), default=1)
        points = LINE * min(lines, MOST_HEAD_LINES) + HEADER_PADDING
        number = layout.head_rows
        cells = "".join(
            _text_cell(f"{cells.letters}{number}", xf({**dress.header, **cells.look.place}), text)
            for cells, text in zip(layout.columns, layout.heads, strict=True)
        )
        return result + f'<row r="{number}" ht="{points:g}" customHeight="1">{cells}</row>'

    def between(self, index: int, table: str) -> str:
        """Return a heading, subtotals or totals; `table` is the name of the sheet's Excel table, if any."""
        extra = self._layout.plan.extras[index]
        line = self._layout.plan.place_of_extra(index)[1] + self._layout.head_rows + 1
        level = 0 if extra.group is None else min(extra.group.level, MOST_LEVELS)
        attributes = f' outlineLevel="{level}"' if level else ""
        if extra.kind == "heading":
            return self._heading(extra, line, level, attributes)
        return f'<row r="{line}"{attributes}>{self._sums_xml(index, line, table)}</row>'

    def total_of(self, number: int) -> int | None:
        """Return the index of the totals when they stand on this sheet."""
        start, stop = self._layout.plan.extras_of(number)
        found = stop - 1
        return found if stop > start and self._layout.plan.extras[found].kind == "totals" else None

    def sums(self, index: int) -> list[Sum]:
        """Return what the cells of a line of subtotals or totals hold."""
        return self._sums(index, self._span(index))

    def _heading(self, extra: Extra, line: int, level: int, attributes: str) -> str:
        text = legal(unmarked(extra.group.title)) if extra.group else ""
        place: Properties = {"align": "right"} if self._layout.mirrored else {}
        place |= {"indent": level} if level else {}
        look = self._book.looks.xf({**self._book.dress.group, **place})
        cells = "".join(
            _text_cell(f"{letters}{line}", look, text if index == 0 else "")
            for index, letters in enumerate(self._layout.letters)
        )
        return f'<row r="{line}"{attributes}{height(1 + text.count(chr(10)))}>{cells}</row>'

    def _sums_xml(self, index: int, line: int, table: str) -> str:
        layout, dress = self._layout, self._book.dress
        look = dress.total if layout.plan.extras[index].group is None else dress.subtotal
        span = self._span(index)
        result = []
        for cells, head, found in zip(layout.columns, layout.heads, self._sums(index, span), strict=True):
            if found.label:
                result.append(cells.cell(found.label, line, look))
                continue
            formula = None
            if table:
                formula = table_total(found.function, table, head)
            elif span is not None:
                grouped = bool(layout.table.groups)
                formula = subtotal(found.function, cells.letters, *span, grouped=grouped)
            shape = {"num_format": "#,##0"} if cells.column.total == "count" else {}
            result.append(cells.cell(found.value, line, look | shape, formula))
        return "".join(result)

    def _sums(self, index: int, span: tuple[int, int] | None) -> list[Sum]:
        layout = self._layout
        group = layout.plan.extras[index].group
        totals, label = layout.table.totals, layout.table.totals_label
        if group is not None:
            totals, label = group.subtotals, group.label
        values = totals or [None] * len(layout.columns)
        text = legal(unmarked(label))
        place = place_of_label(values) if text else None
        return [
            Sum(
                value,
                text if number == place else "",
                cells.column.total if span and layout.live[number] and cells.is_number(value) else None,
            )
            for number, (cells, value) in enumerate(zip(layout.columns, values, strict=True))
        ]

    def _span(self, index: int) -> tuple[int, int] | None:
        """Return the first and the last line that formulas sum up.

        None without formulas, and when another sheet has some of the lines.
        """
        plan, head_rows = self._layout.plan, self._layout.head_rows
        group = plan.extras[index].group
        start, stop = (0, self._layout.table.count) if group is None else (group.start, group.stop)
        if stop <= start or not self._layout.options.formulas:
            return None
        places = (plan.place(start), plan.place(stop - 1), plan.place_of_extra(index))
        if len({sheet for sheet, _ in places}) > 1:
            return None
        return places[0][1] + head_rows + 1, places[1][1] + head_rows + 1


def _text_cell(reference: str, look: str, text: str) -> str:
    if not text:
        return f'<c r="{reference}" s="{look}"/>'
    return f'<c r="{reference}" s="{look}" t="inlineStr"><is>{element(text)}</is></c>'
