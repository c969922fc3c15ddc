"""The floors: one program per workload, written by hand for it alone.

PDF: ReportLab's canvas with its defaults, used as a skilled person would use it (widths measured once, lines
broken only where they must be, no layout engine). XLSX: `bench.sheet_floors`.
Each takes the same data as our templates and writes a finished file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Final

from bench.sheet_floors import narrow_sheet, sheet
from bench.workloads import (
    INVOICE_COLUMNS,
    INVOICE_PAIRS,
    INVOICE_TOTALS,
    LEDGER_COLUMNS,
    STATEMENT_COLUMNS,
    Columns,
    logo,
)

MM: Final = 72 / 25.4
A4: Final = (210 * MM, 297 * MM)
REGULAR: Final = "Floor"
BOLD: Final = "Floor-Bold"
BUNDLED: Final = Path(__file__).parent.parent / "rendering" / "formats" / "pdf" / "fonts"
FOLDERS: Final = (
    Path("/usr/share/fonts/truetype/dejavu"),
    Path("/usr/share/fonts/dejavu"),
    Path("/usr/share/fonts/TTF"),
    Path("/Library/Fonts"),
)
NUMERIC: Final = {"number", "currency"}
# Row height of a table in font sizes, as in our own style, so that the numbers of pages can be compared.
LINE: Final = 1.3
PADDING: Final = 0.44
CELL_PADDING: Final = 5.0

Write = Callable[[Any], str]


def font_files() -> tuple[Path, Path]:
    """Return DejaVu Sans regular and bold, or the bundled family where DejaVu is not installed."""
    for folder in FOLDERS:
        files = folder / "DejaVuSans.ttf", folder / "DejaVuSans-Bold.ttf"
        if all(file.is_file() for file in files):
            return files
    return BUNDLED / "SourceSans3-Regular.ttf", BUNDLED / "SourceSans3-SemiBold.ttf"


@lru_cache(maxsize=1)
def _register() -> None:
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    for name, file in zip((REGULAR, BOLD), font_files(), strict=True):
        pdfmetrics.registerFont(TTFont(name, str(file)))


def _canvas(out: BinaryIO, size: tuple[float, float]) -> Any:
    from reportlab.pdfgen.canvas import Canvas

    _register()
    return Canvas(out, pagesize=size, pageCompression=1)


def _wrap(text: str, width: Callable[[str], float], room: float) -> list[str]:
    """Return `text` in lines no wider than `room`, filled greedily; `width` measures a word."""
    lines: list[str] = []
    line: list[str] = []
    used, space = 0.0, width(" ")
    for word in text.split(" "):
        needed = width(word)
        if line and used + space + needed > room:
            lines.append(" ".join(line))
            line, used = [word], needed
        else:
            used += needed + (space if line else 0.0)
            line.append(word)
    lines.append(" ".join(line))
    return lines


def _measure(font: str, size: float) -> Callable[[str], float]:
    """Return a function that measures a word once and remembers it."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    known: dict[str, float] = {}

    def width(word: str) -> float:
        found = known.get(word)
        if found is None:
            found = known[word] = stringWidth(word, font, size)
        return found

    return width


def _text(value: Any) -> str:
    return str(value)


def _grouped(value: Any) -> str:
    return f"{value:,}"


def _money(value: Any) -> str:
    return f"{value:,.2f}"


def _euro(value: Any) -> str:
    return f"€{value:,.2f}"


WRITERS: Final[dict[str | None, Write]] = {
    None: _text,
    "integer": _grouped,
    "number:2": _money,
    "currency": _euro,
    "date:yyyy-MM-dd": _text,  # comes as text in just this form
}


# ---------------------------------------------------------------- W1


