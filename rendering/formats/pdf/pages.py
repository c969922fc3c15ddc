"""The canvas that knows how many pages there are before it writes the first band."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, BinaryIO

from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from rendering.formats.pdf.bands import Band
from rendering.formats.pdf.fonts import Face, face
from rendering.formats.pdf.styles import HAIRLINE, MM
from rendering.formats.pdf.text import clean, one_line
from templates_app.resolved import ResolvedDocument

rl_config.useA85 = 0  # text encoding of streams: slower and a quarter larger


class PagedCanvas(Canvas):
    """A ReportLab canvas that keeps finished pages until the number of pages is known."""

    def __init__(self, out: BinaryIO, document: ResolvedDocument) -> None:
        """Open a document; the same `document` gives the same bytes, `created_at` is its date."""
        page = document.page
        size = (page.width * MM, page.height * MM)
        super().__init__(
            out,
            pagesize=size,
            pageCompression=1,
            invariant=1,
            lang=clean(document.language) or None,
            initialFontName=face().name,
        )
        stamp = pdf_date(document.created_at)
        self.setDateFormatter(lambda *_: stamp)
        self.setTitle(one_line(document.title))
        for set_field in (self.setAuthor, self.setSubject, self.setCreator):
            set_field("")
        self.setViewerPreference("DisplayDocTitle", "true")
        self._code: list[str]  # ReportLab's: the operators of this page so far
        self._bands = Band.of(page)
        self._finished: list[dict[str, Any]] = []
        self._marks: list[tuple[int, float, str, int]] = []

    def text(
        self, text: str, face: Face, size: float, color: str, x: float, baseline: float, spread: float = 0
    ) -> None:
        """Draw one line of text, its start at `x` and `baseline`; `spread` points are added to each space."""
        writer = self.beginText()
        writer.setFillColor(HexColor(color))
        writer.setFont(face.name, size)
        writer.setTextOrigin(x, baseline)
        if spread:
            writer.setWordSpace(spread)
        writer.textOut(text)
        if spread:
            writer.setWordSpace(0)
        self.drawText(writer)

    def texts(self, texts: list[tuple[float, float, str]], face: Face, size: float, color: str) -> None:
        """Draw many texts (x, baseline, text) in one style."""
        if not texts:
            return
        writer = self.beginText()
        writer.setFillColor(HexColor(color))
        writer.setFont(face.name, size)
        for x, baseline, text in texts:
            writer.setTextOrigin(x, baseline)
            writer.textOut(text)
        self.drawText(writer)

    def rule(self, x: float, y: float, width: float, color: str, thickness: float = HAIRLINE) -> None:
        """Draw a horizontal line from `x` over `width`."""
        self.setStrokeColor(HexColor(color))
        self.setLineWidth(thickness)
        self.line(x, y, x + width, y)

    def box(self, x: float, y: float, width: float, height: float, color: str) -> None:
        """Fill a rectangle whose lower left corner is `x`, `y`."""
        self.setFillColor(HexColor(color))
        self.rect(x, y, width, height, stroke=0, fill=1)

    def mark(self, title: str, level: int, y: float) -> None:
        """Add an entry to the document's outline that leads to `y` on this page; levels count from 1."""
        self._marks.append((len(self._finished), y, title, level))

    def end_page(self) -> None:
        """Put the page aside and begin the next; it is written by `finish`."""
        self._code = ["\n".join(self._code)]  # one string is a third of the memory of its parts
        self._finished.append(dict(self.__dict__))
        self._startPage()

    def finish(self) -> int:
        """Write all pages with their bands, save, and return the number of pages."""
        self.end_page()
        pages, marks = self._finished, self._marks
        level, mark = -1, 0
        for number, state in enumerate(pages, start=1):
            self.__dict__.update(state)
            while mark < len(marks) and marks[mark][0] == number - 1:
                _, y, title, wanted = marks[mark]
                level = min(wanted - 1, level + 1)  # a level may not be skipped on the way down
                self.bookmarkHorizontalAbsolute(f"mark{mark}", y)
                self.addOutlineEntry(title, f"mark{mark}", level)
                mark += 1
            for band in self._bands:
                band.draw(self, number, len(pages))
            self.showPage()
            state.clear()
        self._code = []
        self.save()
        return len(pages)


def pdf_date(moment: datetime) -> str:
    """Return a moment as a PDF date in UTC; one without a zone is taken as UTC."""
    utc = moment.astimezone(UTC) if moment.tzinfo else moment
    return utc.strftime("D:%Y%m%d%H%M%S+00'00'")
