"""The files of assets used last: a logo comes with every render, and a bucket is another machine."""

from __future__ import annotations

from typing import Final

from django.core.files.storage import default_storage

from config.kept import Kept

_CACHED_BYTES: Final = 48 * 2**20  # of one process; a typeface of East Asia has up to 20 MB


class Contents:
    """Content by name in the storage. A name is written once; whoever asks has looked at the asset's row."""

    def __init__(self, limit: int = _CACHED_BYTES) -> None:
        self._kept = Kept[str, bytes](limit, worth=2)

    def read(self, name: str) -> bytes:
        """Return a file's content; raises FileNotFoundError."""
        return self._kept.get(name, lambda: _stored(name), len)


def _stored(name: str) -> bytes:
    with default_storage.open(name, "rb") as file:
        return bytes(file.read())


contents = Contents()
