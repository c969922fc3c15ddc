"""Typed cells: what each value becomes in a spreadsheet. Text is never run as a formula or a link."""

from __future__ import annotations

import math
import re
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from rendering.formats.base import RenderError
from rendering.formats.xlsx.styles import BODY, DATE_FORMAT, DATETIME_FORMAT, PADDING
from templates_app.expressions.helpers import Format, local
from templates_app.resolved import Cell, ResolvedColumn

if TYPE_CHECKING:
    from xlsxwriter.format import Format as CellFormat
    from xlsxwriter.workbook import Workbook
    from xlsxwriter.worksheet import Worksheet

LONGEST_TEXT: Final = 32_767
WHOLE: Final = 10**15  # a spreadsheet keeps 15 digits
MOST_EXPONENT: Final = 300
_ILLEGAL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_TEXT_HELPERS: Final = frozenset({"yesno", "upper", "lower", "title", "capitalize", "trim", "join"})


def legal(text: str) -> str:
    """Return `text` without what XML cannot hold; raises RenderError when it is longer than a cell holds."""
    if not text.isprintable():
        text = _ILLEGAL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    if len(text) > LONGEST_TEXT // 2 and len(text.encode("utf-16-le")) // 2 > LONGEST_TEXT:
        raise RenderError(f"A cell has more than {LONGEST_TEXT:,} characters (limit of xlsx)")
    return text


def storable(value: int | float | Decimal) -> bool:
    """Return whether a spreadsheet holds a number: finite, and whole ones with all their digits.

    Long whole numbers are identifiers more often than amounts, and a changed digit goes unnoticed.
    """
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, Decimal):
        if not value.is_finite() or abs(value.adjusted()) >= MOST_EXPONENT:
            return False
        return abs(value) < WHOLE or value != value.to_integral_value()
    return abs(value) < WHOLE


class ColumnWriter:
    """Writes the cells of one column with its formats."""

    def __init__(self, workbook: Workbook, column: ResolvedColumn, width: float) -> None:
        """Make the formats; text longer than `width` characters is wrapped."""
        self._room = max(width - PADDING / 2, 1.0)
        self._format: Format = column.format
        self._as_text = column.format.helper in _TEXT_HELPERS
        pattern = column.format.number_format()
        pattern = None if pattern in {None, "General", "general", "@"} else pattern
        base: dict[str, Any] = {**BODY, "align": column.align}
        self.plain: CellFormat = workbook.add_format(base | ({"num_format": pattern} if pattern else {}))
        self._wrapped = workbook.add_format(base | {"text_wrap": True})
        self._date = workbook.add_format(base | {"num_format": pattern or DATE_FORMAT})
        self._moment = workbook.add_format(base | {"num_format": pattern or DATETIME_FORMAT})

    def write(self, sheet: Worksheet, row: int, index: int, value: Cell) -> int:
        """Write one cell and return how many lines it takes; raises RenderError for too long a text."""
        match value:
            case None | "":
                return 1
            case str():
                return self._text(sheet, row, index, value)
            case _ if self._as_text:
                return self._text(sheet, row, index, self._format.text(value))
            case bool():
                sheet.write_boolean(row, index, value, self.plain)
            case int() | float() | Decimal() if storable(value):
                sheet.write_number(row, index, value, self.plain)
            case date():
                return self._day(sheet, row, index, value)
            case _:
                return self._text(sheet, row, index, str(value))
        return 1

    def _day(self, sheet: Worksheet, row: int, index: int, value: date) -> int:
        """Write a date, or a moment on the template's wall clock; before 1900 there is only text."""
        moment = local(value, self._format.style) if isinstance(value, datetime) else value
        if moment.year < 1900:
            return self._text(sheet, row, index, self._format.text(value))
        if isinstance(moment, datetime):
            sheet.write_datetime(row, index, moment, self._moment)
        else:
            sheet.write_datetime(row, index, datetime(moment.year, moment.month, moment.day), self._date)
        return 1

    def _text(self, sheet: Worksheet, row: int, index: int, text: str) -> int:
        text = legal(text)
        lines = lines_of(text, self._room)
        if text:
            sheet.write_string(row, index, text, self._wrapped if lines > 1 else self.plain)
        return lines


def lines_of(text: str, room: float) -> int:
    """Return about how many lines a text takes in a column of `room` characters."""
    if len(text) <= room and "\n" not in text:
        return 1
    return sum(max(-int(-len(line) // room), 1) for line in text.split("\n"))
