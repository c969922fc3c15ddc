"""Set lines: glyphs in visual order with the marks around them, ready to be placed. Lengths are points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

from config.value import dataclass, value
from rendering.formats.pdf.layout.items import Item, Link, Rect, Rules, TextLine, TextRun
from rendering.formats.pdf.typeset.atoms import SOFT_HYPHEN, unbroken
from rendering.formats.pdf.typeset.style import TextStyle

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.typesetter import Font, Piece, Typesetter

MarkKind = Literal["underline", "strike", "tint", "link"]

# In font sizes.
UNDERLINE: Final = -0.13
UNDERLINE_THICKNESS: Final = 0.05
STRIKE_THICKNESS: Final = 0.06
STRIKE: Final = 0.52  # in x-heights
TINT_ABOVE: Final = 0.78
TINT_BELOW: Final = 0.24
TINT_ASIDE: Final = 0.12
TINT_RADIUS: Final = 0.15
LINK_ABOVE: Final = 0.85
LINK_BELOW: Final = 0.25
CLOSE: Final = 0.01  # two marks this near are one


@value
class Mark:
    """A line, a tint or a link that belongs to a stretch of a line.

    `x` counts from the line's start; `size` is that of the letters it belongs to, `rise` their height above
    the baseline; `value` is a colour, for a link its address; `level` is where a strike goes (points above
    the baseline).
    """

    kind: MarkKind
    x: float
    width: float
    size: float
    value: str
    rise: float = 0.0
    level: float = 0.0


@dataclass(slots=True)
class SetLine:
    """One line of a paragraph; `x` is where it begins inside of the paragraph's width.

    `ends`: it is the last of its paragraph. `text` is what it says, in logical order, with the hyphen that
    was added. `goes_on` is what ends a word that goes on in the next line: a soft hyphen where a hyphen was
    added, a zero-width space where none was. `ascent` and `descent` (both positive) are the tallest face's.
    """

    x: float
    runs: Sequence[TextRun]
    width: float
    ends: bool
    text: str
    marks: Sequence[Mark] = ()
    ascent: float = 0.0
    descent: float = 0.0
    goes_on: str = ""

    @property
    def said(self) -> str:
        """What it says where its runs do not (`TextLine.said`)."""
        if self.goes_on:
            return (self.text[:-1] if self.goes_on == SOFT_HYPHEN else self.text) + self.goes_on
        runs = self.runs
        shown = runs[0].text if len(runs) == 1 else "".join([run.text for run in runs])
        return "" if shown == self.text else self.text


def place(line: SetLine, x: float, baseline: float, role: str) -> Sequence[Item]:
    """Return the items of a line whose paragraph's left edge is `x`; none for an empty line."""
    if not line.runs:
        return ()
    left = x + line.x
    text = TextLine(left, baseline, line.runs, role, line.ascent, line.descent, line.said)
    if not line.marks:
        return (text,)
    behind: list[Item] = []
    above: list[Item] = []
    for mark in line.marks:
        (behind if mark.kind == "tint" else above).append(_placed(mark, left + mark.x, baseline + mark.rise))
    return (*behind, text, *above)


def _placed(mark: Mark, x: float, y: float) -> Item:
    """Return the item of a mark whose letters stand on `y`."""
    size = mark.size
    if mark.kind == "tint":
        aside, below = TINT_ASIDE * size, TINT_BELOW * size
        height = TINT_ABOVE * size + below
        radius = TINT_RADIUS * size
        return Rect(x - aside, y - below, mark.width + 2 * aside, height, fill=mark.value, radius=radius)
    if mark.kind == "link":
        below = LINK_BELOW * size
        return Link(x, y - below, mark.width, LINK_ABOVE * size + below, mark.value)
    level = UNDERLINE * size if mark.kind == "underline" else mark.level
    thickness = (UNDERLINE_THICKNESS if mark.kind == "underline" else STRIKE_THICKNESS) * size
    return Rules(((x, y + level, x + mark.width, y + level),), mark.value, round(thickness, 3))


class Look:
    """A text style with what is needed of its font."""

    __slots__ = (
        "ascent",
        "color",
        "descent",
        "font",
        "level",
        "line_size",
        "marked",
        "rise",
        "scale",
        "size",
        "space",
        "style",
    )

    def __init__(self, style: TextStyle, typesetter: Typesetter) -> None:
        self.style = style
        self.font: Font = typesetter.font(style)
        self.size = style.size
        self.color = style.color
        self.rise = style.rise
        self.scale = style.size / 1000
        self.space = self.font.space * self.scale
        self.marked = bool(style.underline or style.strike or style.tint or style.link)
        self.line_size = style.line_size or style.size
        self.level = STRIKE * self.font.x_height * self.line_size
        self.ascent = self.font.ascent * style.size + max(style.rise, 0.0)
        self.descent = self.font.descent * style.size - min(style.rise, 0.0)

    def width(self, text: str) -> float:
        """Return the width of a text in points."""
        return self.font.word(text).width * self.scale


