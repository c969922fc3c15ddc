"""Code pages: the characters that one 8-bit font of a face shows.

Text of Western, Central European, Cyrillic, Greek, Turkish and Baltic alphabets is written in 8-bit fonts: a
code is a byte of a Windows code page, ASCII is the same in all of them. So a word is encoded by C code, takes
a byte per letter in the file, and its program is cut once in the process. Everything else takes composite
fonts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rendering.formats.pdf.typeset import programs

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.faces import Face

WESTERN: Final = "cp1252"
# In the order in which a text looks for its own.
NAMES: Final = (WESTERN, "cp1250", "cp1251", "cp1253", "cp1254", "cp1257")
# Controls, and the soft hyphen, which is a hyphen in some readers and nothing in others.
_UNUSABLE: Final = frozenset([*range(32), 0x7F, 0xAD])
MISSING: Final = "\ufffd"


class CodePage:
    """A code page as far as a face has its characters."""

    __slots__ = ("_face", "_kernings", "_program", "characters", "name", "widths")

    def __init__(self, face: Face, name: str) -> None:
        self._face = face
        self._program: tuple[bytes, int] | None = None
        self._kernings: dict[int, int] = {}
        self.name = name
        decoded = bytes(range(256)).decode(name, "replace")
        # The no-break space is drawn as a space, whatever the face has for it.
        glyphs = [face.glyph(" " if character == "\xa0" else character) for character in decoded]
        usable = [code not in _UNUSABLE and decoded[code] != MISSING and glyphs[code] for code in range(256)]
        # The character of each code, U+FFFD where the face has none.
        self.characters = "".join(
            character if there else MISSING for character, there in zip(decoded, usable, strict=True)
        )
        self.widths = [
            face.advance(glyph) if there else 0 for glyph, there in zip(glyphs, usable, strict=True)
        ]

    def kernings(self, codes: bytes) -> list[int]:
        """Return what is added between each two neighbours of a text; line ends are not kerned."""
        # Each two neighbours as a number of 16 bits: that takes half as long as strings of two.
        twice = bytearray(2 * len(codes) - 2)
        twice[::2], twice[1::2] = codes[:-1], codes[1:]
        pairs = memoryview(twice).cast("H").tolist()
        known = self._kernings
        try:
            return list(map(known.__getitem__, pairs))
        except KeyError:
            known.update(self._missing(twice, pairs))  # at most 50,000 pairs: there are 224 codes
            return list(map(known.__getitem__, pairs))

    def _missing(self, twice: bytearray, pairs: list[int]) -> dict[int, int]:
        """Return the pairs that are not known yet."""
        place = dict(zip(pairs, range(0, len(twice), 2), strict=True))
        new = [pair for pair in place if pair not in self._kernings]
        texts = [twice[place[pair] : place[pair] + 2].decode(self.name) for pair in new]
        return dict(zip(new, self._face.kernings(texts), strict=True))

    def program(self) -> tuple[bytes, int]:
        """Return the deflated font file with these characters under their codes, and its length before."""
        if self._program is None:
            self._program = programs.of_codes(self._face.hb_face, self.characters)
        return self._program


class CodePages:
    """The code pages of a face, and which of them shows a text."""

    def __init__(self, face: Face) -> None:
        self._face = face
        self._pages: dict[str, CodePage] = {}
        self._pattern: re.Pattern[str] | None = None

    def __getitem__(self, name: str) -> CodePage:
        page = self._pages.get(name)
        if page is None:
            page = self._pages[name] = CodePage(self._face, name)
        return page

    def of(self, text: str) -> str | None:
        """Return the first code page that has a text, "" when all of them have it, None when none has."""
        if self._pattern is None:
            self._pattern = re.compile("|".join([self._group(ascii_only=True), *map(self._group, NAMES)]))
        found = self._pattern.fullmatch(text)
        return None if found is None else ("", *NAMES)[(found.lastindex or 1) - 1]

    def _group(self, name: str = WESTERN, *, ascii_only: bool = False) -> str:
        """Return the group of the pattern that takes texts of a code page."""
        if not self._face.simple:
            return "((?!))"
        characters = self[name].characters[: 127 if ascii_only else 256].replace(MISSING, "")
        return f"([{re.escape(characters)}]+)" if characters else "((?!))"
