"""Short texts inside of drawings, in the document's own fonts: any script, cut or wrapped to fit. Points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from rendering.formats.pdf.layout.items import Item, TextLine, TextRun
from rendering.formats.pdf.typeset.clean import clean
from rendering.formats.pdf.typeset.style import TextStyle

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.typesetter import Typesetter

Anchor = Literal["start", "middle", "end"]
ELLIPSIS = "…"
MOST_LETTERS = 400  # of one label: no drawing shows more


class Lettering:
    """Labels of one document: measured, cut, wrapped and set."""

    def __init__(self, typesetter: Typesetter) -> None:
        self._typesetter = typesetter
        self._widths: dict[tuple[str, TextStyle], float] = {}

    @property
    def mirrored(self) -> bool:
        """Whether lines begin at the right, as in a document from right to left."""
        return self._typesetter.mirrored

    @staticmethod
    def style(size: float, color: str, *, bold: bool = False) -> TextStyle:
        """Return a style of the running text's family."""
        return TextStyle(size, color, bold)

    @staticmethod
    def cleaned(text: str) -> str:
        """Return a label on one line, without control characters, of a bounded length."""
        return " ".join(clean(text[: MOST_LETTERS * 2]).split())[:MOST_LETTERS]

    def width(self, text: str, style: TextStyle) -> float:
        """Return the width of a text in points."""
        key = (text, style)
        found = self._widths.get(key)
        if found is None:
            found = self._widths[key] = self._typesetter.font(style).width(text, style.size)
        return found

    def line(
        self, text: str, style: TextStyle, x: float, y: float, anchor: Anchor = "start", role: str = "figure"
    ) -> list[Item]:
        """Return a text whose start, middle or end is at `x`, on the baseline `y`; nothing for no text."""
        if not text:
            return []
        font = self._typesetter.font(style)
        word = font.word(text)
        if not word.pieces:  # signs that draw nothing, such as a soft hyphen alone
            return []
        wide = word.width * style.size / 1000
        if anchor != "start":
            x -= wide / 2 if anchor == "middle" else wide
        runs = tuple(
            TextRun(
                piece.font,
                style.size,
                style.color,
                piece.code,
                piece.width * style.size / 1000,
                piece.text,
                style.rise + piece.rise * style.size / 1000,
                piece.actual,
            )
            for piece in word.pieces
        )
        return [TextLine(x, y, runs, role, font.ascent * style.size, font.descent * style.size)]

    def fitted(self, text: str, style: TextStyle, width: float) -> str:
        """Return a text cut to `width`, with an ellipsis where something is missing."""
        if self.width(text, style) <= width:
            return text
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            cut = text[:middle].rstrip() + ELLIPSIS
            if self._typesetter.font(style).width(cut, style.size) <= width:
                low = middle
            else:
                high = middle - 1
        return text[:low].rstrip() + ELLIPSIS if low else ""

    def wrapped(self, text: str, style: TextStyle, width: float, most: int) -> list[str]:
        """Return at most `most` lines that fit `width`; the last is cut where that is not enough."""
        if self.width(text, style) <= width:
            return [text] if text else []
        lines: list[str] = []
        words = text.split(" ")
        while words and len(lines) < most:
            if len(lines) == most - 1:
                lines.append(self.fitted(" ".join(words), style, width))
                break
            line = words.pop(0)
            while words and self.width(f"{line} {words[0]}", style) <= width:
                line = f"{line} {words.pop(0)}"
            lines.append(self.fitted(line, style, width))
        return lines

    def widest(self, texts: Sequence[str], style: TextStyle) -> float:
        """Return the width of the widest of some texts, 0 for none."""
        return max((self.width(text, style) for text in texts), default=0.0)