class LineSetter:
    """Collects the pieces of one line from left to right; neighbours of one face become one run."""

    __slots__ = ("_code", "_key", "_marks", "_runs", "_start", "_text", "looks", "x")

    def __init__(self) -> None:
        self.x = 0.0
        self.looks: set[Look] = set()
        self._runs: list[TextRun] = []
        self._marks: list[Mark] = []
        self._key: tuple[str, float, str, float] | None = None
        self._code: list[str] = []
        self._text: list[str] = []
        self._start = 0.0

    def word(self, text: str, look: Look, rtl: bool | None = None) -> None:
        """Set a text without stretchable spaces; `rtl` is the direction that was found for it."""
        word = look.font.word(text) if rtl is None else look.font.word(text, rtl=rtl)
        begin = self.x
        for piece in word.pieces:
            self._piece(piece, look, 0.0)
        self.looks.add(look)
        if look.marked:
            self._mark(look, begin)

    def part(self, piece: Piece, look: Look) -> None:
        """Set words that are shaped already, with the spaces between them."""
        begin = self.x
        self._piece(piece, look, 0.0)
        self.looks.add(look)
        if look.marked:
            self._mark(look, begin)

    def gap(self, look: Look, blanks: int, extra: float) -> None:
        """Set `blanks` spaces and `extra` points more; without blanks only the distance."""
        begin = self.x
        if blanks:
            space = look.font.word(" " * blanks)
            for piece in space.pieces[:-1]:
                self._piece(piece, look, 0.0)
            if space.pieces:
                self._piece(space.pieces[-1], look, extra)
        elif extra:
            if self._code:
                self._code.append(_adjustment(extra, look.scale))
            self.x += extra
        if look.marked:
            self._mark(look, begin)

    def _piece(self, piece: Piece, look: Look, extra: float) -> None:
        rise = look.rise + piece.rise * look.scale
        key = (piece.font, look.size, look.color, rise)
        if piece.actual:
            self._close()
            width = piece.width * look.scale
            code = piece.code + (_adjustment(extra, look.scale) if extra else "")
            self._runs.append(
                TextRun(piece.font, look.size, look.color, code, width + extra, piece.text, rise, True)
            )
            self.x += width + extra
            self._start = self.x
            return
        if key != self._key:
            self._close()
            self._key = key
        self._code.append(piece.code)
        if extra:
            self._code.append(_adjustment(extra, look.scale))
        self._text.append(piece.text)
        self.x += piece.width * look.scale + extra

    def _close(self) -> None:
        """End the run that is being collected."""
        if self._key is not None and self._code:
            font, size, color, rise = self._key
            width = self.x - self._start
            code = "".join(self._code)
            # Strings that touch become one; a bracket inside of a string is escaped, so none is taken for it.
            code = code.replace(")(", "") if code[:1] == "(" else code.replace("><", "")
            self._runs.append(TextRun(font, size, color, code, width, "".join(self._text), rise))
        self._key, self._code, self._text, self._start = None, [], [], self.x

    def _mark(self, look: Look, begin: float) -> None:
        style = look.style
        if style.tint:
            self._extend("tint", begin, look, style.tint)
        if style.underline:
            self._extend("underline", begin, look, style.color)
        if style.strike:
            self._extend("strike", begin, look, style.color)
        if style.link:
            self._extend("link", begin, look, style.link)

    def _extend(self, kind: MarkKind, begin: float, look: Look, value: str) -> None:
        """Add a mark up to `x`, or make the one before longer when it is the same.

        A tint is behind its letters; lines and links go on straight below and above smaller ones.
        """
        size, rise = (look.size, look.rise) if kind == "tint" else (look.line_size, 0.0)
        for index in range(len(self._marks) - 1, max(len(self._marks) - 5, -1), -1):
            mark = self._marks[index]
            same = (mark.kind, mark.value, mark.size, mark.rise) == (kind, value, size, rise)
            if same and abs(mark.x + mark.width - begin) < CLOSE:
                begin = mark.x
                del self._marks[index]
                break
        level = look.level if kind == "strike" else 0.0
        self._marks.append(Mark(kind, begin, self.x - begin, size, value, rise, level))

    def finish(self, *, ends: bool, text: str, goes_on: str = "") -> SetLine:
        """Return the line; its `x` is 0."""
        self._close()
        ascent = max((look.ascent for look in self.looks), default=0.0)
        descent = max((look.descent for look in self.looks), default=0.0)
        marks = tuple(self._marks)
        return SetLine(0.0, tuple(self._runs), self.x, ends, text, marks, ascent, descent, goes_on)


def short_line(parts: Sequence[tuple[str, Look]], measure: float) -> SetLine | None:
    """Return plain Western words of several looks that fit as the one line that they are.

    None for what needs more. Most text with marks is that short: a value in bold, an address below a name.
    """
    setter = LineSetter()
    before, joined = " ", False
    for text, look in parts:
        if before == text[0] == " ":
            return None  # blanks at the beginning, or of two looks
        piece = look.font.part(text)
        if piece is None:
            return None
        setter.part(piece, look)
        if setter.x > measure:
            return None
        joined = joined or " " not in (before, text[0])
        before = text[-1]
    said = "".join([text for text, _ in parts])
    # Words of several looks: where such a one may be broken, only the whole word tells.
    if before == " " or (joined and not unbroken(said)):
        return None
    return setter.finish(ends=True, text=said)


def _adjustment(extra: float, scale: float) -> str:
    """Return `extra` points to the right as a number of a TJ array."""
    return number(-extra / scale)


def number(value: float) -> str:
    """Return a number as PDF writes it, to a tenth of a thousandth of an em."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text
