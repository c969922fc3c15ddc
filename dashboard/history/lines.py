"""JSON values as lines that people read, and two lists of lines side by side. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final, Literal

AROUND: Final = 3  # lines that are shown around a change
MOST_LINES: Final = 400  # of one side of a block, between what both begin and end with
MOST_PAIRS: Final = 40_000  # of words of two lines that are compared with each other
_WORDS: Final = re.compile(r"\w+|\s+|[^\w\s]")

State = Literal["same", "changed", "added", "removed", "gap"]
Piece = tuple[str, bool]  # text, and whether it differs from the other side


@dataclass(frozen=True)
class Row:
    """One line of either side; a `gap` stands for lines that are not shown, and `left` says how many."""

    state: State
    left: Sequence[Piece] = ()
    right: Sequence[Piece] = ()


def lines_of(value: Any, indent: int = 0) -> list[str]:
    """Return a JSON value as indented `name: value` lines, a list's entries with a dash."""
    pad = "  " * indent
    if isinstance(value, Mapping):
        return [line for name, each in value.items() for line in _named(f"{pad}{name}:", each, indent)]
    if isinstance(value, list | tuple):
        found: list[str] = []
        for each in value:
            inner = lines_of(each, indent + 1) or [""]
            found += [f"{pad}- {inner[0].lstrip()}", *inner[1:]]
        return found
    return [pad + line for line in _text(value).split("\n")]


def side_by_side(before: Sequence[str], after: Sequence[str]) -> list[Row]:
    """Return the rows of two lists of lines: changes with some lines around them, gaps for the rest.

    What both begin and end with is left out first: then MOST_LINES of either are compared, and a gap says how
    many more there are.
    """
    begins, ends = _alike(before, after)
    head, tail = before[:begins], before[len(before) - ends :]
    olds, news = before[begins : len(before) - ends], after[begins : len(after) - ends]
    if not olds and not news:
        return []
    rows = _same(head[-AROUND:])
    matcher = SequenceMatcher(None, olds[:MOST_LINES], news[:MOST_LINES], autojunk=False)
    for tag, start, stop, first, last in matcher.get_opcodes():
        rows += _same(olds[start:stop]) if tag == "equal" else _changed(olds[start:stop], news[first:last])
    left_out = max(len(olds), len(news)) - MOST_LINES
    if left_out > 0:
        rows.append(_gap(f"{_count(left_out, 'more line')} {'is' if left_out == 1 else 'are'} not shown"))
    rows += _same(tail[:AROUND])
    return [*_unchanged(begins - AROUND), *_folded(rows), *_unchanged(ends - AROUND)]


def _alike(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """Return how many lines (or words) both begin with, and of the others, how many both end with."""
    shorter = min(len(before), len(after))
    begins = next((place for place in range(shorter) if before[place] != after[place]), shorter)
    left = shorter - begins
    return begins, next((n for n in range(left) if before[-1 - n] != after[-1 - n]), left)


def _named(name: str, value: Any, indent: int) -> Iterator[str]:
    if isinstance(value, Mapping | list | tuple) and value:
        yield name
        yield from lines_of(value, indent + 1)
        return
    first, *others = _text(value).split("\n")
    yield f"{name} {first}"
    for line in others:
        yield "  " * (indent + 1) + line


def _text(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{}"
    if isinstance(value, list | tuple):
        return "[]"
    return str(value)


def _same(lines: Sequence[str]) -> list[Row]:
    return [Row("same", [(line, False)], [(line, False)]) for line in lines]


def _changed(before: Sequence[str], after: Sequence[str]) -> Iterator[Row]:
    for left, right in zip(before, after, strict=False):
        yield Row("changed", *_pieces(left, right))
    for line in before[len(after) :]:
        yield Row("removed", [(line, False)])
    for line in after[len(before) :]:
        yield Row("added", (), [(line, False)])


def _pieces(left: str, right: str) -> tuple[list[Piece], list[Piece]]:
    """Return two lines in pieces, word by word, with those marked that differ."""
    olds, news = _WORDS.findall(left), _WORDS.findall(right)
    if len(olds) * len(news) > MOST_PAIRS:
        return _middles(olds, news)
    one: list[Piece] = []
    other: list[Piece] = []
    for tag, start, stop, first, last in SequenceMatcher(None, olds, news, autojunk=False).get_opcodes():
        if start < stop:
            one.append(("".join(olds[start:stop]), tag != "equal"))
        if first < last:
            other.append(("".join(news[first:last]), tag != "equal"))
    return one, other


def _middles(olds: Sequence[str], news: Sequence[str]) -> tuple[list[Piece], list[Piece]]:
    """Return two long lines in pieces: all between the first and the last word that differ is marked."""
    start, end = _alike(olds, news)
    return _parted(olds, start, end), _parted(news, start, end)


def _parted(words: Sequence[str], start: int, end: int) -> list[Piece]:
    stop = len(words) - end
    parts = ((words[:start], False), (words[start:stop], True), (words[stop:], False))
    return [("".join(part), differs) for part, differs in parts if part]


def _folded(rows: Sequence[Row]) -> list[Row]:
    """Put a gap in the place of long runs of lines that are alike; both ends are near a change."""
    near = [False] * len(rows)
    for index, row in enumerate(rows):
        if row.state != "same":
            for place in range(max(0, index - AROUND), min(len(rows), index + AROUND + 1)):
                near[place] = True
    folded: list[Row] = []
    hidden = 0
    for row, shown in zip(rows, near, strict=True):
        if shown:
            folded += _unchanged(hidden)
            hidden = 0
            folded.append(row)
        else:
            hidden += 1
    return folded


def _unchanged(count: int) -> list[Row]:
    return [_gap(f"{_count(count, 'line')} unchanged")] if count > 0 else []


def _gap(text: str) -> Row:
    return Row("gap", [(text, False)])


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
