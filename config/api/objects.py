"""A JSON object from bytes: of a request, or of a file. Knows no web framework."""

from __future__ import annotations

from typing import Any

import orjson

from config.api.errors import invalid, malformed

MAX_DEPTH = 100
# An id of any form that names nothing is the 404 of its resource, never a 400.
ID_FIELDS = frozenset({"templateId"})


def parse_object(raw: bytes, what: str = "the request body") -> dict[str, Any]:
    """Return the object; raises ApiError 400 for malformed, too deep or NUL-carrying JSON."""
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise malformed(f"Malformed JSON: {error}") from None
    if not isinstance(value, dict):
        raise malformed(f"Malformed JSON: {what} must be a JSON object")
    if _depth_exceeds(value, MAX_DEPTH):
        raise malformed(f"Malformed JSON: nested deeper than {MAX_DEPTH} levels")
    # Only an escape can carry NUL into a JSON string, so most bodies need no walk.
    if b"\\u0000" in raw and (path := _path_of_nul(_without_ids(value), "")) is not None:
        raise invalid({path or "body": "must not contain the NUL character"})
    return value


def _depth_exceeds(value: Any, limit: int) -> bool:
    """Tell whether containers nest deeper than `limit`, level by level (no recursion to exhaust)."""
    level = [value]
    for _ in range(limit):
        level = [
            child
            for node in level
            for child in (node.values() if isinstance(node, dict) else node)
            if isinstance(child, (dict, list))
        ]
        if not level:
            return False
    return True


def _without_ids(body: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if name not in ID_FIELDS}


def _path_of_nul(value: Any, path: str) -> str | None:
    """Return the path of the first string or key with a NUL character, or None."""
    if isinstance(value, str):
        return path if "\x00" in value else None
    if isinstance(value, dict):
        for key, child in value.items():
            if "\x00" in key:
                return path
            if (found := _path_of_nul(child, f"{path}.{key}" if path else key)) is not None:
                return found
    elif isinstance(value, list):
        for index, child in enumerate(value):
            if (found := _path_of_nul(child, f"{path}[{index}]")) is not None:
                return found
    return None
