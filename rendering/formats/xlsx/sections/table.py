"""A table as a worksheet; more rows than a sheet holds go on in the next one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from config.value import dataclass
from rendering.formats.base import RenderError
from rendering.formats.xlsx import pictures
from rendering.formats.xlsx.book import Book
from rendering.formats.xlsx.column_looks import Setting
from rendering.formats.xlsx.columns import ColumnCells
from rendering.formats.xlsx.conditions import live_styles, rule
from rendering.formats.xlsx.lengths import lines_of
from rendering.formats.xlsx.letters import letters_of_column
from rendering.formats.xlsx.live_formulas import ColumnFormulas, LiveFormula
from rendering.formats.xlsx.names import heads, in_doubt
from rendering.formats.xlsx.plan import Plan
from rendering.formats.xlsx.printing import set_up_page
from rendering.formats.xlsx.rows import height, rows_xml
from rendering.formats.xlsx.styles import (
    HEADER_PADDING,
    LINE,
    PADDING,
    PICTURE_HEIGHT,
    Properties,
    changes,
    side,
)
from rendering.formats.xlsx.texts import element, legal, unmistakable
from rendering.formats.xlsx.totals import holds_all, place_of_label, subtotal, table_total
from rendering.formats.xlsx.widths import width_of, with_sums
from templates_app.resolved import ResolvedTable, SheetOptions, plain

if TYPE_CHECKING:
    from rendering.formats.xlsx.sheet import RowWorksheet

MOST_ROWS: Final = 1_048_576
MOST_COLUMNS: Final = 16_384
MOST_LEVELS: Final = 7
CHUNK_CELLS: Final = 16_000
MOST_CHUNK: Final = 2000
POINTS_PER_PIXEL: Final = 0.75
ROW_PIXELS: Final = round(PICTURE_HEIGHT / POINTS_PER_PIXEL)  # of a row with pictures
PICTURE_PIXELS: Final = ROW_PIXELS - 2 * pictures.EDGE
TABLE_STYLE: Final = "Table Style Light 15"

Formulas = Sequence[LiveFormula | None]  # of the columns


def render(section: ResolvedTable, book: Book) -> None:
    """Write the table; raises RenderError for more columns or longer texts than a sheet can hold."""
    if len(section.columns) > MOST_COLUMNS:
        raise RenderError(f"A table has more than {MOST_COLUMNS:,} columns (limit of xlsx)")
    TableSheets(section, book).add()


@dataclass(frozen=True, slots=True)
class Sum:
    """A cell in a line of sums: a value or the line's label, and the function where a formula computes it."""

    value: Any
    label: str
    function: str | None


