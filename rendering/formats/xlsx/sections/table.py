"""A table as a worksheet; more rows than a sheet holds go on in the next one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from rendering.formats.base import RenderError
from rendering.formats.xlsx.book import Book
from rendering.formats.xlsx.tables.layout import Formulas, TableLayout
from rendering.formats.xlsx.tables.lines import Lines
from rendering.formats.xlsx.tables.rows import rows_xml
from rendering.formats.xlsx.tables.worksheets import WorksheetSetUp
from rendering.formats.xlsx.texts import unmarked
from templates_app.resolved import ResolvedTable

if TYPE_CHECKING:
    from rendering.formats.xlsx.sheet import RowWorksheet

MOST_COLUMNS: Final = 16_384
CHUNK_CELLS: Final = 16_000
LEAST_CHUNK: Final = 50  # rows
MOST_CHUNK: Final = 2000


def render(section: ResolvedTable, book: Book) -> None:
    """Add the worksheets of a table; their rows are made while the workbook is stored.

    Raises RenderError for more columns or longer texts than a sheet can hold.
    """
    from rendering.formats.xlsx.sheet import RowWorksheet

    if len(section.columns) > MOST_COLUMNS:
        raise RenderError(f"A table has more than {MOST_COLUMNS:,} columns (limit of xlsx)")
    layout = TableLayout(section, book)
    lines = Lines(layout)
    title = layout.options.name or unmarked(section.title)
    for number in range(layout.plan.sheets):
        name = book.names.take(title)
        sheet = book.workbook.add_worksheet(name, worksheet_class=RowWorksheet)
        excel_table = book.tables.take(name) if layout.excel_table else ""
        formulas = layout.formulas(number, excel_table)
        totals = lines.total_of(number)
        sums = None if totals is None else lines.sums(totals)
        WorksheetSetUp(layout, sheet, number).apply(excel_table, sums, formulas)
        sheet.rows = _rows(layout, lines, sheet, number, excel_table, formulas)


def _rows(
    layout: TableLayout, lines: Lines, sheet: RowWorksheet, number: int, excel_table: str, formulas: Formulas
) -> Iterator[str]:
    """Yield the lines of a sheet as XML, a chunk of rows at a time."""
    if not layout.columns:
        return
    yield lines.head()
    plan = layout.plan
    start, stop = plan.rows(number)
    for cells, formula in zip(layout.columns, formulas, strict=True):
        cells.look.links = sheet.links
        cells.formula = None if formula is None else formula.pieces
    extra, extra_stop = plan.extras_of(number)
    size = max(min(CHUNK_CELLS // len(layout.columns), MOST_CHUNK), LEAST_CHUNK)
    for begin in range(start, stop, size):
        layout.book.limits.check_time()
        end = min(begin + size, stop)
        before: dict[int, str] = {}
        while extra < extra_stop and plan.extras[extra].before < end:
            place = plan.extras[extra].before - begin
            before[place] = before.get(place, "") + lines.between(extra, excel_table)
            extra += 1
        numbers = plan.numbers(begin, end, layout.head_rows + 1)
        chunks = [cells.chunk(begin, end, numbers) for cells in layout.columns]
        yield rows_xml(numbers, chunks, level=layout.levels, least_height=layout.least_height, before=before)
    for index in range(extra, extra_stop):
        yield lines.between(index, excel_table)
