"""The way of a table down the pages: head, rows, headings and sums in one linear pass. Points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from config.value import dataclass
from rendering.formats.pdf.layout.items import ARTIFACT, Item
from rendering.formats.pdf.layout.measures import EPSILON, HAIRLINE
from rendering.formats.pdf.layout.tables import measuring
from rendering.formats.pdf.layout.tables.bulk import ROWS, Chunk
from rendering.formats.pdf.layout.tables.cells import Spot
from rendering.formats.pdf.layout.tables.grid import Grid
from rendering.formats.pdf.layout.tables.look import Look
from rendering.formats.pdf.layout.tables.setting import Setter
from rendering.formats.pdf.layout.tables.sheet import Sheet
from rendering.formats.pdf.layout.tables.story import Passage, passages
from rendering.formats.pdf.layout.tables.strips import Strip, Strips
from rendering.formats.pdf.layout.tables.sums import Running
from templates_app.resolved import ResolvedGroupOfRows, ResolvedTable

if TYPE_CHECKING:
    from rendering.formats.pdf.layout.flow import Flow
    from rendering.formats.pdf.layout.tables.tagging import TableTags

BEGUN: Final = 3  # lines of a tall row that must fit for it to begin on a page
PARTED: Final = 2  # lines that a parted row has on either side, if it has as many
REPEATED: Final = 0.5  # of a page that heads and headings may take at its top
FORWARD: Final = 8  # rows that a page must hold to have lines brought and carried forward


@dataclass(slots=True)
class _Staged:
    """A passage with its headings and sums; `least` is the height that it can begin with on a page."""

    passage: Passage
    opens: Sequence[Strip]
    closes: Sequence[Strip]
    height: float
    least: float


class TableWalk:
    """One table on its way; what belongs on a page is gathered in a sheet, then placed at once."""

    def __init__(self, table: ResolvedTable, flow: Flow) -> None:
        self.table = table
        self.flow = flow
        place = flow.typesetter, flow.theme, flow.width, flow.height
        look = Look.of(table, *place)
        self.lanes = measuring.lanes(table, look, flow.left, flow.width)
        scale = measuring.scale_of(look, self.lanes)
        if scale < 1.0:
            look = Look.of(table, *place, scale)
            self.lanes = measuring.lanes(table, look, flow.left, flow.width)
        self.look = look
        self.setter = Setter(look)
        first, last = sorted((self.lanes[0], self.lanes[-1]), key=lambda lane: lane.left)
        self.left, self.width = first.left, last.right - first.left
        self._rows_look = look.based([lane.style.size for lane in self.lanes])
        self.strips = Strips(table, look, self.setter, self.lanes, self.left, self.width)
        self.head = self.strips.head()
        edges = [self.left, *sorted(lane.right for lane in self.lanes)]
        self._grid = Grid(edges) if table.rules == "grid" else None
        self._again: dict[float, Sequence[Item]] = {}
        self._sheet = Sheet()
        self._tags = self._tagging()
        self._chunks: list[Chunk] = []
        self._open: list[ResolvedGroupOfRows] = []
        self._placed = 0  # rows that stand on some page
        self._fresh = True  # nothing but heads stands on this page
        self._start = flow.y  # upper end of what this page has of the table
        running = Running(table)
        fits = flow.height >= FORWARD * look.row
        self._running = running if table.carry and running.wanted and fits else None
        self._carried = self._forward_height(running) if self._running else 0.0

    def _tagging(self) -> TableTags | None:
        """Return what makes the elements of the structure, None where the document has none."""
        element = self.flow.container
        if element is None:
            return None
        from rendering.formats.pdf.layout.tables.tagging import TableTags

        return TableTags(element, len(self.lanes))

    def _forward_height(self, running: Running) -> float:
        labels, values = self.table.carry_labels, running.upto(0)
        return max(self.strips.forward(label, values).height for label in labels)

    # ---------------------------------------------------------------- from the first row to the last

    def draw(self) -> None:
        """Draw the table; with `keep_with_next` its end waits for the block that follows."""
        if not self.table.count:
            self._draw_empty()
            return
        most = int(self.flow.height / self.look.row) + 1
        least = max(1, min(self.table.min_rows, most))
        held = self.table.keep_with_next
        begun = False
        for passage in passages(self.table, least):
            staged = self._staged(passage)
            if passage.last and held and staged.height < self.flow.height / 2:
                self._hold(staged, begun=begun)
                return
            if not begun:
                self._begin(staged)
                begun = True
            self._draw_passage(staged)
        self._close()

    def _begin(self, staged: _Staged) -> None:
        """Find the place for the head and the first rows, and draw the head."""
        needed = self._head_height + staged.height
        if needed > self.flow.height:
            needed = self._head_height + staged.least
        self.flow.need(min(needed, self.flow.height))
        self._start = self.flow.y
        self._draw_head("th")

    def _hold(self, staged: _Staged, *, begun: bool) -> None:
        """Let the end of the table wait for the next block."""
        self._close(ends=False)
        self._start = self.flow.y

        def draw() -> None:
            self._start = self.flow.y
            if not begun:
                self._draw_head("th")
            elif self.flow.at_top:
                self._draw_top(staged.passage.start)
            self._draw_passage(staged)
            self._close()

        height = staged.height + (0.0 if begun else self._head_height)
        self.flow.hold(height, draw, leave=self._end_page if begun else None)

    def _draw_empty(self) -> None:
        strips = [self.strips.empty()]
        if self.table.totals is not None:
            strips.append(self.strips.totals())
        self.flow.need(min(self._head_height + sum(strip.height for strip in strips), self.flow.height))
        self._start = self.flow.y
        self._draw_head("th")
        for strip in strips:
            self._draw_strip(strip)
        self._close()

    # ---------------------------------------------------------------- passages

    def _staged(self, passage: Passage) -> _Staged:
        """Return a passage with its headings and sums set."""
        opens = [self.strips.heading(group) for group in passage.opens]
        closes = [self.strips.subtotals(group) for group in passage.closes]
        if passage.last and self.table.totals is not None:
            closes.append(self.strips.totals())
        above, below = sum(strip.height for strip in opens), sum(strip.height for strip in closes)
        if not passage.kept:
            return _Staged(passage, opens, closes, above + below, above)
        rows, start = 0.0, passage.start
        while start < passage.stop:
            chunk = self._chunk(start)
            stop = min(passage.stop, chunk.stop)
            rows += chunk.height(start, stop)
            start = stop
        start = passage.start
        chunk = self._chunk(start)
        first = chunk.height(start, start + 1)
        if not self.table.keep_rows or above + first + self._top_height(start) > self.flow.height:
            first = min(first, self.look.height(BEGUN, chunk.least(start)))  # an image is not parted
        return _Staged(passage, opens, closes, above + rows + below, above + first)

    def _draw_passage(self, staged: _Staged) -> None:
        """Draw a passage; one that is kept goes to the next page when it fits there only."""
        passage, start = staged.passage, staged.passage.start
        if passage.kept and not self._fits(staged) and not self._fresh:
            # a passage that fits no page begins where a few of its lines do
            begins = staged.least <= self._room(last=False) + EPSILON
            if staged.height <= self.flow.height - self._top_height(start) or not begins:
                self._next_page(start)
        ends = passage.last and (not staged.closes or (passage.kept and self._fits(staged)))
        for group, strip in zip(passage.opens, staged.opens, strict=True):
            self._draw_strip(strip, before=start, last=ends)
            self._open.append(group)
        self._draw_rows(passage, ends=ends)
        for strip in staged.closes:
            self._draw_strip(strip, before=passage.stop, last=passage.last)
        self._open = [group for group in self._open if group.stop > passage.stop]

    def _fits(self, staged: _Staged) -> bool:
        return staged.height <= self._room(last=staged.passage.last) + EPSILON

    def _draw_rows(self, passage: Passage, *, ends: bool) -> None:
        """Draw rows one after the other, on as many pages as they take; `ends`: the table ends with them."""
        start = passage.start
        while start < passage.stop:
            chunk = self._chunk(start)
            stop = min(passage.stop, chunk.stop)
            last = ends and stop == passage.stop
            count = chunk.fitting(start, stop, self._room(last=last))
            if last and start + count < stop:  # the table goes on after this page
                count = chunk.fitting(start, stop, self._room(last=False))
            if count:
                self._place(chunk, start, start + count, passage.stripe)
                start += count
            elif (self._fresh or chunk.lines(start) > 1) and self._part(chunk, start, passage.stripe):
                start += 1
            else:
                self._next_page(start)

    def _place(self, chunk: Chunk, start: int, stop: int, stripe: int) -> None:
        """Place rows that fit on this page."""
        flow, top = self.flow, self.flow.y
        left, width, right = self.left, self.width, self.left + self.width
        if self.table.zebra or self._ruled:
            edges = chunk.edges(start, stop, top)
            if self.table.zebra:
                odd = 0 if (start - stripe) & 1 else 1
                pairs = zip([top, *edges][odd::2], edges[odd::2], strict=False)
                stripes = [(left, lower, width, upper - lower) for upper, lower in pairs]
                self._sheet.fill(flow.theme.zebra, stripes)
            if self._ruled:
                self._sheet.rule(flow.theme.rule, HAIRLINE, [(left, y, right, y) for y in edges])
        if self._tags is None:
            chunk.draw(self._sheet, start, stop, top)
        else:
            chunk.draw_cells(self._sheet, start, stop, top, self._tags)
        flow.advance(chunk.height(start, stop))
        self._placed, self._fresh = stop, False

    def _part(self, chunk: Chunk, row: int, stripe: int) -> bool:
        """Place a row that does not fit on this page in parts; False when it had better begin on the next."""
        look, total, least = self.look, chunk.lines(row), chunk.least(row)
        tall = chunk.height(row, row + 1) > self.flow.height - self._top_height(row) + EPSILON
        enough = BEGUN if tall else total if self.table.keep_rows else PARTED
        begun = 0
        while begun < total:
            room = self._room(last=False) - 2 * look.pad_y
            fits = int((room + EPSILON) / look.leading) if begun or room + EPSILON >= least else 0
            count = min(total - begun, fits)
            if count < total - begun:  # no single line is left over
                count = min(count, max(total - begun - PARTED, 1))
            if not begun and not self._fresh and count < enough:
                return False
            if count < 1 and not self._fresh:
                self._next_page(row)
                continue
            count = max(count, 1)  # a page too small for one line gets it all the same
            self._place_part(chunk, row, begun, begun + count, 0.0 if begun else least, stripe)
            begun += count
            if begun < total:
                self._next_page(row)
        self._placed = row + 1
        return True

    def _place_part(self, chunk: Chunk, row: int, first: int, last: int, least: float, stripe: int) -> None:
        """Place some lines of a row."""
        flow, height = self.flow, self.look.height(last - first, least)
        y = flow.y - height
        if self.table.zebra and (row - stripe) & 1:
            self._sheet.fill(flow.theme.zebra, [(self.left, y, self.width, height)])
        if self._ruled:
            self._sheet.rule(flow.theme.rule, HAIRLINE, [(self.left, y, self.left + self.width, y)])
        chunk.draw_part(self._sheet, row, Spot(flow.y, height, first, last), self._tags)
        flow.advance(height)
        self._fresh = False

    def _chunk(self, row: int) -> Chunk:
        """Return the chunk of a row; rows before those placed are gone."""
        for chunk in self._chunks:
            if chunk.start <= row < chunk.stop:
                return chunk
        self.flow.limits.check_time()
        start = self._chunks[-1].stop if self._chunks else 0
        self._chunks = [chunk for chunk in self._chunks if chunk.stop > self._placed]
        while True:
            rows = range(start, min(start + ROWS, self.table.count))
            chunk = Chunk(self._rows_look, self.lanes, self.table.styles, self.setter, rows)
            self._chunks.append(chunk)
            if row < rows.stop:
                return chunk
            start = rows.stop

    # ---------------------------------------------------------------- pages

    def _room(self, *, last: bool) -> float:
        """Return the height left on this page; unless the table ends on it, without that of carried sums."""
        return self.flow.room - (0.0 if last else self._carried)

    @property
    def _ruled(self) -> bool:
        """Whether rows have rules below them: stripes part them as well."""
        return self.table.rules == "grid" or (self.table.rules == "horizontal" and not self.table.zebra)

    @property
    def _head_height(self) -> float:
        return self.head.height if self.head else 0.0

    def _draw_head(self, role: str) -> None:
        if self.head is None:
            if self.table.rules != "none":
                left, y = self.left, self.flow.y
                self._sheet.rule(self.flow.theme.rule, HAIRLINE, [(left, y, left + self.width, y)])
            return
        if role == ARTIFACT:  # on most pages it stands at the same height: made once
            items = self._again.get(self.flow.y)
            if items is None:
                sheet = Sheet()
                self.head.draw(sheet, self.flow.y, role)
                items = self._again[self.flow.y] = sheet.items()
                if len(self._again) > 4:
                    del self._again[next(iter(self._again))]
            self.flow.put(*items)
            if self._grid:
                self._grid.pass_by(self.head, self.flow.y)
            self.flow.advance(self.head.height)
        else:
            self._put_strip(self.head, role)

    def _draw_strip(self, strip: Strip, *, before: int = 0, last: bool = True) -> None:
        """Draw a strip, on the next page if it does not fit."""
        if strip.height > self._room(last=last) + EPSILON and not self._fresh:
            self._next_page(before)
        self._put_strip(strip, "td")
        self._fresh = False

    def _put_strip(self, strip: Strip, role: str) -> None:
        """Draw a strip here and move on."""
        if self._grid:
            self._grid.pass_by(strip, self.flow.y)
        tags = self._tags.strip(strip) if self._tags is not None and role != ARTIFACT else None
        strip.draw(self._sheet, self.flow.y, role, tags)
        self.flow.advance(strip.height)

    def _next_page(self, row: int) -> None:
        """Go on with a row at the top of the next page."""
        self._end_page()
        self.flow.new_page()
        self._start = self.flow.y
        self._draw_top(row)

    def _end_page(self) -> None:
        """End what this page has of a table that goes on: sums carried forward, the closing rule."""
        if self._running is not None and self._placed:
            values = self._running.upto(self._placed)
            strip = self.strips.forward(self.table.carry_labels[1], values)
            if strip.height <= self.flow.room + EPSILON:  # what had to be on a tiny page has taken its room
                self._put_strip(strip, ARTIFACT)
        self._close()

    def _draw_top(self, row: int) -> None:
        """Draw what a further page repeats: the head, sums brought forward, headings of open groups."""
        if self.table.repeat_head:
            self._draw_head(ARTIFACT)
        if self._running is not None and self._placed:
            values = self._running.upto(self._placed)
            strip = self.strips.forward(self.table.carry_labels[0], values)
            self._put_strip(strip, ARTIFACT)
        for strip in self._repeated(row):
            self._put_strip(strip, ARTIFACT)
        self._fresh = True

    def _repeated(self, row: int) -> Sequence[Strip]:
        """Return the headings of groups that go on at a row; none where they would take the page."""
        strips = [
            self.strips.heading(group, again=True) for group in self._open if group.start < row < group.stop
        ]
        height = sum(strip.height for strip in strips) + self._head_height
        return strips if height <= REPEATED * self.flow.height else ()

    def _top_height(self, row: int) -> float:
        """Return the height of what a further page repeats, and of the sums at its end."""
        height = self._head_height if self.table.repeat_head else 0.0
        return height + 2 * self._carried + sum(strip.height for strip in self._repeated(row))

    def _close(self, *, ends: bool = True) -> None:
        """Place what was gathered on this page; where the table `ends` on it a stronger rule closes it."""
        flow, rules = self.flow, self.table.rules
        left, right = self.left, self.left + self.width
        if ends and rules != "none":
            self._sheet.rule(flow.theme.rule_strong, HAIRLINE, [(left, flow.y, right, flow.y)])
        if self._grid and (lines := self._grid.lines(self._start, flow.y)):
            self._sheet.rule(flow.theme.rule, HAIRLINE, [(left, self._start, right, self._start), *lines])
        flow.put(*self._sheet.items())
        self._sheet = Sheet()
