"""The caches of the embedded default, which know whether there is anything to clear."""

from __future__ import annotations

from typing import Any, ClassVar

from diskcache import FanoutCache

from config.folder_cache import Cache


class FolderCache(Cache):
    """The service's, but for `clear`, which does nothing where nobody has asked or told it anything since.

    Every test begins with empty caches, and most use none; eight transactions for that take longer than
    many a test.
    """

    _used: ClassVar[set[str]] = set()

    @property
    def _cache(self) -> FanoutCache:
        """What every method goes through."""
        self._used.add(self._store.directory)
        return self._store

    @_cache.setter
    def _cache(self, store: FanoutCache) -> None:
        self._store = store

    def clear(self) -> Any:
        if self._store.directory not in self._used:
            return 0
        self._used.remove(self._store.directory)
        return self._store.clear()
