"""Resolved documents made by hand, for the tests of the formats."""

from __future__ import annotations

import io
import time
from datetime import UTC, datetime
from typing import Any

from PIL import Image

from rendering.formats import RENDERERS
from rendering.formats.base import Limits
from templates_app.resolved import (
    ImageFile,
    ResolvedBand,
    ResolvedColumnOfSections,
    ResolvedColumns,
    ResolvedDocument,
    ResolvedHeading,
    ResolvedPage,
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


def document(
    *sections: Any,
    on: ResolvedPage | None = None,
    title: str = "Sample",
    language: str = "en",
    **more: Any,
) -> ResolvedDocument:
    """Return a document of these sections, on A4 unless it is to be on another page."""
    return ResolvedDocument(title, language, on or page(), sections, CREATED, **more)


def text(content: str, *, align: Any = "left", size: float = 10, color: str | None = None) -> ResolvedText:
    """Return a text section."""
    return ResolvedText(content, align, size, False, False, color)


def beside(*sections: Any) -> ResolvedColumns:
    """Return sections side by side."""
    return ResolvedColumns([ResolvedColumnOfSections([section], None) for section in sections], 6)


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


def workbook_bytes(wanted: ResolvedDocument, within: Limits | None = None) -> bytes:
    """Return the document as a workbook."""
    return rendered(wanted, "xlsx", within)