def invoice(data: dict[str, Any], out: BinaryIO) -> None:
    """Write the invoice of W1."""
    from reportlab.lib.utils import ImageReader

    _register()
    canvas = _canvas(out, A4)
    left, width, y = 20 * MM, 170 * MM, A4[1] - 20 * MM
    canvas.drawImage(ImageReader(BytesIO(logo())), left, y - 13.5 * MM, 45 * MM, 13.5 * MM)
    y -= 13.5 * MM + 40
    canvas.setFont(BOLD, 24)
    canvas.drawString(left, y, f"Invoice {data['number']}")
    y -= 24
    y = _paragraph(canvas, f"Dear {data['customer']},", left, y, width)
    y = _paragraph(canvas, data["greeting"], left, y, width)
    canvas.setFont(REGULAR, 9.5)
    for index, (label, key, _) in enumerate(INVOICE_PAIRS):
        x = left + index % 2 * width / 2
        canvas.drawString(x, y, label)
        canvas.drawString(x + 70, y, data[key])
        if index % 2:
            y -= 16
    y = _invoice_rows(canvas, data["items"], left, y - 8, width) - 14
    for label, key in INVOICE_TOTALS:
        canvas.setFont(BOLD if key == "total" else REGULAR, 9.5)
        canvas.drawString(left + width * 0.64, y, label)
        canvas.drawRightString(left + width - CELL_PADDING, y, _euro(data[key]))
        y -= 18
    closing = f"Please pay by {data['due']} and name {data['reference']}. {data['closing']}"
    _paragraph(canvas, closing, left, y - 8, width)
    canvas.setFont(REGULAR, 8)
    canvas.drawRightString(left + width, 10 * MM, "Page 1 of 1")
    canvas.showPage()
    canvas.save()


def _paragraph(canvas: Any, text: str, x: float, y: float, width: float) -> float:
    writer = canvas.beginText(x, y)
    writer.setFont(REGULAR, 10, 14.2)
    lines = _wrap(text, _measure(REGULAR, 10), width)
    for line in lines:
        writer.textLine(line)
    canvas.drawText(writer)
    return y - 14.2 * len(lines) - 6


def _invoice_rows(canvas: Any, items: list[dict[str, Any]], left: float, y: float, width: float) -> float:
    height = 9 * (LINE + 2 * PADDING)
    canvas.setFont(BOLD, 9)
    _row(canvas, INVOICE_COLUMNS, [header for _, header, *_ in INVOICE_COLUMNS], left, y - 12)
    y -= height
    canvas.setFont(REGULAR, 9)
    canvas.setLineWidth(0.5)
    canvas.setStrokeGray(0.8)
    for item in items:
        cells = [WRITERS[written](item[key]) for key, _, _, _, written in INVOICE_COLUMNS]
        canvas.line(left, y, left + width, y)
        _row(canvas, INVOICE_COLUMNS, cells, left, y - 12)
        y -= height
    return y


def _row(canvas: Any, columns: Columns, cells: Sequence[str], x: float, y: float) -> None:
    for (_, _, kind, width, _), cell in zip(columns, cells, strict=True):
        if kind in NUMERIC:
            canvas.drawRightString(x + width * MM - CELL_PADDING, y, cell)
        else:
            canvas.drawString(x + CELL_PADDING, y, cell)
        x += width * MM


# ---------------------------------------------------------------- W2, W3


def statement(data: dict[str, Any], out: BinaryIO) -> None:
    """Write the statement of W2."""
    _table(data["items"], STATEMENT_COLUMNS, 8, A4, 18 * MM, out)


def ledger(data: dict[str, Any], out: BinaryIO) -> None:
    """Write the ledger of W3."""
    _table(data["items"], LEDGER_COLUMNS, 7, (A4[1], A4[0]), 12 * MM, out)


