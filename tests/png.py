"""PNG files: plain ones, and such as are put together by hand."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO

from PIL import Image


def plain_png(size: tuple[int, int], color: str = "navy") -> bytes:
    """Return a PNG of one colour, of so many pixels."""
    out = BytesIO()
    Image.new("RGB", size, color).save(out, "PNG")
    return out.getvalue()


def png_file(header: bytes, rows: bytes) -> bytes:
    """Return a PNG of the content of IHDR and of filtered rows, whatever they claim."""
    chunks = (b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(kind, body) for kind, body in chunks)


def chunk(kind: bytes, body: bytes) -> bytes:
    """Return a chunk with its length and checksum."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
