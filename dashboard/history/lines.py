"""JSON values as lines that people read, and two lists of lines side by side. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Final, Literal

AROUND: Final = 3  # lines that are shown around a change
MOST_LINES: Final = 400  # of one side of a block
MOST_PAIRS: Final = 40_000  # of words of two lines that are compared with each other
_WORDS: Final = re.compile(r"\w+|\s+|[^\w\s]")

State = Literal["same", "changed", "added", "removed", "gap"]
Piece = tuple[str, bool]  # text, and whether it differs from the other side


@dataclass(frozen=True)
class Row:
    """One line of either side; a `gap` stands for lines that are alike, and `left` says how many."""

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
    """Return the rows of two lists of lines: changes with some lines around them, gaps for the rest."""
    before, after = before[:MOST_LINES], after[:MOST_LINES]
    rows: list[Row] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, start, stop, first, last in matcher.get_opcodes():
        if tag == "equal":
            rows += [Row("same", [(line, False)], [(line, False)]) for line in before[start:stop]]
        else:
            rows += _changed(before[start:stop], after[first:last])
    return _folded(rows)


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
    shorter = min(len(olds), len(news))
    start = next((place for place in range(shorter) if olds[place] != news[place]), shorter)
    end = next((n for n in range(shorter - start) if olds[-1 - n] != news[-1 - n]), shorter - start)
    return _parted(olds, start, end), _parted(news, start, end)


def _parted(words: Sequence[str], start: int, end: int) -> list[Piece]:
    stop = len(words) - end
    parts = ((words[:start], False), (words[start:stop], True), (words[stop:], False))
    return [("".join(part), differs) for part, differs in parts if part]


def _folded(rows: Sequence[Row]) -> list[Row]:
    """Put a gap in the place of long runs of lines that are alike."""
    near = [False] * len(rows)
    for index, row in enumerate(rows):
        if row.state != "same":
            for place in range(max(0, index - AROUND), min(len(rows), index + AROUND + 1)):
                near[place] = True
    folded: list[Row] = []
    hidden = 0
    for row, shown in zip(rows, near, strict=True):
        if shown:
            folded += [_gap(hidden)] if hidden else []
            hidden = 0
            folded.append(row)
        else:
            hidden += 1
    return folded + ([_gap(hidden)] if hidden and folded else [])


def _gap(count: int) -> Row:
    return Row("gap", [(f"{count} line{'' if count == 1 else 's'} unchanged", False)])
