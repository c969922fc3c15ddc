"""A workbook as plain rows for the screen: the sheets that xlsx makes of a resolved document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from rendering.formats.directions import is_rtl_language
from rendering.formats.xlsx.names import SheetNames
from rendering.formats.xlsx.renderer import flat
from rendering.formats.xlsx.styles import side
from templates_app.resolved import ResolvedColumn, ResolvedDocument, ResolvedTable, plain

MOST_ROWS: Final = 200

Line = dict[str, Any]


def sheets_of(document: ResolvedDocument) -> list[dict[str, Any]]:
    """Return the worksheets of a document, the first `MOST_ROWS` rows of each.

    Each has `name`, `count` (all rows), `mirrored` (column A at the right), `columns` (`head`, `headGroup`,
    `align`, `formula`) and `lines`: `kind` (`row`, `group`, `subtotal`, `total`), `cells` (texts, one per
    column); groups `level`, `title`.
    """
    names = SheetNames()
    return [
        {
            "name": names.take((table.sheet.name if table.sheet else "") or plain(table.title)),
            "count": table.count,
            "mirrored": (mirrored := is_rtl_language(language)),
            "columns": [
                {
                    "head": plain(column.header),
                    "headGroup": column.head_group,
                    "align": side(column.align, mirrored=mirrored),
                    "formula": column.formula is not None,
                }
                for column in table.columns
            ],
            "lines": list(_lines(table)),
        }
        for table, language in flat(document.sections, document.language)
        if table.kind == "table"
    ]


def _lines(table: ResolvedTable) -> Iterator[Line]:
    shown = min(table.count, MOST_ROWS)
    columns = [_texts(column, shown) for column in table.columns]
    for index in range(shown):
        for group in table.groups:
            if group.start == index:
                yield {"kind": "group", "level": group.level, "title": plain(group.title), "cells": []}
        yield {"kind": "row", "cells": [texts[index] for texts in columns]}
        for group in reversed(table.groups):
            if group.stop == index + 1 and group.subtotals is not None:
                yield _totals(table, group.subtotals, plain(group.label), "subtotal")
    if table.totals is not None and shown == table.count:
        yield _totals(table, table.totals, plain(table.totals_label), "total")


def _totals(table: ResolvedTable, totals: Sequence[Any], label: str, kind: str) -> Line:
    cells = []
    for column, total in zip(table.columns, totals, strict=True):
        counted = column.total == "count"
        cells.append("" if total is None else str(total) if counted else column.format.text(total))
    if cells and not cells[0]:
        cells[0] = label
    return {"kind": kind, "cells": cells}


def _texts(column: ResolvedColumn, count: int) -> list[str]:
    """Return a column's cells as they read."""
    if column.images is not None:
        return ["🖼" if image is not None else "" for image in column.images[:count]]
    if column.texts is not None:
        return [plain(text) for text in column.texts[:count]]
    values = column.values[:count]
    if column.display == "check":
        return ["✓" if value is True else "" for value in values]
    return [column.format.text(value) for value in values]
