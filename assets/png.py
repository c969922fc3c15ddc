"""PNG files of the plain sort, checked to the last pixel without an image library. Pure."""

from __future__ import annotations

import struct
import zlib
from typing import Final

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_SAMPLES: Final = {0: 1, 2: 3, 4: 2, 6: 4}  # by colour type; palettes are left to the library
# Chunks that say nothing about the pixels. An orientation (eXIf) does.
_HARMLESS: Final = frozenset({b"pHYs", b"gAMA", b"sRGB", b"cHRM", b"tEXt", b"bKGD", b"tIME", b"sBIT"})
_MOST: Final = 80_000_000  # pixels; what the library says of more is for it to say
MOST_PARTS: Final = 10_000  # chunks; some encoders make them of a kilobyte
_FILTERS: Final = 4  # the highest number of a row's filter


def plain_size(data: bytes, max_pixels: int) -> tuple[int, int] | None:
    """Return width and height of a PNG whose every part is sound.

    None for all others, the unusual as well as the damaged: an image library has to look at them.
    """
    if data[:8] != SIGNATURE or len(data) < 57:
        return None
    length, head, width, height, bits, colour, *rest = struct.unpack_from(">I4sIIBBBBB", data, 8)
    if (length, head, bits, rest) != (13, b"IHDR", 8, [0, 0, 0]) or colour not in _SAMPLES:
        return None
    if not 0 < width * height <= min(max_pixels, _MOST):
        return None
    packed = _pixels(data)
    row = 1 + width * _SAMPLES[colour]
    return (width, height) if packed is not None and _sound(packed, row, height) else None


def _pixels(data: bytes) -> bytes | None:
    """Return the deflated rows; None where a chunk is damaged or unusual, or they are too many."""
    at, view = 33, memoryview(data)
    parts: list[memoryview] = []
    if zlib.crc32(view[12:29]) != int.from_bytes(view[29:33], "big"):
        return None
    for _ in range(MOST_PARTS):
        if at + 12 > len(data):
            break
        length, kind = struct.unpack_from(">I4s", data, at)
        stop = at + 8 + length
        if zlib.crc32(view[at + 4 : stop]) != int.from_bytes(view[stop : stop + 4], "big"):
            return None
        if kind == b"IEND":
            return b"".join(parts) if length == 0 and stop + 4 == len(data) else None
        if kind == b"IDAT":
            parts.append(view[at + 8 : stop])
        elif kind not in _HARMLESS:
            return None
        at = stop + 4
    return None


def _sound(packed: bytes, row: int, height: int) -> bool:
    """Tell whether the data is exactly so many rows, each with a filter that exists."""
    inflate = zlib.decompressobj()
    try:
        rows = inflate.decompress(packed, row * height + 1)
    except zlib.error:
        return False
    complete = inflate.eof and not inflate.unused_data and len(rows) == row * height
    return complete and max(rows[::row]) <= _FILTERS
