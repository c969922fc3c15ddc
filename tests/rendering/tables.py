"""Resolved tables made by hand from rows, for the tests of the formats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
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
