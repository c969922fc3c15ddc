"""Paragraphs: text to set lines of one width. Lengths are points.

Plain words in one style go the quick way (`quick`); what needs more (marks, scripts without spaces, right to
left) goes through `running`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, Literal

from config.value import dataclass
from rendering.formats.pdf.layout.items import TextRun
from rendering.formats.pdf.typeset.atoms import SOFT_HYPHEN, ZERO_SPACE, without_invisible
from rendering.formats.pdf.typeset.clean import clean
from rendering.formats.pdf.typeset.known import Unusual, known_by
from rendering.formats.pdf.typeset.lines import Look, SetLine, place, short_line
from rendering.formats.pdf.typeset.plain_lines import PlainLines, Row
from rendering.formats.pdf.typeset.quick import Quick
from rendering.formats.pdf.typeset.running import Setting, Source, set_source
from rendering.formats.pdf.typeset.style import TextStyle
from templates_app.resolved import Rich, Span, TextAlign, plain

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.typesetter import Typesetter

# Which words may be hyphenated: all, those alone that are wider than a line, or none.
Hyphenate = Literal["all", "long", "none"]
# Of the free width, on the left. `left` sets text from right to left to the right, `end` does not.
SHARES: Final = {"left": 0.0, "justify": 0.0, "center": 0.5, "right": 1.0, "end": 0.0}
SCRIPT_SIZE: Final = 0.62  # of superscripts and subscripts, in font sizes
SUPER_RISE: Final = 0.34
SUB_RISE: Final = -0.15
CODE_SIZE: Final = 0.92
SHORT: Final = 64  # characters of a text that is tried as a single line of known words
EVEN: Final = 5  # centred lines that are made about as long as each other
EVENED: Final = 6  # measures that are tried for it

__all__ = ["Composer", "Paragraph", "SetLine", "clean", "compose", "expect", "place"]


@dataclass(slots=True)
class Paragraph:
    """Set lines, one `leading` apart, in a column of `width`."""

    lines: Sequence[SetLine]
    leading: float
    width: float

    @property
    def height(self) -> float:
        """The height of all lines."""
        return len(self.lines) * self.leading

    @property
    def natural_width(self) -> float:
        """The width of the widest line."""
        if isinstance(self.lines, PlainLines):
            return self.lines.widest
        if len(self.lines) == 1:
            return self.lines[0].width
        return max((line.width for line in self.lines), default=0.0)


def compose(
    text: Rich,
    style: TextStyle,
    width: float,
    *,
    typesetter: Typesetter,
    align: TextAlign = "left",
    leading: float | None = None,
    hyphenate: Hyphenate = "all",
) -> Paragraph:
    """Return a text as lines no wider than `width`; newlines are kept, an empty text is one empty line.

    `leading` None is the theme's. Justified text is broken so that the whole paragraph looks best. Words
    wider than a line are broken anywhere when they are not or cannot be hyphenated. A line holds at least
    one character, however narrow the column; time is linear in the text.
    """
    if text.__class__ is str and 0 < len(text) <= SHORT:
        line = _single(text, style, width, SHARES[align], typesetter)
        if line is not None:
            return Paragraph(
                (line,), typesetter.theme.leading * style.size if leading is None else leading, width
            )
    if isinstance(text, str):
        text = clean(text)
    return Composer(style, width, typesetter, align, leading, hyphenate=hyphenate).paragraph(text)


def expect(text: str, style: TextStyle, typesetter: Typesetter) -> None:
    """Tell the whole text whose paragraphs are set next: new words are learnt together, which is quicker."""
    known_by(typesetter.font(style)).expect(clean(text))


def _single(
    text: str, style: TextStyle, width: float, share: float, typesetter: Typesetter
) -> SetLine | None:
    """Return plain Western words that fit as the one line that they are, None for what needs more.

    Most texts of most documents are labels, values and heads: these skip everything about breaking.
    """
    if style.underline or style.strike or style.link or style.tint or style.rise:
        return None
    font, size = typesetter.font(style), style.size
    found = font.line(text)
    if found is None:
        return None
    natural = found[1] * size / 1000
    if natural > width:
        return None
    run = TextRun(font.resource, size, style.color, found[0], natural, text)
    x = share * (width - natural) if share else 0.0
    return SetLine(x, (run,), natural, True, text, (), font.ascent * size, font.descent * size)


class Composer:
    """Sets paragraph after paragraph as `compose` does one."""

    __slots__ = (
        "_align",
        "_leading",
        "_lines",
        "_looks",
        "_marked",
        "_quick",
        "_setting",
        "_share",
        "_style",
        "_typesetter",
        "_width",
    )

    def __init__(
        self,
        style: TextStyle,
        width: float,
        typesetter: Typesetter,
        align: TextAlign,
        leading: float | None = None,
        *,
        hyphenate: Hyphenate = "all",
    ) -> None:
        self._style = style
        self._width = width
        self._typesetter = typesetter
        self._align = align
        self._leading = typesetter.theme.leading * style.size if leading is None else leading
        self._share = SHARES[align]
        self._marked = bool(style.underline or style.strike or style.link or style.tint or style.rise)
        language = typesetter.language
        self._setting = Setting(
            max(width, 0.0),
            align == "justify",
            language if hyphenate == "all" else None,
            typesetter.check_time,
            language if hyphenate == "long" else None,
        )
        self._quick: Quick | None = None
        self._looks: dict[TextStyle, Look] = {}
        self._lines: list[SetLine] = []  # of the paragraph in work

    def paragraph(self, text: Rich) -> Paragraph:
        """Return a text, which `clean` has been through, as lines."""
        lines: Sequence[SetLine]
        if not isinstance(text, str):
            self._rich(text)
            lines, self._lines = self._lines, []
        elif self._marked:
            for line in text.split("\n"):
                self._general(line)
            lines, self._lines = self._lines, []
        else:
            lines = self._plain(text)
        return Paragraph(lines, self._leading, self._width)

    def even(self, text: Rich, made: Paragraph) -> Paragraph:
        """Return a centred text, which `paragraph` made these lines of, in lines about as long as each other.

        As many, where that divides no word; a long text remains as it is.
        """
        count = len(made.lines)
        if self._align != "center" or not 1 < count <= EVEN:
            return made
        words = plain(text).split()
        low, high = self._width / 2, self._width
        for _ in range(EVENED):
            measure = (low + high) / 2
            other = Composer(
                self._style, measure, self._typesetter, "center", self._leading, hyphenate="none"
            ).paragraph(text)
            if (
                len(other.lines) == count
                and [word for line in other.lines for word in line.text.split()] == words
            ):
                made, high = other, measure
            else:
                low = measure
        for line in made.lines:
            line.x += (self._width - made.width) / 2
        made.width = self._width
        return made

    def _plain(self, text: str) -> Sequence[SetLine]:
        """Return the lines of cleaned text in the composer's style."""
        quick = self._quick
        if quick is None:
            style = self._style
            quick = self._quick = Quick(self._typesetter.font(style), style, self._setting)
        rows: list[Row] = []
        for line in text.split("\n") if "\n" in text else (text,):
            if line.endswith(" "):
                line = line.rstrip(" ")
            count = len(rows)
            try:
                if line:
                    quick.set(line, rows, self._share)
                    continue
            except Unusual:
                del rows[count:]
            self._lines.extend(quick.lines(rows))
            rows = []
            if line:
                self._general(line)
            else:
                self._lines.append(SetLine(0.0, (), 0.0, True, ""))
        if not self._lines:
            return quick.lines(rows)
        lines, self._lines = self._lines, []
        lines.extend(quick.lines(rows))
        return lines

    def _general(self, line: str) -> None:
        shown = without_invisible(line)
        looks = (self._look(self._style),)
        self._set(Source(shown, (len(shown.text),), looks, mirrored=self._typesetter.mirrored))

    def _rich(self, spans: Sequence[Span]) -> None:
        """Set text with marks."""
        line: list[tuple[str, Look]] = []
        for span in spans:
            look = self._look(_styled(self._style, span, self._typesetter))
            for number, part in enumerate(clean(span.text).split("\n")):
                if number:
                    self._rich_line(line)
                    line = []
                if line and line[-1][1] is look:
                    line[-1] = line[-1][0] + part, look
                elif part:
                    line.append((part, look))
        self._rich_line(line)

    def _rich_line(self, parts: Sequence[tuple[str, Look]]) -> None:
        """Set a line of source text, whose parts differ in their looks."""
        line = short_line(parts, self._setting.measure)
        if line is None:
            self._set(_source(parts, self._look(self._style), mirrored=self._typesetter.mirrored))
        else:
            self._add(line, self._share)

    def _set(self, source: Source) -> None:
        """Add the lines of a source line, aligned; text from right to left begins at the right."""
        share = self._share
        if source.rtl and self._align in {"left", "justify"}:
            share = 1.0
        for line in set_source(source, self._setting):
            self._add(line, share)

    def _add(self, line: SetLine, share: float) -> None:
        """Add a line with its share of free width on the left."""
        line.x = share * max(self._setting.measure - line.width, 0.0) if share else 0.0
        self._lines.append(line)

    def _look(self, style: TextStyle) -> Look:
        look = self._looks.get(style)
        if look is None:
            look = self._looks[style] = Look(style, self._typesetter)
        return look


