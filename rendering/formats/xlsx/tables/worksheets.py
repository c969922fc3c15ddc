"""What a worksheet of a table has beside its cells: widths, frozen heads, filter, live styles, pictures."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from rendering.formats.xlsx import pictures
from rendering.formats.xlsx.printing import set_up_page
from rendering.formats.xlsx.styles import changes
from rendering.formats.xlsx.tables.layout import PICTURE_PIXELS, ROW_PIXELS, Formulas, TableLayout
from rendering.formats.xlsx.tables.lines import Sum
from rendering.formats.xlsx.texts import unmistakable

if TYPE_CHECKING:
    from rendering.formats.xlsx.sheet import RowWorksheet

TABLE_STYLE: Final = "Table Style Light 15"


class WorksheetSetUp:
    """Sets up worksheet `number` of a table."""

    def __init__(self, layout: TableLayout, sheet: RowWorksheet, number: int) -> None:
        """Set up one worksheet."""
        self._layout = layout
        self._sheet = sheet
        self._start, self._stop = layout.plan.rows(number)
        self._lines = layout.plan.lines(number)
        # Of the rows, counted from 0; an empty table has one.
        self._last = layout.head_rows + max(self._stop - self._start, 1) - 1

    def apply(self, excel_table: str, totals: list[Sum] | None, formulas: Formulas) -> None:
        """Set all of it.

        `excel_table` is the table's name where it is an Excel table, `totals` its line of totals on this
        sheet, `formulas` are filled into new rows of it.
        """
        layout, sheet = self._layout, self._sheet
        self._set_frame()
        if not layout.columns:
            return
        for _, first, last in layout.head_groups():
            if last > first:
                sheet.merge_cells(0, first, last)
        if self._lines and self._stop == self._start:
            return  # what stands here but the head are totals, for which the sheet before has no room
        if excel_table:
            self._make_excel_table(excel_table, totals, formulas)
        elif layout.options.autofilter and not layout.table.groups:
            sheet.autofilter(layout.head_rows - 1, 0, self._last, len(layout.columns) - 1)
        if self._stop > self._start:
            ends = f"{layout.letters[-1]}{layout.head_rows + self._lines}"
            sheet.ignore_errors({"number_stored_as_text": f"A{layout.head_rows + 1}:{ends}"})
            self._set_live_styles()
            if layout.table.zebra and not layout.table.groups and not excel_table:
                self._set_stripes()
            if layout.least_height:
                self._place_pictures()

    def _set_frame(self) -> None:
        """Set widths, frozen heads, the levels of groups, and how the sheet prints."""
        layout, sheet = self._layout, self._sheet
        count = len(layout.columns)
        sheet.span(layout.head_rows + self._lines, count)
        for index, width in enumerate(layout.widths):
            sheet.set_column(index, index, width)
        frozen = min(max(layout.options.freeze_columns, 0), count)
        sheet.freeze_panes(layout.head_rows, frozen)
        set_up_page(sheet, layout.book.page, width=sum(layout.widths), titles=layout.head_rows, named=frozen)
        if layout.mirrored:
            sheet.right_to_left()
        if layout.levels:
            sheet.outline_row_level = layout.levels
            below = any(extra.kind == "subtotals" for extra in layout.plan.extras)
            sheet.outline_settings(True, below, True, False)

    def _set_live_styles(self) -> None:
        layout = self._layout
        first, styles = layout.head_rows, layout.table.styles
        live = [(c, text) for c, text in zip(layout.table.conditions, layout.rules, strict=True) if text]
        for index, (condition, text) in enumerate(live):
            look = changes(styles[condition.style])
            later = [changes(styles[c.style]) for c, _ in live[index + 1 :] if c.column == condition.column]
            options = {
                "type": "formula",
                "criteria": text,
                "format": layout.book.workbook.add_format(look),
                # The first that holds counts. To stop there ends the stripes too, so only where it must.
                "stop_if_true": any(other.keys() - look.keys() for other in later),
            }
            self._sheet.conditional_format(first, condition.column, self._last, condition.column, options)

    def _set_stripes(self) -> None:
        """Shade every other row, but for columns with a background of their own.

        A stripe is a conditional format: it would cover what those have in their cells.
        """
        layout = self._layout
        ranges: list[str] = []
        for filled, columns in groupby(layout.columns, lambda cells: cells.look.fills):
            letters = [cells.letters for cells in columns]
            if not filled:
                ranges.append(f"{letters[0]}{layout.head_rows + 1}:{letters[-1]}{self._last + 1}")
        if ranges:
            options = {
                "type": "formula",
                "criteria": f"=MOD(ROW(),2)={layout.head_rows % 2}",
                "format": layout.book.workbook.add_format({"bg_color": layout.book.dress.zebra}),
                "multi_range": " ".join(ranges),
            }
            self._sheet.conditional_format(layout.head_rows, 0, self._last, len(layout.columns) - 1, options)

    def _make_excel_table(self, name: str, totals: list[Sum] | None, formulas: Formulas) -> None:
        """Make the rows an Excel table, from a small one: XlsxWriter visits every cell of what it gets."""
        layout, sheet = self._layout, self._sheet
        head, right = layout.head_rows - 1, len(layout.columns) - 1
        columns: list[dict[str, Any]] = [{"header": text} for text in layout.heads]
        options: dict[str, Any] = {
            "name": name,
            "columns": columns,
            "style": TABLE_STYLE,
            "banded_rows": layout.table.zebra,
            "autofilter": layout.options.autofilter,
        }
        sheet.add_table(head, 0, head + 1, right, options)
        properties = sheet.tables[-1]
        left, end = f"A{head + 1}", layout.letters[-1]
        properties["a_range"] = f"{left}:{end}{self._last + 1}"
        properties["range"] = f"{left}:{end}{self._last + 1 + (totals is not None)}"
        if "autofilter" in properties:
            properties["autofilter"] = properties["a_range"]
        # What it tells of a cell must be what the cell holds.
        for entry, formula in zip(properties["columns"], formulas, strict=True):
            entry["name"] = unmistakable(entry["name"])
            entry["formula"] = "".join(formula.pieces) if formula and formula.filled else ""
        if totals is not None:
            properties["totals_row_shown"] = True
            for entry, found in zip(properties["columns"], totals, strict=True):
                entry["total_string"] = unmistakable(found.label)
                entry["total_function"] = found.function

    def _place_pictures(self) -> None:
        layout, sheet = self._layout, self._sheet
        placed = 0
        for index, column in enumerate(layout.table.columns):
            room = pictures.pixels_inside(layout.widths[index])
            images = (column.images or ())[self._start : self._stop]
            for row, image in enumerate(images, start=self._start):
                if pictures.takes_room(image) and placed < pictures.MOST_PICTURES:
                    line = layout.plan.place(row)[1] + layout.head_rows
                    sheet.row_sizes[line] = [ROW_PIXELS, False]
                    layout.book.limits.check_time()
                    placed += pictures.place_picture(
                        sheet, line, index, image, height=PICTURE_PIXELS, width=room
                    )
