"""How each section kind is laid out: every kind is drawn, by the module that bears its name.

A module has `render(section, flow)`. It is imported when the first section of its kind is drawn: charts, bar
codes and SVG bring libraries that most documents do not need. Adding one: `docs/developing.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final

from templates_app.kinds import KINDS as MODELS


@cache
def _render(name: str) -> Callable[..., None]:
    render: Callable[..., None] = import_module(f"{__name__}.{name}").render
    return render


class _Kinds(Mapping[str, Callable[..., Any]]):
    """Kind to the function that draws it."""

    def __getitem__(self, name: str) -> Callable[..., Any]:
        if name not in MODELS:
            raise KeyError(name)
        return _render(name)

    def __contains__(self, name: object) -> bool:
        return name in MODELS

    def __iter__(self) -> Iterator[str]:
        return iter(MODELS)

    def __len__(self) -> int:
        return len(MODELS)


KINDS: Final[Mapping[str, Callable[..., Any]]] = _Kinds()
