"""Where a paragraph's lines end: first fit for ragged text, total fit for justified text.

A paragraph is a row of atoms, pieces that are not parted. `starts[i]` and `ends[i]` are where atom i begins
and ends when all atoms stand on one endless line; what is between two atoms vanishes at a line's end.
`gaps[i]` is the stretch between the first atom and atom i, in spaces (an index will do where each gap is one
space). Lengths are in any one unit. A break is the pair (atom that begins the next line, offset of the first
character in it): the offset is 0 except after a hyphenated atom.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Final

Break = tuple[int, int]
# Of one atom, by offset: a line that ends there with a hyphen ends this much before the atom's own end, and
# the line after it begins that much before the atom's end.
Splits = Callable[[int], Sequence[tuple[int, float, float]]]

SHRINK: Final = 0.25  # how much narrower a space may become, in spaces
TIGHT: Final = 0.17  # how much narrower it gets without looking bad
STRETCH: Final = 0.6  # how much wider it gets without looking bad
TOLERANCE: Final = 1.0  # the most it is stretched while there is a choice
WINDOW: Final = 12  # ends looked at per line on either side of the natural one: keeps the time linear
HYPHEN: Final = 2_500.0  # demerits of a hyphen
HYPHENS: Final = 12_000.0  # and of one right below another
LONELY: Final = 4_000.0  # of a last line with a short word alone
REST: Final = 100_000.0  # and with the rest of a word alone
SHORT: Final = 0.12  # how short, in measures
DESPERATE: Final = 1e6  # of a line stretched beyond what is tolerated
LATITUDE: Final = 1e-6  # rounding


def first_fit(starts: Sequence[float], ends: Sequence[float], measure: float) -> list[int]:
    """Return the atom after the last one of each line, as many per line as fit and at least one."""
    breaks: list[int] = []
    atom, count = 0, len(ends)
    while atom < count:
        after = bisect_right(ends, starts[atom] + measure + LATITUDE, atom)
        atom = after if after > atom else atom + 1
        breaks.append(atom)
    return breaks


def first_fit_hyphenated(
    starts: Sequence[float], ends: Sequence[float], measure: float, splits: Splits, hole: float
) -> list[Break]:
    """Return breaks as `first_fit` does, with words hyphenated that would leave a hole wider than `hole`."""
    breaks: list[Break] = []
    atom, offset, count = 0, 0, len(ends)
    left = starts[0] if count else 0.0
    while atom < count:
        limit = left + measure + LATITUDE
        after = max(bisect_right(ends, limit, atom), atom)
        filled = ends[after - 1] if after > atom else left
        # The rest of a word is not left alone on the last line, where that has room for all of it.
        last = after == count - 1 and after > atom and ends[after] - starts[after] <= measure
        if after < count and not last and limit - filled > hole:
            earlier = offset if after == atom else 0
            fitting = [
                (point, tail)
                for point, reach, tail in splits(after)
                if point > earlier and ends[after] - reach <= limit
            ]
            if fitting:
                offset, tail = fitting[-1]
                atom, left = after, ends[after] - tail
                breaks.append((atom, offset))
                continue
        atom, offset = (after if after > atom else atom + 1), 0
        left = starts[atom] if atom < count else 0.0
        breaks.append((atom, 0))
    return breaks


def total_fit(
    starts: Sequence[float],
    ends: Sequence[float],
    gaps: Sequence[float],
    measure: float,
    space: float,
) -> list[int] | None:
    """Return the best atoms to begin lines with over the whole paragraph, the number of atoms at the end.

    None when some line cannot be set with its spaces stretched by no more than is tolerated.
    """
    # Most paragraphs can do without a bad line, and are done much sooner when none is looked at.
    return _total_fit(starts, ends, gaps, measure, space, STRETCH) or _total_fit(
        starts, ends, gaps, measure, space, TOLERANCE
    )


def _total_fit(
    starts: Sequence[float],
    ends: Sequence[float],
    gaps: Sequence[float],
    measure: float,
    space: float,
    tolerance: float,
) -> list[int] | None:
    count = len(ends)
    before: dict[int, int] = {}
    # What the lines so far cost, the atom that begins the next one, and the one before. The cheapest first:
    # lines that cost more than the whole paragraph does in the end are not followed.
    waiting = [(0.0, 0, -1)]
    # What a ratio of stretch or shrink has to be multiplied with to be 1 where it begins to look bad.
    stretch, shrink = 1 / (STRETCH * space), 1 / (TIGHT * space)
    loosest, tightest = tolerance / STRETCH, SHRINK / TIGHT
    while waiting:
        spent, atom, earlier = heappop(waiting)
        if atom in before:
            continue  # there was a cheaper way here
        before[atom] = earlier
        if atom == count:
            return _followed(before, count)
        limit, gap = starts[atom] + measure, gaps[atom]
        after = bisect_right(ends, limit + LATITUDE, atom)
        last = after - 1
        if after == count:  # the rest fits: a last line, set as it is
            lonely = 0 < atom == last and ends[last] - starts[atom] < SHORT * measure
            heappush(waiting, (spent + LONELY * lonely, count, atom))
            last -= 1
        for end in range(last, max(last - WINDOW, atom), -1):
            bad = (limit - ends[end]) * stretch / (gaps[end] - gap or LATITUDE)
            if bad > loosest:
                break
            bad = 1 + 100 * bad * bad * bad
            heappush(waiting, (spent + bad * bad, end + 1, atom))
        for end in range(after, min(count, after + WINDOW) if after > atom else after):
            bad = (ends[end] - limit) * shrink / (gaps[end] - gap or LATITUDE)
            if bad > tightest:
                break
            bad = 1 + 100 * bad * bad * bad
            heappush(waiting, (spent + bad * bad, end + 1, atom))
    return None


def _followed(before: Mapping[int, int], count: int) -> list[int]:
    """Return the breaks up to the last one; each knows the one before it."""
    breaks = [count]
    while (atom := before[breaks[-1]]) > 0:
        breaks.append(atom)
    breaks.reverse()
    return breaks


def total_fit_hyphenated(
    starts: Sequence[float],
    ends: Sequence[float],
    gaps: Sequence[float],
    measure: float,
    space: float,
    splits: Splits,
) -> list[Break]:
    """Return the best breaks over the whole paragraph where atoms may be parted; always finds some.

    Only the atoms around a possible end of a line are asked for their splits. Lines that cannot be filled
    well are stretched as little as possible.
    """
    count = len(ends)
    first: Break = (0, 0)
    cost: dict[Break, float] = {first: 0.0}
    before: dict[Break, Break] = {}
    lefts = {first: starts[0] if count else 0.0}
    # The cheapest ways first: those that cost more than the whole paragraph does in the end are not followed.
    waiting: list[tuple[float, bool, Break]] = [(0.0, True, first)]
    lines: dict[Break, _Line] = {}
    while waiting:
        spent, whole, node = heappop(waiting)
        if whole:
            if node[0] == count:
                break
            if node in lines:
                continue  # there was a cheaper way here
            line = lines[node] = _Line(starts, ends, gaps, lefts[node], measure, space, node)
            edges = line.whole_ends()
            hyphen = HYPHEN + (HYPHENS if node[1] else 0.0)
            # A line that ends in a hyphen costs no less than that: it is looked for when nothing is cheaper.
            heappush(waiting, (spent + (1.0 + hyphen), False, node))
        else:
            spent = cost[node]
            edges = lines[node].parted_ends(splits)
        for following, demerits, begin in edges:
            if following[1]:
                demerits += HYPHEN + (HYPHENS if node[1] else 0.0)
            reached = spent + demerits
            known = cost.get(following)
            if known is None or reached < known:
                cost[following] = reached
                before[following] = node
                lefts[following] = begin
                heappush(waiting, (reached, True, following))
            elif reached == known and node < before[following]:
                before[following] = node
    breaks: list[Break] = []
    node = (count, 0)
    while node != first:
        breaks.append(node)
        node = before[node]
    breaks.reverse()
    return breaks


class _Line:
    """One possible line: where it begins, and where it may end."""

    __slots__ = (
        "after",
        "ends",
        "found",
        "gaps",
        "high",
        "left",
        "limit",
        "low",
        "measure",
        "node",
        "space",
        "starts",
    )

    def __init__(
        self,
        starts: Sequence[float],
        ends: Sequence[float],
        gaps: Sequence[float],
        left: float,
        measure: float,
        space: float,
        node: Break,
    ) -> None:
        self.starts, self.ends, self.gaps = starts, ends, gaps
        self.left, self.measure, self.space, self.node = left, measure, space, node
        self.limit = left + measure

    def demerits(self, end: float, atom: int) -> float | None:
        """Return how bad a line is that ends at `end` in an atom; None when spaces cannot make up for it."""
        free = self.limit - end
        room = (self.gaps[atom] - self.gaps[self.node[0]]) * self.space
        if abs(free) <= LATITUDE:
            return 1.0
        if room <= 0:
            return None
        ratio = free / room
        if ratio > TOLERANCE or ratio < -SHRINK:
            return None
        bad = 1 + 100 * abs(ratio / (STRETCH if ratio > 0 else TIGHT)) ** 3
        return bad * bad

    def whole_ends(self) -> list[tuple[Break, float, float]]:
        """Return the possible ends between atoms: break, demerits, where the next line begins."""
        starts, ends, atom = self.starts, self.ends, self.node[0]
        count = len(ends)
        self.after = after = max(bisect_right(ends, self.limit + LATITUDE, atom), atom)
        found: list[tuple[Break, float, float]] = []
        end = after - 1
        if after == count:
            lonely = atom == count - 1 and ends[end] - self.left < SHORT * self.measure
            alone = (REST if self.node[1] else LONELY) if lonely and self.node != (0, 0) else 0.0
            found.append(((count, 0), alone, 0.0))
            end -= 1
        low, lowest = end, max(end - WINDOW, atom - 1)
        while low > lowest and (bad := self.demerits(ends[low], low)) is not None:
            found.append(((low + 1, 0), bad, starts[low + 1]))
            low -= 1
        # Too loose as a whole: no part of it can fill the line.
        self.low = low + 1 if low > lowest else low
        high = after
        while high < count and high < after + WINDOW and (bad := self.demerits(ends[high], high)) is not None:
            found.append(((high + 1, 0), bad, starts[high + 1] if high + 1 < count else 0.0))
            high += 1
        self.high = high
        self.found = bool(found)
        return found

    def parted_ends(self, splits: Splits) -> list[tuple[Break, float, float]]:
        """Return the possible ends inside of atoms, demerits without the hyphen's; after `whole_ends`.

        Where there is no good end at all it is the least bad one.
        """
        starts, atom, offset = self.starts, *self.node
        found: list[tuple[Break, float, float]] = []
        for parted in range(max(self.low, atom), min(self.high, len(self.ends) - 1) + 1):
            room = (self.gaps[parted] - self.gaps[atom]) * self.space
            if parted > atom and starts[parted] > self.limit + SHRINK * room:
                break  # too tight with a part of it, too
            found.extend(self._inside(parted, splits(parted), offset if parted == atom else 0))
        return found if found or self.found else [self._desperate(self.after, splits)]

    def _inside(
        self, atom: int, points: Sequence[tuple[int, float, float]], earlier: int
    ) -> list[tuple[Break, float, float]]:
        found: list[tuple[Break, float, float]] = []
        end = self.ends[atom]
        for point, reach, tail in points:
            bad = self.demerits(end - reach, atom) if point > earlier else None
            if bad is not None:
                found.append(((atom, point), bad, end - tail))
        return found

    def _desperate(self, after: int, splits: Splits) -> tuple[Break, float, float]:
        """Return the end that leaves the smallest hole, when none is good."""
        atom, offset = self.node
        parted = min(after, len(self.ends) - 1)
        earlier = offset if parted == atom else 0
        whole = self.ends[parted]
        fitting = [
            (point, reach, tail)
            for point, reach, tail in splits(parted)
            if point > earlier and whole - reach <= self.limit + LATITUDE
        ]
        if fitting:
            point, reach, tail = fitting[-1]
            return (parted, point), DESPERATE + self._hole(whole - reach), whole - tail
        last = max(after - 1, atom)
        begin = self.starts[last + 1] if last + 1 < len(self.ends) else 0.0
        return (last + 1, 0), DESPERATE + self._hole(self.ends[last]), begin

    def _hole(self, end: float) -> float:
        return DESPERATE * max(self.limit - end, 0.0) / (self.measure or 1.0)
