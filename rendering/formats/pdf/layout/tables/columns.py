"""Widths of table columns: given, shares of the rest, or from the content; always fitting. Pure. Points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from config.value import value
from rendering.formats.pdf.layout.measures import MM

AIR: Final = 14.0  # points that every column may get before the texts take what is left
LEAST: Final = 1.0  # of a width that was given


@value
class Wish:
    """What one column wants, in points, padding included."""

    given: float | str | None  # millimetres, "25%", "2*" (shares of what is left), or None: content
    full: float  # on one line, header too
    tight: float  # the cells on one line, the header on several
    stretches: bool  # takes part in filling the width (text does, numbers keep their place)
    fits: float = 0.0  # so wide, all cells are known to fit; 0 where that is not known
    least: float = 0.0  # no narrower for longer texts in other columns: its words, its numbers
    head: float = 0.0  # of columns of numbers: what the words of the head need
    pad: float = 0.0  # of these, what stays where the numbers become smaller


def is_share(width: float | str | None) -> bool:
    """Return whether a width is a share of what the others leave."""
    return isinstance(width, str) and width.endswith("*")


def column_widths(wishes: Sequence[Wish], available: float) -> list[float]:
    """Return the widths in points; they fill `available` unless all are given and smaller."""
    widths: list[float | None] = [_given(wish.given, available) for wish in wishes]
    free = [index for index, width in enumerate(widths) if width is None]
    fixed = sum(width for width in widths if width is not None)
    if free:
        # given widths that leave nothing do not starve the others: all are scaled down together
        room = max(available - fixed, available * len(free) / (2 * len(wishes)))
        for index, width in zip(free, _free([wishes[i] for i in free], room), strict=True):
            widths[index] = width
    result = [width or 0.0 for width in widths]
    total = sum(result)
    if total > available > 0:
        result = [width * available / total for width in result]
    return result


def _given(width: float | str | None, available: float) -> float | None:
    if width is None or is_share(width):
        return None
    if isinstance(width, str):
        return max(float(width.rstrip("%")) / 100 * available, LEAST)
    return max(width * MM, LEAST)


def _free(wishes: Sequence[Wish], room: float) -> list[float]:
    """Return the widths of columns with shares and of those that take theirs from the content."""
    shares = [_share(wish.given) for wish in wishes]
    parts = sum(shares)
    if not parts:
        return _from_content(wishes, room)
    plain = [wish for wish, share in zip(wishes, shares, strict=True) if not share]
    # what shares get at least: half of what an even division would give them
    most = room * (1 - (len(wishes) - len(plain)) / (2 * len(wishes)))
    full = [wish.full for wish in plain]
    made = iter(full if sum(full) <= most else _squeezed(plain, most))
    result = [0.0 if share else next(made) for share in shares]
    left = room - sum(result)
    return [left * share / parts if share else width for width, share in zip(result, shares, strict=True)]


def _share(width: float | str | None) -> float:
    if not isinstance(width, str) or not is_share(width):
        return 0.0
    return max(float(width[:-1] or 1), 1e-3)


def _from_content(wishes: Sequence[Wish], room: float) -> list[float]:
    full = [wish.full for wish in wishes]
    if sum(full) <= room:
        air = min((room - sum(full)) * 0.3 / len(full), AIR)
        full = [width + air for width in full]
        stretching = [width if wish.stretches else 0.0 for width, wish in zip(full, wishes, strict=True)]
        weights = stretching if any(stretching) else full
        extra, total = room - sum(full), sum(weights) or 1.0
        return [width + extra * weight / total for width, weight in zip(full, weights, strict=True)]
    return _squeezed(wishes, room)


def _squeezed(wishes: Sequence[Wish], room: float) -> list[float]:
    """Share too little room; no column gets less than its words need, as long as there is so much for all."""
    least = _evenly(wishes, _fairly([wish.least for wish in wishes], room))
    kept: dict[int, float] = {}
    while True:
        rest = [index for index in range(len(wishes)) if index not in kept]
        shared = _shared([wishes[index].tight for index in rest], max(room - sum(kept.values()), 0.0))
        short = [index for index, width in zip(rest, shared, strict=True) if width < least[index] - 0.01]
        if not short:
            break
        kept.update((index, least[index]) for index in short)
    kept.update(zip(rest, shared, strict=True))
    scale = room / (sum(kept.values()) or 1.0)  # 1, but where all of them have their least
    return [kept[index] * scale for index in range(len(wishes))]


def _fairly(wanted: Sequence[float], room: float) -> list[float]:
    """Return what is wanted; where that is too much, the larger ones are cut to the same width."""
    left, most = room, room
    for count, width in zip(range(len(wanted), 0, -1), sorted(wanted), strict=True):
        most = left / count
        if width > most:
            break
        left -= width
    else:
        return list(wanted)
    return [min(width, most) for width in wanted]


def _evenly(wishes: Sequence[Wish], least: Sequence[float]) -> Sequence[float]:
    """Share what numbers get among them anew, so that those of all columns become smaller alike.

    A column whose head needs more than its numbers do then has what the head needs.
    """
    numbers = [index for index, wish in enumerate(wishes) if wish.head and not wish.stretches]
    room = sum(least[index] for index in numbers)
    if room > sum(wishes[index].least for index in numbers) - 0.01:  # they have enough
        return least
    result = list(least)
    while numbers:
        pads = sum(wishes[index].pad for index in numbers)
        scale = max(room - pads, 0.0) / (sum(wishes[index].fits for index in numbers) - pads or 1.0)
        for index in numbers:
            wish = wishes[index]
            result[index] = wish.pad + (wish.fits - wish.pad) * scale
        headed = [index for index in numbers if result[index] < wishes[index].head]
        if not headed:
            return result
        for index in headed:
            result[index] = wishes[index].head
            room -= result[index]
        if room < 0:  # not even the heads have enough
            return least
        numbers = [index for index in numbers if index not in headed]
    return result


def _shared(wanted: Sequence[float], room: float) -> list[float]:
    """Give small columns what they want and share the rest among the large ones, in proportion to their root.

    The root keeps a column of long texts wider than others without leaving those a sliver.
    """
    result = [0.0] * len(wanted)
    weights = [max(width, 1.0) ** 0.5 for width in wanted]
    order = sorted(range(len(wanted)), key=lambda index: wanted[index] / weights[index])
    left, weight = room, sum(weights)
    for index in order:
        result[index] = min(wanted[index], left * weights[index] / weight)
        left -= result[index]
        weight -= weights[index]
        if weight <= 0:
            break
    if left > 0.01:  # header words alone were too wide: what is left goes round
        total = sum(result) or 1.0
        result = [width + left * width / total for width in result]
    return result
