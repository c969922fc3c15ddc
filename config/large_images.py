"""Large images are decoded one at a time in a process: a decoder holds every pixel several times over. Pure.

One of 40 megapixels takes up to 640 MB while it is read. Threads that read such at once would take as much
each.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

LARGE: Final = 4_000_000  # pixels: 64 MB

_turn = Lock()


@contextmanager
def turn_for(pixels: int) -> Iterator[None]:
    """Wait until nobody else is at a large image, unless one of so many pixels is none."""
    if pixels <= LARGE:
        yield
    else:
        with _turn:
            yield
