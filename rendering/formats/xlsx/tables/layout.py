"""What all worksheets of a table have in common: heads, columns with their looks and widths, live rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from rendering.formats.xlsx import pictures
from rendering.formats.xlsx.book import Book
from rendering.formats.xlsx.names import heads, in_doubt
from rendering.formats.xlsx.styles import PICTURE_HEIGHT, side
from rendering.formats.xlsx.tables.column_looks import Setting
from rendering.formats.xlsx.tables.columns import ColumnCells
from rendering.formats.xlsx.tables.conditions import live_styles, rule
from rendering.formats.xlsx.tables.letters import letters_of_column
from rendering.formats.xlsx.tables.live_formulas import ColumnFormulas, LiveFormula
from rendering.formats.xlsx.tables.plan import Plan
from rendering.formats.xlsx.tables.totals import holds_all
from rendering.formats.xlsx.texts import legal, unmarked
from rendering.formats.xlsx.widths import width_of, with_sums
from templates_app.resolved import ResolvedTable, SheetOptions

MOST_ROWS: Final = 1_048_576
MOST_LEVELS: Final = 7
POINTS_PER_PIXEL: Final = 0.75
ROW_PIXELS: Final = round(PICTURE_HEIGHT / POINTS_PER_PIXEL)  # of a row with pictures
PICTURE_PIXELS: Final = ROW_PIXELS - 2 * pictures.EDGE

Formulas = Sequence[LiveFormula | None]  # of the columns


class TableLayout:
    """A table laid out for worksheets: `plan` says which line of which sheet a row stands on."""

    def __init__(self, table: ResolvedTable, book: Book) -> None:
        """Lay out the columns and the lines."""
        self.table = table
        self.book = book
        self.options = table.sheet or SheetOptions()
        self.mirrored = book.mirrored
        self.excel_table = self.options.excel_table and not table.groups and bool(table.columns)
        self.letters = [letters_of_column(index) for index in range(len(table.columns))]
        texts = [legal(unmarked(column.header)) for column in table.columns]
        self.heads = heads(texts) if self.excel_table else texts
        grouped = any(column.head_group for column in table.columns)
        self.head_rows = 2 if grouped else 1
        self.plan = Plan(table, MOST_ROWS - self.head_rows)
        self.levels = min(max((group.level + 1 for group in table.groups), default=0), MOST_LEVELS)
        self.rules = self._rules()
        self.columns = self._columns()
        self.widths = self._widths()
        for cells, width in zip(self.columns, self.widths, strict=True):
            cells.fit(width)
        self.live = [self._may_be_live(index) for index in range(len(table.columns))]
        pictured = any(any(map(pictures.takes_room, column.images or ())) for column in table.columns)
        self.least_height = PICTURE_HEIGHT if pictured else 0.0
        self._formulas = None
        if self.options.formulas:
            self._formulas = ColumnFormulas(table.columns, self.letters, self.heads)

    def formulas(self, number: int, name: str) -> Formulas:
        """Return the live formulas of the columns on a sheet; `name` is that of its Excel table, if any."""
        if self._formulas is None:
            return [None] * len(self.columns)
        start, stop = self.plan.rows(number)
        whole = self.plan.sheets == 1 and not self.table.groups
        span = (start + self.head_rows + 1, stop + self.head_rows) if whole else None
        return list(self._formulas.on_sheet(span, name))

    def head_groups(self) -> Iterator[tuple[str, int, int]]:
        """Yield each head that stands above others: text, first and last column."""
        numbered = enumerate(self.table.columns)
        for text, columns in groupby(numbered, lambda entry: entry[1].head_group):
            indexes = [index for index, _ in columns]
            if text:
                yield legal(text), indexes[0], indexes[-1]

    def _rules(self) -> list[str | None]:
        """Return the live rules; a grouped table keeps its styles in the cells, else subtotals had them.

        Where one of a column has none, those behind it have none either: they would cover its style.
        """
        table = self.table
        first = self.head_rows + 1
        dead: set[int] = set(range(len(table.columns)) if table.groups else ())
        rules: list[str | None] = []
        for c in table.conditions:
            text = None
            if c.column not in dead:
                text = rule(c, table.columns[c.column], f"${self.letters[c.column]}{first}")
            if text is None:
                dead.add(c.column)
            rules.append(text)
        return rules

    def _columns(self) -> list[ColumnCells]:
        table, looks, strings = self.table, self.book.looks, self.book.workbook.str_table
        live = live_styles(table.columns, table.conditions, self.rules)
        columns: list[ColumnCells] = []
        for index, column in enumerate(table.columns):
            setting = Setting(looks, strings, table.styles, live[index], self.mirrored)
            after_right = bool(columns) and columns[-1].look.align == "right"
            columns.append(ColumnCells(column, self.letters[index], setting, after_right=after_right))
        return columns

    def _widths(self) -> list[float]:
        """Return the widths of the columns, by what their rows and the lines between these hold."""
        widths = [width_of(cells.column, cells.values) for cells in self.columns]
        for index, column in enumerate(self.table.columns):
            if column.images is not None:
                widths[index] = max(widths[index], pictures.width_of(column.images, PICTURE_PIXELS))
        begin = side("left", mirrored=self.mirrored)
        beside = [cells.look.align == begin for cells in self.columns]
        return with_sums(widths, self.table.columns, self._lines_of_sums(), beside=beside)

    def _lines_of_sums(self) -> Iterator[tuple[Sequence[Any], str]]:
        """Yield the values and the label of each line of subtotals, and of the totals."""
        nothing = [None] * len(self.columns)
        for group in self.table.groups:
            if group.subtotals is not None:
                yield group.subtotals or nothing, unmarked(group.label)
        if self.table.totals is not None:
            yield self.table.totals or nothing, unmarked(self.table.totals_label)

    def _may_be_live(self, index: int) -> bool:
        """Tell whether totals of a column may be formulas.

        To count takes texts as well as numbers, but there are no cells under pictures, headings of groups are
        cells of the first column, and an address without a text stands where there is no value. The formulas
        of an Excel table name the column.
        """
        column = self.table.columns[index]
        if self.excel_table and in_doubt(self.heads[index]):
            return False
        if column.total not in {None, "count"}:
            return holds_all(column)
        if column.display == "image" or (index == 0 and self.table.groups):
            return False
        return column.display != "link" or list(self.columns[index].values) == list(column.values)
