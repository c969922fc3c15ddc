"""The cover sheet: the text of a document as readable cells, two columns wide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from config.value import dataclass
from rendering.formats.xlsx.book import Book
from rendering.formats.xlsx.cells import DECIMAL_TYPES, long, moment, number, pattern_of, serial, storable
from rendering.formats.xlsx.lengths import lines_of
from rendering.formats.xlsx.printing import set_up_page
from rendering.formats.xlsx.styles import (
    DATE_FORMAT,
    DATETIME_FORMAT,
    INK,
    LINE,
    MOST_HEIGHT,
    WHOLE_FORMAT,
    Properties,
    side,
)
from rendering.formats.xlsx.texts import FORMULA_STARTS, legal
from templates_app.expressions.helpers import NUMBER_HELPERS, Format
from templates_app.resolved import ResolvedDocument

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

NAME: Final = "Cover"
LABELS: Final = 30.0  # characters
TEXTS: Final = 70.0
WRAPPED: Final[Properties] = {"text_wrap": True, "valign": "top"}
PIXEL_ROW: Final = 20
CHECKED: Final = 500  # rows between two looks at the clock


def write_cover(document: ResolvedDocument, sections: Sequence[tuple[Any, str]], book: Book) -> None:
    """Add the cover sheet of sections with their languages; without anything to show there is none."""
    from rendering.formats.xlsx.sections import COVER

    wanted = [found for found in sections if found[0].kind in COVER]
    if not wanted:
        return
    sheet = book.workbook.add_worksheet(book.names.take(document.title or NAME))
    sheet.set_column(0, 0, LABELS)
    sheet.set_column(1, 1, TEXTS)
    sheet.hide_gridlines(2)
    set_up_page(sheet, book.page)
    if book.mirrored:
        sheet.right_to_left()
    cover = Cover(book, sheet, mirrored=book.mirrored)
    for section, language in wanted:
        book.limits.check_time()
        book.language = language
        COVER[section.kind](section, cover)


@dataclass(slots=True)
class Cover:
    """The sheet while it is written, from `row` on."""

    book: Book
    sheet: Worksheet
    row: int = 0
    mirrored: bool = False  # the sheet runs from right to left
    _formats: dict[tuple[Any, ...], Any] = field(default_factory=dict)

    def look(self, look: Properties) -> Any:
        """Return the format with these properties."""
        key = tuple(look.items())
        if key not in self._formats:
            self._formats[key] = self.book.workbook.add_format(look)
        return self._formats[key]

    def words(self, color: str | None = None) -> Properties:
        """Return the look of a text in a colour that shows on white: else in the theme's ink, or in ours."""
        shown = filter(_shows_on_white, filter(None, (color, self.book.theme.ink)))
        return {**WRAPPED, "font_color": next(shown, INK)}

    def wide(self, text: str, look: Properties, size: float = 11.0) -> None:
        """Write a text over both columns, a row for each of its lines."""
        look = self._sided(look)
        for line in legal_lines(text):
            self._cell(0, line, look)
            if line:
                self.sheet.merge_range(self.row, 0, self.row, 1, "", self.look(look))
                self._cell(0, line, look)
            self._height(lines_of(line, (LABELS + TEXTS) * 11 / size), size)
            self._end_row()

    def pair(
        self,
        label: str,
        value: str,
        looks: tuple[Properties, Properties],
        typed: tuple[Any, Format] | None = None,
    ) -> None:
        """Write a label and its value: the `typed` number or moment where a cell holds it, else the text."""
        label, value = legal(label), legal(value)
        self._cell(0, label, self._sided(looks[0]))
        if typed is None or not self._typed_cell(1, *typed, self._sided(looks[1])):
            self._cell(1, value, self._sided(looks[1]))
        self._height(max(lines_of(label, LABELS), lines_of(value, TEXTS)), 11.0)
        self._end_row()

    def gap(self) -> None:
        """Leave a row empty, but not the first one."""
        self.row += 1 if self.row else 0

    def rule(self) -> None:
        """Draw a line below the row above."""
        below = {"bottom": 1, "bottom_color": self.book.theme.rule_strong}
        for column in (0, 1):
            self.sheet.write_blank(self.row, column, None, self.look(below))
        self.sheet.set_row(self.row, 6)
        self.row += 1

    def _end_row(self) -> None:
        self.row += 1
        if self.row % CHECKED == 0:
            self.book.limits.check_time()

    def _sided(self, look: Properties) -> Properties:
        """Return the look with text on the side where lines of its language begin.

        Where all runs from left to right, a spreadsheet finds the side of what has no alignment itself.
        """
        if not self.book.mirrored and not self.mirrored and look.get("align") != "end":
            return look
        return {**look, "align": side(look.get("align", "left"), mirrored=self.book.mirrored)}

    def _cell(self, column: int, text: str, look: Properties) -> None:
        if text:
            quoted = {"quote_prefix": True} if text.startswith(FORMULA_STARTS) else {}
            self.sheet.write_string(self.row, column, text, self.look({**look, **quoted}))

    def _typed_cell(self, column: int, value: Any, written: Format, look: Properties) -> bool:
        """Write a number or a moment on the side of texts; False where a cell cannot hold it."""
        if type(value) in DECIMAL_TYPES and written.helper in NUMBER_HELPERS:
            stored = number(value) if storable(value) else None
            pattern = pattern_of(written) or (WHOLE_FORMAT if stored and long(stored) else None)
        else:
            day = moment(value, written)
            stored = serial(day) if day is not None else None
            pattern = pattern_of(written) or (DATETIME_FORMAT if isinstance(day, datetime) else DATE_FORMAT)
        if stored is None:
            return False
        look = {"align": "left", **look} | ({"num_format": pattern} if pattern else {})
        self.sheet.write_number(self.row, column, float(stored), self.look(look))
        return True

    def _height(self, lines: int, size: float) -> None:
        if lines > 1 or size > 11:
            self.sheet.set_row(self.row, min(LINE * lines * size / 11, MOST_HEIGHT))


def _shows_on_white(color: str) -> bool:
    """Tell whether letters of a colour can be read: those of a dark box on the page could not."""
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < 190


def legal_lines(text: str) -> list[str]:
    """Return the lines of a text as cells hold them; raises RenderError for one that is too long."""
    return [legal(line) for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
