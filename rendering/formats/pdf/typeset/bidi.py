"""Directions: the Unicode Bidirectional Algorithm (UAX #9) for a paragraph and its lines.

How a line is set: when `has_rtl(paragraph)` is false, nothing has to be done, each line is one run from left
to right. Otherwise make one `Paragraph` and ask it for the `runs` of each line: what a number or a full stop
at the beginning of a line belongs to may stand on the line before. Shape each run with
`font.word(text[start:stop], rtl=rtl)` and place the pieces of the words from left to right, run after run:
the pieces of a word are in visual order already, those of a run from right to left as well. When a run is
shaped in parts (word by word), the parts of a run with `rtl` stand in reverse order.
"""

from __future__ import annotations

import unicodedata
from itertools import groupby
from typing import Final, Literal

from config.patterns import late

Direction = Literal["ltr", "rtl"]

# Hebrew, Arabic and their neighbours, presentation forms, the scripts of the supplementary planes, and marks
# that turn the direction.
_RTL: Final = late(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefe\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_DEEPEST: Final = 125  # levels of embedding
_EMBEDDINGS: Final = {"LRE": (False, ""), "RLE": (True, ""), "LRO": (False, "L"), "RLO": (True, "R")}
_ISOLATES: Final = frozenset({"LRI", "RLI", "FSI"})
_REMOVED: Final = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "BN"})
_NEUTRAL: Final = frozenset({"B", "S", "WS", "ON", "LRI", "RLI", "FSI", "PDI"})
_PAIRED: Final = 63  # brackets that may be open at once


def has_rtl(text: str) -> bool:
    """Return whether any character of the text may run from right to left."""
    if text.isascii():
        return False
    try:
        text.encode("latin-1")  # a copy of the bytes when it succeeds, and an early end when it does not
    except UnicodeEncodeError:
        return _RTL.search(text) is not None
    return False


def base_direction(text: str, *, mirrored: bool = False) -> Direction:
    """Return the direction of a paragraph: that of its first letter outside of isolates (rules P2, P3).

    In a language from right to left (`mirrored`) it is that of the language (HL1), unless nothing in the
    paragraph runs so: an address or a name in Latin letters keeps its full stop at its end.
    """
    if not has_rtl(text):
        return "ltr"
    return "rtl" if mirrored or _first_strong(list(map(unicodedata.bidirectional, text))) else "ltr"


def visual_runs(text: str, base: Direction) -> list[tuple[int, int, bool]]:
    """Return the runs of a text on one line from left to right: start and stop in it, right to left.

    Every character is in exactly one run. Takes time in proportion to the text.
    """
    if not text:
        return []
    if base == "ltr" and not has_rtl(text):
        return [(0, len(text), False)]
    return Paragraph(text, base).runs(0, len(text))


class Paragraph:
    """A text whose directions are found as a whole, before it is parted into lines."""

    __slots__ = ("_bottom", "_classes", "_levels")

    def __init__(self, text: str, base: Direction) -> None:
        self._classes = [unicodedata.bidirectional(character) or "L" for character in text]
        self._bottom = 1 if base == "rtl" else 0
        self._levels = _levels(text, self._classes, self._bottom)

    def runs(self, first: int, last: int) -> list[tuple[int, int, bool]]:
        """Return the runs of the line between two offsets from left to right: start, stop, right to left."""
        found = _line_ends(self._classes[first:last], self._levels[first:last], self._bottom)
        runs: list[tuple[int, int, int]] = []
        start = first
        for level, group in groupby(found):
            stop = start + sum(1 for _ in group)
            runs.append((start, stop, level))
            start = stop
        return [(start, stop, bool(level % 2)) for start, stop, level in _reordered(runs)]


