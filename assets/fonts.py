"""What an uploaded font really is. Pure: bytes in, facts out, no database and no storage."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final

from assets.composites import EndlessLetter, check_composites
from config.value import dataclass

if TYPE_CHECKING:
    import uharfbuzz as hb

CONTENT_TYPE: Final = "font/ttf"
MAX_FONT_BYTES: Final = 20 * 1024 * 1024
TRUETYPE: Final = (b"\x00\x01\x00\x00", b"true")
# Fonts that we know and do not take, with what to do instead.
_OTHERS: Final = {
    b"OTTO": "the font has PostScript outlines (OpenType CFF); upload its TrueType version (TTF)",
    b"ttcf": "the file is a collection of fonts; upload one of them as TTF",
    b"wOFF": "the file is a web font (WOFF); upload its TrueType version (TTF)",
    b"wOF2": "the file is a web font (WOFF2); upload its TrueType version (TTF)",
}
_NEEDED: Final = ("cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp")
# Bits of OS/2 fsType: what its maker allows.
_RESTRICTED, _PREVIEW, _EDITABLE, _NO_SUBSET, _BITMAPS = 0x0002, 0x0004, 0x0008, 0x0100, 0x0200


class InvalidFont(ValueError):
    """The bytes are no font that we take; the message says why and is fit for the person who uploaded it."""


@dataclass(frozen=True)
class FontInfo:
    """Names of a face ("Inter", "Bold Italic") and whether it is bold or italic."""

    family: str
    face: str
    bold: bool
    italic: bool


def looks_like_font(data: bytes) -> bool:
    """Tell whether bytes begin as a font does, of whatever sort."""
    return data[:4] in TRUETYPE or data[:4] in _OTHERS


def inspect_font(data: bytes) -> FontInfo:
    """Return the names of a TrueType font that documents may embed; raises InvalidFont with the reason."""
    if data[:4] in _OTHERS:
        raise InvalidFont(_OTHERS[data[:4]])
    if data[:4] not in TRUETYPE:
        raise InvalidFont("not a TrueType font (TTF)")
    _check_directory(data)
    import uharfbuzz as hb  # loaded with the first font

    try:
        face = hb.Face(hb.Blob(data))
        tables = {tag.strip() for tag in face.table_tags}
        letters = len(face.unicodes)
        glyphs, em = face.glyph_count, face.upem
    except Exception:  # whatever a damaged table leads to
        raise InvalidFont("the font is damaged or incomplete") from None
    if missing := [tag for tag in _NEEDED if tag not in tables]:
        raise InvalidFont(f"the font is damaged or incomplete: it has no table {missing[0]}")
    if "fvar" in tables:
        raise InvalidFont("the file is a variable font; upload one of its static fonts (TTF)")
    if not letters or glyphs < 2 or not 16 <= em <= 16384:
        raise InvalidFont("the font has no letters")
    os2 = bytes(face.reference_table("OS/2").data) if "OS/2" in tables else b""
    _check_permission(os2)
    _check_composites(face)
    _check_subset(face)
    return _names(face, os2)


def _check_directory(data: bytes) -> None:
    """Refuse a font whose tables are not where it says."""
    count = struct.unpack_from(">H", data, 4)[0] if len(data) >= 12 else 0
    if not count or len(data) < 12 + 16 * count:
        raise InvalidFont("the font is damaged or incomplete")
    for index in range(count):
        offset, length = struct.unpack_from(">LL", data, 12 + 16 * index + 8)
        if offset + length > len(data):
            raise InvalidFont("the font is damaged or incomplete")


def _check_permission(os2: bytes) -> None:
    """Refuse what its maker does not allow to be embedded; of several licences the least strict one holds."""
    allowed = struct.unpack_from(">H", os2, 8)[0] if len(os2) >= 10 else 0
    if allowed & _RESTRICTED and not allowed & (_PREVIEW | _EDITABLE):
        raise InvalidFont("the font's licence does not allow documents to contain it (fsType: restricted)")
    if allowed & _NO_SUBSET:
        raise InvalidFont(
            "the font's licence does not allow documents to contain a part of it (fsType: no subset)"
        )
    if allowed & _BITMAPS:
        raise InvalidFont("the font's licence allows documents to contain its bitmaps only (fsType)")


def _check_composites(face: hb.Face) -> None:
    """Refuse letters that no reader would finish drawing."""
    head, loca, glyf = (bytes(face.reference_table(tag).data) for tag in ("head", "loca", "glyf"))
    try:
        check_composites(head, loca, glyf)
    except EndlessLetter:
        raise InvalidFont("a letter of the font is made of too many others, or of itself") from None
    except (struct.error, IndexError):
        raise InvalidFont("the font is damaged or incomplete") from None


def _check_subset(face: hb.Face) -> None:
    """Cut a few letters out, as documents will; damaged outlines fail here and not when somebody renders."""
    import uharfbuzz as hb

    try:
        wanted = hb.SubsetInput()
        wanted.sets(hb.SubsetInputSets.GLYPH_INDEX).update(range(min(face.glyph_count, 64)))
        cut = hb.subset(face, wanted)
    except Exception:
        cut = None
    if cut is None or not cut.glyph_count:
        raise InvalidFont("the font is damaged or incomplete")


def _names(face: hb.Face, os2: bytes) -> FontInfo:
    selection = struct.unpack_from(">H", os2, 62)[0] if len(os2) >= 64 else 0
    weight = struct.unpack_from(">H", os2, 4)[0] if len(os2) >= 6 else 400
    family, style = (_name(face, preferred) or _name(face, plain) for preferred, plain in ((16, 1), (17, 2)))
    return FontInfo(
        family=family or "Font",
        face=style or "Regular",
        bold=bool(selection & 0x20) or weight >= 600,
        italic=bool(selection & 0x01) or bool(selection & 0x200),
    )


def _name(face: Any, number: int) -> str:
    """Return an entry of the name table without control characters; empty when it has none."""
    import uharfbuzz as hb

    try:
        found = face.get_name(hb.OTNameIdPredefined(number), "en")
    except Exception:  # a name that is no text
        return ""
    return "".join(c for c in found or "" if c.isprintable()).strip()[:100]
