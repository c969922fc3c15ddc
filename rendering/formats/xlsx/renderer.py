"""Writes XLSX: the tables of a template, one worksheet each, with typed cells; charts and a cover."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC
from typing import Any, BinaryIO, ClassVar, Final

from rendering.formats.base import Limits, Renderer, RenderError, Watcher
from rendering.formats.xlsx.book import Book
from rendering.formats.xlsx.sections import COVER, SECTIONS
from templates_app.resolved import ResolvedDocument, every_section

NO_TABLES: Final = "No table sections found"  # SPEC section 7
NO_SHEET: Final = "Sheet1"
LONGEST_PROPERTY: Final = 255


class XlsxRenderer(Renderer):
    """Streams each table to a worksheet; text goes to the cover sheet where the template asks for one."""

    name: ClassVar[str] = "xlsx"
    content_type: ClassVar[str] = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    extension: ClassVar[str] = "xlsx"
    sections: ClassVar[Mapping[str, Callable[..., Any]]] = {**COVER, **SECTIONS}

    def check(self, kinds: Sequence[str]) -> None:
        """Raise RenderError when there is no table (SPEC section 4, render rule 2)."""
        if "table" not in kinds:
            raise RenderError(NO_TABLES)

    def render(
        self, document: ResolvedDocument, out: BinaryIO, limits: Limits, watcher: Watcher | None = None
    ) -> None:
        """Write the workbook; raises RenderError (a text too long for a cell) or LimitExceeded.

        Where no table is left to show, it is one empty worksheet: the template has tables, and that this data
        fills none of them is no mistake of the caller.
        """
        # Loaded when the first workbook is written.
        from rendering.formats.xlsx.package import StreamWorkbook
        from rendering.formats.xlsx.styles import Dress, Looks

        sections = list(every_section(document.sections, document.language))
        workbook = StreamWorkbook(out)
        try:
            theme = document.theme
            looks, dress = Looks(workbook), Dress.of(theme)
            book = Book(workbook, looks, document.page, limits, theme, dress, document.language)
            workbook.set_properties(_properties(document))
            if document.cover_sheet:
                from rendering.formats.xlsx.cover import write_cover

                write_cover(document, sections, book)
            for section, language in sections:
                limits.check_time()
                book.language = language
                if (write := SECTIONS.get(section.kind)) is not None:
                    write(section, book)
            book.finish()
            if not workbook.worksheets():  # its tables are hidden by this data, or repeated over no entry
                workbook.add_worksheet(book.names.take(document.title or NO_SHEET))
            workbook.store()
        except BaseException:
            workbook.discard()
            raise


def _properties(document: ResolvedDocument) -> dict[str, Any]:
    from rendering.formats.xlsx.texts import legal, shortened

    created = document.created_at
    naive = created.astimezone(UTC).replace(tzinfo=None) if created.tzinfo else created
    texts = {"title": document.title, "author": document.author, "subject": document.subject}
    return {
        **{name: legal(shortened(text, LONGEST_PROPERTY)) for name, text in texts.items() if text},
        "created": naive.replace(microsecond=0),
    }