def _reordered(runs: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Reverse what is at each level or above, from the deepest to the lowest odd one (rule L2)."""
    depths = {level for _, _, level in runs}
    lowest = min((level for level in depths if level % 2), default=None)
    if lowest is None:
        return runs
    for depth in range(max(depths), lowest - 1, -1):
        ordered: list[tuple[int, int, int]] = []
        turned: list[tuple[int, int, int]] = []
        for run in runs:
            if run[2] >= depth:
                turned.append(run)
            else:
                ordered += reversed(turned)
                ordered.append(run)
                turned = []
        ordered += reversed(turned)
        runs = ordered
    return runs


def _levels(text: str, classes: list[str], bottom: int) -> list[int]:
    """Return the embedding level of each character, but for ends of lines; odd ones run from right to left.

    What X9 leaves out follows its neighbour.
    """
    matches = _isolates(classes)
    found, kinds = _Explicit(classes, matches, bottom).resolve()
    for places, before, after in _sequences(classes, found, matches, bottom):
        level = found[places[0]]
        _weak(places, kinds, before)
        _brackets(text, places, kinds, level, before)
        _neutral(places, kinds, level, before, after)
        for place in places:
            found[place] += _implicit(kinds[place], level)
    for place, kind in enumerate(classes):
        if kind in _REMOVED:
            found[place] = found[place - 1] if place else bottom
    return found


def _first_strong(classes: list[str]) -> bool:
    """Return whether the first letter outside of isolates runs from right to left (P2, P3)."""
    depth = 0
    for kind in classes:
        if kind in _ISOLATES:
            depth += 1
        elif kind == "PDI":
            depth = max(depth - 1, 0)
        elif depth == 0 and kind in ("L", "R", "AL"):
            return kind != "L"
    return False


def _isolates(classes: list[str]) -> dict[int, int]:
    """Return the place of the PDI that closes each isolate initiator (BD9)."""
    found: dict[int, int] = {}
    waiting: list[int] = []
    for place, kind in enumerate(classes):
        if kind in _ISOLATES:
            waiting.append(place)
        elif kind == "PDI" and waiting:
            found[waiting.pop()] = place
    return found


class _Explicit:
    """The explicit marks of a line, taken one after the other (X1 to X8).

    An entry of the stack is a level, the direction forced upon characters or "", and whether an isolate
    made it.
    """

    def __init__(self, classes: list[str], matches: dict[int, int], bottom: int) -> None:
        self.classes = classes
        self.matches = matches
        self.closing = frozenset(matches.values())
        self.stack: list[tuple[int, str, bool]] = [(bottom, "", False)]
        self.lost_isolates = 0
        self.lost_embeddings = 0
        self.budget = 4 * len(classes)  # nested first-strong isolates must not cost their number squared

    def resolve(self) -> tuple[list[int], list[str]]:
        """Return level and class of each character."""
        found: list[int] = []
        kinds: list[str] = []
        for place, kind in enumerate(self.classes):
            if kind == "PDI":
                self._close_isolate(place)
            level, override, _ = self.stack[-1]
            found.append(level)
            kinds.append("BN" if kind in _REMOVED else override or kind)
            if kind in _ISOLATES:
                self._open(kind == "RLI" or (kind == "FSI" and self._looks_rtl(place)), "", isolate=True)
            elif kind in _EMBEDDINGS:
                odd, override = _EMBEDDINGS[kind]
                self._open(odd, override, isolate=False)
            elif kind == "PDF":
                self._close_embedding()
        return found, kinds

    def _open(self, odd: bool, override: str, *, isolate: bool) -> None:
        level = self.stack[-1][0]
        deeper = (level + 1) | 1 if odd else (level + 2) & ~1
        if deeper <= _DEEPEST and not self.lost_isolates and not self.lost_embeddings:
            self.stack.append((deeper, override, isolate))
        elif isolate:
            self.lost_isolates += 1
        elif not self.lost_isolates:
            self.lost_embeddings += 1

    def _close_isolate(self, place: int) -> None:
        if self.lost_isolates:
            self.lost_isolates -= 1
        elif place in self.closing:
            self.lost_embeddings = 0
            while not self.stack.pop()[2]:
                pass

    def _close_embedding(self) -> None:
        if self.lost_isolates:
            return
        if self.lost_embeddings:
            self.lost_embeddings -= 1
        elif len(self.stack) > 1 and not self.stack[-1][2]:
            self.stack.pop()

    def _looks_rtl(self, place: int) -> bool:
        stop = self.matches.get(place, len(self.classes))
        self.budget -= stop - place
        return self.budget >= 0 and _first_strong(self.classes[place + 1 : stop])


def _sequences(
    classes: list[str], found: list[int], matches: dict[int, int], bottom: int
) -> list[tuple[list[int], str, str]]:
    """Return the isolating run sequences with the directions at their two ends (X10); X9 leaves marks out."""
    shown = [place for place, kind in enumerate(classes) if kind not in _REMOVED]
    runs = [list(group) for _, group in groupby(shown, found.__getitem__)]
    run_of = {run[0]: index for index, run in enumerate(runs)}
    continued = set()
    sequences: list[tuple[list[int], str, str]] = []
    for first, run in enumerate(runs):
        if first in continued:
            continue
        places, last = list(run), first
        while (follow := run_of.get(matches.get(places[-1], -1))) is not None and follow != last:
            places += runs[follow]
            continued.add(follow)
            last = follow
        level = found[places[0]]
        previous = found[runs[first - 1][-1]] if first else bottom
        open_end = classes[places[-1]] in _ISOLATES  # its isolate is never closed
        following = bottom if open_end or last + 1 >= len(runs) else found[runs[last + 1][0]]
        sequences.append((places, _letter(max(level, previous)), _letter(max(level, following))))
    return sequences


def _letter(level: int) -> str:
    return "R" if level % 2 else "L"


def _weak(places: list[int], kinds: list[str], before: str) -> None:
    """Resolve marks, numbers and what stands between and beside them (W1 to W7)."""
    previous, strong = before, before
    for place in places:
        kind = kinds[place]
        if kind == "NSM":
            kind = "ON" if previous in _ISOLATES or previous == "PDI" else previous  # W1
        previous = kind
        if kind in ("L", "R", "AL"):
            strong = kind
        elif kind == "EN" and strong == "AL":
            kind = "AN"  # W2
        kinds[place] = "R" if kind == "AL" else kind  # W3
    _between_numbers(places, kinds)
    strong = before
    for place in places:
        kind = kinds[place]
        if kind in ("L", "R"):
            strong = kind
        elif kind == "EN" and strong == "L":
            kinds[place] = "L"  # W7
        elif kind in ("ES", "ET", "CS"):
            kinds[place] = "ON"  # W6


def _between_numbers(places: list[int], kinds: list[str]) -> None:
    """One separator between two numbers, and currency signs beside one, belong to the number (W4, W5)."""
    for left, place, right in zip(places, places[1:], places[2:], strict=False):
        kind = kinds[place]
        if kind in ("CS", "ES") and kinds[left] == kinds[right] == "EN":
            kinds[place] = "EN"
        elif kind == "CS" and kinds[left] == kinds[right] == "AN":
            kinds[place] = "AN"
    start = 0
    for same, group in groupby([kinds[place] for place in places]):
        stop = start + sum(1 for _ in group)
        if same == "ET":
            beside_left = start > 0 and kinds[places[start - 1]] == "EN"
            beside_right = stop < len(places) and kinds[places[stop]] == "EN"
            if beside_left or beside_right:
                for place in places[start:stop]:
                    kinds[place] = "EN"
        start = stop


def _closing(character: str) -> str:
    """Return the bracket that closes `character`, empty when it opens nothing."""
    if unicodedata.category(character) != "Ps" or not unicodedata.mirrored(character):
        return ""
    for step in (1, 2):
        other = chr(ord(character) + step)
        if unicodedata.category(other) == "Pe" and unicodedata.mirrored(other):
            return unicodedata.normalize("NFC", other)
    return ""


def _pairs(text: str, places: list[int], kinds: list[str]) -> list[tuple[int, int]]:
    """Return the bracket pairs as indexes into `places`, by their opening one (BD16)."""
    pairs: list[tuple[int, int]] = []
    waiting: list[tuple[str, int]] = []
    for index, place in enumerate(places):
        if kinds[place] != "ON":
            continue
        closing = _closing(text[place])
        if closing:
            if len(waiting) == _PAIRED:
                break
            waiting.append((closing, index))
            continue
        character = unicodedata.normalize("NFC", text[place])
        for depth in range(len(waiting) - 1, -1, -1):
            if waiting[depth][0] == character:
                pairs.append((waiting[depth][1], index))
                del waiting[depth:]
                break
    return sorted(pairs)


def _brackets(text: str, places: list[int], kinds: list[str], level: int, before: str) -> None:
    """Give both brackets of a pair the direction of what they hold (N0)."""
    pairs = _pairs(text, places, kinds)
    if not pairs:
        return
    own, other = ("R", "L") if level % 2 else ("L", "R")
    # Number of letters of a direction in front of each index: what a pair holds is a difference.
    counts = {letter: [0] for letter in "LR"}
    for place in places:
        strong = _strong(kinds[place])
        for letter, sums in counts.items():
            sums.append(sums[-1] + (strong == letter))
    seen, context = 0, before  # the direction in front of a pair; brackets resolved already count
    for start, stop in pairs:
        for place in places[seen:start]:
            context = _strong(kinds[place]) or context
        seen = start
        if counts[own][stop] > counts[own][start]:
            direction = own
        elif counts[other][stop] > counts[other][start]:
            direction = context
        else:
            continue
        _turn(text, places, kinds, start, direction)
        _turn(text, places, kinds, stop, direction)


def _turn(text: str, places: list[int], kinds: list[str], index: int, direction: str) -> None:
    """Give a bracket its direction, and the marks that stand on it."""
    kinds[places[index]] = direction
    for following in range(index + 1, len(places)):
        if unicodedata.bidirectional(text[places[following]]) != "NSM":
            break
        kinds[places[following]] = direction


def _strong(kind: str) -> str:
    """Return L or R for what counts as strong around neutral characters: numbers are R."""
    return kind if kind == "L" else "R" if kind in ("R", "EN", "AN") else ""


def _neutral(places: list[int], kinds: list[str], level: int, before: str, after: str) -> None:
    """Neutral characters take the direction of both sides, else that of the embedding (N1, N2)."""
    start = 0
    for neutral, group in groupby([kinds[place] in _NEUTRAL for place in places]):
        stop = start + sum(1 for _ in group)
        if neutral:
            left = _strong(kinds[places[start - 1]]) if start else before
            right = _strong(kinds[places[stop]]) if stop < len(places) else after
            direction = left if left == right else _letter(level)
            for place in places[start:stop]:
                kinds[place] = direction
        start = stop


def _implicit(kind: str, level: int) -> int:
    """Return how far a character stands above the level of its run (I1, I2)."""
    if level % 2:
        return 0 if kind == "R" else 1
    return {"R": 1, "AN": 2, "EN": 2}.get(kind, 0)


def _line_ends(classes: list[str], found: list[int], bottom: int) -> list[int]:
    """Put blanks at the end of a line and before tabs back to the base (L1)."""
    trailing = True
    for place in range(len(classes) - 1, -1, -1):
        kind = classes[place]
        if kind in ("B", "S"):
            trailing = True
            found[place] = bottom
        elif kind in ("WS", "PDI") or kind in _ISOLATES or kind in _REMOVED:
            if trailing:
                found[place] = bottom
        else:
            trailing = False
    return found
