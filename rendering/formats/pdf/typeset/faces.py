"""Faces: font programs with their metrics, shared by every document of the process.

A face is loaded when the first text needs it. The bundled files are mapped into memory by HarfBuzz, so that
idle parts of the large ones cost nothing; an organization's own files stay in a small cache, the least
recently used one leaves first. All widths are thousandths of an em.
"""

from __future__ import annotations

import codecs
import hashlib
import re
import struct
import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import uharfbuzz as hb

from config.kept import Kept
from rendering.formats.pdf.typeset import kerning, programs
from rendering.formats.pdf.typeset.atoms import Text, atoms, unbroken
from rendering.formats.pdf.typeset.clean import is_line
from rendering.formats.pdf.typeset.clusters import IGNORABLE
from rendering.formats.pdf.typeset.codepages import WESTERN, CodePages

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.vocabulary import Vocabulary

FOLDER: Final = Path(__file__).parent.parent / "fonts"
OWN_FACES: Final = 64  # faces of organizations that stay loaded
OWN_BYTES: Final = 32 << 20  # of their files, together
PAIRS: Final = 50_000  # kerning pairs that a face remembers
WORDS: Final = 16_000  # kerned words that a face remembers
LONG: Final = 32  # characters from which on a text is not remembered
LINES: Final = 8_000  # short lines that a face remembers
NO_SPACE: Final = 250.0  # width of a space that the face does not have
_SEPARATOR: Final = "\0"
_MISSING: Final = "\u25a1\ufffd?"  # what stands for a character that no face has: an empty box, or else
# Sums of 16-bit numbers modulo 65535: longer texts are added up one by one.
_SHORT: Final = 48
# Such a width is half a character: a letter that is 55 em wide is drawn as well, only not as quickly.
_TOO_WIDE: Final = 0xD800
_lock = threading.RLock()


