"""Resolved tables made by hand from rows, for the tests of the formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from templates_app.expressions.helpers import Format, Style
from templates_app.resolved import ResolvedColumn, ResolvedTable


def column(
    header: str,
    *,
    key: str = "",
    width: float | str | None = None,
    align: Any = "left",
    helper: str | None = None,
    argument: str | None = None,
    style: Style | None = None,
    **more: Any,
) -> ResolvedColumn:
    """Return a column without cells."""
    written = Format(helper, argument, style or Style())
    return ResolvedColumn(key or header, header, width, align, written, (), **more)


def table(
    columns: Sequence[str | ResolvedColumn], rows: Sequence[Sequence[Any]], **more: Any
) -> ResolvedTable:
    """Return a table of these rows; plain names make text columns."""
    heads = [column(given) if isinstance(given, str) else given for given in columns]
    cells = [list(values) for values in zip(*rows, strict=True)] or [[] for _ in heads]
    filled = [replace(head, values=values) for head, values in zip(heads, cells, strict=True)]
    given: dict[str, Any] = {"title": "", "zebra": False, "size": 9, "empty_text": "", **more}
    return ResolvedTable(columns=filled, count=len(rows), **given)


class Product:
    """A formula that multiplies two columns."""

    def __init__(self, *paths: str) -> None:
        """Multiply the columns of these names."""
        self.paths = [(path,) for path in paths]

    def excel(self, cell: Callable[[tuple[str, ...]], str | None], gaps: Any = None) -> str | None:
        cells = [cell(path) for path in self.paths]
        return None if None in cells else "*".join(filter(None, cells))


def orders(**more: Any) -> ResolvedTable:
    """Return three rows with totals and a computed column, which is empty in the second."""
    rows = [["a", 2, Decimal("1.50"), Decimal("3.00")], ["b", None, Decimal("9.99"), None], ["c", 4, 5, 20]]
    columns = [
        column("Name", key="name"),
        column("Quantity", key="qty", total="sum", align="right"),
        column("Price", key="price", helper="number", argument="2", total="average", align="right"),
        column(
            "Amount",
            key="amount",
            helper="number",
            argument="2",
            total="max",
            formula=Product("qty", "price"),
        ),
    ]
    totals = [None, 6, Decimal("5.4966666666666667"), 20]
    return table(columns, rows, **{"title": "Orders", "totals": totals, "totals_label": "Total", **more})
