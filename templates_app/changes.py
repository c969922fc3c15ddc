"""What changed between two versions of a template, in words that an author uses. Pure.

`changes_between` compares the wire form of two contents. Entries of a list are recognised by what names them
(a column's key, a variable's name), else by likeness, so that one inserted section does not make all the ones
behind it look changed.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, Final, Literal

from config.value import value
from templates_app.places import (
    MOST_QUOTED,
    Path,
    kind_of,
    name_of,
    noun_of,
    place_of,
    quoted,
    title_of,
    words_of,
)

Verb = Literal["added", "removed", "changed", "moved"]

FIELDS: Final = ("name", "description", "formats", "sections", "variables", "page", "sampleData")
MAX_CHANGES: Final = 500
_ALIKE: Final = 0.5  # likeness from which two unnamed entries count as the same one, changed
_COMPARED: Final = 4_000  # characters of an entry that are compared for likeness
_WORD: Final = re.compile(r"\w+")
_LISTS_COMPARED: Final = 60  # unmatched entries of a list that are compared for likeness
_MOST_STEPS: Final = 4_000_000  # of comparing two lists entry by entry: half a second

# What names an entry for good; two entries with the same one are the same entry.
_KEYS: Final = ("key", "name")


@value
class Change:
    """One change: a sentence without its full stop, and the places it is about.

    `before` and `after` are paths into the two contents, such as `sections[3].columns[1]`; the one that does
    not exist there is empty.
    """

    verb: Verb
    text: str
    before: str
    after: str


def changes_between(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """Return what changed from one content to the other, in the order of FIELDS, at most MAX_CHANGES."""
    found: list[Change] = []
    comparison = _Comparison(before, after)
    for field in FIELDS:
        for change in comparison.compare(before.get(field), after.get(field), (field,), (field,)):
            if len(found) == MAX_CHANGES:
                return found
            found.append(change)
    return found


class _Comparison:
    """Two contents; places are told as they are called in the one that has them."""

    def __init__(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        self._before = before
        self._after = after

    def compare(self, old: Any, new: Any, was: Path, now: Path) -> Iterator[Change]:
        """Yield the changes of one value; `was` and `now` are its places in the two contents."""
        if old == new and isinstance(old, bool) == isinstance(new, bool):
            return
        if was == ("sampleData",):
            yield Change("changed", "sample data changed", _written(was), _written(now))
        elif isinstance(old, dict) and isinstance(new, dict) and old.get("type") == new.get("type"):
            for name in _in_order(old, new):
                yield from self.compare(old.get(name), new.get(name), (*was, name), (*now, name))
        elif isinstance(old, list | None) and isinstance(new, list | None) and _holds_entries(old, new):
            yield from self._lists(old or [], new or [], was, now)
        else:
            yield self._changed(old, new, was, now)

    def _lists(self, old: list[Any], new: list[Any], was: Path, now: Path) -> Iterator[Change]:
        pairs = matched(old, new)
        stayed = _in_same_order([pairs[index] for index in sorted(pairs)])
        gone = [index for index in range(len(old)) if index not in pairs]
        origins = {target: source for source, target in pairs.items()}
        for index in gone:
            text = _whole(old[index], (*was, index), f"removed{_with('from', self._before, was[:-1])}")
            yield Change("removed", text, _written((*was, index)), "")
        for index, entry in enumerate(new):
            source = origins.get(index)
            if source is None:
                text = _whole(entry, (*now, index), f"added{_with('to', self._after, now[:-1])}")
                yield Change("added", text, "", _written((*now, index)))
                continue
            if index not in stayed:
                noun = kind_of(entry) if now[-1] == "sections" else noun_of(now[-1])
                inside = _with("in", self._after, now[:-1])
                text = f"{noun} {title_of(entry)}".strip()
                text += f" moved from place {source + 1} to {index + 1}{inside}"
                yield Change("moved", text, _written((*was, source)), _written((*now, index)))
            yield from self.compare(old[source], entry, (*was, source), (*now, index))

    def _changed(self, old: Any, new: Any, was: Path, now: Path) -> Change:
        last = now[-1]
        noun = words_of(last) if isinstance(last, str) else name_of(new, now[:-1], last)
        inside = place_of(self._after, now[:-1] if isinstance(last, str) else now[:-2], but=last)
        subject = noun + (f" of {inside}" if inside else "")
        if old is None:
            text = f"{subject} set" + (f" to {_short(new)}" if _short(new) else "")
        elif new is None:
            text = f"{subject} cleared" + (f", was {_short(old)}" if _short(old) else "")
        elif _short(old) and _short(new):
            text = f"{subject} changed from {_short(old)} to {_short(new)}"
        else:
            text = f"{subject} changed"
        return Change("changed", text, _written(was), _written(now))


def _in_order(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    return [*new, *(name for name in old if name not in new)]


def _holds_entries(old: list[Any] | None, new: list[Any] | None) -> bool:
    entries = [*(old or []), *(new or [])]
    return bool(entries) and all(isinstance(entry, dict) for entry in entries)


def _whole(entry: Any, path: Path, done: str) -> str:
    """Return that a whole entry came or went."""
    return f"{name_of(entry, path[:-1], int(path[-1]))} {done}"


def _with(preposition: str, content: Mapping[str, Any], path: Path) -> str:
    inside = place_of(content, path)
    return f" {preposition} {inside}" if inside else ""


# ---------------------------------------------------------------- which entry is which


def matched(old: Sequence[Any], new: Sequence[Any]) -> dict[int, int]:
    """Return by index which of `old` became which of `new`: equal ones first, then named, then alike."""
    olds = [json.dumps(entry, sort_keys=True, default=str) for entry in old]
    news = [json.dumps(entry, sort_keys=True, default=str) for entry in new]
    pairs = _equal_in_order(olds, news)
    _match_by(pairs, olds, news)
    _match_by(pairs, [_identity(entry) for entry in old], [_identity(entry) for entry in new])
    _match_by_likeness(pairs, old, new, olds, news)
    return pairs


def _equal_in_order(olds: list[str], news: list[str]) -> dict[int, int]:
    """Return the pairs of equal entries that stayed in order; of very many, those at both ends alone."""
    if _is_quick(olds, news):
        blocks = SequenceMatcher(None, olds, news, autojunk=False).get_matching_blocks()
        return {start + step: target + step for start, target, size in blocks for step in range(size)}
    shorter = min(len(olds), len(news))
    head = next((at for at in range(shorter) if olds[at] != news[at]), shorter)
    pairs = {at: at for at in range(head)}
    for at in range(1, shorter - head + 1):
        if olds[-at] != news[-at]:
            break
        pairs[len(olds) - at] = len(news) - at
    return pairs


def _is_quick(olds: list[str], news: list[str]) -> bool:
    """Tell whether a SequenceMatcher is: it may go over all equal pairs once for each entry."""
    counts = Counter(news)
    return sum(counts[old] for old in olds) * min(len(olds), len(news)) <= _MOST_STEPS


def _match_by(pairs: dict[int, int], olds: Sequence[str | None], news: Sequence[str | None]) -> None:
    """Add the pairs that have the same mark and no partner yet, in order."""
    taken = set(pairs.values())
    free: dict[str, list[int]] = {}
    for index, mark in enumerate(news):
        if mark is not None and index not in taken:
            free.setdefault(mark, []).append(index)
    for index, mark in enumerate(olds):
        if mark is not None and index not in pairs and free.get(mark):
            pairs[index] = free[mark].pop(0)


def _match_by_likeness(
    pairs: dict[int, int], old: Sequence[Any], new: Sequence[Any], olds: list[str], news: list[str]
) -> None:
    taken = set(pairs.values())
    free = [index for index in range(len(new)) if index not in taken][:_LISTS_COMPARED]
    left = [index for index in range(len(old)) if index not in pairs][:_LISTS_COMPARED]
    words = {index: _words_in(olds[index]) for index in left}
    others = {index: _words_in(news[index]) for index in free}
    for index in left:
        kind = old[index].get("type")
        alike = [candidate for candidate in free if new[candidate].get("type") == kind]
        best, likeness = None, _ALIKE
        # The only one of its kind on both sides is the same one, however much was written anew.
        if len(alike) == 1 and [old[each].get("type") for each in left].count(kind) == 1:
            best, alike = alike[0], []
        for candidate in alike:
            if (found := _likeness(words[index], others[candidate])) > likeness:
                best, likeness = candidate, found
        if best is not None:
            pairs[index] = best
            free.remove(best)


def _words_in(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text[:_COMPARED]))


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    """Return which part of two entries' words they share. Their order does not count: comparing it takes
    time that grows faster than the texts, and some long paragraphs written anew would take minutes.
    """
    return 2 * (one & other).total() / ((one.total() + other.total()) or 1)


def _identity(entry: Any) -> str | None:
    for name in _KEYS:
        if isinstance(entry.get(name), str) and entry[name]:
            return f"{entry.get('type') if name == 'name' else ''}\n{name}\n{entry[name]}"
    return None


def _in_same_order(targets: list[int]) -> set[int]:
    """Return the longest ascending part of `targets`: the entries that others moved around."""
    tails: list[int] = []  # the lowest end of an ascending part, by its length
    before: dict[int, int | None] = {}
    for target in targets:
        place = bisect_left(tails, target)
        before[target] = tails[place - 1] if place else None
        tails[place : place + 1] = [target]
    found: set[int] = set()
    last = tails[-1] if tails else None
    while last is not None:
        found.add(last)
        last = before[last]
    return found


# ---------------------------------------------------------------- words


def _short(thing: Any) -> str:
    """Return a value as it is quoted in a sentence; nothing for one that is too long for it."""
    match thing:
        case bool():
            return "on" if thing else "off"
        case int() | float():
            return str(thing)
        case str():
            text = " ".join(thing.split())
            return quoted(text) if len(text) <= MOST_QUOTED else ""
        case list() if all(isinstance(entry, str | int | float) for entry in thing):
            text = ", ".join(str(entry) for entry in thing)
            return (text or "nothing") if len(text) <= MOST_QUOTED else ""
    return ""


def _written(path: Path) -> str:
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text
