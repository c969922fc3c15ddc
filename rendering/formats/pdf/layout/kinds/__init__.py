"""How each section kind is laid out, in one table. Adding one: `docs/developing.md`.

A kind's module bears its name and has `render(section, flow)`. It is imported when the first section of its
kind is drawn: charts, bar codes and SVG bring libraries that most documents do not need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any, Final

NAMES: Final = (
    "heading",
    "text",
    "table",
    "image",
    "key_value",
    "list",
    "divider",
    "spacer",
    "page_break",
    "columns",
    "group",
    "box",
    "table_of_contents",
    "chart",
    "barcode",
    "signature",
)


@lru_cache(maxsize=len(NAMES))
def _render(name: str) -> Callable[..., None]:
    render: Callable[..., None] = import_module(f"{__name__}.{name}").render
    return render


class _Kinds(Mapping[str, Callable[..., Any]]):
    """Kind to the function that draws it."""

    def __getitem__(self, name: str) -> Callable[..., Any]:
        if name not in NAMES:
            raise KeyError(name)
        return _render(name)

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


KINDS: Final[Mapping[str, Callable[..., Any]]] = _Kinds()
