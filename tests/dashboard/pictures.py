"""Pages of the demo as small grey pictures, and how far two pictures differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pypdfium2
from PIL import Image, ImageChops, ImageFilter

from dashboard.demo import TEMPLATES
from tests.dashboard.documents import document

EXPECTED: Final = Path(__file__).resolve().parent.parent / "expected"
DPI: Final = 56
GREYS: Final = 16  # enough for text, and half the size of all 256
LEVELS: Final = 40  # of 256: a pixel that differs by more is another one

# The first page, and of long documents one with other things on it.
PAGES: Final[Mapping[str, tuple[int, ...]]] = {
    "invoice": (1,),
    "statement": (1, 11),
    "delivery-note": (1,),
    "price-list": (1, 3),
    "certificate": (1,),
    "report": (1, 2, 5),
}


def drawn() -> Iterator[tuple[str, Image.Image]]:
    """Yield each picture with its name, as the templates are now."""
    for demo in TEMPLATES:
        pages = pypdfium2.PdfDocument(document(demo, "pdf"))
        for number in PAGES[demo.slug]:
            if number <= len(pages):
                picture = pages[number - 1].render(scale=DPI / 72, grayscale=True).to_pil()
                yield f"{demo.slug}-{number}", picture.convert("L")


def save(picture: Image.Image, path: Path) -> None:
    """Write a picture in few greys."""
    step = 255 / (GREYS - 1)
    picture.point([round(round(level / step) * step) for level in range(256)]).save(path, optimize=True)


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return the share of pixels that differ, edges aside; 1 for pictures of different sizes."""
    if one.size != other.size:
        return 1.0
    soft = [picture.convert("L").filter(ImageFilter.BoxBlur(1)) for picture in (one, other)]
    counts = ImageChops.difference(*soft).histogram()
    return sum(counts[LEVELS + 1 :]) / sum(counts)
