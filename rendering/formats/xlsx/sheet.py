"""Worksheets: how all print, and one whose cells come as ready rows of XML. XlsxWriter writes the rest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from xlsxwriter.worksheet import Worksheet

from rendering.formats.xlsx.links import Links


class PrintedWorksheet(Worksheet):
    """Set `first_page`, its header and footer in Excel's codes, where that page has others than the rest."""

    first_page: tuple[str, str] | None = None

    def _write_header_footer(self) -> None:
        if self.first_page is None:
            super()._write_header_footer()
            return
        codes = zip(
            ("oddHeader", "oddFooter", "firstHeader", "firstFooter"),
            (self.header, self.footer, *self.first_page),
            strict=True,
        )
        self._xml_start_tag("headerFooter", [("differentFirst", 1)])
        for tag, code in codes:
            if code:
                self._xml_data_element(tag, code)
        self._xml_end_tag("headerFooter")


class RowWorksheet(PrintedWorksheet):
    """Set `rows` before the workbook is stored; they are read once, while the part is written."""

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__()
        self.rows: Iterable[str] = ()
        self.links = Links()

    def span(self, rows: int, columns: int) -> None:
        """Tell the size, from A1 on."""
        if rows and columns:
            self.dim_rowmin = self.dim_colmin = 0
            self.dim_rowmax, self.dim_colmax = rows - 1, columns - 1

    def merge_cells(self, row: int, first: int, last: int) -> None:
        """Merge cells of one row, counted from 0; their content is in `rows`."""
        self.merge.append([row, first, row, last])

    def _write_sheet_data(self) -> None:
        self._xml_start_tag("sheetData")
        self.fh.stream(self.rows)
        self._xml_end_tag("sheetData")

    def _write_string(self, *args: Any) -> int:
        """Ignore the heads that an Excel table writes: `rows` has them."""
        return 0

    def _write_hyperlinks(self) -> None:
        if not self.links:
            return
        self._xml_start_tag("hyperlinks")
        self.fh.stream(self.links.pieces(self.rel_count))
        self._xml_end_tag("hyperlinks")
        for target in self.links.targets():
            self.rel_count += 1
            self.external_hyper_links.append(["/hyperlink", target, "External"])
