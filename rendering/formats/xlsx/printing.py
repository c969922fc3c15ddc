"""How a worksheet prints: paper, titles on every page, header and footer. Lengths in millimetres."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from rendering.formats.xlsx.styles import LINE
from rendering.formats.xlsx.texts import legal, unmarked
from templates_app.expressions.formula_excel import units
from templates_app.resolved import PAGE_COUNT, PAGE_NUMBER, ResolvedBand, ResolvedPage

if TYPE_CHECKING:
    from rendering.formats.xlsx.sheet import PrintedWorksheet

# Width and height of the papers that Excel knows by number; others print on A4.
PAPERS: Final = {
    (215.9, 279.4): 1,
    (279.4, 431.8): 3,
    (215.9, 355.6): 5,
    (184.2, 266.7): 7,
    (297.0, 420.0): 8,
    (210.0, 297.0): 9,
    (148.0, 210.0): 11,
    (182.0, 257.0): 13,
}
A4_PAPER: Final = 9
A4_SIZE: Final = (210.0, 297.0)
NEAR: Final = 1.5
WIDE: Final = 95.0  # characters: a wider sheet prints in landscape
CHARACTER: Final = 1.85  # millimetres of paper at full size
COLUMN_MARGIN: Final = 1.32  # millimetres that a column has beside its characters
SIDE: Final = 12.7  # millimetres of a margin
SMALLEST: Final = 0.4  # a scale that can still be read
ROOM_TO_SPARE: Final = 0.97  # of a page: titles are higher than other rows
LONGEST_BAND: Final = 255  # characters of a header or footer, codes included
USUAL_FOOTER: Final = "&L&A&R&P / &N"
REGULAR: Final = '&"-,Regular"'  # changes nothing, and parts a code from a digit or sign that follows
SIDES: Final = ("left", "center", "right")
INCH: Final = 25.4
POINTS: Final = 72  # to an inch
# Inches: from the edge of the paper to a header or footer, one line of it, and from there to the cells.
BAND_MARGIN: Final = 0.3
BAND_LINE: Final = 0.19
BAND_AIR: Final = 0.12
_SIDE: Final = re.compile("&[LCR]")


def set_up_page(
    sheet: PrintedWorksheet, page: ResolvedPage, *, width: float = 0.0, titles: int = 0, named: int = 0
) -> None:
    """Set how a sheet prints; `width` in characters, `titles` rows are repeated on every page.

    A sheet too wide to be read on one page goes on beside it, where its `named` first columns come again.
    """
    sheet.set_paper(paper(page))
    if page.width > page.height or width > WIDE:
        sheet.set_landscape()
    if titles:
        sheet.repeat_rows(0, titles - 1)
    across = pages_across(page, width)
    if across > 1 and named:
        sheet.repeat_columns(0, named - 1)
    sheet.fit_to_pages(across, 0)
    header, footer = band(page.header), band(page.footer) or USUAL_FOOTER
    if header:
        sheet.set_header(header)
    sheet.set_footer(footer)
    first_header, first_footer = header, footer
    if sheet.index == 0:  # the workbook's first page is here
        if page.first_header is not None:
            first_header = band(page.first_header)
        if page.first_footer is not None:
            first_footer = band(page.first_footer)
        if (first_header, first_footer) != (header, footer):
            sheet.first_page = first_header, first_footer
    sheet.set_margins(
        left=0.5,
        right=0.5,
        top=max(0.75 if header or first_header else 0.6, room_of(header), room_of(first_header)),
        bottom=max(0.7, room_of(footer), room_of(first_footer)),
    )


def pages_across(page: ResolvedPage, width: float) -> int:
    """Return how many pages stand beside each other for a sheet of `width` characters."""
    room = max(page.width, page.height) - 2 * SIDE  # a wide sheet prints in landscape
    return max(math.ceil(width * CHARACTER * SMALLEST / max(room, SIDE)), 1)


def pages_of_blocks(
    sheet: PrintedWorksheet, page: ResolvedPage, blocks: Sequence[tuple[int, int]], reach: float
) -> None:
    """Begin a page before each block of rows that its page has no room for.

    A block is its first row and the one after its last; rows have the usual height. `reach` is what the sheet
    takes in width: it is fitted to that of the paper.
    """
    short, long = next((size for size, number in PAPERS.items() if number == paper(page)), A4_SIZE)
    across, down = (short, long) if sheet.orientation else (long, short)
    scale = min((across - 2 * SIDE) / reach, 1.0)
    room = (down / INCH - sheet.margin_top - sheet.margin_bottom) * POINTS / scale
    rows = max(int(ROOM_TO_SPARE * room / LINE), 1)
    begin = 0
    breaks: list[int] = []
    for first, after in blocks:
        if after - begin > rows and first > begin:
            breaks.append(first)
            begin = first
        begin += max(after - begin - 1, 0) // rows * rows
    sheet.set_h_pagebreaks(breaks)


def paper(page: ResolvedPage) -> int:
    """Return Excel's number of the paper."""
    short, long = sorted((page.width, page.height))
    for (width, height), number in PAPERS.items():
        if abs(width - short) < NEAR and abs(height - long) < NEAR:
            return number
    return A4_PAPER


