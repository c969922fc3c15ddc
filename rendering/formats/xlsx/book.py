"""The workbook while it is written: XlsxWriter's, the names in use, the limits."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from config.value import dataclass
from rendering.formats.base import Limits
from rendering.formats.directions import is_rtl_language
from rendering.formats.xlsx.names import SheetNames, TableNames
from rendering.formats.xlsx.styles import Dress, Looks
from templates_app.resolved import ResolvedPage, Theme

if TYPE_CHECKING:
    from rendering.formats.xlsx.package import StreamWorkbook


@dataclass(slots=True)
class Book:
    """Handed to each section's `render`."""

    workbook: StreamWorkbook
    looks: Looks
    page: ResolvedPage
    limits: Limits
    theme: Theme
    dress: Dress  # of that theme
    language: str  # of the section that is being written
    names: SheetNames = field(default_factory=SheetNames)
    tables: TableNames = field(default_factory=TableNames)
    charts: Any = None  # where the next chart goes: `sections.chart.Place`

    @property
    def mirrored(self) -> bool:
        """Whether that language is written from right to left: its worksheets have column A at the right."""
        return is_rtl_language(self.language)

    def finish(self) -> None:
        """Do what waits for the last section."""
        if self.charts is not None:
            self.charts.paginate(self.page)
