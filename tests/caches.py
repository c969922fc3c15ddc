"""The caches of the embedded default, which know whether there is anything to clear."""

from __future__ import annotations

from typing import Any, ClassVar

from diskcache import DjangoCache, FanoutCache


class FolderCache(DjangoCache):
    """Diskcache's, but for two things that cost more than many a test.

    Every test begins with empty caches, and most use none: `clear` does nothing where nobody has asked or
    told it anything since. And connections stay open: Django closes its caches after each request, and one
    that is opened again is told twenty settings.
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

    def close(self, **kwargs: Any) -> None:
        """Do nothing: a connection ends with its thread."""
