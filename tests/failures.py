"""Failures on demand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def raiser(error: BaseException) -> Callable[..., Any]:
    """Return a function that takes anything and raises this error."""

    def fail(*_: Any, **__: Any) -> Any:
        raise error

    return fail
