"""The workbook while it is written: XlsxWriter's, the names in use, the limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rendering.formats.base import Limits
from rendering.formats.xlsx.names import SheetNames
from templates_app.resolved import ResolvedPage

if TYPE_CHECKING:
    from xlsxwriter.workbook import Workbook


@dataclass(frozen=True, slots=True)
class Book:
    """Handed to each section's `render`."""

    workbook: Workbook
    page: ResolvedPage
    limits: Limits
    names: SheetNames = field(default_factory=SheetNames)
