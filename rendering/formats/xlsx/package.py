"""The package around the worksheets: XlsxWriter makes the parts, ours go straight into the archive.

Nothing is written to temporary files: a part is kept in memory until the next one begins, and rows of a
worksheet pass through as they are made.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any, BinaryIO, Final

from xlsxwriter.packager import Packager
from xlsxwriter.workbook import Workbook

from rendering.formats.xlsx.archive import Archive, EntryWriter
from rendering.formats.xlsx.sheet import PrintedWorksheet
from rendering.formats.xlsx.texts import SharedTexts

# Cells come as rows of XML; what XlsxWriter writes itself is never taken for a formula, a link or a number.
OPTIONS: Final[dict[str, Any]] = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}


class Part(io.StringIO):
    """A part of the package while it is written."""

    def __init__(self, archive: Archive, name: str) -> None:
        """Begin in memory; the archive hears of it when it is streamed or finished."""
        super().__init__()
        self._archive = archive
        self._name = name
        self._entry: EntryWriter | None = None

    def stream(self, pieces: Iterable[str]) -> None:
        """Send what was written so far, and each piece as it comes, to the archive."""
        self._entry = self._entry or self._archive.open(self._name)
        self._entry.write(self.getvalue().encode("utf-8", "replace"))
        self.seek(0)
        self.truncate()
        for piece in pieces:
            self._entry.write(piece.encode())

    def finish(self) -> None:
        """Send the rest."""
        data = self.getvalue().encode("utf-8", "replace")
        if self._entry is None:
            self._archive.add(self._name, data)
        else:
            self._entry.write(data)
            self._entry.close()


class StreamPackager(Packager):
    """Puts each part into the archive as soon as it is complete."""

    def __init__(self, out: BinaryIO) -> None:
        """Begin the archive."""
        super().__init__()
        self.filenames: list[tuple[Any, str, bool]] = []  # XlsxWriter's: images that are complete
        self._archive = Archive(out)
        self._part: Part | None = None

    def _create_package(self) -> list[Any]:
        super()._create_package()
        self._settle()
        self._archive.finish()
        return []  # XlsxWriter has nothing left to pack

    def _filename(self, xml_filename: str) -> Part:
        self._settle()
        self._part = Part(self._archive, xml_filename.lstrip("/"))
        return self._part

    def _settle(self) -> None:
        """Put what is complete into the archive: the last part, and images."""
        if self._part is not None:
            self._part.finish()
            self._part = None
        for content, name, _ in self.filenames:
            self._archive.add(name, content.getvalue())
        self.filenames = []

    def _write_shared_strings_file(self) -> None:
        self._filename("xl/sharedStrings.xml").stream(self.workbook.str_table.pieces())


class Unused(io.BytesIO):
    """What XlsxWriter packs into by itself: nothing.

    It stays open: the archive of a workbook that fails is left to the garbage collector, which may come to
    the file before it, and would complain into the log.
    """

    def close(self) -> None:
        """Stay open."""


class StreamWorkbook(Workbook):
    """XlsxWriter's workbook, packed straight into a file."""

    worksheet_class = PrintedWorksheet

    def __init__(self, out: BinaryIO) -> None:
        """Begin a workbook; `store` writes it to `out`."""
        super().__init__(Unused(), OPTIONS)
        self._out = out
        self.str_table = SharedTexts()

    def _get_packager(self) -> StreamPackager:
        return StreamPackager(self._out)

    def _prepare_defined_names(self) -> None:
        """Quote names of sheets that XlsxWriter does not: TRUE is a value, and `CO₂` may be no name."""
        for sheet in self.worksheets():
            if not sheet.name.isascii() or sheet.name.lower() in {"true", "false"}:
                quoted = sheet.name.replace("'", "''")
                for area in ("autofilter_area", "repeat_row_range", "repeat_col_range"):
                    if found := getattr(sheet, area):
                        setattr(sheet, area, f"'{quoted}'!{found.rpartition('!')[2]}")
        super()._prepare_defined_names()

    def discard(self) -> None:
        """Give the workbook up; without this its finaliser would warn."""
        self.fileclosed = 1

    def store(self) -> None:
        """Write the package; rows that stream are made now."""
        self._store_workbook()
        self.fileclosed = 1
