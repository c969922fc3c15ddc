"""Names of the output formats. The layer that writes them announces them at start."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from config.api.errors import must_be_one_of

_names: Callable[[], Sequence[str]] = tuple


def announce(names: Callable[[], Sequence[str]]) -> None:
    """Let a higher layer say which formats exist; asked at each use, never at import."""
    global _names
    _names = names


def known() -> tuple[str, ...]:
    """Return the names of all output formats, the preferred default first."""
    return tuple(_names())


def must_be() -> str:
    """Return the wording for a value that is no format: `must be "pdf" or "xlsx"`."""
    return must_be_one_of(known())
