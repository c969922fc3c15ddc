"""Caller data while it waits for its job: JSON, deflated. It is personal data, and deleted with the job."""

from __future__ import annotations

import zlib
from typing import Any

import orjson


def pack(value: Any) -> bytes:
    """Return JSON values as few bytes; the fastest level takes most of the redundancy of JSON."""
    return zlib.compress(orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS), 1)


def unpack(payload: bytes | memoryview) -> Any:
    """Return what `pack` was given."""
    return orjson.loads(zlib.decompress(payload))
