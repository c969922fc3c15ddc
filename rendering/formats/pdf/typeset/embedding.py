"""Font programs into the PDF file: 8-bit TrueType fonts, and composite fonts of two-byte glyph numbers.

Every program is a subset cut by HarfBuzz without hinting and layout tables. The 8-bit ones hold ASCII or all
of cp1252, whatever the document says, so that a process cuts and deflates them once; composite ones hold
exactly the document's glyphs under their original numbers.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from rendering.formats.pdf.typeset import programs
from rendering.formats.pdf.typeset.codepages import MISSING, WESTERN
from rendering.formats.pdf.typeset.faces import Face
from rendering.formats.pdf.typeset.typesetter import UsedFont
from rendering.formats.pdf.write.file import deflated_bytes

if TYPE_CHECKING:
    from rendering.formats.pdf.write.file import PdfFile

_CMAP_HEAD: Final = """/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<%s> <%s>
endcodespacerange
"""
_CMAP_TAIL: Final = "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"


def write_fonts(used: Sequence[UsedFont], file: PdfFile) -> dict[str, int]:
    """Write every used font; return the object number of each resource name."""
    return {font.name: _writer(font)(font, file) for font in used}


def _writer(font: UsedFont) -> Callable[[UsedFont, PdfFile], int]:
    if not font.simple:
        return _composite
    return _simple if font.page == WESTERN else _paged


def _simple(font: UsedFont, file: PdfFile) -> int:
    """Write an 8-bit TrueType font with WinAnsiEncoding."""
    data, length = font.face.program(font.wide)
    descriptor, code = _western(font.face, font.wide)
    program = file.add_stream(data, f"/Length1 {length}", deflated=True)
    return file.add(code % file.add(descriptor % program))


# What the fonts of `_simple` are the same in, document after document.
_told: WeakKeyDictionary[Face, dict[bool, tuple[str, str]]] = WeakKeyDictionary()


def _western(face: Face, wide: bool) -> tuple[str, str]:
    """Return descriptor and dictionary of an 8-bit font, `%d` for the numbers of program and descriptor."""
    told = _told.setdefault(face, {})
    found = told.get(wide)
    if found is None:
        name = f"{_tag(face.program(wide)[0])}+{face.name}"
        widths = face.widths[32 : 256 if wide else 127]
        found = told[wide] = (
            _descriptor(face, name, "%d", symbolic=False),
            f"<< /Type /Font /Subtype /TrueType /BaseFont /{name} /Encoding /WinAnsiEncoding"
            f" /FirstChar 32 /LastChar {31 + len(widths)} /Widths [{' '.join(map(str, widths))}]"
            " /FontDescriptor %d 0 R >>",
        )
    return found


def _paged(font: UsedFont, file: PdfFile) -> int:
    """Write an 8-bit TrueType font with the codes of another code page.

    It is symbolic: its own cmap leads from codes to glyphs. Names of Cyrillic and Greek letters in an
    /Encoding are looked up differently from reader to reader.
    """
    data, length = font.face.pages[font.page].program()
    descriptor, texts, code = _of_page(font.face, font.page)
    program = file.add_stream(data, f"/Length1 {length}", deflated=True)
    number = file.add(descriptor % program)
    return file.add(code % (number, file.add_stream(texts, deflated=True)))


# What the fonts of `_paged` are the same in.
_pages_told: WeakKeyDictionary[Face, dict[str, tuple[str, bytes, str]]] = WeakKeyDictionary()


def _of_page(face: Face, name: str) -> tuple[str, bytes, str]:
    """Return descriptor, deflated /ToUnicode and dictionary of a font, `%d` for numbers of objects."""
    told = _pages_told.setdefault(face, {})
    found = told.get(name)
    if found is None:
        page = face.pages[name]
        tagged = f"{_tag(page.program()[0])}+{face.name}"
        texts = {code: character for code, character in enumerate(page.characters) if character != MISSING}
        found = told[name] = (
            _descriptor(face, tagged, "%d", symbolic=True),
            deflated_bytes(_to_unicode(texts, digits=2).encode("latin-1")),
            f"<< /Type /Font /Subtype /TrueType /BaseFont /{tagged}"
            f" /FirstChar 32 /LastChar 255 /Widths [{' '.join(map(str, page.widths[32:]))}]"
            " /FontDescriptor %d 0 R /ToUnicode %d 0 R >>",
        )
    return found


def _composite(font: UsedFont, file: PdfFile) -> int:
    """Write a Type 0 font whose codes are glyph numbers of the face."""
    face = font.face
    codes = sorted(font.texts)
    glyphs = [font.others.get(code, code) for code in codes]
    data, length = programs.of_glyphs(face.hb_face, glyphs)
    program = file.add_stream(data, f"/Length1 {length}", deflated=True)
    name = f"{_tag(data)}+{face.name}"
    descriptor = file.add(_descriptor(face, name, program, symbolic=True))
    descendant = file.add(
        f"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{name} /CIDToGIDMap {_glyph_map(font, file)}"
        f" /CIDSystemInfo << /Registry {file.text('Adobe')} /Ordering {file.text('Identity')}"
        " /Supplement 0 >>"
        f" /FontDescriptor {descriptor} 0 R /DW 1000 /W [{_widths(face, codes, glyphs)}] >>"
    )
    unicode = file.add_stream(_to_unicode(font.texts).encode("latin-1"))
    return file.add(
        f"<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /Identity-H"
        f" /DescendantFonts [{descendant} 0 R] /ToUnicode {unicode} 0 R >>"
    )


def _tag(data: bytes) -> str:
    """Return the six letters in front of a subset's name; they follow from its content."""
    number = zlib.crc32(data)
    letters = []
    for _ in range(6):
        number, letter = divmod(number, 26)
        letters.append(chr(65 + letter))
    return "".join(letters)


