"""Resolved documents made by hand, for the tests of the formats."""

from __future__ import annotations

import dataclasses
import io
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from PIL import Image

from rendering.formats import RENDERERS
from rendering.formats.base import Limits
from templates_app.expressions.helpers import Format, Style
from templates_app.resolved import (
    Cell,
    ImageFile,
    ResolvedBand,
    ResolvedColumn,
    ResolvedDocument,
    ResolvedHeading,
    ResolvedPage,
    ResolvedTable,
    ResolvedText,
)

CREATED = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def limits(*, pages: int = 5000, seconds: int = 120) -> Limits:
    """Return limits that a test does not meet unless it wants to."""
    return Limits(pages, time.monotonic() + seconds, max(seconds, 0))


def page(
    *,
    width: float = 210,
    height: float = 297,
    margin: float = 20,
    header: ResolvedBand | None = None,
    footer: ResolvedBand | None = None,
) -> ResolvedPage:
    """Return a page with the same margin on each side, millimetres."""
    return ResolvedPage(width, height, margin, margin, margin, margin, header, footer)


def document(*sections: Any, on: ResolvedPage | None = None, title: str = "Sample") -> ResolvedDocument:
    """Return a document of these sections."""
    return ResolvedDocument(title, "en", on or page(), sections, CREATED)


def formatted(helper: str | None = None, argument: str | None = None, **style: str) -> Format:
    """Return a column format."""
    return Format(helper, argument, Style(**style))


def column(
    header: str,
    *,
    width: float | str | None = None,
    align: Any = "left",
    written: Format | None = None,
    values: Sequence[Cell] = (),
    **more: Any,
) -> ResolvedColumn:
    """Return a column of a table; `table` fills in its values when rows are given."""
    return ResolvedColumn(header, header, width, align, written or formatted(), values, **more)


def table(
    headers: Sequence[str | ResolvedColumn],
    rows: Sequence[Sequence[Cell]],
    *,
    title: str = "",
    zebra: bool = False,
    size: float | None = 9,
    empty_text: str = "",
    **more: Any,
) -> ResolvedTable:
    """Return a table of rows; plain headers make text columns."""
    given = [column(header) if isinstance(header, str) else header for header in headers]
    columns = [
        dataclasses.replace(one, values=[row[index] for row in rows]) for index, one in enumerate(given)
    ]
    return ResolvedTable(title, columns, len(rows), zebra, size, empty_text, **more)


def text(content: str, *, align: Any = "left", size: float = 10, color: str | None = None) -> ResolvedText:
    """Return a text section."""
    return ResolvedText(content, align, size, False, False, color)


def heading(content: str, level: int = 1) -> ResolvedHeading:
    """Return a heading section."""
    return ResolvedHeading(content, level, "left")


def image_file(mode: str = "RGB", kind: str = "PNG", size: tuple[int, int] = (40, 20)) -> ImageFile:
    """Return a small picture."""
    out = io.BytesIO()
    Image.new(mode, size).save(out, kind)
    return ImageFile(out.getvalue(), f"image/{kind.lower()}", *size)


def rendered(wanted: ResolvedDocument, format_name: str = "pdf", within: Limits | None = None) -> bytes:
    """Return the document as bytes of a format."""
    out = io.BytesIO()
    RENDERERS[format_name].render(wanted, out, within or limits())
    return out.getvalue()
