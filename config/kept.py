"""Results that are kept in memory for the next time, bounded by bytes. Pure."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

WORTH = 4  # one that takes more than this part of the room is not worth all the small ones


class Kept(Generic[K, T]):
    """Keeps the results used last, up to `limit` bytes and at most so many `entries`; for any thread.

    What it holds is shared: nobody changes it. The key is what a result was made from, or a digest of that,
    so that none stands for another.
    """

    def __init__(self, limit: int, entries: int | None = None, *, worth: int = WORTH) -> None:
        """Begin empty."""
        self._limit = limit
        self._most = entries
        self._worth = limit // worth
        self._lock = Lock()
        self._results: OrderedDict[K, tuple[T, int]] = OrderedDict()
        self._total = 0

    def get(self, key: K, make: Callable[[], T], weigh: Callable[[T], int]) -> T:
        """Return the result for `key`; raises what `make` raises, and keeps nothing then.

        It is made outside of the lock, at worst by two threads at once. `weigh` tells how many bytes it
        takes, those of its key included.
        """
        with self._lock:
            found = self._results.get(key)
            if found is not None:
                self._results.move_to_end(key)
                return found[0]
        made = make()
        weight = weigh(made)
        if weight > self._worth:
            return made
        with self._lock:
            if key not in self._results:
                self._results[key] = made, weight
                self._total += weight
            while self._total > self._limit or (self._most is not None and len(self._results) > self._most):
                _, (_, dropped) = self._results.popitem(last=False)
                self._total -= dropped
        return made

    def results(self) -> list[T]:
        """Return what is kept now, the one used last at the end."""
        with self._lock:
            return [result for result, _ in self._results.values()]

    def __len__(self) -> int:
        """Return how many results are kept now."""
        return len(self._results)

    @property
    def total(self) -> int:
        """Bytes held now."""
        return self._total
