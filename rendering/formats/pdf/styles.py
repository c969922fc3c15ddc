"""How the PDF looks: one ink, one accent, a scale of sizes, and generous spacing. Lengths are points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MM: Final = 72 / 25.4
PIXEL: Final = 0.75  # a CSS pixel: 96 to the inch

# Colours, "#rrggbb".
INK: Final = "#1b2430"
MUTED: Final = "#5c6776"
ACCENT: Final = "#1f4b73"
RULE: Final = "#dfe3e8"
RULE_STRONG: Final = "#aeb7c2"
TINT: Final = "#f1f4f7"
ZEBRA: Final = "#f8f9fb"

HAIRLINE: Final = 0.5
LEADING: Final = 1.42  # line height of running text, in font sizes
CAP_HEIGHT: Final = 0.66  # of the bundled family, in font sizes: centres a line optically

BODY_SIZE: Final = 10.0
BLOCK_GAP: Final = 9.0  # between two blocks of running text
PARAGRAPH_GAP: Final = 6.0  # between the paragraphs of one block

LIST_INDENT: Final = 15.0
LIST_GAP: Final = 3.0

TABLE_GAP: Final = 12.0
TABLE_LEADING: Final = 1.3
TABLE_PAD_X: Final = 5.0
TABLE_PAD_Y: Final = 0.44  # in font sizes
CAPTION_SIZE: Final = 10.5

PAIR_SIZE: Final = 9.5
PAIR_STRONG_SIZE: Final = 11.5
PAIR_GUTTER: Final = 14.0  # between label and value
PAIR_COLUMN_GAP: Final = 28.0
PAIR_PAD_Y: Final = 2.2

BAND_SIZE: Final = 8.0
BAND_GAP: Final = 14.0  # between two texts of a band
BAND_EDGE: Final = 9.0  # least distance of a band's text to the edge of the paper


@dataclass(frozen=True, slots=True)
class HeadingStyle:
    """Looks of one heading level."""

    size: float
    color: str
    before: float
    after: float
    leading: float = 1.2


HEADINGS: Final[dict[int, HeadingStyle]] = {
    1: HeadingStyle(24, INK, 22, 10, 1.15),
    2: HeadingStyle(15, ACCENT, 20, 7),
    3: HeadingStyle(12, INK, 15, 5),
    4: HeadingStyle(10.5, ACCENT, 13, 4),
    5: HeadingStyle(10, INK, 11, 3),
    6: HeadingStyle(9, MUTED, 10, 3),
}
