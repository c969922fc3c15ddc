"""The operator's limits as the layers that render ask for them: with Django or without.

The service announces its settings at start; where no Django runs, the same table of `config.environment` is
read from the environment when a limit is first asked for.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import lru_cache
from typing import Final

NAMES: Final = ("MAX_SECTIONS", "MAX_COLUMNS", "MAX_PAGES", "RENDER_TIMEOUT", "MAX_IMAGE_PIXELS")


@lru_cache(maxsize=1)
def from_environment() -> dict[str, int]:
    """Return the limits of the environment; raises ValueError with one line per wrong one."""
    from config.environment import parse

    values, mistakes = parse(os.environ, NAMES)
    if mistakes:
        raise ValueError("\n".join(mistakes))
    return values


_source: Callable[[str], int] = lambda name: from_environment()[name]  # noqa: E731


def announce(source: Callable[[str], int]) -> None:
    """Let the service say where limits come from; asked at each use, never at import."""
    global _source
    _source = source


def limit(name: str) -> int:
    """Return the limit of a name in NAMES."""
    return _source(name)
