"""A ZIP file written in one go: entries are deflated as they come, every date is the same. Pure."""

from __future__ import annotations

import struct
import zlib
from typing import Any, BinaryIO, Final

import deflate

from config.value import dataclass

# What is there as a whole is deflated by libdeflate, which takes half of zlib's time; it cannot take pieces.
LEVEL: Final = 1
STREAM_LEVEL: Final = 1  # of zlib
RAW: Final = -15  # deflate without a header of its own
FIRST_DAY: Final = 0x0021  # 1980-01-01, the first one a ZIP file knows
MARK: Final = 0xFFFFFFFF  # stands for a number that only the large format holds
LARGEST: Final = MARK
MOST_ENTRIES: Final = 0xFFFF
WHOLE: Final = 2**20  # bytes that an entry may have to be deflated as a whole
PLAIN_VERSION: Final = 20
LARGE_VERSION: Final = 45
# Room in the local header for the sizes of an entry beyond 4 GB, marked as the format's own padding until
# it is needed ("growth hint" of the Open Packaging Conventions).
PADDING: Final = struct.pack("<HHHH12x", 0xA220, 16, 0xA028, 12)
_LOCAL: Final = struct.Struct("<4sHHHHHLLLHH")
_CENTRAL: Final = struct.Struct("<4sHHHHHHLLLHHHHHLL")
_END: Final = struct.Struct("<4sHHHHLLH")
_LARGE_END: Final = struct.Struct("<4sQHHLLQQQQ")
_LARGE_LOCATOR: Final = struct.Struct("<4sLQL")


@dataclass(slots=True)
class _Entry:
    name: bytes
    offset: int
    crc: int = 0
    packed: int = 0
    size: int = 0

    @property
    def large(self) -> bool:
        return max(self.packed, self.size) >= LARGEST

    def header(self, *, padded: bool) -> bytes:
        """Return the local header; a padded one can turn large without moving what follows."""
        extra = PADDING if padded else b""
        packed, size = self.packed, self.size
        if self.large:
            extra = struct.pack("<HHQQ", 1, 16, size, packed)
            packed = size = MARK
        version = LARGE_VERSION if self.large else PLAIN_VERSION
        fields = (version, 0, 8, 0, FIRST_DAY, self.crc, packed, size, len(self.name), len(extra))
        return _LOCAL.pack(b"PK\x03\x04", *fields) + self.name + extra

    def directory(self) -> bytes:
        """Return the entry's line in the central directory."""
        extra = b""
        packed, size, offset = self.packed, self.size, self.offset
        if self.large:
            extra += struct.pack("<QQ", size, packed)
            packed = size = MARK
        if offset >= LARGEST:
            extra += struct.pack("<Q", offset)
            offset = MARK
        if extra:
            extra = struct.pack("<HH", 1, len(extra)) + extra
        version = LARGE_VERSION if extra else PLAIN_VERSION
        fields = (version, version, 0, 8, 0, FIRST_DAY, self.crc, packed, size)
        lengths = (len(self.name), len(extra), 0, 0, 0, 0, offset)
        return _CENTRAL.pack(b"PK\x01\x02", *fields, *lengths) + self.name + extra


class Archive:
    """Writes entries one after the other to a file that can seek."""

    def __init__(self, out: BinaryIO) -> None:
        """Begin at the current position of `out`."""
        self._out = out
        self._start = out.tell()
        self._entries: list[_Entry] = []

    def _begin(self, name: str) -> _Entry:
        entry = _Entry(name.encode(), self._out.tell() - self._start)
        self._entries.append(entry)
        return entry

    def add(self, name: str, data: bytes) -> None:
        """Add a whole entry."""
        entry = self._begin(name)
        packed = bytes(deflate.deflate_compress(data, LEVEL))
        entry.crc, entry.size, entry.packed = deflate.crc32(data), len(data), len(packed)
        self._out.write(entry.header(padded=False) + packed)

    def open(self, name: str) -> EntryWriter:
        """Begin an entry that is written piece by piece; finish it before the next one."""
        return EntryWriter(self._out, self._start, self._begin(name))

    def finish(self) -> None:
        """Write the directory; nothing may be added afterwards."""
        offset = self._out.tell() - self._start
        directory = b"".join(entry.directory() for entry in self._entries)
        self._out.write(directory)
        count, size = len(self._entries), len(directory)
        if count >= MOST_ENTRIES or offset >= LARGEST or size >= LARGEST:
            versions = (LARGE_VERSION, LARGE_VERSION, 0, 0)
            self._out.write(
                _LARGE_END.pack(b"PK\x06\x06", _LARGE_END.size - 12, *versions, count, count, size, offset)
                + _LARGE_LOCATOR.pack(b"PK\x06\x07", 0, offset + size, 1)
            )
        count, size, offset = min(count, MOST_ENTRIES), min(size, MARK), min(offset, MARK)
        self._out.write(_END.pack(b"PK\x05\x06", 0, 0, count, count, size, offset, 0))


class EntryWriter:
    """One entry of unknown length; its sizes are set in the header when it is closed."""

    def __init__(self, out: BinaryIO, start: int, entry: _Entry) -> None:
        """Write a preliminary header."""
        self._out = out
        self._start = start
        self._entry = entry
        self._deflate: Any = None  # once there is more than is deflated as a whole
        self._waiting = b""
        out.write(entry.header(padded=True))

    def write(self, data: bytes) -> None:
        """Add a piece."""
        self._waiting = self._waiting + data if self._waiting else data
        if len(self._waiting) >= WHOLE:
            self._pack()

    def _pack(self, *, last: bool = False) -> None:
        data, self._waiting = self._waiting, b""
        self._entry.crc = deflate.crc32(data, self._entry.crc)
        self._entry.size += len(data)
        if self._deflate is None:
            if last:
                self._put(bytes(deflate.deflate_compress(data, LEVEL)))
                return
            self._deflate = zlib.compressobj(STREAM_LEVEL, zlib.DEFLATED, RAW)
        self._put(self._deflate.compress(data))
        if last:
            self._put(self._deflate.flush())

    def _put(self, packed: bytes) -> None:
        self._entry.packed += len(packed)
        self._out.write(packed)

    def close(self) -> None:
        """Finish the entry and go back once for its sizes."""
        self._pack(last=True)
        end = self._out.tell()
        self._out.seek(self._start + self._entry.offset)
        self._out.write(self._entry.header(padded=True))
        self._out.seek(end)
