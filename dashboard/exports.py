"""Tables to take away: CSV line by line, and workbooks.

A text stays a text. In a workbook it is stored as one. CSV has no types, and a spreadsheet takes what begins
like a formula for one: such a text gets an apostrophe in front.
"""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import IO, Any, Final

Cell = str | int | date

_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
_IN_MEMORY: Final = 4 * 2**20
_TEXT_WIDTH: Final = 30


def csv_lines(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """Yield a table as CSV (RFC 4180), the first line with the names of its columns."""
    writer: Any = csv.writer(_Line())
    yield writer.writerow(columns)
    for row in rows:
        yield writer.writerow([harmless(cell) if isinstance(cell, str) else cell for cell in row])


def harmless(text: str) -> str:
    """Keep a spreadsheet from running a text as a formula: names are anybody's."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def workbook(name: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> IO[bytes]:
    """Return an open file with a table as xlsx; rows go through it one by one, never all in memory."""
    from xlsxwriter import Workbook  # loaded with the first export

    from dashboard.export_sheet import TextSheet

    out = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 (handed back open)
    book = Workbook(
        out,
        {
            "constant_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
        },
    )
    sheet = book.add_worksheet(name, TextSheet)
    head = book.add_format({"bold": True, "bottom": 1})
    month = book.add_format({"num_format": "yyyy-mm", "align": "left"})
    sheet.freeze_panes(1, 0)
    for index, column in enumerate(columns):
        sheet.set_column(index, index, _TEXT_WIDTH)
        sheet.write_string(0, index, column, head)
    count = 0
    for count, row in enumerate(rows, start=1):
        for index, cell in enumerate(row):
            if isinstance(cell, str):
                sheet.write_string(count, index, cell)
            elif isinstance(cell, date):
                sheet.write_datetime(count, index, cell, month)
            else:
                sheet.write_number(count, index, cell)
    sheet.autofilter(0, 0, count, len(columns) - 1)
    book.close()
    out.seek(0)
    return out


class _Line:
    """What `csv.writer` writes to: hands each line back."""

    def write(self, line: str) -> str:
        """Return the line."""
        return line
