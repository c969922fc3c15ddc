"""A JSON object from bytes: of a request, or of a file. Knows no web framework."""

from __future__ import annotations

from typing import Any

import orjson

from config.api.errors import ApiError, field_path, invalid, malformed

MAX_DEPTH = 100
# An id of any form that names nothing is the 404 of its resource, never a 400.
ID_FIELDS = frozenset({"templateId"})


def parse_object(raw: bytes, what: str = "the request body") -> dict[str, Any]:
    """Return the object; raises ApiError 400 for malformed, too deep or NUL-carrying JSON."""
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        if "depth limit" in str(error):  # the parser's own, far above ours
            raise _too_deep() from None
        raise malformed(f"Malformed JSON: {_wrong_byte(raw, what) or error}") from None
    if not isinstance(value, dict):
        raise malformed(f"Malformed JSON: {what} must be a JSON object")
    if _depth_exceeds(value, MAX_DEPTH):
        raise _too_deep()
    # Only an escape can carry NUL into a JSON string, so most bodies need no walk.
    if b"\\u0000" in raw and (place := _place_of_nul(_without_ids(value))) is not None:
        raise invalid({field_path(tuple(place)) or "body": "must not contain the NUL character"})
    return value


def _too_deep() -> ApiError:
    return malformed(f"Malformed JSON: nested deeper than {MAX_DEPTH} levels")


def _wrong_byte(raw: bytes, what: str) -> str | None:
    """Say where bytes stop being UTF-8, or None: the parser's own words name line 1, column 1 for all."""
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        return f"{what} is not UTF-8: byte 0x{raw[error.start]:02x} at position {error.start}"
    return None


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


def _place_of_nul(value: Any) -> list[int | str] | None:
    """Return the way to the first string or key with a NUL character, or None.

    It is put together on the way back: the name of a list may be as long as the body, and be asked for with
    each of its entries.
    """
    if isinstance(value, str):
        return [] if "\x00" in value else None
    if isinstance(value, dict):
        for key, child in value.items():
            if "\x00" in key:
                return []
            if (found := _place_of_nul(child)) is not None:
                return [key, *found]
    elif isinstance(value, list):
        for index, child in enumerate(value):
            if (found := _place_of_nul(child)) is not None:
                return [index, *found]
    return None
