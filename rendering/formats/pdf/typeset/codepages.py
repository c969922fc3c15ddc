"""Code pages: the characters that one 8-bit font of a face shows.

Text of Western, Central European, Cyrillic, Greek, Turkish and Baltic alphabets is written in 8-bit fonts: a
code is a byte of a Windows code page, ASCII is the same in all of them. So a word is encoded by C code, takes
a byte per letter in the file, and its program is cut once in the process. Everything else takes composite
fonts.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable
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
_ESCAPED: Final = {"\\": "\\\\", "(": "\\(", ")": "\\)"}


class CodePage:
    """A code page as far as a face has its characters."""

    __slots__ = ("_face", "_program", "_shown", "_steps", "characters", "name", "widths")

    def __init__(self, face: Face, name: str) -> None:
        self._face = face
        self._program: tuple[bytes, int] | None = None
        # By two neighbours: the code of the first one with the kerning behind it, and its step.
        self._shown: dict[int, str] = {}
        self._steps: dict[int, int] = {}
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

    def spelt(self, codes: bytes) -> tuple[str, Iterable[int]]:
        """Return the code of words and the step of each letter; a line end stands behind each word.

        A step is the width of a letter with the kerning behind it. A line end is as wide as a space; it is
        not kerned and stays a line end.
        """
        # Each two neighbours as a number of 16 bits: that takes half as long as strings of two.
        twice = bytearray(2 * len(codes))
        twice[::2], twice[1::2] = codes, codes[1:] + b"\n"
        pairs = memoryview(twice).cast("H").tolist()
        try:
            return "".join(map(self._shown.__getitem__, pairs)), map(self._steps.__getitem__, pairs)
        except KeyError:
            self._learn(pairs)  # at most 50,000 pairs: there are 224 codes
            return "".join(map(self._shown.__getitem__, pairs)), map(self._steps.__getitem__, pairs)

    def _learn(self, pairs: Iterable[int]) -> None:
        """Take in the pairs that are not known yet."""
        new = sorted(set(pairs).difference(self._shown))
        both = array("H", new).tobytes()
        said = both.decode(self.name)
        kerns = self._face.kernings(list(map(str.__add__, said[::2], said[1::2])))
        space = self.widths[ord(" ")]
        for pair, code, kern in zip(new, both[::2], kerns, strict=True):
            first = chr(code)
            # What a thread reads in `_shown`, it finds in `_steps`.
            self._steps[pair] = (self.widths[code] if first != "\n" else space) + kern
            self._shown[pair] = _ESCAPED.get(first, first) + (f"){-kern}(" if kern else "")

    def program(self) -> tuple[bytes, int]:
        """Return the deflated font file with these characters under their codes, and its length before."""
        if self._program is None:
            self._program = programs.of_codes(self._face.hb_face, self.characters)
        return self._program


class _Firsts(dict[str, str]):
    """The first code page that has a character: the Western one for ASCII, "" when none has it."""

    KEPT: Final = 4_000

    def __init__(self, pages: CodePages) -> None:
        self._pages = pages

    def __missing__(self, character: str) -> str:
        page = self._pages.of(character)
        if len(self) >= self.KEPT:
            self.clear()
        self[character] = name = "" if page is None else page or WESTERN
        return name


class CodePages:
    """The code pages of a face, and which of them shows a text."""

    def __init__(self, face: Face) -> None:
        self._face = face
        self._pages: dict[str, CodePage] = {}
        self._runs: dict[str, re.Pattern[str]] = {}
        self._patterns: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {}
        self.firsts = _Firsts(self)

    def __getitem__(self, name: str) -> CodePage:
        page = self._pages.get(name)
        if page is None:
            page = self._pages[name] = CodePage(self._face, name)
        return page

    def of(self, text: str) -> str | None:
        """Return the first code page that has a text, "" when all of them have it, None when none has."""
        return next((name for name in ("", *NAMES) if self._run(name).fullmatch(text)), None)

    def _run(self, name: str) -> re.Pattern[str]:
        """Return the pattern of a text in a code page, "" for ASCII alone; made when first asked for."""
        run = self._runs.get(name)
        if run is None:
            one = self._class(name or WESTERN, ascii_only=not name)
            run = self._runs[name] = re.compile(f"{one}+")
        return run

    def those(self, name: str, words: list[str]) -> list[str]:
        """Return those of some words that a code page has; "" is ASCII alone."""
        patterns = self._patterns.get(name)
        if patterns is None:
            one = self._class(name or WESTERN, ascii_only=not name)
            patterns = re.compile(f"(?:{one}|\n)+"), re.compile(f"^{one}+$", re.MULTILINE)
            self._patterns[name] = patterns
        every, some = patterns
        text = "\n".join(words)
        return words if every.fullmatch(text) else some.findall(text)

    def _class(self, name: str = WESTERN, *, ascii_only: bool = False) -> str:
        """Return the pattern of one character of a code page."""
        if not self._face.simple:
            return "(?!)"
        characters = self[name].characters[: 127 if ascii_only else 256].replace(MISSING, "")
        return f"[{re.escape(characters)}]" if characters else "(?!)"
