"""The cells of a column, many rows at a time: texts as PDF strings, and one by one what needs more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final

from config.value import dataclass, value
from rendering.formats.pdf.layout.items import TextLine, TextRun
from rendering.formats.pdf.layout.tables import wrapping
from rendering.formats.pdf.layout.tables.cells import Check, Content, Image, Lines
from rendering.formats.pdf.layout.tables.setting import Mode, Setter, lines_of, tidy
from rendering.formats.pdf.layout.tables.tracks import Track
from rendering.formats.pdf.typeset.style import TextStyle
from templates_app.expressions.bulk import texts_of
from templates_app.resolved import CellStyle, ResolvedColumn

if TYPE_CHECKING:
    from rendering.formats.pdf.typeset.typesetter import Font

CHECKS: Final = {True: Check(True), False: Check(False)}


@value
class Lane:
    """A column, where it stands and how its cells look."""

    column: ResolvedColumn
    left: float
    right: float
    track: Track
    style: TextStyle
    font: Font
    whole: bool = False  # numbers, dates and times are not broken
    texts: Sequence[str] | None = None  # of all cells, where they are known
    fits: bool = False  # all cells and sums have room in the table's own size
    indent: float = 0.0  # of its cells, below headings of groups within groups

    @property
    def head_track(self) -> Track:
        """Where the head of the column stands: it is not indented."""
        track = self.track
        if not self.indent:
            return track
        left = track.left - (0.0 if track.align == "right" else self.indent)
        return Track.of(left, track.width + self.indent, track.align)


@dataclass(slots=True)
class Cells:
    """The cells of one column in a chunk, row by row; `others` has those that are not in the row's code."""

    lane: Lane
    texts: list[str]
    codes: list[str] = field(default_factory=list)
    pulls: Sequence[float] | None = None
    inline: dict[int, Lines] = field(default_factory=dict)
    others: dict[int, Content] = field(default_factory=dict)
    _advances: Sequence[float] | None = None  # of all texts, once somebody has asked

    def line(self, row: int, y: float) -> TextLine:
        """Return the text of a row that is one line in the row's code, on the baseline `y`."""
        if self._advances is None:
            self._advances = self.lane.font.advances(self.texts)
        style, scale = self.lane.style, self.lane.style.size / 1000
        pull = 0.0 if self.pulls is None else self.pulls[row] * scale
        font, width = self.lane.font.resource, self._advances[row] * scale
        run = TextRun(font, style.size, style.color, self.codes[row], width, self.texts[row])
        heights = 0.75 * style.size, 0.25 * style.size
        return TextLine(self.lane.track.anchor - pull, y, (run,), "td", *heights)


def cells_of(lane: Lane, rows: range, styles: Sequence[CellStyle], setter: Setter) -> Cells:
    """Return a column's cells in some rows."""
    texts, rich = _texts(lane, rows)
    texts, broken = tidy(texts)
    cells = Cells(lane, list(texts))
    _take_special(cells, rows, rich, styles, setter)
    if broken and lane.column.overflow == "wrap":
        _take_broken(cells, setter)
    codes = lane.font.literals(cells.texts)
    if codes is None:
        _take_exotic(cells, rows, setter)
        codes = lane.font.literals(cells.texts) or [""] * len(rows)
    cells.codes = codes
    advances, limit = setter.advances(lane.font), lane.track.limit(lane.style.size)
    if lane.track.align == "left":
        wide = advances.wider(cells.texts, limit)
    else:
        widths = advances.of(cells.texts)
        wide = [row for row, width in enumerate(widths) if width > limit] if max(widths) > limit else []
        cells.pulls = lane.track.pulls(lane.font, cells.texts, widths, lane.style.size)
    if wide:
        _take_wide(cells, rows, wide, limit, setter)
    if cells.inline:
        _inline(cells, setter.look.leading)
    return cells


def _texts(lane: Lane, rows: range) -> tuple[Sequence[str], Mapping[int, Any]]:
    """Return the plain texts, and what has marks by its row."""
    if lane.texts is not None:
        return lane.texts[rows.start : rows.stop], {}
    column = lane.column
    if column.texts is None:
        return texts_of(column.format, column.values[rows.start : rows.stop]), {}
    part = column.texts[rows.start : rows.stop]
    rich = {row: text for row, text in enumerate(part) if not isinstance(text, str)}
    return [text if isinstance(text, str) else "" for text in part], rich


def _take_special(
    cells: Cells, rows: range, rich: Mapping[int, Any], styles: Sequence[CellStyle], setter: Setter
) -> None:
    """Set cells with images, marks, links, check marks or a look of their own."""
    lane, others = cells.lane, cells.others
    column, track = lane.column, lane.track
    plain = column.display != "check" and column.styles is None
    if plain and not rich and column.links is None and column.images is None:
        return  # most columns
    if column.display == "check":
        for row, value in enumerate(column.values[rows.start : rows.stop]):
            if not isinstance(value, str):
                cells.texts[row] = ""
                if value is not None:
                    others[row] = CHECKS[bool(value)]
    looks = _looks(lane, rows, styles)
    links = _given(column.links, rows)
    modes = _Modes(lane, rows)
    for row in sorted({*rich, *looks, *links}):
        text = rich.get(row) or cells.texts[row]
        if row not in others and text:
            style = looks.get(row, lane.style)
            if row in links and style.color == lane.style.color:
                style = style.but(color=setter.look.theme.accent)
            others[row] = setter.content(text, track, modes[row], style, links.get(row))
    for row, image in _given(column.images, rows).items():
        others[row] = Image.of(image, setter.look, track, alt=cells.texts[row])
    for row in others:
        cells.texts[row] = ""


