"""The bundled typeface (Source Sans 3, SIL Open Font License): Latin, Greek and Cyrillic, tabular figures."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent / "fonts"
FILES: Final[dict[tuple[bool, bool], str]] = {  # (bold, italic)
    (False, False): "SourceSans3-Regular",
    (True, False): "SourceSans3-SemiBold",
    (False, True): "SourceSans3-Italic",
    (True, True): "SourceSans3-SemiBoldItalic",
}
_lock = threading.RLock()


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One registered face of the family: its ReportLab name, and measuring."""

    name: str
    font: Any

    def width(self, text: str, size: float) -> float:
        """Return the width of `text` in points, set at `size` points."""
        width: float = self.font.stringWidth(text, size)
        return width


@lru_cache(maxsize=1)
def _font_class() -> type[Any]:
    """Return the TTFont that may be embedded by several threads at once.

    ReportLab keeps the characters in use per document, but reads the outlines through one file position.
    """
    from reportlab.pdfbase.ttfonts import TTFont  # heavy: loaded when the first PDF is drawn

    class SharedFont(TTFont):
        """A TTFont whose subsets are cut one thread at a time."""

        def addObjects(self, doc: Any) -> None:
            with _lock:
                super().addObjects(doc)

    return SharedFont


@lru_cache(maxsize=len(FILES))
def _load(bold: bool, italic: bool) -> Face:
    from reportlab.pdfbase import pdfmetrics

    name = FILES[bold, italic]
    font = _font_class()(name, str(FOLDER / f"{name}.ttf"))
    pdfmetrics.registerFont(font)
    return Face(name, font)


def face(*, bold: bool = False, italic: bool = False) -> Face:
    """Return a face of the family; the first use in the process reads and registers it."""
    with _lock:
        return _load(bold, italic)
