"""Of how many parts an image file is made: decoders look at each, however little is in it. Pure.

A photograph has some dozen. A file can have millions of chunks or segments, and thousands of scans over all
of its pixels, in the bytes of one: minutes and hours for a decoder, which nothing interrupts.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from assets.png import MOST_PARTS, SIGNATURE
from config.patterns import late

MOST_SCANS: Final = 100  # of a JPEG; usual are 1 and 10
_JPEG: Final = b"\xff\xd8"
_START_OF_SCAN, _END = 0xDA, 0xD9
_ALONE: Final = frozenset({0x01, *range(0xD0, 0xD9)})  # markers without a segment
_MARKER: Final = late(rb"\xff([^\x00\xff])")
# Within a scan restart markers are data.
_BEHIND_SCAN: Final = late(rb"\xff([^\x00\xff\xd0-\xd7])")


def has_too_many(data: bytes) -> bool:
    """Tell whether a PNG or JPEG has more parts than any picture needs; other formats have few."""
    if data[:8] == SIGNATURE:
        return _png_has_too_many(data)
    return data[:2] == _JPEG and _jpeg_has_too_many(data)


def _png_has_too_many(data: bytes) -> bool:
    profiles = 0
    for count, kind in enumerate(_chunks(data)):
        profiles += kind == b"iCCP"  # unpacked as soon as it is read
        if count >= MOST_PARTS or profiles > 1:
            return True
    return False


def _chunks(data: bytes) -> Iterator[bytes]:
    """Yield the kinds of the chunks of a PNG up to the last one."""
    at, kind = 8, b""
    while at + 8 <= len(data) and kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", data, at)
        yield kind
        at += 12 + length


def _jpeg_has_too_many(data: bytes) -> bool:
    """Count segments, scans, and bytes between segments, which are skipped one by one."""
    at, parts, scans = 2, 0, 0
    while parts <= MOST_PARTS and scans <= MOST_SCANS:
        found = (_BEHIND_SCAN if scans else _MARKER).search(data, at)
        if found is None or found[1][0] == _END:
            return False
        parts += 1 if scans else 1 + found.start() - at
        marker, at = found[1][0], found.end()
        scans += marker == _START_OF_SCAN
        if marker not in _ALONE:
            at += max(2, int.from_bytes(data[at : at + 2], "big"))
    return True