def band(wanted: ResolvedBand | None) -> str:
    """Return a header or footer in Excel's codes, shortened to what it takes."""
    if wanted is None:
        return ""
    texts = {side: [unmarked(getattr(wanted, side))] for side in SIDES}
    for side, text in _texts(wanted.sections, None):
        texts[side].append(text)
    result = ""
    for side, letter in zip(SIDES, "LCR", strict=True):
        words = " ".join(text for text in texts[side] if text)
        for text in _shorter(words.strip()):
            code = _coded(text)
            if units(result) + units(code) + 2 <= LONGEST_BAND:
                result += f"&{letter}{code}"
                break
    return result


def room_of(code: str) -> float:
    """Return the margin that a header or footer in Excel's codes needs, in inches."""
    sides = _SIDE.split(code.replace("&&", ""))
    return BAND_MARGIN + BAND_LINE * max(side.count("\n") + 1 for side in sides) + BAND_AIR


def _shorter(text: str) -> Iterator[str]:
    """Yield what of a text a band may hold, and ever shorter beginnings of it."""
    for end in range(min(len(text), LONGEST_BAND), 0, -1):
        yield text[:end]


def _coded(text: str) -> str:
    """Return a text in which page number and count are codes and nothing else is."""
    text = legal(text).replace("&", "&&").replace(PAGE_NUMBER, "\0P").replace(PAGE_COUNT, "\0N")
    start = REGULAR if text[:1].isdigit() else ""
    # XlsxWriter takes these for an image even behind an escaped ampersand, and drops the whole band.
    text = text.replace("&&G", f"&&{REGULAR}G").replace("&&[", f"&&{REGULAR}[")
    for code in ("\0P", "\0N"):
        for sign in "+-0123456789":
            text = text.replace(code + sign, f"{code}{REGULAR}{sign}")
    return start + text.replace("\0", "&")


def _texts(sections: Sequence[Any], side: str | None) -> Iterator[tuple[str, str]]:
    """Yield the texts of a band's sections with the side they stand on."""
    for section in sections:
        if section.kind == "language":
            yield from _texts((section.section,), side)
        elif section.kind in {"text", "heading"}:
            own = {"justify": "left", "end": "right"}.get(section.align, section.align)
            yield side or own, unmarked(section.text)
        elif section.kind == "columns":
            last = len(section.columns) - 1
            for index, column in enumerate(section.columns):
                place = "left" if index == 0 else "right" if index == last else "center"
                yield from _texts(column.sections, place)
        elif section.kind == "box":
            yield from _texts(section.sections, side)
