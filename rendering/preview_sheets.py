"""A workbook as plain rows for the screen: the sheets that xlsx makes of a resolved document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from rendering.formats.directions import is_rtl_language
from rendering.formats.xlsx import cover
from rendering.formats.xlsx.names import SheetNames
from rendering.formats.xlsx.sections import COVER, chart
from rendering.formats.xlsx.styles import side
from rendering.formats.xlsx.tables.columns import shown_values
from rendering.formats.xlsx.tables.plan import Extra, extras_of
from rendering.formats.xlsx.tables.totals import place_of_label
from templates_app.resolved import ResolvedColumn, ResolvedDocument, ResolvedTable, every_section, plain

MOST_ROWS: Final = 200

Line = dict[str, Any]


def sheets_of(document: ResolvedDocument) -> list[dict[str, Any]]:
    """Return the worksheets of a document's tables, the first `MOST_ROWS` rows of each.

    Each has `name`, `count` (all rows), `mirrored` (column A at the right), `columns` (`head`, `headGroup`,
    `align`, `formula`) and `lines`: `kind` (`row`, `group`, `subtotal`, `total`), `cells` (texts, one per
    column); groups `level`, `title`.
    """
    sections = list(every_section(document.sections, document.language))
    names, charts = SheetNames(), False
    if document.cover_sheet and any(section.kind in COVER for section, _ in sections):
        names.take(document.title or cover.NAME)
    sheets = []
    for section, language in sections:
        if section.kind == "table":
            sheets.append(_sheet(section, names, mirrored=is_rtl_language(language)))
        elif section.kind == "chart" and not charts:
            names.take(chart.SHEET_NAME)
            charts = True
    return sheets


def _sheet(table: ResolvedTable, names: SheetNames, *, mirrored: bool) -> dict[str, Any]:
    return {
        "name": names.take((table.sheet.name if table.sheet else "") or plain(table.title)),
        "count": table.count,
        "mirrored": mirrored,
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


def _lines(table: ResolvedTable) -> Iterator[Line]:
    shown = min(table.count, MOST_ROWS)
    columns = [_texts(column, shown) for column in table.columns]
    row = 0
    for extra in extras_of(table):
        stop = min(extra.before, shown)
        for index in range(row, stop):
            yield {"kind": "row", "cells": [texts[index] for texts in columns]}
        row = stop
        if extra.before > shown or (extra.kind == "heading" and extra.before == shown):
            break
        yield _between(extra, table)
    for index in range(row, shown):
        yield {"kind": "row", "cells": [texts[index] for texts in columns]}


def _between(extra: Extra, table: ResolvedTable) -> Line:
    """Return a line between the rows."""
    group = extra.group
    if group is None:
        return _totals(table, table.totals or (), plain(table.totals_label), "total")
    if extra.kind == "heading":
        return {"kind": "group", "level": group.level, "title": plain(group.title), "cells": []}
    return _totals(table, group.subtotals or (), plain(group.label), "subtotal")


def _totals(table: ResolvedTable, totals: Sequence[Any], label: str, kind: str) -> Line:
    cells = [column.total_text(total) for column, total in zip(table.columns, totals, strict=True)]
    place = place_of_label(totals)
    if place is not None:
        cells[place] = label
    return {"kind": kind, "cells": cells}


def _texts(column: ResolvedColumn, count: int) -> list[str]:
    """Return a column's first cells as they read."""
    if column.images is not None:
        return ["🖼" if image is not None else "" for image in column.images[:count]]
    part = replace(
        column,
        values=column.values[:count],
        texts=None if column.texts is None else column.texts[:count],
        links=None if column.links is None else column.links[:count],
    )
    if column.display == "check":
        return [value if isinstance(value, str) else "✓" if value else "" for value in shown_values(part)]
    return [column.format.text(value) for value in shown_values(part)]