class TableSheets:
    """The worksheets of one table."""

    def __init__(self, table: ResolvedTable, book: Book) -> None:
        """Lay out the columns and the lines."""
        self.table = table
        self.book = book
        self.options = table.sheet or SheetOptions()
        self.mirrored = book.mirrored
        self.excel_table = self.options.excel_table and not table.groups and bool(table.columns)
        self.letters = [letters_of_column(index) for index in range(len(table.columns))]
        texts = [legal(plain(column.header)) for column in table.columns]
        self.heads = heads(texts) if self.excel_table else texts
        grouped = any(column.head_group for column in table.columns)
        self.head_rows = 2 if grouped else 1
        self.plan = Plan(table, MOST_ROWS - self.head_rows)
        self.levels = min(max((group.level + 1 for group in table.groups), default=0), MOST_LEVELS)
        self.rules = self._rules()
        live = live_styles(table.columns, table.conditions, self.rules)
        self.columns: list[ColumnCells] = []
        for index, column in enumerate(table.columns):
            setting = Setting(book.looks, book.workbook.str_table, table.styles, live[index], self.mirrored)
            after_right = bool(self.columns) and self.columns[-1].look.align == "right"
            self.columns.append(ColumnCells(column, self.letters[index], setting, after_right=after_right))
        self.widths = self._widths()
        for cells, width in zip(self.columns, self.widths, strict=True):
            cells.fit(width)
        self.live = [self._may_be_live(index) for index in range(len(table.columns))]
        self.least_height = self._picture_height()
        self.formulas = None
        if self.options.formulas:
            self.formulas = ColumnFormulas(table.columns, self.letters, self.heads)

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
                yield group.subtotals or nothing, plain(group.label)
        if self.table.totals is not None:
            yield self.table.totals or nothing, plain(self.table.totals_label)

    def _picture_height(self) -> float:
        shown = any(column.images and any(column.images) for column in self.table.columns)
        return PICTURE_HEIGHT if shown else 0.0

    # ---------------------------------------------------------------- sheets

    def add(self) -> None:
        """Add the worksheets; their rows are made while the workbook is stored."""
        from rendering.formats.xlsx.sheet import RowWorksheet

        title = self.options.name or plain(self.table.title)
        for number in range(self.plan.sheets):
            name = self.book.names.take(title)
            sheet = self.book.workbook.add_worksheet(name, worksheet_class=RowWorksheet)
            table = self.book.tables.take(name) if self.excel_table else ""
            formulas = self._formulas(number, table)
            self._set_up(sheet, number, table, formulas)
            sheet.rows = self._rows(sheet, number, table, formulas)

    def _formulas(self, number: int, table: str) -> Formulas:
        """Return the live formulas of the columns, where there is an Excel table in its own words."""
        if self.formulas is None:
            return [None] * len(self.columns)
        start, stop = self.plan.rows(number)
        whole = self.plan.sheets == 1 and not self.table.groups
        span = (start + self.head_rows + 1, stop + self.head_rows) if whole else None
        return list(self.formulas.on_sheet(span, table))

    def _set_up(self, sheet: RowWorksheet, number: int, table: str, formulas: Formulas) -> None:
        """Set widths, frozen heads, filter, conditional formats and how the sheet prints."""
        count = len(self.columns)
        lines = self.plan.lines(number)
        sheet.span(self.head_rows + lines, count)
        for index, width in enumerate(self.widths):
            sheet.set_column(index, index, width)
        frozen = min(max(self.options.freeze_columns, 0), count)
        sheet.freeze_panes(self.head_rows, frozen)
        set_up_page(sheet, self.book.page, width=sum(self.widths), titles=self.head_rows, named=frozen)
        if self.mirrored:
            sheet.right_to_left()
        if self.levels:
            sheet.outline_row_level = self.levels
            sheet.outline_settings(True, any(e.kind == "subtotals" for e in self.plan.extras), True, False)
        if not count:
            return
        self._merge_heads(sheet)
        start, stop = self.plan.rows(number)
        last = self.head_rows + max(stop - start, 1) - 1  # of the rows, from 0; an empty table has one
        if lines and stop == start:
            return  # what stands here but the head are totals, for which the sheet before has no room
        if table:
            self._excel_table(sheet, table, last, self._total_line(number), formulas)
        elif self.options.autofilter and not self.table.groups:
            sheet.autofilter(self.head_rows - 1, 0, last, count - 1)
        if stop > start:
            ends = f"{self.letters[-1]}{self.head_rows + lines}"
            sheet.ignore_errors({"number_stored_as_text": f"A{self.head_rows + 1}:{ends}"})
            self._conditions(sheet, last, zebra=self.table.zebra and not table)
            if self.least_height:
                self._pictures(sheet, start, stop)

    def _merge_heads(self, sheet: RowWorksheet) -> None:
        for _, first, last in self._head_groups():
            if last > first:
                sheet.merge_cells(0, first, last)

    def _head_groups(self) -> Iterator[tuple[str, int, int]]:
        """Yield each head that stands above others: text, first and last column."""
        groups = [column.head_group for column in self.table.columns]
        first = 0
        for index in range(1, len(groups) + 1):
            if index == len(groups) or groups[index] != groups[first]:
                if groups[first]:
                    yield legal(groups[first]), first, index - 1
                first = index

    def _conditions(self, sheet: RowWorksheet, last: int, *, zebra: bool) -> None:
        first, styles = self.head_rows, self.table.styles
        live = [(c, text) for c, text in zip(self.table.conditions, self.rules, strict=True) if text]
        for index, (condition, text) in enumerate(live):
            look = changes(styles[condition.style])
            later = [changes(styles[c.style]) for c, _ in live[index + 1 :] if c.column == condition.column]
            options = {
                "type": "formula",
                "criteria": text,
                "format": self.book.workbook.add_format(look),
                # The first that holds counts. To stop there ends the stripes too, so only where it must.
                "stop_if_true": any(other.keys() - look.keys() for other in later),
            }
            sheet.conditional_format(first, condition.column, last, condition.column, options)
        if zebra and not self.table.groups and (striped := self._striped(first + 1, last + 1)):
            shade = self.book.workbook.add_format({"bg_color": self.book.dress.zebra})
            options = {"type": "formula", "criteria": f"=MOD(ROW(),2)={first % 2}", "format": shade}
            options["multi_range"] = striped
            sheet.conditional_format(first, 0, last, len(self.columns) - 1, options)

    def _striped(self, first: int, last: int) -> str:
        """Return the cells that have stripes, as ranges parted by blanks.

        A stripe is a conditional format: it would cover the backgrounds that columns have in their cells.
        """
        ranges: list[str] = []
        for filled, columns in groupby(self.columns, lambda cells: cells.look.fills):
            letters = [cells.letters for cells in columns]
            if not filled:
                ranges.append(f"{letters[0]}{first}:{letters[-1]}{last}")
        return " ".join(ranges)

    def _excel_table(
        self, sheet: RowWorksheet, name: str, last: int, total: int | None, formulas: Formulas
    ) -> None:
        """Make the rows an Excel table, from a small one: XlsxWriter visits every cell of what it gets.

        `total` is the index of the line of totals; some of `formulas` are filled into new rows.
        """
        head, right = self.head_rows - 1, len(self.columns) - 1
        columns: list[dict[str, Any]] = [{"header": text} for text in self.heads]
        options = {"name": name, "columns": columns, "style": TABLE_STYLE, "banded_rows": self.table.zebra}
        sheet.add_table(head, 0, head + 1, right, options | {"autofilter": self.options.autofilter})
        properties = sheet.tables[-1]
        left, end = f"A{head + 1}", self.letters[-1]
        properties["a_range"] = f"{left}:{end}{last + 1}"
        properties["range"] = f"{left}:{end}{last + 1 + (total is not None)}"
        if "autofilter" in properties:
            properties["autofilter"] = properties["a_range"]
        # What it tells of a cell must be what the cell holds.
        for entry, formula in zip(properties["columns"], formulas, strict=True):
            entry["name"] = unmistakable(entry["name"])
            entry["formula"] = "".join(formula.pieces) if formula and formula.filled else ""
        if total is not None:
            properties["totals_row_shown"] = True
            span = self._span(total) if self.options.formulas else None
            for entry, found in zip(properties["columns"], self._sums(total, span), strict=True):
                entry["total_string"] = unmistakable(found.label)
                entry["total_function"] = found.function

    def _pictures(self, sheet: RowWorksheet, start: int, stop: int) -> None:
        placed = 0
        for index, column in enumerate(self.table.columns):
            room = pictures.pixels_inside(self.widths[index])
            for row, image in enumerate((column.images or ())[start:stop], start=start):
                if image is not None and placed < pictures.MOST_PICTURES:
                    line = self.plan.place(row)[1] + self.head_rows
                    sheet.row_sizes[line] = [ROW_PIXELS, False]
                    self.book.limits.check_time()
                    placed += pictures.place_picture(
                        sheet, line, index, image, height=PICTURE_PIXELS, width=room
                    )

    # ---------------------------------------------------------------- rows

    def _rows(self, sheet: RowWorksheet, number: int, table: str, formulas: Formulas) -> Iterator[str]:
        """Yield the rows of a sheet as XML, a chunk at a time."""
        if not self.columns:
            return
        yield self._head_xml()
        first = self.head_rows + 1
        start, stop = self.plan.rows(number)
        for cells, formula in zip(self.columns, formulas, strict=True):
            cells.look.links = sheet.links
            cells.formula = None if formula is None else formula.pieces
        extra, extra_stop = self.plan.extras_of(number)
        size = max(min(CHUNK_CELLS // len(self.columns), MOST_CHUNK), 50)
        for begin in range(start, stop, size):
            self.book.limits.check_time()
            end = min(begin + size, stop)
            before: dict[int, str] = {}
            while extra < extra_stop and self.plan.extras[extra].before < end:
                place = self.plan.extras[extra].before - begin
                before[place] = before.get(place, "") + self._extra_xml(extra, table)
                extra += 1
            numbers = self.plan.numbers(begin, end, first)
            chunks = [cells.chunk(begin, end, numbers) for cells in self.columns]
            yield rows_xml(numbers, chunks, level=self.levels, least_height=self.least_height, before=before)
        for index in range(extra, extra_stop):
            yield self._extra_xml(index, table)

    def _head_xml(self) -> str:
        looks = self.book.looks
        result = ""
        if self.head_rows == 2:
            texts = {first: text for text, first, _ in self._head_groups()}
            look = looks.xf({**self.book.dress.header, "align": "center"})
            cells = "".join(
                _text_cell(f"{name}1", look, texts.get(index, "")) for index, name in enumerate(self.letters)
            )
            result = f'<row r="1">{cells}</row>'
        rooms = [max(width - PADDING, 1.0) for width in self.widths]
        lines = max((lines_of(text, room) for text, room in zip(self.heads, rooms, strict=True)), default=1)
        points = LINE * min(lines, 4) + HEADER_PADDING
        cells = "".join(
            _text_cell(
                f"{cells.letters}{self.head_rows}",
                looks.xf({**self.book.dress.header, **cells.look.place}),
                text,
            )
            for cells, text in zip(self.columns, self.heads, strict=True)
        )
        return result + f'<row r="{self.head_rows}" ht="{points:g}" customHeight="1">{cells}</row>'

    # ---------------------------------------------------------------- lines between the rows

    def _extra_xml(self, index: int, table: str) -> str:
        """Return a heading, subtotals or totals as a row."""
        extra = self.plan.extras[index]
        line = self.plan.place_of_extra(index)[1] + self.head_rows + 1
        level = 0 if extra.group is None else min(extra.group.level, MOST_LEVELS)
        attributes = f' outlineLevel="{level}"' if level else ""
        if extra.kind == "heading" and extra.group is not None:
            text = legal(plain(extra.group.title))
            place: Properties = {"align": "right"} if self.mirrored else {}
            place |= {"indent": level} if level else {}
            look = self.book.looks.xf({**self.book.dress.group, **place})
            cells = "".join(
                _text_cell(f"{name}{line}", look, text if index == 0 else "")
                for index, name in enumerate(self.letters)
            )
            return f'<row r="{line}"{attributes}{height(1 + text.count(chr(10)))}>{cells}</row>'
        return f'<row r="{line}"{attributes}>{self._sums_xml(index, line, table)}</row>'

    def _sums_xml(self, index: int, line: int, table: str) -> str:
        dress = self.book.dress
        look = dress.total if self.plan.extras[index].group is None else dress.subtotal
        span = self._span(index) if self.options.formulas else None
        result = []
        for cells, head, found in zip(self.columns, self.heads, self._sums(index, span), strict=True):
            if found.label:
                result.append(cells.cell(found.label, line, look))
                continue
            formula = None
            if table:
                formula = table_total(found.function, table, head)
            elif span is not None:
                formula = subtotal(found.function, cells.letters, *span, grouped=bool(self.table.groups))
            shape = {"num_format": "#,##0"} if cells.column.total == "count" else {}
            result.append(cells.cell(found.value, line, look | shape, formula))
        return "".join(result)

    def _sums(self, index: int, span: tuple[int, int] | None) -> list[Sum]:
        """Return what the cells of a line of subtotals or totals hold; `span` is what formulas sum up."""
        group = self.plan.extras[index].group
        values = (self.table.totals if group is None else group.subtotals) or [None] * len(self.columns)
        label = legal(plain(self.table.totals_label if group is None else group.label))
        place = place_of_label(values) if label else None
        return [
            Sum(
                value,
                label if number == place else "",
                cells.column.total if span and self.live[number] and cells.is_number(value) else None,
            )
            for number, (cells, value) in enumerate(zip(self.columns, values, strict=True))
        ]

    def _span(self, index: int) -> tuple[int, int] | None:
        """Return the first and the last line that are summed up; None when another sheet has some of them."""
        group = self.plan.extras[index].group
        start, stop = (0, self.table.count) if group is None else (group.start, group.stop)
        if stop <= start:
            return None
        places = (self.plan.place(start), self.plan.place(stop - 1), self.plan.place_of_extra(index))
        if len({sheet for sheet, _ in places}) > 1:
            return None
        return places[0][1] + self.head_rows + 1, places[1][1] + self.head_rows + 1

    def _total_line(self, number: int) -> int | None:
        """Return the index of the totals when they stand on this sheet."""
        start, stop = self.plan.extras_of(number)
        found = stop - 1
        return found if stop > start and self.plan.extras[found].kind == "totals" else None


def _text_cell(reference: str, look: str, text: str) -> str:
    if not text:
        return f'<c r="{reference}" s="{look}"/>'
    return f'<c r="{reference}" s="{look}" t="inlineStr"><is>{element(text)}</is></c>'
