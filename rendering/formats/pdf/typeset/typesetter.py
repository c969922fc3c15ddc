"""Typesetter: text to glyphs for one document, and the list of the fonts that it used.

Widths are thousandths of an em unless said otherwise. Most text is Western: it is written in 8-bit fonts, in
which a code is a character of cp1252 and kerning is a table of pairs. Everything else is shaped by HarfBuzz
(`shaping`) and written as glyph numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Final

from config.value import dataclass, value
from rendering.formats.directions import is_rtl_language
from rendering.formats.pdf.typeset import chains
from rendering.formats.pdf.typeset.chains import Chain
from rendering.formats.pdf.typeset.codepages import WESTERN
from rendering.formats.pdf.typeset.faces import Face
from rendering.formats.pdf.typeset.shaping import LOCALIZED, Stretch
from rendering.formats.pdf.typeset.style import TextStyle
from templates_app.resolved import Theme

WORDS: Final = 50_000  # words that a document remembers per face
MOST_CODES: Final = 0xFFFF
LONG: Final = 64  # characters from which on a text is not remembered


@value
class Piece:
    """Glyphs of one font, one after the other, at one height.

    `font` is the document's name of the font; `code` the inside of a TJ array (see `TextRun`); `width` in
    thousandths of an em. `actual`: the glyphs alone do not give `text` to who copies it, the writer has to
    say it (`text` may be empty: then an earlier piece of the word says it for this one). `rise`:
    thousandths of an em above the baseline, for marks that stand higher or lower.
    """

    font: str
    code: str
    width: float
    text: str
    actual: bool = False
    rise: float = 0.0


@value
class Word:
    """A shaped text: its pieces from left to right, whatever its direction; width in em/1000."""

    width: float
    pieces: tuple[Piece, ...]
    rtl: bool = False


EMPTY: Final = Word(0.0, ())


@dataclass(slots=True)
class UsedFont:
    """A font of the document: the resource `name`, and what of the face was used.

    `simple`: 8-bit, with the codes of `page`; `wide` when more than ASCII was written in the Western one.
    Otherwise two-byte codes: `texts` has what each one says, `others` the glyphs of codes
    that are not the glyph's own number.
    """

    name: str
    face: Face
    simple: bool
    page: str = WESTERN
    wide: bool = False
    texts: dict[int, str] = field(default_factory=dict)
    others: dict[int, int] = field(default_factory=dict)
    _codes: dict[tuple[int, str], int] = field(default_factory=dict)

    def code(self, glyph: int, text: str) -> int:
        """Return the two-byte code of a glyph that says `text`.

        It is the glyph's number; a glyph that said something else before gets one more code, so that
        copying gives each its own.
        """
        if self.texts.setdefault(glyph, text) == text:
            return glyph
        key = (glyph, text)
        code = self._codes.get(key)
        if code is None:
            code = self.face.count + len(self._codes)
            if code > MOST_CODES:
                return glyph
            self._codes[key] = code
            self.others[code] = glyph
            self.texts[code] = text
        return code


class Typesetter:
    """The fonts of one document in one language. Used by one thread; what it shares with others is safe.

    `check_time` is called while long texts are set, and raises when the render has used up its time.
    """

    def __init__(self, theme: Theme, language: str, check_time: Callable[[], None] = lambda: None) -> None:
        self.theme = theme
        self.check_time = check_time
        self.language = language
        # What stands side by side begins at the right, and so does text aligned "left".
        self.mirrored = is_rtl_language(language)
        self._fonts: dict[tuple[str, bool, bool], Font] = {}
        self._used: dict[tuple[Face, str], UsedFont] = {}

    def speaking(self, language: str) -> Typesetter:
        """Return a typesetter for this document's texts in another language; fonts are noted together."""
        other = Typesetter(self.theme, language, self.check_time)
        other._used = self._used
        return other

    def font(self, style: TextStyle) -> Font:
        """Return the font of a style: family, bold, italic.

        ValueError when the theme brings a font file that cannot be used.
        """
        key = (style.family, style.bold, style.italic)
        font = self._fonts.get(key)
        if font is None:
            chain = chains.chain(self.theme, self.language, *key)
            font = self._fonts[key] = Font(self, chain)
        return font

    def used(self) -> Sequence[UsedFont]:
        """Return the fonts in order of their first use; their names are F1, F2 and so on."""
        return list(self._used.values())

    def use(self, face: Face, *, simple: bool, page: str = WESTERN) -> UsedFont:
        """Return the document's entry of a face (of one code page when `simple`), new at its first use."""
        key = face, page if simple else ""
        entry = self._used.get(key)
        if entry is None:
            entry = self._used[key] = UsedFont(f"F{len(self._used) + 1}", face, simple, page)
        return entry


