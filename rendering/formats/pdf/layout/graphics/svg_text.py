"""Text of SVG images: chunks that are placed on their own, each with pieces in one style."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from typing import Final

from assets.svg import Node, length
from config.value import dataclass
from rendering.formats.pdf.layout.graphics.svg_paths import Matrix, multiplied
from rendering.formats.pdf.layout.graphics.svg_style import Paint, Sheet, Style, styled

MOST_SPANS: Final = 100  # within each other


@dataclass(frozen=True, slots=True)
class SvgPiece:
    """A stretch of text in one style, in the text's own units; `dx`, `dy` (up) move the pen before it."""

    text: str
    size: float
    color: str
    opacity: float
    bold: bool
    italic: bool
    code: bool
    dx: float = 0.0
    dy: float = 0.0
    shift: float = 0.0


@dataclass(frozen=True, slots=True)
class SvgText:
    """Text that is set when the fonts of the document are known."""

    matrix: Matrix
    anchor: str
    pieces: Sequence[SvgPiece]


@dataclass(slots=True)
class Chunks:
    """The text of one element, cut where it jumps to a place of its own."""

    sheet: Sheet
    paint: Callable[[str, Style], Paint | None]
    matrix: Matrix
    letters: int = 0
    _done: list[SvgText] = field(default_factory=list)
    _open: list[SvgPiece] = field(default_factory=list)
    _at: tuple[float, float] = (0.0, 0.0)
    _anchor: str = "start"
    _moved: tuple[float, float] = (0.0, 0.0)
    _spaced: bool = True  # the text so far ends with a space, or there is none

    def walk(self, node: Node, style: Style, level: int) -> None:
        """Gather the text of an element and of the spans in it."""
        if level > MOST_SPANS or style.get("display") == "none":
            return
        x, y, dx, dy = (_first(node.attributes.get(key)) for key in ("x", "y", "dx", "dy"))
        if x is not None or y is not None or level == 0:
            self._close()
            self._at = (self._at[0] if x is None else x, self._at[1] if y is None else y)
            self._anchor = style.get("text-anchor", "start")
        self._moved = (self._moved[0] + (dx or 0.0), self._moved[1] - (dy or 0.0))
        for child in node.children:
            if isinstance(child, str):
                self._add(child, style)
            elif child.name in ("tspan", "a", "textPath"):
                self.walk(child, styled(child, style, self.sheet), level + 1)

    def _add(self, text: str, style: Style) -> None:
        words = " ".join(text.split())
        if not words:
            self._space(text)
            return
        lead = " " if text[:1].isspace() and not self._spaced else ""
        tail = " " if text[-1:].isspace() else ""
        paint = self.paint("fill", style)
        size = float(style["font-size"])
        self.letters += len(words)
        if paint is None or size <= 0 or style.get("visibility") in ("hidden", "collapse"):
            return
        weight = style.get("font-weight", "")
        shift = {"sub": -0.25, "super": 0.4}.get(style.get("baseline-shift", ""), 0.0) * size
        self._open.append(
            SvgPiece(
                lead + words + tail,
                size,
                paint.color,
                paint.opacity,
                weight in ("bold", "bolder") or (weight.isdecimal() and int(weight[:4]) >= 600),
                style.get("font-style", "").startswith(("italic", "oblique")),
                "mono" in style.get("font-family", "").lower(),
                *self._moved,
                -shift,
            )
        )
        self._moved = (0.0, 0.0)
        self._spaced = bool(tail)

    def _space(self, text: str) -> None:
        """Keep the space between two spans."""
        if text and self._open and not self._spaced:
            self._open[-1] = replace(self._open[-1], text=self._open[-1].text + " ")
            self._spaced = True

    def _close(self) -> None:
        if self._open:
            x, y = self._at
            matrix = multiplied(self.matrix, (1.0, 0.0, 0.0, -1.0, x, y))
            self._done.append(SvgText(matrix, self._anchor, tuple(self._open)))
        self._open = []
        self._moved = (0.0, 0.0)
        self._spaced = True

    def finished(self) -> list[SvgText]:
        """Return all chunks, the trailing space of each taken off."""
        self._close()
        return self._done


def _first(text: str | None) -> float | None:
    """Return the first length of a list."""
    words = (text or "").replace(",", " ").split()
    return length(words[0]) if words else None