def _descriptor(face: Face, name: str, program: int | str, *, symbolic: bool) -> str:
    """Return the font descriptor; flags: fixed pitch 1, symbolic 4, nonsymbolic 32, italic 64."""
    flags = (4 if symbolic else 32) | (1 if face.fixed_pitch else 0) | (64 if face.italic_angle else 0)
    left, bottom, right, top = face.bounds
    return (
        f"<< /Type /FontDescriptor /FontName /{name} /Flags {flags} /FontBBox [{left} {bottom} {right} {top}]"
        f" /ItalicAngle {face.italic_angle:g} /Ascent {face.ascent * 1000:.0f}"
        f" /Descent {-face.descent * 1000:.0f} /CapHeight {face.cap_height * 1000:.0f}"
        f" /StemV {120 if face.weight >= 600 else 80} /FontFile2 {program} 0 R >>"
    )


def _glyph_map(font: UsedFont, file: PdfFile) -> str:
    """Return the map from codes to glyphs: each its own, or a stream when a glyph has several codes."""
    if not font.others:
        return "/Identity"
    glyphs = array("H", range(max(font.others) + 1))
    for code, glyph in font.others.items():
        glyphs[code] = glyph
    if sys.byteorder == "little":
        glyphs.byteswap()
    return f"{file.add_stream(glyphs.tobytes())} 0 R"


def _widths(face: Face, codes: Sequence[int], glyphs: Sequence[int]) -> str:
    """Return the inside of a W array; neighbouring codes share one list."""
    parts: list[str] = []
    previous = -2
    for code, glyph in zip(codes, glyphs, strict=True):
        if code != previous + 1:
            parts.append(f"{']' if parts else ''}{code}[")
        parts.append(str(face.advance(glyph)))
        previous = code
    return " ".join(parts) + ("]" if parts else "")


def _to_unicode(texts: dict[int, str], *, digits: int = 4) -> str:
    """Return the CMap from codes of so many hexadecimal digits to text, in blocks of at most 100."""
    entries = [
        f"<{code:0{digits}X}> <{texts[code].encode('utf-16-be', 'replace').hex().upper()}>"
        for code in sorted(texts)
    ]
    blocks = (entries[start : start + 100] for start in range(0, len(entries), 100))
    body = "".join("{} beginbfchar\n{}\nendbfchar\n".format(len(block), "\n".join(block)) for block in blocks)
    return f"{_CMAP_HEAD % ('0' * digits, 'F' * digits)}{body}{_CMAP_TAIL}"
