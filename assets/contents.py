"""The files of assets used last: a logo comes with every render, and a bucket is another machine."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Final

from django.core.files.storage import default_storage

_CACHED_BYTES: Final = 48 * 2**20  # of one process; a typeface of East Asia has up to 20 MB


class Contents:
    """Content by name in the storage. A name is written once; whoever asks has looked at the asset's row."""

    def __init__(self, limit: int = _CACHED_BYTES) -> None:
        self._limit = limit
        self._lock = Lock()
        self._found: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0

    def read(self, name: str) -> bytes:
        """Return a file's content; raises FileNotFoundError."""
        with self._lock:
            content = self._found.get(name)
            if content is not None:
                self._found.move_to_end(name)
                return content
        with default_storage.open(name, "rb") as file:
            content = bytes(file.read())
        if len(content) <= self._limit // 2:
            with self._lock:
                if name not in self._found:
                    self._bytes += len(content)
                self._found[name] = content
                while self._bytes > self._limit:
                    self._bytes -= len(self._found.popitem(last=False)[1])
        return content


contents = Contents()
