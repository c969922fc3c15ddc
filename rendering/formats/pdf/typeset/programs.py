"""Font programs: subsets that HarfBuzz cuts, deflated for a PDF file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import uharfbuzz as hb
from isal import isal_zlib

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
    subset.flags = flags
    subset.drop_table_tag_set.update(int.from_bytes(f"{tag:4}".encode("ascii"), "big") for tag in dropped)
    if face.has_var_data:
        subset.pin_all_axes_to_default(face)
    try:
        program = subset.subset(face).blob.data
    except (RuntimeError, MemoryError) as error:
        raise ValueError("The font file cannot be used: its tables are damaged") from error
    return isal_zlib.compress(program, _LEVEL), len(program)
