"""Distances of the house style. Lengths are points."""

from __future__ import annotations

from typing import Final

MM: Final = 72 / 25.4
PIXEL: Final = 0.75  # a CSS pixel: 96 to the inch
EPSILON: Final = 0.01
ENDLESS: Final = 1e7  # height of a galley
ENDLESS_LINE: Final = 1e6  # width of a line that is measured before it is fitted

CAP_HEIGHT: Final = 0.66  # of the bundled family, in font sizes: centres a line optically
HAIRLINE: Final = 0.5

BLOCK_GAP: Final = 9.0  # between two blocks of running text
PARAGRAPH_GAP: Final = 6.0  # between the paragraphs of one block
FRAME_GAP: Final = 12.0  # around boxes, charts and tables

BAND_SIZE: Final = 8.0
BAND_GAP: Final = 14.0  # between two texts of a band
BAND_EDGE: Final = 9.0  # least distance of a band to the edge of the paper
BAND_AIR: Final = 12.0  # between a band of sections and the body