class Face:
    """One font program: its metrics, its 8-bit (cp1252) tables, and its HarfBuzz font.

    Safe for many threads: what is computed late is the same whoever computes it.
    """

    def __init__(self, blob: Any, fallback_name: str) -> None:
        self.hb_face = hb.Face(blob)
        self.font = hb.Font(self.hb_face)
        self.font.scale = (1000, 1000)  # positions come as thousandths of an em
        self.unicodes = self.hb_face.unicodes
        self._check()
        self.name = self._postscript_name(fallback_name)
        self._has_kerning = not {"GPOS", "kern"}.isdisjoint(self.hb_face.table_tags)
        self.count: int = self.hb_face.glyph_count
        extents = self.font.get_font_extents("ltr")
        self.ascent: float = extents.ascender / 1000
        self.descent: float = -extents.descender / 1000
        self.cap_height = self._metric(hb.OTMetricsTag.CAP_HEIGHT)
        self.x_height = self._metric(hb.OTMetricsTag.X_HEIGHT)
        self._pairs: dict[str, int] = {}  # kerning of two characters
        self._glyphs: dict[str, int] = {}  # characters of `plain`: Latin, Greek, Cyrillic, Chinese and so on
        self._words: dict[str, tuple[str, int]] = {}
        self._lines: dict[str, tuple[str, int, bool] | None] = {}
        self._programs: dict[bool, tuple[bytes, int]] = {}
        self.pages = CodePages(self)
        self.vocabularies: dict[bool, Vocabulary] = {}

    def _check(self) -> None:
        tags = set(self.hb_face.table_tags)
        if self.hb_face.glyph_count < 1 or not {"cmap", "head", "hmtx"} <= tags or not len(self.unicodes):
            raise ValueError("The font file cannot be read: it is not a TrueType font, or it is damaged")
        if "glyf" not in tags:
            raise ValueError(
                "The font file has no TrueType outlines; OpenType fonts with CFF are not supported"
            )

    def _postscript_name(self, fallback: str) -> str:
        name = self.hb_face.get_name(hb.OTNameIdPredefined.POSTSCRIPT_NAME) or fallback
        return re.sub(r"[^A-Za-z0-9-]", "", name)[:60] or "Font"

    def _metric(self, tag: Any) -> float:
        return float(self.font.get_metric_position_with_fallback(tag)) / 1000

    # -- single glyphs

    def covers(self, text: str) -> bool:
        """Return whether the face has every character; not those that draw nothing."""
        unicodes = self.unicodes
        return all(ord(character) in unicodes or character in IGNORABLE for character in text)

    def glyph(self, character: str) -> int:
        """Return the glyph of a character, 0 when the face has none."""
        return int(self.font.get_nominal_glyph(ord(character)) or 0)

    @cached_property
    def missing(self) -> int:
        """What is shown for a character that no face has; 0 when this one has nothing to say so."""
        return next(filter(None, map(self.glyph, _MISSING)), 0)

    def advance(self, glyph: int) -> int:
        """Return the advance of a glyph."""
        return int(self.font.get_glyph_h_advance(glyph))

    @cached_property
    def space(self) -> float:
        """The advance of a space; a usual one when the face has none."""
        return float(self.advance(self.glyph(" "))) or NO_SPACE

    @cached_property
    def empty(self) -> int:
        """A glyph without outline and width, 0 when the face has none."""
        for glyph in range(1, min(self.count, 2000)):
            if not self.advance(glyph):
                extents = self.font.get_glyph_extents(glyph)
                if extents is None or not (extents.width or extents.height):
                    return glyph
        return 0

    @cached_property
    def bounds(self) -> tuple[int, int, int, int]:
        """The box around all glyphs, x and y minimum, x and y maximum."""
        head = self._table("head")
        units = struct.unpack_from(">H", head, 18)[0] or 1000
        box = struct.unpack_from(">4h", head, 36)
        left, bottom, right, top = (round(value * 1000 / units) for value in box)
        return left, bottom, right, top

    @cached_property
    def italic_angle(self) -> float:
        """Degrees anticlockwise from the vertical, negative for a slant to the right."""
        post = self._table("post")
        return float(struct.unpack_from(">i", post, 4)[0] / 65536) if len(post) >= 8 else 0.0

    @cached_property
    def fixed_pitch(self) -> bool:
        """Whether every character has the same width."""
        post = self._table("post")
        return len(post) >= 16 and bool(struct.unpack_from(">I", post, 12)[0])

    @cached_property
    def weight(self) -> int:
        """400 is regular, 700 is bold."""
        os2 = self._table("OS/2")
        return int(struct.unpack_from(">H", os2, 4)[0]) if len(os2) >= 6 else 400

    def _table(self, tag: str) -> bytes:
        data = self.hb_face.reference_table(tag).data
        return bytes(data) if data else b""

    # -- the 8-bit font

    @cached_property
    def simple(self) -> bool:
        """Whether it can be an 8-bit font: PDF viewers look WinAnsi names up in the Windows Unicode cmap."""
        cmap = self._table("cmap")
        count = struct.unpack_from(">H", cmap, 2)[0]
        records = (struct.unpack_from(">HH", cmap, 4 + 8 * index) for index in range(count))
        return (3, 1) in records

    @cached_property
    def widths(self) -> list[int]:
        """The advance of each cp1252 code; 0 where there is no character."""
        return [self.advance(glyph) if glyph else 0 for glyph in self._cp1252]

    @cached_property
    def absent(self) -> bytes:
        """Codes of cp1252 that the face cannot show as an 8-bit font."""
        if not self.simple:
            return bytes(range(256))
        # U+00A0 and U+00AD are the space and the hyphen in WinAnsiEncoding, whatever the face has for them.
        unusable = {*range(32), 0xAD}
        return bytes(code for code, glyph in enumerate(self._cp1252) if not glyph or code in unusable)

    @cached_property
    def _cp1252(self) -> list[int]:
        characters = [bytes([code]).decode("cp1252", "replace") for code in range(256)]
        glyphs = [0 if character == "\ufffd" else self.glyph(character) for character in characters]
        glyphs[0xA0] = glyphs[0x20]
        return glyphs

    @cached_property
    def _wide_table(self) -> str:
        """Decoding table from a code to the character whose number is its width, for `advances`."""
        table = "".join(map(chr, self.widths))
        return "\uf0f1" + table[1:]

    @cached_property
    def _widest(self) -> int:
        return max(*self.widths, 1)

    @cached_property
    def _short(self) -> int:
        """Bytes of UTF-16 up to which the sum of widths stays below 65535."""
        return 2 * min(_SHORT, 65534 // self._widest)

    def codes(self, text: str) -> bytes | None:
        """Return the text in the 8-bit font, None when that cannot show it."""
        try:
            encoded = text.encode("ascii" if text.isascii() else "cp1252")
        except UnicodeEncodeError:
            return None
        return encoded if len(encoded.translate(None, self.absent)) == len(encoded) else None

    def literals(self, texts: Sequence[str]) -> tuple[list[str], bool] | None:
        """Return each text as a PDF string of the 8-bit font, and whether any has more than ASCII.

        None when any of the texts needs something else.
        """
        if not texts:
            return [], False
        joined = _SEPARATOR.join(texts)
        ascii_only = joined.isascii()
        try:
            encoded = joined.encode("ascii" if ascii_only else "cp1252")
        except UnicodeEncodeError:
            return None
        if len(encoded) - len(encoded.translate(None, self.absent)) != len(texts) - 1:
            return None  # a code that is absent, and the separator is one
        plain = encoded.decode("latin-1")
        return f"({escape(plain)})".replace(_SEPARATOR, f"){_SEPARATOR}(").split(_SEPARATOR), not ascii_only

    def advances(self, texts: Sequence[str]) -> list[float]:
        """Return the width of each text that `literals` accepts, without kerning.

        A code becomes a 16-bit number, its width; read as one large number to the base 65536, a text modulo
        65535 is the sum of its digits. That takes a third of the time of adding them up in Python.
        """
        if not texts:
            return []
        if self._widest >= _TOO_WIDE:
            return [self.width(text) for text in texts]
        joined = _SEPARATOR.join(texts)
        encoded = joined.encode("ascii" if joined.isascii() else "cp1252")
        wide = codecs.charmap_decode(encoded, "strict", self._wide_table)[0].encode("utf-16-le")
        parts = wide.split(b"\xf1\xf0")  # no width has these bytes, in any position
        whole = int.from_bytes
        if len(max(parts, key=len)) <= self._short:
            return [whole(part, "little") % 65535 for part in parts]
        short = self._short
        return [
            whole(part, "little") % 65535 if len(part) <= short else self.width(text)
            for text, part in zip(texts, parts, strict=True)
        ]

    def width(self, text: str) -> int:
        """Return the width of one text that the 8-bit font can show, without kerning."""
        return sum(map(self.widths.__getitem__, text.encode("ascii" if text.isascii() else "cp1252")))

    # -- kerning of the 8-bit font

    def kerned(self, text: str, codes: bytes, widths: Sequence[int] | None = None) -> tuple[str, int]:
        """Return the inside of a TJ array and the width of a text in an 8-bit font.

        `widths` are those of the codes when these are not cp1252: then the text is not Western, so that it
        has one code page always.
        """
        found = self._words.get(text)
        if found is None:
            found = self._kerned(text, codes, widths or self.widths)
            if len(text) < LONG:
                if len(self._words) >= WORDS:
                    self._words.clear()
                self._words[text] = found
        return found

    def _kerned(self, text: str, codes: bytes, widths: Sequence[int]) -> tuple[str, int]:
        width = sum(map(widths.__getitem__, codes))
        kerns = self._kerns(text)
        shown = codes.decode("latin-1")
        if not any(kerns):
            return f"({escape(shown)})", width
        parts: list[str] = []
        start = 0
        for index, kern in enumerate(kerns, 1):
            if kern:
                parts.append(f"({escape(shown[start:index])}){-kern}")
                start = index
        parts.append(f"({escape(shown[start:])})")
        return "".join(parts), width + sum(kerns)

    def line(self, text: str) -> tuple[str, int, bool] | None:
        """Return code and width of a short line of words, and whether it has more than ASCII; remembered.

        Labels, heads and sums come again in document after document. None for a text that the 8-bit font
        cannot show, or that is not clean. Gaps and places for a break inside of a word are not kerned.
        """
        try:
            return self._lines[text]
        except KeyError:
            pass
        found = self._line(text)
        if len(self._lines) >= LINES:
            self._lines.clear()
        self._lines[text] = found
        return found

    def _line(self, text: str) -> tuple[str, int, bool] | None:
        codes = self.codes(text)
        if codes is None or not self.widths[32] or not is_line(text):
            return None
        if not unbroken(text):
            return (*self._parted(text, codes), not text.isascii())
        # A line end is as wide as a space and not kerned.
        code, steps = self.pages[WESTERN].spelt(codes.replace(b" ", b"\n"))
        return "(" + code.replace("\n", " ") + ")", sum(steps), not text.isascii()

    def _parted(self, text: str, codes: bytes) -> tuple[str, int]:
        """Return code and width of a line of words of which some may be broken inside."""
        found = atoms(Text(text))
        shown: list[str] = []
        width, before = 0, 0
        for begin, stop in zip(found.begins, found.stops, strict=True):
            code, step = self.kerned(text[begin:stop], codes[begin:stop])
            shown.append("( )" * (begin - before) + code)
            width += (begin - before) * self.widths[32] + step
            before = stop
        return "".join(shown).replace(")(", ""), width

    def plain(self, text: str) -> tuple[str, int, tuple[tuple[int, str], ...]] | None:
        """Return code, width, and glyphs with their text, of a text that needs kerning but no shaping.

        None when the face lacks a character.
        """
        known = self._glyphs
        try:
            glyphs = [known[character] for character in text]
        except KeyError:
            glyphs = [self._known(character) for character in text]
        if not all(glyphs):
            return None
        numbers = [f"{glyph:04X}" for glyph in glyphs]
        width = sum(map(self.advance, glyphs))
        said = tuple(zip(glyphs, text, strict=True))
        kerns = self._kerns(text) if self._has_kerning else []
        if not any(kerns):
            return f"<{''.join(numbers)}>", width, said
        for index, kern in enumerate(kerns):
            if kern:
                numbers[index] += f">{-kern}<"
        return f"<{''.join(numbers)}>", width + sum(kerns), said

    def _known(self, character: str) -> int:
        glyph = self._glyphs.get(character)
        if glyph is None:
            glyph = self._glyphs[character] = self.glyph(character)
        return glyph

    def _kerns(self, text: str) -> list[int]:
        """Return what is added between each two neighbours."""
        pairs = list(map(str.__add__, text, text[1:]))
        known = self._pairs
        try:
            return [known[pair] for pair in pairs]
        except KeyError:
            if len(known) > PAIRS:
                known.clear()
            return [self._kerning(pair) for pair in pairs]

    def _kerning(self, pair: str) -> int:
        """Return what HarfBuzz adds between two characters; shaped once."""
        kern = self._pairs.get(pair)
        if kern is None:
            kern = self._pairs[pair] = kerning.of_pair(self, pair)
        return kern

    def kernings(self, pairs: list[str]) -> list[int]:
        """Return what is added between the characters of each pair, for letters that `pages` have."""
        known = self._pairs
        try:
            return list(map(known.__getitem__, pairs))
        except KeyError:
            if len(known) > PAIRS:
                known.clear()
            new = set(pairs).difference(known)
            found = kerning.of_pairs(self, new)
            known.update(found)
            try:
                return list(map(known.__getitem__, pairs))
            except KeyError:  # another thread has cleared it
                return list(map(kerning.of_pairs(self, set(pairs)).__getitem__, pairs))

    def program(self, wide: bool) -> tuple[bytes, int]:
        """Return the deflated file of the 8-bit font (ASCII or all of cp1252) and its length before.

        Cut once in the process.
        """
        found = self._programs.get(wide)
        if found is None:
            found = self._programs[wide] = programs.of_characters(self.hb_face, wide=wide)
        return found


def escape(text: str) -> str:
    """Escape the inside of a PDF string."""
    if "\\" in text:
        text = text.replace("\\", "\\\\")
    if "(" in text:
        text = text.replace("(", "\\(")
    if ")" in text:
        text = text.replace(")", "\\)")
    return text


_bundled: dict[str, Face] = {}
_own: Kept[bytes, Face] = Kept(OWN_BYTES, OWN_FACES, worth=1)


def bundled(name: str) -> Face:
    """Return the face of the file `name`.ttf in the folder of bundled fonts."""
    face = _bundled.get(name)
    if face is None:
        with _lock:
            face = _bundled.get(name)
            if face is None:
                face = Face(hb.Blob.from_file_path(str(FOLDER / f"{name}.ttf")), name)
                _bundled[name] = face
    return face


def own(content: bytes, name: str) -> Face:
    """Return the face of an organization's TTF file.

    ValueError when HarfBuzz cannot use the bytes as a TrueType font.
    """

    def load() -> Face:
        face = Face(hb.Blob(content), name)
        face.program(wide=False)  # the trial: a damaged file fails here, not when the document is written
        return face

    key = hashlib.blake2b(content, digest_size=16).digest()
    return _own.get(key, load, lambda face: len(face.hb_face.blob))


def loaded() -> set[Face]:
    """Return the faces of organizations that are loaded now."""
    return set(_own.results())
