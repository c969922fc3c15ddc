"""Rows by the thousand: whole columns become page code, and only cells that need it are set one by one.

A row is what all rows have in common with the strings of its cells in between. Every move in it is relative,
so the code of a row does not depend on its page:

    dx dy Td (left)Tj  dx 0 Td [1234(right)]TJ

The number in front of a text moves it to the left, in thousandths of its size (`Track`). A cell of several
lines has them all in its place in the row, so that the page reads in the right order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, repeat
from typing import TYPE_CHECKING, Final

from config.value import value
from rendering.formats.pdf.layout.items import TextLine, TextRun
from rendering.formats.pdf.layout.measures import EPSILON
from rendering.formats.pdf.layout.tables.cells import Content, Spot
from rendering.formats.pdf.layout.tables.lanes import Cells, Lane, cells_of, tints_of
from rendering.formats.pdf.layout.tables.look import Look
from rendering.formats.pdf.layout.tables.setting import Setter
from rendering.formats.pdf.layout.tables.sheet import Sheet, Strand
from rendering.formats.pdf.typeset.style import TextStyle
from templates_app.resolved import CellStyle

if TYPE_CHECKING:
    from rendering.formats.pdf.layout.tables.tagging import TableTags

ROWS: Final = 1_000  # rows whose texts exist at a time


class Chunk:
    """Rows `start` to `stop` of a table, ready to be placed."""

    def __init__(
        self, look: Look, lanes: Sequence[Lane], styles: Sequence[CellStyle], setter: Setter, rows: range
    ) -> None:
        self.start, self.stop = rows.start, rows.stop
        self._look = look
        self._columns = [cells_of(lane, rows, styles, setter) for lane in lanes]
        self._tints = tints_of(lanes, styles, rows)
        self._shifts: dict[int, float] = {}
        self._heights = self._measured()
        self._ends = list(accumulate(self._heights)) if self._heights else []
        self._strands = self._coded()

    # ---------------------------------------------------------------- heights

    def _measured(self) -> list[float] | None:
        """Return the height of each row; None when all have one line."""
        tall: dict[int, float] = {}
        lines: dict[int, int] = {}
        height = self._look.height
        for cells in self._columns:
            contents: Iterator[tuple[int, Content]] = iter([*cells.inline.items(), *cells.others.items()])
            for row, content in contents:
                if content.count > 1 or content.least:
                    tall[row] = max(tall.get(row, 0.0), height(content.count, content.least))
                    lines[row] = max(lines.get(row, 1), content.count)
        if not tall:
            return None
        plain = self._look.row
        heights = [plain] * (self.stop - self.start)
        for row, needed in tall.items():
            heights[row] = max(plain, needed)
            # beside an image texts stand in the middle
            free = heights[row] - height(lines[row])
            if free > EPSILON:
                self._shifts[row] = round(free / 2, 2)
        return heights

    def height(self, start: int, stop: int) -> float:
        """Return the height of some rows of the chunk."""
        if self._heights is None:
            return (stop - start) * self._look.row
        return sum(self._heights[start - self.start : stop - self.start])

    def edges(self, start: int, stop: int, top: float) -> list[float]:
        """Return the lower ends of some rows, the first one's upper end at `top`."""
        if self._heights is None:
            height = self._look.row
            return [top - number * height for number in range(1, stop - start + 1)]
        heights = self._heights[start - self.start : stop - self.start]
        return [top - end for end in accumulate(heights)]

    def lines(self, row: int) -> int:
        """Return how many lines a row has."""
        if self._heights is None:
            return 1
        row -= self.start
        count = 1
        for cells in self._columns:
            for contents in (cells.inline, cells.others):
                if row in contents:
                    count = max(count, contents[row].count)
        return count

    def least(self, row: int) -> float:
        """Return the height that a row takes, however many lines it has."""
        row -= self.start
        return max((cells.others[row].least for cells in self._columns if row in cells.others), default=0.0)

    def fitting(self, start: int, stop: int, room: float) -> int:
        """Return how many of some rows fit into `room`."""
        room += EPSILON
        if self._heights is None:
            return max(min(stop - start, int(room / self._look.row)), 0)
        before = self._ends[start - self.start - 1] if start > self.start else 0.0
        return max(bisect_right(self._ends, before + room, start - self.start, stop - self.start), 0) - (
            start - self.start
        )

    # ---------------------------------------------------------------- page code

    def _coded(self) -> list[_Strand]:
        """Return the rows' code, per face."""
        faces: dict[TextStyle, list[Cells]] = {}
        for cells in self._columns:
            if any(cells.texts) or cells.inline:
                faces.setdefault(cells.lane.style, []).append(cells)
        return [
            _Strand(style, cells, self._look, self._heights, self._shifts) for style, cells in faces.items()
        ]

    def draw(self, sheet: Sheet, start: int, stop: int, top: float) -> None:
        """Draw some rows of the chunk, the first one's upper end at `top`."""
        start, stop = start - self.start, stop - self.start
        for strand in self._strands:
            strand.draw(sheet, start, stop, top)
        special = [cells for cells in self._columns if cells.others]
        if not special and not self._tints:
            return
        row_height = self._look.row
        for row in range(start, stop):
            height = self._heights[row] if self._heights else row_height
            for lane, color in self._tints.get(row, ()):
                _tint(sheet, lane, color, top, height)
            for cells in special:
                content = cells.others.get(row)
                if content is not None:
                    spot = Spot(top, height, 0, content.count, shift=self._shifts.get(row, 0.0))
                    content.draw(sheet, self._look, cells.lane.track, spot)
            top -= height

    def draw_cells(self, sheet: Sheet, start: int, stop: int, top: float, tags: TableTags) -> None:
        """Draw some rows as `draw` does, cell by cell, each for its element."""
        for row in range(start, stop):
            height = self.height(row, row + 1)
            shift = self._shifts.get(row - self.start, 0.0)
            self.draw_part(sheet, row, Spot(top, height, 0, self.lines(row), shift=shift), tags)
            top -= height

    def draw_part(self, sheet: Sheet, row: int, spot: Spot, tags: TableTags | None = None) -> None:
        """Draw some lines of one row."""
        if tags is not None:
            tags.row(row)
        row -= self.start
        for lane, color in self._tints.get(row, ()):
            _tint(sheet, lane, color, spot.top, spot.height)
        for number, cells in enumerate(self._columns):
            content = cells.inline.get(row) or cells.others.get(row)
            if content is None and not cells.texts[row]:
                continue
            if tags is not None:
                sheet.tag(tags.owner(number, content))
            if content is not None:
                content.draw(sheet, self._look, cells.lane.track, spot)
            elif not spot.first:
                drop = self._look.pad_y + self._look.drop(cells.lane.style.size)
                sheet.add((cells.line(row, spot.top - spot.shift - drop),))


