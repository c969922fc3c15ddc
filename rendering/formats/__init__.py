"""Output formats. A format is one folder and one line here; it is loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

from config.late_table import LateTable
from rendering.formats.base import Renderer

# The class of each format: "module:class".
_CLASSES: Final = {
    "pdf": "rendering.formats.pdf.renderer:PdfRenderer",
    "xlsx": "rendering.formats.xlsx.renderer:XlsxRenderer",
}


def _load(name: str) -> Renderer:
    module, _, cls = _CLASSES[name].partition(":")
    renderer: Renderer = getattr(import_module(module), cls)()
    return renderer


RENDERERS: Final[Mapping[str, Renderer]] = LateTable(_CLASSES, _load)
