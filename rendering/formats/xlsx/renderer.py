"""Writes XLSX: the tables of a template, one worksheet each, with typed cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, ClassVar, Final

from rendering.formats.base import Limits, Renderer, RenderError
from rendering.formats.xlsx.book import Book
from rendering.formats.xlsx.cells import legal
from rendering.formats.xlsx.sections import SECTIONS
from templates_app.resolved import ResolvedDocument

NO_TABLES: Final = "No table sections found"  # SPEC section 7
LONGEST_PROPERTY: Final = 255


class XlsxRenderer(Renderer):
    """Streams each table to a worksheet; the other section kinds are left out."""

    name: ClassVar[str] = "xlsx"
    content_type: ClassVar[str] = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    extension: ClassVar[str] = "xlsx"
    sections: ClassVar[Mapping[str, Callable[..., Any]]] = SECTIONS

    def check(self, kinds: Sequence[str]) -> None:
        """Raise RenderError when there is no table (SPEC section 4, render rule 2)."""
        if not any(kind in self.sections for kind in kinds):
            raise RenderError(NO_TABLES)

    def render(self, document: ResolvedDocument, out: BinaryIO, limits: Limits) -> None:
        """Write the workbook; raises RenderError (no table, a text too long for a cell) or LimitExceeded."""
        from xlsxwriter.workbook import Workbook  # loaded when the first workbook is written

        self.check([section.kind for section in document.sections])
        with TemporaryDirectory(prefix="xlsx-") as folder:
            workbook = Workbook(out, {**OPTIONS, "tmpdir": folder})
            try:
                self._write(document, Book(workbook, document.page, limits))
            except BaseException:
                _discard(workbook)
                raise
            workbook.close()

    def _write(self, document: ResolvedDocument, book: Book) -> None:
        book.workbook.set_properties(_properties(document))
        for section in document.sections:
            book.limits.check_time()
            write = self.sections.get(section.kind)
            if write is not None:
                write(section, book)


# Rows go to a temporary file as they come; no text is taken for a formula, a link or a number.
OPTIONS: Final[dict[str, Any]] = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
    "default_date_format": "yyyy-mm-dd",
}


def _properties(document: ResolvedDocument) -> dict[str, Any]:
    created = document.created_at
    naive = created.astimezone(UTC).replace(tzinfo=None) if created.tzinfo else created
    return {"title": legal(document.title)[:LONGEST_PROPERTY], "created": naive.replace(microsecond=0)}


def _discard(workbook: Any) -> None:
    """Close the temporary files of a workbook that will not be written."""
    workbook.fileclosed = True  # else its finaliser warns that `close` was not called
    for sheet in workbook.worksheets():
        if sheet.row_data_fh is not None:
            sheet.row_data_fh.close()
