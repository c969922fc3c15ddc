"""A table as a worksheet; more rows than a sheet holds go on in the next one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from rendering.formats.base import RenderError
from rendering.formats.xlsx.book import Book
from rendering.formats.xlsx.cells import ColumnWriter, legal, lines_of
from rendering.formats.xlsx.styles import (
    A4_PAPER,
    HEADER,
    HEADER_PADDING,
    LEAST_WIDTH,
    LETTER_PAPER,
    LINE,
    MILLIMETRES,
    MOST_HEIGHT,
    MOST_WIDTH,
    PADDING,
    WIDE,
)
from templates_app.resolved import ResolvedColumn, ResolvedTable

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

MOST_ROWS: Final = 1_048_576
MOST_COLUMNS: Final = 16_384
CHECK_EVERY: Final = 200
SAMPLE: Final = 300


def render(section: ResolvedTable, book: Book) -> None:
    """Write the table; raises RenderError for more columns or longer texts than a sheet can hold."""
    if len(section.columns) > MOST_COLUMNS:
        raise RenderError(f"A table has more than {MOST_COLUMNS:,} columns (limit of xlsx)")
    formats = [book.workbook.add_format({**HEADER, "align": column.align}) for column in section.columns]
    widths = [_width(column, index, section.rows) for index, column in enumerate(section.columns)]
    writers = [ColumnWriter(book.workbook, *pair) for pair in zip(section.columns, widths, strict=True)]
    per_sheet = MOST_ROWS - 1
    for start in range(0, max(len(section.rows), 1), per_sheet):
        rows = section.rows[start : start + per_sheet]
        sheet = book.workbook.add_worksheet(book.names.take(section.title))
        _set_up(sheet, section, book, widths, len(rows))
        for index, column in enumerate(section.columns):
            sheet.write_string(0, index, legal(column.header), formats[index])
        _write_rows(sheet, rows, writers, book)


def _write_rows(
    sheet: Worksheet, rows: Sequence[Sequence[Any]], writers: Sequence[ColumnWriter], book: Book
) -> None:
    for number, row in enumerate(rows, start=1):
        if number % CHECK_EVERY == 0:
            book.limits.check_time()
        lines = 1
        for index, (writer, value) in enumerate(zip(writers, row, strict=True)):
            lines = max(lines, writer.write(sheet, number, index, value))
        if lines > 1:  # not every program finds the height of wrapped text by itself
            sheet.set_row(number, min(LINE * lines, MOST_HEIGHT))


def _set_up(sheet: Worksheet, section: ResolvedTable, book: Book, widths: Sequence[float], rows: int) -> None:
    """Set widths, the frozen header with its filter, and how the sheet prints."""
    for index, width in enumerate(widths):
        sheet.set_column(index, index, width)
    lines = [lines_of(c.header, max(w - PADDING, 1.0)) for c, w in zip(section.columns, widths, strict=True)]
    sheet.set_row(0, LINE * min(max(lines, default=1), 4) + HEADER_PADDING)
    sheet.freeze_panes(1, 0)
    if section.columns:
        sheet.autofilter(0, 0, max(rows, 1), len(section.columns) - 1)
    if sum(widths) > WIDE:
        sheet.set_landscape()
    sheet.set_paper(LETTER_PAPER if abs(min(book.page.width, book.page.height) - 215.9) < 1 else A4_PAPER)
    sheet.set_margins(left=0.5, right=0.5, top=0.6, bottom=0.7)
    sheet.repeat_rows(0)
    sheet.fit_to_pages(1, 0)
    sheet.set_footer("&L&A&R&P / &N")
    sheet.hide_gridlines(1)


def _width(column: ResolvedColumn, index: int, rows: Sequence[Sequence[Any]]) -> float:
    """Return a width in characters, from the header and a sample of cells.

    Millimetres suit the paper's small type; in a sheet they are only the least width.
    """
    given = min(column.width / MILLIMETRES, 255.0) if isinstance(column.width, int | float) else 0.0
    longest = max((len(word) for word in column.header.split()), default=0)
    longest = max(longest, min(len(column.header), 24))
    for row in rows[:: max(1, -(-len(rows) // SAMPLE))]:
        value = row[index]
        text = value if isinstance(value, str) else column.format.text(value)
        longest = max(longest, *(len(line) for line in text[:1000].split("\n")))
    return max(given, min(max(longest + PADDING, LEAST_WIDTH), MOST_WIDTH))