def _given(values: Sequence[Any] | None, rows: range) -> dict[int, Any]:
    """Return what is there, by row."""
    if values is None:
        return {}
    part = values[rows.start : rows.stop]
    return {row: value for row, value in enumerate(part) if value} if any(part) else {}


class _Modes:
    """What becomes of cells that are too wide: numbers and dates are not broken, texts are what they were."""

    def __init__(self, lane: Lane, rows: range) -> None:
        self._usual: Mode = lane.column.overflow
        self._whole = lane.whole and self._usual == "wrap"
        self._values = lane.column.values[rows.start : rows.stop] if self._whole else ()

    def __getitem__(self, row: int) -> Mode:
        return "whole" if self._whole and not isinstance(self._values[row], str) else self._usual


def _looks(lane: Lane, rows: range, styles: Sequence[CellStyle]) -> dict[int, TextStyle]:
    """Return the styles of texts that are not set as their column is."""
    if lane.column.styles is None:
        return {}
    made = [_styled(lane.style, style) for style in styles]
    part = lane.column.styles[rows.start : rows.stop]
    return {row: made[index] for row, index in enumerate(part) if index >= 0 and made[index] != lane.style}


def _styled(style: TextStyle, cell: CellStyle) -> TextStyle:
    return style.but(
        color=cell.color or style.color, bold=style.bold or cell.bold, italic=style.italic or cell.italic
    )


def tints_of(
    lanes: Sequence[Lane], styles: Sequence[CellStyle], rows: range
) -> dict[int, list[tuple[Lane, str]]]:
    """Return the cells with a background, by row."""
    tints: dict[int, list[tuple[Lane, str]]] = {}
    for lane in lanes:
        if lane.column.styles is None:
            continue
        for row, index in enumerate(lane.column.styles[rows.start : rows.stop]):
            color = styles[index].background if index >= 0 else None
            if color is not None:
                tints.setdefault(row, []).append((lane, color))
    return tints


def _take_broken(cells: Cells, setter: Setter) -> None:
    """Set texts with line ends."""
    lane = cells.lane
    for row, text in enumerate(cells.texts):
        if "\n" in text:
            content = setter.content(text, lane.track, "wrap", lane.style)
            if isinstance(content, Lines):
                cells.inline[row] = content
            else:
                cells.others[row] = content
            cells.texts[row] = ""


def _take_exotic(cells: Cells, rows: range, setter: Setter) -> None:
    """Set texts that the 8-bit font cannot show."""
    lane, modes = cells.lane, _Modes(cells.lane, rows)
    if lane.column.overflow != "wrap":
        cells.texts = [wrapping.one_line(text) for text in cells.texts]
    literals = lane.font.literals
    known = {text: literals((text,)) is not None for text in dict.fromkeys(cells.texts)}
    for row, text in enumerate(cells.texts):
        if not known[text]:
            cells.others[row] = setter.content(text, lane.track, modes[row], lane.style)
            cells.texts[row] = ""


def _take_wide(cells: Cells, chunk: range, rows: Sequence[int], limit: float, setter: Setter) -> None:
    """Set texts that are wider than their column."""
    lane, overflow = cells.lane, cells.lane.column.overflow
    if lane.whole:
        modes = _Modes(lane, chunk)
        for row in rows:
            if modes[row] == "whole":
                cells.others[row] = setter.content(cells.texts[row], lane.track, "whole", lane.style)
                cells.texts[row], cells.codes[row] = "", "()"
        rows = [row for row in rows if row not in cells.others]
        if not rows:
            return
    texts = [cells.texts[row] for row in rows]
    if overflow == "wrap":
        broken = wrapping.wrapped(texts, lane.font, limit, setter.look.typesetter.language)
        whole = lines_of(
            [line for lines in broken for line in lines], lane.font, lane.track, lane.style, None
        )
        start = 0
        for row, lines in zip(rows, broken, strict=True):
            stop = start + len(lines)
            made = whole.lines[start:stop]
            if max(line.advance for line in made) > limit:  # not as wide as a letter
                cells.others[row] = setter.content(cells.texts[row], lane.track, overflow, lane.style)
            else:
                cells.inline[row] = Lines(whole.font, whole.size, whole.color, made, whole=cells.texts[row])
            start = stop
    else:
        for row, text in zip(rows, texts, strict=True):
            cells.others[row] = setter.content(text, lane.track, overflow, lane.style)
    for row in rows:
        cells.texts[row], cells.codes[row] = "", "()"


def _inline(cells: Cells, leading: float) -> None:
    """Put all lines of a cell in its place in the row's code, and go back to the first baseline."""
    pulled = cells.pulls is not None
    pulls = list(cells.pulls or ())
    for row, content in cells.inline.items():
        lines = content.lines
        if pulled:
            pulls[row] = lines[0].pull
            more = [f"]TJ 0 {-leading:.2f} Td[{line.pull:.0f}{line.code}" for line in lines[1:]]
            shown = lines[0].code + "".join(more)
            end = f"]TJ 0 {leading * (len(lines) - 1):.2f} Td[()"
        else:
            shown = f"Tj 0 {-leading:.2f} Td".join(line.code for line in lines)
            end = f"Tj 0 {leading * (len(lines) - 1):.2f} Td()"
        cells.codes[row] = shown + end
    if pulled:
        cells.pulls = pulls
