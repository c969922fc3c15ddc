"""Output formats. A format is one folder and one line in `RENDERERS`; it is loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Final

from rendering.formats.base import Renderer


class _Renderers(Mapping[str, Renderer]):
    """Renderers by name, each made once from "module:class"."""

    def __init__(self, **places: str) -> None:
        self._places = places
        self._made: dict[str, Renderer] = {}

    def __getitem__(self, name: str) -> Renderer:
        try:
            return self._made[name]
        except KeyError:
            module, _, cls = self._places[name].partition(":")
            # Two threads may make one each; both take the one that came first.
            return self._made.setdefault(name, getattr(import_module(module), cls)())

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


RENDERERS: Final[Mapping[str, Renderer]] = _Renderers(
    pdf="rendering.formats.pdf.renderer:PdfRenderer",
    xlsx="rendering.formats.xlsx.renderer:XlsxRenderer",
)
