"""The PDF file: numbered objects, written as they come, and the table that finds them again."""

from __future__ import annotations

import hashlib
from array import array
from typing import TYPE_CHECKING, BinaryIO

import deflate

from config.patterns import late
from templates_app.resolved import Protection

if TYPE_CHECKING:
    from rendering.formats.pdf.write.encryption import Cipher

# Of libdeflate, which takes a quarter of the time of zlib 6 and packs the same bytes the same way everywhere.
# ISA-L is faster still, but now and then writes another Huffman table for the same page.
LEVEL = 1
# Characters of a literal string that a reader would take for something else.
_ESCAPES = str.maketrans({"\\": r"\\", "(": r"\(", ")": r"\)", "\r": r"\r", "\n": r"\n"})
_HALF_SURROGATES = late("[\ud800-\udfff]")
_HEAD = b"%%PDF-%s\n%%\xe2\xe3\xcf\xd3\n"  # bytes above 127 tell transfer programs that the file is binary
_FREE = b"0000000000 65535 f \n"
_PACK = 200  # objects that are packed together: a reader unpacks them together as well
_PACKED = 1 << 63  # bit of an offset that is none, but the stream (from bit 16 on) and the place in it
_MOST_CHARACTERS = 16_000  # of a text string: 32,767 bytes are the limit of ISO 19005-2, 6.1.13
_BUFFER = 32_768  # bytes: a page of text is a dozen small objects, which go out together