def _source(parts: Sequence[tuple[str, Look]], usual: Look, *, mirrored: bool) -> Source:
    """Return parts as a source line; an empty one looks as usual."""
    text = "".join([part for part, _ in parts])
    stops: list[int] = []
    looks: list[Look] = []
    for part, look in parts:
        gone = part.count(SOFT_HYPHEN) + part.count(ZERO_SPACE)
        stop = (stops[-1] if stops else 0) + len(part) - gone
        if looks and (looks[-1] is look or len(part) == gone):
            stops[-1] = stop
        else:
            stops.append(stop)
            looks.append(look)
    return Source(without_invisible(text), stops or [0], looks or [usual], mirrored=mirrored)


def _styled(base: TextStyle, span: Span, typesetter: Typesetter) -> TextStyle:
    """Return the style of a span within text of a style."""
    theme = typesetter.theme
    size, rise = base.size, base.rise
    if span.code:
        size *= CODE_SIZE
    if span.script:
        rise += size * (SUPER_RISE if span.script == "super" else SUB_RISE)
        size *= SCRIPT_SIZE
    return TextStyle(
        round(size, 3),
        span.color or (theme.accent if span.link else base.color),
        base.bold or span.bold,
        base.italic or span.italic,
        "code" if span.code else base.family,
        base.underline or span.underline or bool(span.link),
        base.strike or span.strike,
        round(rise, 3),
        span.link or base.link,
        theme.tint if span.code else base.tint,
        None if size == base.size else base.size,
    )
