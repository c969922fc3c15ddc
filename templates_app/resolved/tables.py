"""Resolved tables, stored by column."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, ClassVar, Literal

from config.value import value
from templates_app.expressions.helpers import Format
from templates_app.resolved.look import ImageFile, Rich
from templates_app.resolved.sections import ResolvedSection

if TYPE_CHECKING:
    from templates_app.expressions.formulas import Formula

CellAlign = Literal["left", "center", "right", "decimal"]
Overflow = Literal["wrap", "shrink", "cut"]
Display = Literal["text", "image", "check", "link"]
# What a table cell holds: typed, so that a spreadsheet gets numbers and dates, not their text.
Cell = str | int | float | Decimal | bool | date | datetime | None


@value
class CellStyle:
    """What a condition changes about a cell."""

    color: str | None = None
    background: str | None = None
    bold: bool = False
    italic: bool = False


@value
class ResolvedColumn:
    """One column of a table with its cells; every list is as long as the table has rows.

    In a very long table `values` makes its cells when they are asked for and keeps none: take slices of a few
    thousand rows (each is a list), and do not copy the whole.
    `format` turns typed cells into text and names the spreadsheet format. `texts` replaces that text where
    the author wrote a template for the cell (marks included). `styles` holds indexes into the table's
    `styles`, -1 for none. `formula` is the computed column's own, over the keys of the other columns.
    """

    key: str
    header: Rich
    width: float | str | None  # millimetres, "25%" of the available width, "*" or "2*" shares, None: content
    align: CellAlign
    format: Format
    values: Sequence[Cell]
    texts: Sequence[Rich] | None = None
    links: Sequence[str | None] | None = None
    images: Sequence[ImageFile | None] | None = None
    display: Display = "text"
    overflow: Overflow = "wrap"
    head_group: str = ""  # neighbours with the same one share a head above their own
    styles: Sequence[int] | None = None
    formula: Formula | None = None
    total: str | None = None  # sum, average, count, min, max
    bold: bool = False

    def total_text(self, total: Cell) -> str:
        """Return a total as the column writes values; a count is a number of rows, whatever those hold."""
        if total is None or isinstance(total, str):
            return total or ""
        if self.total == "count":
            return Format("integer", None, self.format.style).text(total)
        return self.format.text(total)


@value
class ResolvedGroupOfRows:
    """Rows `start` to `stop` (exclusive) that share a value; outer groups come before inner ones.

    `subtotals` has one cell per column (None: nothing), or is None when the group has no subtotals.
    """

    level: int  # 0 is the outermost
    title: Rich
    start: int
    stop: int
    subtotals: Sequence[Cell] | None
    label: Rich = ""  # in front of the subtotals


@value
class ConditionalStyle:
    """A condition on one column that a spreadsheet can hold live; `style` indexes the table's `styles`."""

    column: int
    operator: str  # equals, not_equals, greater, greater_or_equal, less, less_or_equal
    value: Cell
    style: int


@value
class SheetOptions:
    """What only a spreadsheet shows."""

    name: str = ""  # of the worksheet; empty: the title
    freeze_columns: int = 0
    autofilter: bool = True
    excel_table: bool = False
    formulas: bool = True  # totals and computed columns are live


@value
class ResolvedTable(ResolvedSection):
    """A table, stored by column; rows are in printed order (groups gathered), each exactly once."""

    kind: ClassVar[str] = "table"
    announced: ClassVar[bool] = True

    title: Rich
    columns: Sequence[ResolvedColumn]
    count: int  # rows
    zebra: bool
    size: float | None  # None: a point less than the theme's
    empty_text: Rich
    styles: Sequence[CellStyle] = ()
    conditions: Sequence[ConditionalStyle] = ()
    groups: Sequence[ResolvedGroupOfRows] = ()
    totals: Sequence[Cell] | None = None  # one per column; a count is written without the column's format
    totals_label: Rich = ""
    rules: Literal["horizontal", "grid", "none"] = "horizontal"
    padding: float | None = None  # millimetres, above and below the text
    repeat_head: bool = True
    head: bool = True
    keep_rows: bool = True  # a row is not parted between pages unless it is taller than one
    min_rows: int = 2  # rows that stay with the head, and with a group's heading
    keep_with_next: bool = False  # the last rows stay with the block that follows
    carry: bool = False  # brought forward and carried forward lines for the columns with a sum
    carry_labels: tuple[str, str] = ("Brought forward", "Carried forward")
    sheet: SheetOptions | None = None