def _tint(sheet: Sheet, lane: Lane, color: str, top: float, height: float) -> None:
    sheet.fill(color, [(lane.left, top - height, lane.right - lane.left, height)], over=True)


class _Strand:
    """The code of a chunk's cells in one face."""

    def __init__(
        self,
        style: TextStyle,
        columns: Sequence[Cells],
        look: Look,
        heights: Sequence[float] | None,
        shifts: Mapping[int, float],
    ) -> None:
        self._strand: Strand = (columns[0].lane.font.resource, style.size, style.color, "td")
        self._columns = columns
        self._look = look
        self._heights = heights
        self._shifts = shifts
        self._steps = self._stepped()
        self._anchor = columns[-1].lane.track.anchor
        self._rows = self._coded()

    def _stepped(self) -> list[float]:
        """Return how far each row's first baseline is below that of the row above; none if all are even."""
        if self._heights is None:
            return []
        steps = [self._look.row, *self._heights[:-1]]
        for row, shift in self._shifts.items():
            steps[row] += shift
            if row + 1 < len(steps):
                steps[row + 1] -= shift
        return steps

    def _coded(self) -> list[str]:
        """Return the code of each row: moves from the row above, as high as that one."""
        count, x, down = len(self._columns[0].codes), self._anchor, f" {-self._look.row:.2f} Td"
        pieces: list[Iterable[str]] = []
        fixed = ""  # what all rows have, up to the next piece that differs
        for number, cells in enumerate(self._columns):
            anchor = cells.lane.track.anchor
            fixed += f"{anchor - x:.2f}"
            x = anchor
            if number:
                fixed += " 0 Td"
            elif self._heights is None:
                fixed += down
            else:
                names = {step: f" {-step:.2f} Td" for step in dict.fromkeys(self._steps)}
                pieces += [repeat(fixed, count), map(names.__getitem__, self._steps)]
                fixed = ""
            if cells.pulls is None:
                pieces += [repeat(fixed, count), cells.codes]
                fixed = "Tj "
            else:
                names = {pull: f"{pull:.0f}" for pull in dict.fromkeys(cells.pulls)}
                pulls = map(names.__getitem__, cells.pulls)
                pieces += [repeat(f"{fixed}[", count), pulls, cells.codes]
                fixed = "]TJ "
        pieces.append(repeat(f"{fixed.rstrip()}\n", count))
        return list(map("".join, zip(*pieces, strict=True)))

    def draw(self, sheet: Sheet, start: int, stop: int, top: float) -> None:
        """Write rows from `top` on."""
        y = top - self._look.pad_y - self._look.drop(self._strand[1])
        above = y - self._shifts.get(start, 0.0) + (self._steps[start] if self._steps else self._look.row)
        code = f"1 0 0 1 {self._anchor:.2f} {above:.2f} Tm " + "".join(self._rows[start:stop])
        sheet.stretch(self._strand, code, _Stretch(self, start, stop, y))

    def lines(self, start: int, stop: int, y: float) -> Iterator[TextLine]:
        """Give the texts of rows, the baseline of the first one at `y`."""
        for row in range(start, stop):
            for cells in self._columns:
                yield from self._cell(cells, row, y - self._shifts.get(row, 0.0))
            y -= self._heights[row] if self._heights else self._look.row

    def _cell(self, cells: Cells, row: int, y: float) -> Iterator[TextLine]:
        if row not in cells.inline:
            if cells.texts[row]:
                yield cells.line(row, y)
            return
        font, size, color, role = self._strand
        for text, code, advance, pull in cells.inline[row].lines:
            if text:
                run = TextRun(font, size, color, code, advance * size / 1000, text)
                x = cells.lane.track.anchor - pull * size / 1000
                yield TextLine(x, y, (run,), role, 0.75 * size, 0.25 * size)
            y -= self._look.leading


@value
class _Stretch:
    """Rows of a strand on one page, to be read line by line."""

    strand: _Strand
    start: int
    stop: int
    y: float

    def lines(self) -> Iterator[TextLine]:
        """Give every line of text."""
        return self.strand.lines(self.start, self.stop, self.y)
