"""How a worksheet looks. Widths are characters of the default font, heights points."""

from __future__ import annotations

from typing import Any, Final

FONT: Final[dict[str, Any]] = {"font_name": "Calibri", "font_size": 11}
HEADER: Final[dict[str, Any]] = {
    "bold": True,
    "font_color": "#1b2430",
    "bg_color": "#e9eef3",
    "bottom": 1,
    "bottom_color": "#aeb7c2",
    "valign": "vcenter",
    "text_wrap": True,
}
BODY: Final[dict[str, Any]] = {"valign": "top"}
LINE: Final = 15.0
MOST_HEIGHT: Final = 409.0  # of a row
HEADER_PADDING: Final = 7.0

LEAST_WIDTH: Final = 8.0
MOST_WIDTH: Final = 60.0
PADDING: Final = 2.5  # room for the filter's button and a margin
MILLIMETRES: Final = 1.95  # to one character of width

DATE_FORMAT: Final = "yyyy-mm-dd"
DATETIME_FORMAT: Final = "yyyy-mm-dd hh:mm"
A4_PAPER: Final = 9
LETTER_PAPER: Final = 1
WIDE: Final = 95.0  # characters: a wider sheet prints in landscape
