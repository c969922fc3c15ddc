"""Font programs: subsets that HarfBuzz cuts, deflated for a PDF file."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from typing import Final

import deflate
import uharfbuzz as hb

ASCII: Final = tuple(range(0x20, 0x7F))
CP1252: Final = tuple(map(ord, bytes(range(0xA0, 0x100)).decode("latin-1"))) + tuple(
    map(ord, bytes(range(0x80, 0xA0)).decode("cp1252", "ignore"))
)
_LEVEL: Final = 2
# Tables for layout, screens and other systems: a PDF viewer reads none of them.
_DROPPED: Final = (
    *("GSUB", "GPOS", "GDEF", "BASE", "kern", "MATH", "STAT", "DSIG", "gasp", "meta"),
    *("vhea", "vmtx", "VORG", "hdmx", "VDMX", "LTSH", "PCLT"),
)
_DROPPED_WITHOUT_CHARACTERS: Final = [*_DROPPED, "cmap", "OS/2", "name", "post"]


def of_characters(face: hb.Face, *, wide: bool) -> tuple[bytes, int]:
    """Return the deflated program with ASCII, or all of cp1252, and its length before deflating.

    ValueError when the font is too damaged to be cut.
    """
    subset = hb.SubsetInput()
    subset.unicode_set.update(ASCII + CP1252 if wide else ASCII)
    return _cut(face, subset, _DROPPED, hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NOTDEF_OUTLINE)


def of_codes(face: hb.Face, characters: str) -> tuple[bytes, int]:
    """Return the deflated program that has each of up to 256 characters under its place in `characters`.

    U+FFFD stands for a place without a character. Codes are found as those of a symbolic font are.
    ValueError when the font is too damaged to be cut.
    """
    subset = hb.SubsetInput()
    subset.unicode_set.update(ord(character) for character in characters if character != "\ufffd")
    flags = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NOTDEF_OUTLINE
    cut = hb.Face(_subset(face, subset, _DROPPED, flags))
    font = hb.Font(cut)
    glyphs = [
        0 if character == "\ufffd" else font.get_nominal_glyph(32 if character == "\xa0" else ord(character))
        for character in characters
    ]
    tables = {tag: bytes(cut.reference_table(tag).data) for tag in cut.table_tags}
    program = _sfnt(tables | {"cmap": _symbol_cmap([glyph or 0 for glyph in glyphs])})
    return bytes(deflate.zlib_compress(program, _LEVEL)), len(program)


def _symbol_cmap(glyphs: list[int]) -> bytes:
    """Return a cmap table for the codes of a symbolic font.

    Readers look a code up as it is for the Macintosh (1, 0), or from U+F000 on for Windows (3, 0).
    """
    low, high = 32, 255
    shown = glyphs[low : high + 1]
    # Format 6: the glyphs of neighbouring codes.
    plain = struct.pack(f">5H{len(shown)}H", 6, 10 + 2 * len(shown), 0, low, len(shown), *shown)
    # Format 4: segments of codes, the last one ends at U+FFFF; one here, with the glyphs behind.
    length = 16 + 8 * 2 + 2 * len(shown)
    windows = struct.pack(
        f">7H2HH2H2H2H{len(shown)}H",
        *(4, length, 0, 4, 4, 1, 0),
        *(0xF000 + high, 0xFFFF),
        0,
        *(0xF000 + low, 0xFFFF),
        *(0, 1),
        *(4, 0),
        *shown,
    )
    head = struct.pack(">HHHHLHHL", 0, 2, 1, 0, 20, 3, 0, 20 + len(plain))
    return head + plain + windows


def _sfnt(tables: Mapping[str, bytes]) -> bytes:
    """Return a font file with these tables."""
    count = len(tables)
    power = count.bit_length() - 1
    records, bodies, offset = [], [], 12 + 16 * count
    for tag in sorted(tables):
        body = tables[tag]
        padded = body + bytes(-len(body) % 4)
        checksum = sum(struct.unpack(f">{len(padded) // 4}L", padded)) & 0xFFFFFFFF
        records.append(struct.pack(">4sLLL", tag.encode("ascii"), checksum, offset, len(body)))
        bodies.append(padded)
        offset += len(padded)
    head = struct.pack(">LHHHH", 0x00010000, count, 16 << power, power, 16 * (count - (1 << power)))
    return b"".join((head, *records, *bodies))


def of_glyphs(face: hb.Face, glyphs: Iterable[int]) -> tuple[bytes, int]:
    """Return the deflated program with just some glyphs under their numbers, and its length before.

    ValueError when the font is too damaged to be cut.
    """
    subset = hb.SubsetInput()
    subset.glyph_set.update(glyphs)
    flags = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NOTDEF_OUTLINE | hb.SubsetFlags.RETAIN_GIDS
    return _cut(face, subset, _DROPPED_WITHOUT_CHARACTERS, flags)


def _cut(
    face: hb.Face, subset: hb.SubsetInput, dropped: Iterable[str], flags: hb.SubsetFlags
) -> tuple[bytes, int]:
    program = _subset(face, subset, dropped, flags)
    return bytes(deflate.zlib_compress(program, _LEVEL)), len(program)


def _subset(face: hb.Face, subset: hb.SubsetInput, dropped: Iterable[str], flags: hb.SubsetFlags) -> bytes:
    subset.flags = flags
    subset.drop_table_tag_set.update(int.from_bytes(f"{tag:4}".encode("ascii"), "big") for tag in dropped)
    if face.has_var_data:
        subset.pin_all_axes_to_default(face)
    try:
        return bytes(subset.subset(face).blob.data)
    except (RuntimeError, MemoryError) as error:
        raise ValueError("The font file cannot be used: its tables are damaged") from error
