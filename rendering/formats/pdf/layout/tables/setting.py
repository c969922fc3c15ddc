"""Setting single cells: the quick way for Western text, the general way for everything else."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

from rendering.formats.pdf.layout.measures import ENDLESS_LINE
from rendering.formats.pdf.layout.tables import wrapping
from rendering.formats.pdf.layout.tables.advances import Advances
from rendering.formats.pdf.layout.tables.cells import Composed, Content, Line, Lines, Words
from rendering.formats.pdf.layout.tables.look import FIGURES_SHRINK, SHRINK, Look
from rendering.formats.pdf.layout.tables.tracks import Track, leads_of
from rendering.formats.pdf.layout.tables.wrapping import ELLIPSIS, NARROW
from rendering.formats.pdf.typeset.atoms import SOFT_HYPHEN
from rendering.formats.pdf.typeset.bidi import base_direction
from rendering.formats.pdf.typeset.clean import clean
from rendering.formats.pdf.typeset.paragraph import Paragraph, compose
from rendering.formats.pdf.typeset.style import TextStyle
from templates_app.resolved import Overflow, Rich, plain

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.typesetter import Font

KEPT: Final = 4_096  # cells remembered, for columns that say the same again and again
LATITUDE: Final = 0.01  # points: widths come from sums in other orders
STEP: Final = 0.05  # steps in which type shrinks: few sizes on a page
NARROW_NBSP: Final = "\u202f"  # groups digits in French; the 8-bit font has the wider one only
# What becomes of a text that is too wide: what its author wants, or `whole` for numbers, dates and times.
Mode = Overflow | Literal["whole"]
_EXTENDING: Final = frozenset("\u200d\ufe0e\ufe0f")


def tidy(texts: Sequence[str]) -> tuple[Sequence[str], bool]:
    """Return cleaned texts of a column, and whether any has a line end; clean ones cost nothing."""
    joined = "".join(texts)
    if joined.isprintable():
        return texts, False
    if not joined.replace("\xa0", " ").replace(NARROW_NBSP, " ").isprintable():
        texts = list(map(clean, texts))
        joined = "".join(texts)
    if NARROW_NBSP in joined or SOFT_HYPHEN in joined:
        texts = [text.replace(NARROW_NBSP, "\xa0").replace(SOFT_HYPHEN, "") for text in texts]
    return texts, "\n" in joined


class Setter:
    """Makes the contents of cells and remembers some."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self._kept: dict[tuple[object, ...], Content] = {}
        self._advances: dict[Font, Advances] = {}

    def advances(self, font: Font) -> Advances:
        """Return what measures texts in a face."""
        found = self._advances.get(font)
        if found is None:
            found = self._advances[font] = Advances(font)
        return found

    def content(
        self, text: Rich, track: Track, overflow: Mode, style: TextStyle, link: str | None = None
    ) -> Content:
        """Return a cell's content for a column, at least one line."""
        key = text, track.anchor, overflow, style, link
        kept = self._kept.get(key)
        if kept is None:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            kept = self._kept[key] = self._content(text, track, overflow, style, link)
        return kept

    def _content(
        self, text: Rich, track: Track, overflow: Mode, style: TextStyle, link: str | None
    ) -> Content:
        if not isinstance(text, str):
            return self._rich(text, track, "wrap" if overflow == "whole" else overflow, style, link)
        (text,), _ = tidy([text])
        if overflow == "whole":
            style, overflow = self._whole(text, track, style)
        if overflow != "wrap":
            text = wrapping.one_line(text)
        font = self.look.font(style)
        if font.literals([text.replace("\n", " ")]) is not None:
            return self._simple(text, track, overflow, style, link)
        return self._general(text, track, overflow, style, link)

    def _whole(self, text: str, track: Track, style: TextStyle) -> tuple[TextStyle, Overflow]:
        """Return how a number, a date or a time is set: small enough not to be broken, else visibly cut.

        Words are broken apart all the same: those of a date written in full.
        """
        font = self.look.font(style)
        widest = max(font.word(word).width for word in text.split(" "))
        scale = whole_scale(widest * style.size / 1000, track, FIGURES_SHRINK * self.look.size / style.size)
        if scale < 1:
            style = style.but(size=round(style.size * scale, 3))
        fits = self.look.font(style).word(text).width <= track.limit(style.size)
        return style, "wrap" if " " in text and not fits else "cut"

    # ---------------------------------------------------------------- Western text, without marks

    def _simple(
        self, text: str, track: Track, overflow: Overflow, style: TextStyle, link: str | None
    ) -> Content:
        font = self.look.font(style)
        if overflow == "wrap":
            limit = track.limit(style.size)
            lines = [text]
            if "\n" in text or font.advances([text])[0] > limit:
                lines = wrapping.wrapped([text], font, limit, self.look.typesetter.language)[0]
                if max(font.advances(lines)) > limit:
                    return self.paragraph(text, track, style, link)
            return lines_of(lines, font, track, style, link, text)
        advance = font.advances([text])[0]
        if overflow == "shrink":
            style = shrunk(style, advance, track)
        limit = track.limit(style.size)
        lines = [text if advance <= limit else wrapping.cut(text, font, limit)]
        return lines_of(lines, font, track, style, link)

    # ---------------------------------------------------------------- marks, scripts, directions

    def _rich(
        self, text: Rich, track: Track, overflow: Overflow, style: TextStyle, link: str | None
    ) -> Content:
        if overflow == "wrap":
            return self.paragraph(text, track, style, link)
        if not isinstance(text, str) and any("\n" in span.text for span in text):
            return self._content(plain(text), track, overflow, style, link)
        natural = self._natural(text, style)
        if overflow == "shrink":
            style = shrunk(style, natural * 1000 / style.size, track)
            natural = self._natural(text, style)
        if natural <= track.width:
            return self.paragraph(text, track, style, link)
        return self._content(plain(text), track, "cut", style, link)  # what is cut loses its marks

    def _natural(self, text: Rich, style: TextStyle) -> float:
        paragraph = compose(text, style, ENDLESS_LINE, typesetter=self.look.typesetter, hyphenate="none")
        return paragraph.natural_width

    def _general(
        self, text: str, track: Track, overflow: Overflow, style: TextStyle, link: str | None
    ) -> Content:
        if overflow == "wrap" and ("\n" in text or len(text) > track.limit(style.size) / 10):
            return self.paragraph(text, track, style, link)
        font = self.look.font(style)
        # far more than the column can take need not be shaped to be cut
        longest = int(track.limit(style.size) / (NARROW * SHRINK)) + 8
        short = text if len(text) <= longest else text[:longest]
        word = font.word(short)
        if word.width > track.limit(style.size):
            if overflow == "wrap":
                return self.paragraph(text, track, style, link)
            if overflow == "shrink":
                style = shrunk(style, word.width, track)
            if word.width > track.limit(style.size):
                short = _cut(short, font, track.limit(style.size))
                word = font.word(short)
        pull = track.pull(word.width, style.size)
        if track.align == "left" and base_direction(short, mirrored=self.look.typesetter.mirrored) == "rtl":
            pull = word.width - track.limit(style.size)  # as paragraphs do: it begins at the right
        if track.align == "decimal":
            lead = font.word(leads_of([short], track.symbol)[0]).width
            before = (track.anchor - track.left) * 1000 / style.size
            pull = min(max(lead, pull), max(before, pull))
        return Words(word, short, style.size, style.color, pull, link)

    def paragraph(self, text: Rich, track: Track, style: TextStyle, link: str | None = None) -> Composed:
        """Return text of any kind in lines; in smaller type where a letter is wider than the column."""
        paragraph = self._composed(text, track, style)
        widest = paragraph.natural_width
        if widest > track.width + LATITUDE:
            style = style.but(size=max(round(0.99 * style.size * track.width / widest, 2), 0.1))
            paragraph = self._composed(text, track, style)
        return Composed(paragraph, style.size, link)

    def _composed(self, text: Rich, track: Track, style: TextStyle) -> Paragraph:
        return compose(
            text,
            style,
            track.width + LATITUDE,
            typesetter=self.look.typesetter,
            align=track.text_align,
            leading=self.look.leading,
            hyphenate="long",
        )


