"""Widths of columns from their content, in characters. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import Any, Final

from rendering.formats.xlsx.cells import pattern_of
from rendering.formats.xlsx.lengths import has_wide, length
from rendering.formats.xlsx.styles import LEAST_WIDTH, MILLIMETRES, MOST_WIDTH, PADDING
from rendering.formats.xlsx.texts import unmarked
from templates_app.resolved import ResolvedColumn

SAMPLE: Final = 300
LARGE_SAMPLE: Final = 3000  # of values that need not be made first: one amount too wide would show as ####
MOST_READ: Final = 1000  # characters of one text
MOST_HEADER: Final = 24  # of a head on one line; a longer one is wrapped between its words
WIDEST: Final = 255.0
LONG_NAMES: Final = (("mmmm", 5), ("mmm", 0), ("dddd", 5))  # of months and days, beyond the letters
MOST_DIGITS: Final = 40
MOST_GENERAL: Final = 12  # characters that a spreadsheet shows of a fraction without a number format
BOLD: Final = 1.1  # times as wide
_LITERAL: Final = re.compile(r'"([^"]*)"')
_LANGUAGE: Final = re.compile(r"^\[\$-[0-9A-F]+\]")  # in which names of months are written
_DECIMALS: Final = re.compile(r"\.(0+)")


def width_of(column: ResolvedColumn, values: Sequence[Any]) -> float:
    """Return a width from the head and a sample of what is shown.

    Millimetres suit the paper's small type; in a sheet they are only the least width.
    """
    given = min(column.width / MILLIMETRES, WIDEST) if isinstance(column.width, int | float) else 0.0
    header = unmarked(column.header)
    longest = max((len(word) for word in header.split()), default=0)
    longest = max(longest, min(length(header), MOST_HEADER))
    most = LARGE_SAMPLE if isinstance(values, list | tuple) else SAMPLE
    sample = values[:: max(1, -(-len(values) // most))]
    longest = max(longest, _longest(column, sample))
    return max(given, min(max(longest + PADDING, LEAST_WIDTH), MOST_WIDTH))


def width_of_numbers(values: Sequence[Any], pattern: str | None, head: str) -> float:
    """Return the width that numbers and their head need; texts above and below are left alone."""
    longest = max(_longest_number(values, pattern) if values else 0, min(length(head), MOST_HEADER))
    return min(longest + PADDING, MOST_WIDTH)


def width_of_names(texts: Sequence[str]) -> float:
    """Return the width that texts need."""
    return min((_longest_text(texts) if texts else 0) + PADDING, MOST_WIDTH)


def with_sums(
    widths: Sequence[float],
    columns: Sequence[ResolvedColumn],
    lines: Iterable[tuple[Sequence[Any], str]],
    *,
    beside: Sequence[bool],
) -> list[float]:
    """Return the widths of columns in which totals and subtotals show in full: a number too wide is ####.

    `lines` are the values of each line, one per column, and its label, which stands in the first column
    without a value. It may run on over those without one that follow where `beside` says so.
    """
    found = list(widths)
    labels: dict[tuple[bool, ...], int] = {}
    sums: list[list[Any]] = [[] for _ in columns]
    for values, label in lines:
        taken = tuple(value is not None for value in values)
        labels[taken] = max(labels.get(taken, 0), length(label))
        for column, value in zip(sums, values, strict=True):
            if value is not None:
                column.append(value)
    for index, values in enumerate(sums):
        if values:
            needed = _longest(columns[index], values) * BOLD + PADDING / 2
            found[index] = max(found[index], min(needed, MOST_WIDTH))
    for taken, longest in labels.items():
        if longest and not all(taken):
            place = taken.index(False)
            end = taken.index(True, place) if beside[place] and True in taken[place:] else len(taken)
            end = end if beside[place] else place + 1
            missing = longest * BOLD + PADDING / 2 - sum(found[place:end])
            found[place] = max(found[place], min(found[place] + missing, MOST_WIDTH))
    return found


def _longest(column: ResolvedColumn, sample: Sequence[Any]) -> int:
    pattern = pattern_of(column.format)
    longest = 0
    for kind in set(map(type, sample)):
        values: list[Any] = [value for value in sample if type(value) is kind]
        if kind is str:
            found = _longest_text(values)
        elif kind in {int, float, Decimal}:
            found = _longest_number(values, pattern)
        elif issubclass(kind, date):
            found = _length_of_date(pattern)
        elif kind is type(None):
            found = 0
        else:
            found = max(length(column.format.text(value)) for value in values[:5])
        longest = max(longest, found)
    return longest


def _longest_text(values: Sequence[str]) -> int:
    measure = length if has_wide("".join(values)) else len  # most need no look at each of their signs
    text = max(values, key=measure)
    if measure(text) <= MOST_WIDTH and "\n" not in text:
        return measure(text)
    return max(measure(line) for value in values for line in value[:MOST_READ].split("\n"))


def _longest_number(values: Sequence[Any], pattern: str | None) -> int:
    """Return how long the number format makes the longest number, without formatting any."""
    ends = min(values), max(values)
    whole = max(len(str(value) if isinstance(value, int) else f"{value:.0f}") for value in ends)
    if pattern is None:
        return min(max(len(str(value)) for value in values), max(whole, MOST_GENERAL), MOST_DIGITS)
    extra = sum(map(length, _LITERAL.findall(pattern))) + pattern.count(" ") + pattern.count("%")
    bare = _LITERAL.sub("", pattern)
    decimals = _DECIMALS.search(bare)
    extra += len(decimals[0]) if decimals else 0
    whole += 2 if "%" in bare else 0
    return min(whole + (whole - 1) // 3 * ("," in bare) + extra, MOST_DIGITS)


def _length_of_date(pattern: str | None) -> int:
    if pattern is None:
        return len("2026-11-21 10:00")
    return length(_LANGUAGE.sub("", pattern).replace('"', "")) + sum(
        more for name, more in LONG_NAMES if name in pattern.lower()
    )
