"""Resolved tables made by hand from rows, and the workbooks they become, for the tests of the formats."""

from __future__ import annotations

import io
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from rendering.formats.base import Limits
from rendering.formats.xlsx.renderer import XlsxRenderer
from templates_app.expressions.helpers import Format, Style
from templates_app.resolved import ResolvedColumn, ResolvedDocument, ResolvedPage, ResolvedTable

CREATED = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
A4 = ResolvedPage(210, 297, 20, 20, 20, 20)


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


def sheet_document(*sections: Any, title: str = "Sample", page: ResolvedPage = A4, **more: Any) -> Any:
    """Return a document of these sections."""
    return ResolvedDocument(title, "en", page, sections, CREATED, **more)


def workbook_bytes(wanted: ResolvedDocument, within: Limits | None = None) -> bytes:
    """Return the document as a workbook."""
    out = io.BytesIO()
    XlsxRenderer().render(wanted, out, within or Limits(5000, time.monotonic() + 600, 600))
    return out.getvalue()
