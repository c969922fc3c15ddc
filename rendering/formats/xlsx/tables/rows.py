"""Rows of a worksheet from the cells of their columns: one join per chunk. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from rendering.formats.xlsx.styles import LINE, MOST_HEIGHT
from rendering.formats.xlsx.tables.column_looks import Slot
from rendering.formats.xlsx.tables.columns import Chunk


def rows_xml(
    numbers: Sequence[str],
    chunks: Sequence[Chunk],
    *,
    level: int = 0,
    least_height: float = 0.0,
    before: dict[int, str] | None = None,
) -> str:
    """Return rows as XML.

    `numbers` are the sheet's row numbers, `level` the outline level of the rows, `before` has the lines
    between them by the index of the row that follows. Heights are points.
    """
    attributes = f' outlineLevel="{level}"' if level else ""
    slots: list[Slot] = ['<row r="', numbers, f'"{attributes}', _heights(chunks, least_height), ">"]
    for chunk in chunks:
        slots += chunk.slots
    slots.append("</row>")
    if before:
        slots.insert(0, [before.get(index, "") for index in range(len(numbers))])
    return _joined(slots, len(numbers))


def _joined(slots: Sequence[Slot], count: int) -> str:
    """Return the slots of each row in turn, constants next to each other put together."""
    pattern: list[str] = [""]
    lists: list[tuple[int, Sequence[str]]] = []
    for slot in slots:
        if isinstance(slot, str):
            pattern[-1] += slot
        else:
            lists.append((len(pattern), slot))
            pattern += ("", "")
    flat = pattern * count
    for index, values in lists:
        flat[index :: len(pattern)] = values
    return "".join(flat)


def _heights(chunks: Sequence[Chunk], least: float) -> Slot:
    """Return the rows' heights: not every program finds the height of wrapped text by itself."""
    wrapped = [chunk.lines for chunk in chunks if chunk.lines is not None]
    if not wrapped:
        return height(1, least)
    lines = list(map(max, *wrapped)) if len(wrapped) > 1 else wrapped[0]
    known = {count: height(count, least) for count in set(lines)}
    return [known[count] for count in lines]


def height(lines: int, least: float = 0.0) -> str:
    """Return the attributes of a row's height, empty for the usual one."""
    points = max(min(LINE * lines, MOST_HEIGHT) if lines > 1 else 0.0, least)
    return f' ht="{points:g}" customHeight="1"' if points else ""