class PdfFile:
    """Objects go to `out` as they come, so that memory holds eight bytes for each and not the document.

    Nothing but `out.write` is used. All strings inside of objects must come from `text` or `binary`, which
    encrypt them in a protected file; a string written by hand is unreadable there.
    """

    def __init__(self, out: BinaryIO, *, protection: Protection | None, file_id: bytes) -> None:
        """Write the head. The same objects and the same `file_id` give the same bytes."""
        self._write = out.write
        self._offsets = array("Q", [0])  # of each object by number; 0: not written
        self._position = 0  # in the file, of the next byte
        self._sum = 0  # checksum of what is written
        self._pack: list[tuple[int, str]] = []  # objects of the stream that is being filled
        self._has_packs = False
        self._waiting: list[bytes] = []  # what is not written yet, and from where on in the file
        self._written = 0
        self._file_id = file_id
        self._cipher = None if protection is None else _cipher(protection, file_id)
        self._emit(_HEAD % (b"1.7" if self._cipher is None else b"2.0"))

    def reserve(self) -> int:
        """Return the number of an object that is written later, with `put` or `put_stream`."""
        self._offsets.append(0)
        return len(self._offsets) - 1

    def put(self, number: int, body: str) -> None:
        """Write an object under a reserved number; `body` is its code, Latin-1 characters only."""
        self._offsets[number] = self._position
        self._emit(f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1"))

    def add(self, body: str) -> int:
        """Write an object and return its number."""
        number = self.reserve()
        self.put(number, body)
        return number

    def pack(self, number: int, body: str) -> None:
        """Write an object that is no stream, under a reserved number, together with others (7.5.7).

        For many small ones. Strings in them come from `plain`: the whole is encrypted.
        """
        self._has_packs = True
        self._pack.append((number, body))
        if len(self._pack) == _PACK:
            self._write_pack()

    def _write_pack(self) -> None:
        objects, self._pack = self._pack, []
        stream, at = self.reserve(), 0
        heads = []
        for place, (number, body) in enumerate(objects):
            self._offsets[number] = _PACKED | stream << 16 | place
            heads.append(f"{number} {at}")
            at += len(body) + 1
        head = " ".join(heads) + "\n"
        code = head + "\n".join([body for _, body in objects])
        entries = f"/Type/ObjStm/N {len(objects)}/First {len(head)}"
        self.put_stream(stream, code.encode("latin-1"), entries)

    def put_stream(
        self, number: int, data: bytes, entries: str = "", *, deflated: bool = False, raw: bool = False
    ) -> None:
        """Write a stream under a reserved number; `entries` is the inside of its dictionary.

        The data is deflated here, unless it is `deflated` already (a zlib stream) or to be written as it is
        (`raw`, with any /Filter told by `entries`). /Length and /Filter /FlateDecode need not be told.
        """
        if not (deflated or raw):
            data = deflated_bytes(data)
        if self._cipher is not None:
            data = self._cipher.encrypt(data)
        packed = "" if raw else "/Filter/FlateDecode"
        self._offsets[number] = self._position
        head = f"{number} 0 obj\n<<{entries}{packed}/Length {len(data)}>>\nstream\n"
        self._emit(head.encode("latin-1"))
        self._emit(data)
        self._emit(b"\nendstream\nendobj\n")

    def add_stream(self, data: bytes, entries: str = "", *, deflated: bool = False, raw: bool = False) -> int:
        """Write a stream as `put_stream` does and return its number."""
        number = self.reserve()
        self.put_stream(number, data, entries, deflated=deflated, raw=raw)
        return number

    def text(self, value: str) -> str:
        """Return a text string: a literal of ASCII, else UTF-16 in hexadecimal; encrypted when protected.

        What is longer than readers surely take (titles that data made) is cut.
        """
        if self._cipher is None:
            return self.plain(value)
        return self.binary(text_bytes(value[:_MOST_CHARACTERS]))

    @staticmethod
    def plain(value: str) -> str:
        """Return a text string for an object that is packed, or in a file that is not protected."""
        value = value[:_MOST_CHARACTERS]
        if value.isascii():
            return f"({value.translate(_ESCAPES)})"
        return f"<{text_bytes(value).hex()}>"

    def binary(self, value: bytes) -> str:
        """Return a byte string in hexadecimal, encrypted when the file is protected."""
        return f"<{(value if self._cipher is None else self._cipher.encrypt(value)).hex()}>"

    def finish(self, *, root: int, info: int) -> None:
        """Write the cross-reference table and the trailer; nothing may follow."""
        if self._pack:
            self._write_pack()
        trailer = f"/Root {root} 0 R/Info {info} 0 R"
        if self._cipher is not None:
            # The one dictionary whose strings are not encrypted: it tells how to decrypt the others.
            trailer += f"/Encrypt {self.add(self._cipher.dictionary())} 0 R"
        self._flush()
        # The checksum makes it differ between documents that share their title and date.
        sign = b"%d %d" % (self._position, self._sum)
        name = hashlib.sha256(self._file_id + sign).digest()[:16].hex()
        trailer += f"/ID[<{name}><{name}>]"
        if self._has_packs:
            start = self._write_table_stream(trailer)
            self._emit(b"startxref\n%d\n%%%%EOF\n" % start)
            self._flush()
            return
        start, count = self._position, len(self._offsets)
        self._emit(b"xref\n0 %d\n" % count + _FREE)
        entry = b"%010d 00000 n \n"
        for first in range(1, count, 10_000):  # in parts: a table of a million objects is 20 MB
            self._emit(
                b"".join([entry % at if at else _FREE for at in self._offsets[first : first + 10_000]])
            )
        tail = f"trailer\n<</Size {count}{trailer}>>\nstartxref\n{start}\n%%EOF\n"
        self._emit(tail.encode("latin-1"))
        self._flush()

    def _write_table_stream(self, trailer: str) -> int:
        """Write the table as the stream that packed objects need (7.5.8), and return where it begins."""
        start, number = self._position, self.reserve()
        self._offsets[number] = start
        entries = [
            (2, at >> 16 & 0xFFFFFFFF, at & 0xFFFF) if at & _PACKED else (int(at > 0), at, 0)
            for at in self._offsets
        ]
        width = (max(start, number).bit_length() + 7) // 8
        data = deflated_bytes(
            b"".join(
                [
                    kind.to_bytes(1, "big") + at.to_bytes(width, "big") + place.to_bytes(1, "big")
                    for kind, at, place in entries
                ]
            )
        )
        head = f"{number} 0 obj\n<</Type/XRef/W[1 {width} 1]/Size {len(self._offsets)}{trailer}"
        self._emit(f"{head}/Filter/FlateDecode/Length {len(data)}>>\nstream\n".encode("latin-1"))
        self._emit(data)
        self._emit(b"\nendstream\nendobj\n")
        return start

    def _emit(self, data: bytes) -> None:
        self._waiting.append(data)
        self._position += len(data)
        if self._position - self._written > _BUFFER:
            self._flush()

    def _flush(self) -> None:
        """Write what waits."""
        data = b"".join(self._waiting)
        self._waiting.clear()
        self._written = self._position
        self._sum = deflate.crc32(data, self._sum)
        self._write(data)


def deflated_bytes(data: bytes) -> bytes:
    """Return data as a zlib stream."""
    return bytes(deflate.zlib_compress(data, LEVEL))


def text_bytes(value: str) -> bytes:
    """Return the bytes of a text string: ASCII, else UTF-16 with its mark; half surrogates become U+FFFD."""
    if value.isascii():
        return value.encode("ascii")
    return b"\xfe\xff" + _HALF_SURROGATES.sub("\ufffd", value).encode("utf-16-be")


def _cipher(protection: Protection, file_id: bytes) -> Cipher:
    from rendering.formats.pdf.write.encryption import Cipher  # loaded with the first protected file

    return Cipher(protection, file_id)
