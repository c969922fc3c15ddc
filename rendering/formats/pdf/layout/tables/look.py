"""Measures of one table: type, leading and padding, so that it fits its page and its columns. Points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from config.value import value
from rendering.formats.pdf.layout.measures import CAP_HEIGHT, MM
from rendering.formats.pdf.typeset.style import TextStyle
from templates_app.resolved import ResolvedTable, Theme

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.typesetter import Font, Typesetter

LEADING: Final = 1.3  # of a table's lines, in font sizes
PAD_X: Final = 5.0
PAD_Y: Final = 0.44  # in font sizes
LEAST_COLUMN: Final = 2.0  # font sizes that an average column has at least
SMALLEST: Final = 0.5  # font size
HEAD_SIZE: Final = 0.94  # of the type of heads, in font sizes
HEAD_SHRINK: Final = 0.75  # how small they become so that their words stay whole
SHRINK: Final = 0.6  # type shrinks no further than this
FIGURES_SHRINK: Final = 0.5  # type of numbers, dates and times, which are not broken
ALONE: Final = 0.7  # of the usual size of figures: smaller ones do not make others as small
PICTURE: Final = 12 * MM  # height of an image in a cell
INDENT: Final = 9.0  # of a group's heading, by level, and of the rows below it
_WIDE: Final = b"0$W"


@value
class Look:
    """How the rows of one table look. Heights are whole hundredths: rows add up without an error."""

    typesetter: Typesetter
    theme: Theme
    size: float
    leading: float
    pad_x: float
    pad_y: float
    page: float  # height of an empty page
    span: int  # lines that a head or a heading within the table may have
    row: float  # height of a row of one line
    base: float = 0.0  # size of type by whose baseline smaller texts of a row stand; 0: each by its own

    @classmethod
    def of(
        cls,
        table: ResolvedTable,
        typesetter: Typesetter,
        theme: Theme,
        width: float,
        height: float,
        scale: float = 1.0,
    ) -> Look:
        """Return the look of `table` in a column of pages `width` by `height` points, its type scaled."""
        share = width / len(table.columns)
        pad_x = min(PAD_X, share * 0.15)
        wanted = table.size if table.size is not None else theme.size - 1
        # very many columns: the type shrinks until a few characters fit into each; a row fits its page
        fitting = min((share - 2 * pad_x) / LEAST_COLUMN, 0.2 * height / LEADING)
        size = max(min(wanted, fitting) * scale, SMALLEST)
        given = size * PAD_Y if table.padding is None else table.padding * MM
        leading = round(size * LEADING, 2)
        pad_y = round(min(given, 0.1 * height), 2)
        span = max(1, int(height / 6 // leading))
        row = row_height(1, leading, pad_y)
        return cls(typesetter, theme, size, leading, pad_x, pad_y, height, span, row)

    @property
    def picture(self) -> float:
        """The greatest height of an image in a cell."""
        return min(PICTURE, 0.3 * self.page)

    def height(self, lines: int, least: float = 0.0) -> float:
        """Return the height of a row of so many lines, `least` points high inside of its padding."""
        return row_height(lines, self.leading, self.pad_y, least)

    def drop(self, size: float | None = None) -> float:
        """Return how far below the upper end of a line its baseline is."""
        return (self.leading + CAP_HEIGHT * max(size or self.size, self.base)) / 2

    def based(self, sizes: Sequence[float]) -> Look:
        """Return the look of rows whose texts, in these sizes, stand on one baseline."""
        return replace(self, base=max(sizes)) if min(sizes) < max(sizes) else self

    def style(
        self,
        *,
        bold: bool = False,
        italic: bool = False,
        color: str | None = None,
        scale: float = 1.0,
    ) -> TextStyle:
        """Return the style of a cell."""
        size = self.size if scale == 1.0 else round(self.size * scale, 2)
        return TextStyle(size, color or self.theme.ink, bold=bold, italic=italic)

    def font(self, style: TextStyle) -> Font:
        """Return the face of a style."""
        return self.typesetter.font(style)

    def widest_sign(self, style: TextStyle) -> float:
        """Return the width that no sign of a number exceeds, that of a currency's code included."""
        return max(map(self.font(style).face.widths.__getitem__, _WIDE)) * style.size / 1000


def even_size(sizes: Sequence[float]) -> float:
    """Return the size for figures that stand together and would have these sizes on their own.

    The smallest counts; one much smaller than most is an exception and does not.
    """
    usual = sorted(sizes)[len(sizes) // 2]
    return min(size for size in sizes if size >= ALONE * usual)


def row_height(lines: int, leading: float, pad_y: float, least: float = 0.0) -> float:
    """Return the height of a row of so many lines, `least` points high inside of its padding."""
    return round(max(lines * leading, least) + 2 * pad_y, 2)