class Font:
    """One face of a family with its fallbacks, in one document. Heights in em, descent positive."""

    def __init__(self, typesetter: Typesetter, chain: Chain) -> None:
        face = chain.faces[0]
        self.ascent = face.ascent
        self.descent = face.descent
        self.x_height = face.x_height
        self.space = face.space
        self.check_time = typesetter.check_time
        self._typesetter = typesetter
        self._chain = chain
        self._face = face
        self._simple: UsedFont | None = None
        self._words: dict[str, Word] = {}
        self._backwards: dict[str, Word] = {}

    @property
    def face(self) -> Face:
        """The face itself: what is true of it in every document."""
        return self._face

    @property
    def resource(self) -> str:
        """The name of the face itself as an 8-bit font; asking for it puts it into the document."""
        return self._entry().name

    @property
    def western(self) -> bool:
        """Whether only Western text goes into 8-bit fonts: the language has its own shapes for the rest."""
        return self._typesetter.language[:2] in LOCALIZED

    def resource_of(self, page: str) -> str:
        """Return the name of the face as an 8-bit font of a code page; "" is ASCII alone."""
        entry = self._typesetter.use(self._face, simple=True, page=page or WESTERN)
        entry.wide = entry.wide or bool(page)
        return entry.name

    def _entry(self) -> UsedFont:
        if self._simple is None:
            self._simple = self._typesetter.use(self._face, simple=True)
        return self._simple

    def literals(self, texts: Sequence[str]) -> list[str] | None:
        """Return each text as an escaped PDF string, "(like this)", for the font `resource`.

        None when any of the texts needs another face or shaping. No kerning.
        """
        found = self._face.literals(texts)
        if found is None:
            return None
        literals, wide = found
        if wide:
            self._entry().wide = True
        return literals

    def advances(self, texts: Sequence[str]) -> list[float]:
        """Return the widths (em/1000) of texts that `literals` accepts, without kerning."""
        return self._face.advances(texts)

    def width(self, text: str, size: float) -> float:
        """Return the width in points of a text set at `size`, kerned as `word` sets it."""
        return self.word(text).width * size / 1000

    def word(self, text: str, *, rtl: bool | None = None) -> Word:
        """Shape a text without line ends; it may contain spaces.

        `rtl` is the direction of a run that the bidirectional algorithm found on its line; None: the text
        stands alone, and runs of both directions inside are put in order here.
        """
        words = self._backwards if rtl else self._words
        word = words.get(text)
        if word is None:
            word = (None if rtl else self._western(text)) or self._shape(text, rtl)
            if len(text) < LONG:
                if len(words) >= WORDS:
                    words.clear()
                words[text] = word
        return word

    def line(self, text: str) -> tuple[str, int] | None:
        """Return code (for `resource`) and width of a short line of words, None when it needs more.

        It is what `compose` makes of the words, at a fraction of its price.
        """
        found = self._face.line(text)
        if found is None:
            return None
        code, width, wide = found
        entry = self._simple or self._entry()
        if wide:
            entry.wide = True
        return code, width

    def part(self, text: str) -> Piece | None:
        """Return a part of a short line of words as `line` does; a space may stand at either end of it."""
        if text == " ":
            return self.word(text).pieces[0]
        words = text.strip(" ")
        found = self.line(words) if len(text) <= LONG else None
        if found is None:
            return None
        code, width = found
        if len(words) < len(text):
            begins, ends = text[0] == " ", text[-1] == " "
            if len(text) - len(words) > begins + ends:
                return None
            code = f"({' ' * begins}{code[1:-1]}{' ' * ends})"
            width += (begins + ends) * self._face.widths[32]
        return Piece(self.resource, code, width, text)

    def _western(self, text: str) -> Word | None:
        """Return a text that the 8-bit font can show, None when it cannot."""
        if not text:
            return EMPTY
        codes = self._face.codes(text)
        if codes is None:
            return None
        entry = self._entry()
        if not entry.wide and not text.isascii():
            entry.wide = True
        code, width = self._face.kerned(text, codes)
        return Word(width, (Piece(entry.name, code, width, text),))

    def _shape(self, text: str, rtl: bool | None) -> Word:
        """Return a text of any script, shaped by HarfBuzz."""
        stretches, rtl = self._chain.shaped(text, rtl)
        pieces = tuple(map(self._piece, stretches))
        return Word(sum(piece.width for piece in pieces), pieces, rtl)

    def _piece(self, stretch: Stretch) -> Piece:
        """Return a stretch with the names of this document; note its glyphs."""
        entry = self._typesetter.use(stretch.face, simple=stretch.simple, page=stretch.page)
        if stretch.simple:
            entry.wide = entry.wide or not stretch.text.isascii()
            return Piece(entry.name, stretch.code, stretch.width, stretch.text)
        code, texts = stretch.code, entry.texts
        for glyph, text in stretch.glyphs:
            if texts.setdefault(glyph, text) != text:  # it said something else before
                code = stretch.coded([entry.code(*said) for said in stretch.glyphs])
                break
        return Piece(entry.name, code, stretch.width, stretch.text, stretch.actual, stretch.rise)