def lines_of(
    lines: Sequence[str], font: Font, track: Track, style: TextStyle, link: str | None, whole: str = ""
) -> Lines:
    """Return lines that the 8-bit font can show, placed in their column; `whole` was broken into them."""
    codes = font.literals(lines) or [""] * len(lines)
    advances = font.advances(lines)
    pulls = track.pulls(font, lines, advances, style.size) or [0.0] * len(lines)
    return Lines(
        font.resource,
        style.size,
        style.color,
        [Line(*line) for line in zip(lines, codes, advances, pulls, strict=True)],
        link,
        whole=whole,
    )


def shrunk(style: TextStyle, advance: float, track: Track) -> TextStyle:
    """Return the style in a size that lets a text into its column, down to a least size."""
    limit = track.limit(style.size)
    if advance <= limit:
        return style
    scale = max(int(limit / advance / STEP) * STEP, SHRINK)
    return style.but(size=round(style.size * scale, 2))


def whole_scale(needed: float, track: Track, least: float) -> float:
    """Return the scale that lets a text of a width into its column, 1 where it fits, down to `least`."""
    if needed <= track.width + LATITUDE:
        return 1.0
    return min(max(0.99 * track.width / needed, least), 1.0)


def _cut(text: str, font: Font, limit: float) -> str:
    """Return the beginning of a text in any script with an ellipsis, between two characters as read."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if font.word(text[:middle] + ELLIPSIS).width <= limit:
            low = middle
        else:
            high = middle - 1
    while low and low < len(text) and (unicodedata.combining(text[low]) or text[low] in _EXTENDING):
        low -= 1
    shown = text[:low].rstrip() + ELLIPSIS
    return shown if low or font.word(ELLIPSIS).width <= limit else ""