def _table(
    rows: list[dict[str, Any]],
    columns: Columns,
    size: float,
    paper: tuple[float, float],
    margin: float,
    out: BinaryIO,
) -> None:
    """Write a table over as many pages as it takes: break lines and count pages first, then draw."""
    canvas = _canvas(out, paper)
    measure = _measure(REGULAR, size)
    room = next(width for key, _, _, width, _ in columns if key == "description") * MM - 2 * CELL_PADDING
    pages = _paginate([_wrap(row["description"], measure, room) for row in rows], size, paper[1] - 2 * margin)
    writers = [(key, WRITERS[written]) for key, _, _, _, written in columns]
    drop = size * (PADDING + LINE / 2 + 0.33)
    width = sum(column[3] for column in columns) * MM
    start = 0
    for number, page in enumerate(pages, start=1):
        y = paper[1] - margin
        canvas.setFont(BOLD, size)
        _row(canvas, columns, [header for _, header, *_ in columns], margin, y - drop)
        y -= size * (LINE + 2 * PADDING)
        canvas.setFont(REGULAR, size)
        for index, lines in enumerate(page, start=start):
            height = size * (LINE * len(lines) + 2 * PADDING)
            if index % 2:
                canvas.setFillGray(0.97)
                canvas.rect(margin, y - height, width, height, stroke=0, fill=1)
                canvas.setFillGray(0)
            row = rows[index]
            cells = [lines[0] if key == "description" else write(row[key]) for key, write in writers]
            _row(canvas, columns, cells, margin, y - drop)
            for extra, line in enumerate(lines[1:], start=1):
                canvas.drawString(_left(columns, margin), y - drop - extra * size * LINE, line)
            y -= height
        start += len(page)
        canvas.setFont(REGULAR, 8)
        canvas.drawRightString(paper[0] - margin, margin / 2, f"Page {number} of {len(pages)}")
        canvas.showPage()
    canvas.save()


def _left(columns: Columns, margin: float) -> float:
    """Return where the descriptions begin."""
    x = margin
    for key, _, _, width, _ in columns:
        if key == "description":
            break
        x += width * MM
    return x + CELL_PADDING


def _paginate(rows: list[list[str]], size: float, height: float) -> list[list[list[str]]]:
    """Return the rows of each page; a row is the lines of its description."""
    head = size * (LINE + 2 * PADDING)
    pages: list[list[list[str]]] = [[]]
    left = height - head
    for lines in rows:
        needed = size * (LINE * len(lines) + 2 * PADDING)
        if needed > left:
            pages.append([])
            left = height - head
        pages[-1].append(lines)
        left -= needed
    return pages


# ---------------------------------------------------------------- W4

BODY: Final = 10.0
LEADING: Final = 14.2


def report(data: dict[str, Any], out: BinaryIO) -> None:
    """Write the report of W4: break all lines, fill the pages, then draw."""
    canvas = _canvas(out, A4)
    margin, room = 20 * MM, 170 * MM
    measure = _measure(REGULAR, BODY)
    space = measure(" ")
    pages: list[list[tuple[str, float, float, str]]] = [[]]
    y = A4[1] - margin

    def put(text: str, spread: float, leading: float, font: str) -> None:
        nonlocal y
        if y - leading < margin:
            pages.append([])
            y = A4[1] - margin
        y -= leading
        pages[-1].append((text, spread, y, font))

    for chapter in data.values():
        y -= 14
        put(chapter["title"], 0, 22, BOLD)
        y -= 4
        for paragraph in chapter["text"].split("\n\n"):
            lines = _wrap(paragraph, measure, room)
            for line in lines[:-1]:
                words = line.split(" ")
                free = room - sum(map(measure, words)) - space * (len(words) - 1)
                put(line, free / max(len(words) - 1, 1), LEADING, REGULAR)
            put(lines[-1], 0, LEADING, REGULAR)
            y -= 6
    for number, page in enumerate(pages, start=1):
        _lines(canvas, page, margin)
        canvas.setFont(REGULAR, 8)
        canvas.drawRightString(A4[0] - margin, margin / 2, f"Page {number} of {len(pages)}")
        canvas.showPage()
    canvas.save()


def _lines(canvas: Any, page: list[tuple[str, float, float, str]], x: float) -> None:
    """Draw the lines of a page as one text object."""
    writer = canvas.beginText()
    font = ""
    for text, spread, y, wanted in page:
        if wanted != font:
            font = wanted
            writer.setFont(font, BODY if font == REGULAR else 15)
        writer.setTextOrigin(x, y)
        writer.setWordSpace(spread)
        writer.textOut(text)
    writer.setWordSpace(0)
    canvas.drawText(writer)


FLOORS: Final[dict[str, Callable[[dict[str, Any], BinaryIO], None]]] = {
    "W1": invoice,
    "W1cold": invoice,
    "W2": statement,
    "W3": ledger,
    "W4": report,
    "X1": narrow_sheet,
    "X2": sheet,
    "X3": sheet,
}
