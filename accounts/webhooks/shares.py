"""How many of a worker's threads one organization may hold: its slow receivers keep no others waiting.

Counted in the process, since it is its threads that are shared. Pure but for the clock.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from config.jobs import IO, LANES

# Of the threads that wait for the network, so many for one organization.
SHARE = 3
# When a message that found no thread is looked at again, in seconds.
SHORTEST_TURN, LONGEST_TURN = 0.2, 60.0

assert LANES[IO] > 2 * SHARE


class Full(Exception):
    """The organization holds its share; `after_seconds` tells when a thread is likely free."""

    def __init__(self, after_seconds: float) -> None:
        super().__init__(after_seconds)
        self.after_seconds = after_seconds


class Shares:
    """Who holds how many threads, and when the next turn of those who hold their share is."""

    def __init__(self, share: int = SHARE, clock: Callable[[], float] = time.monotonic) -> None:
        self._share, self._clock = share, clock
        self._held: dict[str, int] = {}
        self._seconds: dict[str, float] = {}
        self._next_turn: dict[str, float] = {}
        self._lock = threading.Lock()

    @contextmanager
    def held(self, name: str) -> Iterator[None]:
        """Hold a thread for `name` inside the `with`; raises Full when it holds its share."""
        with self._lock:
            if self._held.get(name, 0) >= self._share:
                raise Full(self._turn(name))
            self._held[name] = self._held.get(name, 0) + 1
        started = self._clock()
        try:
            yield
        finally:
            with self._lock:
                self._seconds[name] = self._clock() - started
                self._held[name] -= 1
                if not self._held[name]:
                    for known in (self._held, self._seconds, self._next_turn):
                        known.pop(name, None)

    def _turn(self, name: str) -> float:
        """Return the seconds until the next free turn: each who is sent away takes one."""
        now = self._clock()
        takes = max(SHORTEST_TURN, self._seconds.get(name, 0.0) / self._share)
        turn = max(self._next_turn.get(name, now), now) + takes
        if turn - now > LONGEST_TURN:  # so many that they need not be counted
            return random.uniform(LONGEST_TURN / 2, LONGEST_TURN)  # noqa: S311 (spreads load)
        self._next_turn[name] = turn
        return turn - now


threads = Shares()
