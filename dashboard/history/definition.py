"""The definition of two versions side by side, block by block: a section or a part of the page each. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from dashboard.history.lines import Row, lines_of, side_by_side
from templates_app.changes import matched
from templates_app.places import kind_of, title_of

LABELS: Final = {
    "basics": "Name and formats",
    "variables": "Variables",
    "page": "Page",
    "sampleData": "Sample data",
}


@dataclass(frozen=True)
class Block:
    """A part of the definition that changed; `before` and `after` are its titles, empty where it is not."""

    state: Literal["changed", "added", "removed", "moved"]
    before: str
    after: str
    rows: Sequence[Row]


def blocks_of(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Block]:
    """Return what differs between two bodies, in the order of the newer one."""
    found = list(_part("basics", _basics(before), _basics(after)))
    found += _sections(before.get("sections") or [], after.get("sections") or [])
    for name in ("variables", "page", "sampleData"):
        found += _part(name, before.get(name), after.get(name))
    return found


def _basics(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: body.get(name) for name in ("name", "description", "formats")}


def _part(name: str, before: Any, after: Any) -> Iterator[Block]:
    if before != after:
        label = LABELS[name]
        if name == "variables":
            before, after = _written(before), _written(after)
        yield Block("changed", label, label, side_by_side(lines_of(before or {}), lines_of(after or {})))


def _sections(before: Sequence[Any], after: Sequence[Any]) -> Iterator[Block]:
    pairs = matched(before, after)
    origins = {target: source for source, target in pairs.items()}
    gone = [index for index in range(len(before)) if index not in pairs]
    for index, section in enumerate(after):
        while gone and gone[0] <= origins.get(index, -1):
            yield _removed(gone.pop(0), before)
        source = origins.get(index)
        title = _title(index, section)
        if source is None:
            yield Block("added", "", title, side_by_side([], lines_of(section)))
            continue
        was = _title(source, before[source])
        if before[source] != section:
            rows = side_by_side(lines_of(before[source]), lines_of(section))
            yield Block("changed", was, title, rows)
        elif _jumped(index, pairs):
            yield Block("moved", was, title, ())
    for index in gone:
        yield _removed(index, before)


def _removed(index: int, before: Sequence[Any]) -> Block:
    return Block("removed", _title(index, before[index]), "", side_by_side(lines_of(before[index]), []))


def _jumped(target: int, pairs: Mapping[int, int]) -> bool:
    """Tell whether a section stands on another side of more of its fellows than it passed by."""
    source = next(old for old, new in pairs.items() if new == target)
    earlier = sum(old < source for old in pairs)
    return earlier != sum(new < target for new in pairs.values())


def _title(index: int, section: Any) -> str:
    return f"Section {index + 1} · {kind_of(section)} {title_of(section)}".rstrip(" ·")


def _written(value: Any) -> Any:
    """Return a value without the names that hold nothing: variables are stored with all of theirs."""
    if isinstance(value, Mapping):
        return {name: _written(each) for name, each in value.items() if each is not None}
    return [_written(each) for each in value] if isinstance(value, list) else value
