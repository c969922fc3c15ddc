"""What one cell holds when it is more than a text of one line in the table's own type. Points.

A content says how many lines it has and draws some of them: a row taller than a page is parted between lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from config.value import dataclass, value
from rendering.formats.pdf.layout.graphics.pictures import natural_size, picture
from rendering.formats.pdf.layout.items import Item, TextLine, TextRun
from rendering.formats.pdf.layout.tables import wrapping
from rendering.formats.pdf.layout.tables.look import Look
from rendering.formats.pdf.layout.tables.sheet import Sheet
from rendering.formats.pdf.layout.tables.tracks import Track
from rendering.formats.pdf.typeset.paragraph import Paragraph, SetLine, place
from templates_app.resolved import ImageFile

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.typesetter import Word


class Spot(NamedTuple):
    """The part of a row that is drawn: upper end, height, and the lines from `first` to `last`.

    `shift` is how much lower than usual its texts stand, beside an image.
    """

    top: float
    height: float
    first: int
    last: int
    role: str = "td"
    shift: float = 0.0


class Content(Protocol):
    """What a cell holds; `least` is the height that it takes beside its lines."""

    @property
    def count(self) -> int:
        """How many lines it has."""

    @property
    def least(self) -> float:
        """The height it takes, however many lines."""

    def draw(self, sheet: Sheet, look: Look, track: Track, spot: Spot) -> None:
        """Draw the lines that belong to this part of the row."""


class Line(NamedTuple):
    """A line in the 8-bit font: `code` is one PDF string; widths in thousandths of the size."""

    text: str
    code: str
    advance: float
    pull: float


@dataclass(slots=True)
class Lines:
    """Lines in one face, size and colour; `whole` is the text that they are broken from, if they are."""

    font: str
    size: float
    color: str
    lines: Sequence[Line]
    link: str | None = None
    least: float = 0.0
    whole: str = ""
    _said: Sequence[str] | None = None

    @property
    def count(self) -> int:
        """How many lines it has."""
        return len(self.lines)

    def draw(self, sheet: Sheet, look: Look, track: Track, spot: Spot) -> None:
        """Draw the lines that belong to this part of the row."""
        size, scale = self.size, self.size / 1000
        y = spot.top - spot.shift - look.pad_y - look.drop(size)
        strand = self.font, size, self.color, spot.role
        lines = self.lines[spot.first : spot.last]
        told = self._told()[spot.first : spot.last] if sheet.tagged and self.whole else [""] * len(lines)
        for (text, code, advance, pull), said in zip(lines, told, strict=True):
            if text:
                x, width = track.anchor - pull * scale, advance * scale
                sheet.text(strand, x, y, code, width, text, said)
                if self.link:
                    sheet.link(x, y - 0.25 * size, width, 1.1 * size, self.link)
            y -= look.leading

    def _told(self) -> Sequence[str]:
        """Return what each line says where its text does not (`TextLine.said`)."""
        if self._said is None:  # once, over however many pages they go
            self._said = wrapping.told([line.text for line in self.lines], self.whole)
        return self._said


@value
class Words:
    """A line in any script, shaped; without line breaks."""

    word: Word
    text: str
    size: float
    color: str
    pull: float
    link: str | None = None
    count: int = 1
    least: float = 0.0

    def draw(self, sheet: Sheet, look: Look, track: Track, spot: Spot) -> None:
        """Draw the line, if it belongs to this part of the row."""
        if spot.first or not self.text:
            return
        size, scale = self.size, self.size / 1000
        x, y = track.anchor - self.pull * scale, spot.top - spot.shift - look.pad_y - look.drop(size)
        begin = x
        if any(piece.actual or piece.rise for piece in self.word.pieces):
            sheet.add([TextLine(x, y, self._runs(), spot.role, 0.75 * size, 0.25 * size)])
        else:
            for piece in self.word.pieces:
                width = piece.width * scale
                sheet.text((piece.font, size, self.color, spot.role), x, y, piece.code, width, piece.text)
                x += width
        if self.link:
            sheet.link(begin, y - 0.25 * size, self.word.width * scale, 1.1 * size, self.link)

    def _runs(self) -> tuple[TextRun, ...]:
        size, scale = self.size, self.size / 1000
        return tuple(
            TextRun(
                piece.font,
                size,
                self.color,
                piece.code,
                piece.width * scale,
                piece.text,
                piece.rise * scale,
                piece.actual,
            )
            for piece in self.word.pieces
        )


@value
class Composed:
    """A paragraph: marks, scripts and directions of any kind."""

    paragraph: Paragraph
    size: float
    link: str | None = None
    least: float = 0.0

    @property
    def count(self) -> int:
        """How many lines it has."""
        return len(self.paragraph.lines)

    def draw(self, sheet: Sheet, look: Look, track: Track, spot: Spot) -> None:
        """Draw the lines that belong to this part of the row."""
        y = spot.top - spot.shift - look.pad_y - look.drop(self.size)
        for line in self.paragraph.lines[spot.first : spot.last]:
            sheet.add(line_items(line, track.left, y, spot.role))
            if self.link and line.width:
                x = track.left + line.x
                sheet.link(x, y - 0.25 * self.size, line.width, 1.1 * self.size, self.link)
            y -= look.leading


def line_items(line: SetLine, x: float, y: float, role: str) -> Sequence[Item]:
    """Return the items of a line at `x`, `y`; nothing for an empty one."""
    return place(line, x, y, role) if line.runs else ()


@value
class Image:
    """A picture in the middle of its row, as wide as the column allows."""

    image: ImageFile
    width: float
    least: float
    alt: str = ""
    count: int = 1

    @classmethod
    def of(cls, image: ImageFile, look: Look, track: Track, alt: str = "") -> Image:
        """Return the image in its size, scaled down to what a row and the column take."""
        width, height = natural_size(image)
        scale = min(1.0, look.picture / height, track.width / width)
        return cls(image, width * scale, height * scale, alt)

    def draw(self, sheet: Sheet, look: Look, track: Track, spot: Spot) -> None:
        """Draw the picture, with the first lines of the row."""
        if spot.first:
            return
        share = {"left": 0.0, "center": 0.5}.get(track.align, 1.0)
        x = track.left + (track.width - self.width) * share
        y = spot.top - (spot.height + self.least) / 2
        item = picture(self.image, x, y, self.width, self.least, self.alt, typesetter=look.typesetter)
        sheet.add([item])


@value
class Check:
    """A check mark, or the empty box where there is none."""

    checked: bool
    count: int = 1
    least: float = 0.0

    def draw(self, sheet: Sheet, look: Look, track: Track, spot: Spot) -> None:
        """Draw the mark beside the first line."""
        if spot.first:
            return
        size = min(0.72 * look.size, track.width)
        share = {"left": 0.0, "center": 0.5}.get(track.align, 1.0)
        x = track.left + (track.width - size) * share
        y = spot.top - spot.shift - look.pad_y - (look.leading + size) / 2
        if self.checked:
            points = ((0.06, 0.48), (0.36, 0.16), (0.94, 0.86))
            begin, corner, end = (f"{x + across * size:.2f} {y + up * size:.2f}" for across, up in points)
            code = f"{begin} m {corner} l {end} l"
            sheet.shape(look.theme.accent, round(0.14 * look.size, 2), code)
        else:
            code = f"{x:.2f} {y:.2f} {size:.2f} {size:.2f} re"
            sheet.shape(look.theme.rule_strong, 0.5, code)
