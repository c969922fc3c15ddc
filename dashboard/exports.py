"""Tables to take away, as CSV and as workbooks: whole files, made before the first byte goes out.

Rows that were read while a client takes them would hold a query open for as long as it likes, in a thread
that serves others meanwhile.

A text stays a text. In a workbook it is stored as one. CSV has no types, and a spreadsheet takes what begins
like a formula for one: such a text gets an apostrophe in front.
"""

from __future__ import annotations

import csv
import io
import tempfile
from collections.abc import Iterable, Sequence
from datetime import date
from typing import IO, Final, cast

Cell = str | int | date

CSV_TYPE: Final = "text/csv; charset=utf-8"
WORKBOOK_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
_IN_MEMORY: Final = 4 * 2**20
_TEXT_WIDTH: Final = 30


def csv_file(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> IO[bytes]:
    """Return an open file with a table as CSV (RFC 4180); rows go through it one by one."""
    out = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 (handed back open)
    text = io.TextIOWrapper(cast(IO[bytes], out), "utf-8", newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows([harmless(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    text.detach()
    out.seek(0)
    return cast(IO[bytes], out)


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
