"""A cache of results by the bytes they were made from."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class ByteCache(Generic[T]):
    """Keeps the results used last, up to `limit` bytes of keys and results together; for any thread."""

    def __init__(self, limit: int) -> None:
        """Begin empty."""
        self._limit = limit
        self._lock = Lock()
        self._kept: OrderedDict[bytes, tuple[T, int]] = OrderedDict()
        self._total = 0

    def get(self, key: bytes, make: Callable[[bytes], T], size: Callable[[T], int]) -> T:
        """Return the result for `key`; it is made outside of the lock, at worst by two threads at once."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found[0]
        made = make(key)
        weight = len(key) + size(made)
        if weight > self._limit // 4:  # one large picture is not worth all the small ones
            return made
        with self._lock:
            if key not in self._kept:
                self._kept[key] = (made, weight)
                self._total += weight
            while self._total > self._limit:
                _, (_, dropped) = self._kept.popitem(last=False)
                self._total -= dropped
        return made

    @property
    def total(self) -> int:
        """Bytes held now."""
        return self._total
