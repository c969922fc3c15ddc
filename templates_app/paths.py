"""Paths into the data, and the values at them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

Path = tuple[str, ...]  # names, with ELEMENT where they go on in every entry of a list
ELEMENT: Final = "[]"


def walk(value: Any, path: Path) -> Any:
    """Follow names through objects and numbers through lists; None where the data ends."""
    for name in path:
        if type(value) is dict or isinstance(value, Mapping):
            value = value.get(name)
        elif isinstance(value, list) and name.isascii() and name.isdigit() and int(name[:9]) < len(value):
            value = value[int(name[:9])]
        else:
            return None
    return value


def gather(value: Any, path: Path) -> Any:
    """Return the value at a path; with `[]` in it the list of all values there, without missing records."""
    if ELEMENT not in path:
        return walk(value, path)
    end = path.index(ELEMENT)
    entries, rest = walk(value, path[:end]), path[end + 1 :]
    if not isinstance(entries, list):
        return []
    if ELEMENT in rest:
        return [cell for entry in entries for cell in gather(entry, rest)]
    return [walk(entry, rest) for entry in entries]
