"""Output formats. A format is one folder and one line in `RENDERERS`."""

from __future__ import annotations

from typing import Final

from rendering.formats.base import Renderer
from rendering.formats.pdf.renderer import PdfRenderer
from rendering.formats.xlsx.renderer import XlsxRenderer

RENDERERS: Final[dict[str, Renderer]] = {
    renderer.name: renderer for renderer in (PdfRenderer(), XlsxRenderer())
}
