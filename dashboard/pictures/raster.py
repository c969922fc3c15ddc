"""Pages of a PDF as images, by pdfium.

The PDFs are those that our own engine has just made. pdfium may be used by one thread at a time; a page takes
it some milliseconds, during which Python goes on.
"""

from __future__ import annotations

import io
import math
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from PIL import Image

COLOURS: Final = 128  # of a picture: paper, ink and what is between them
MOST_PIXELS: Final = 16_000_000  # of a page, however long it is
_LOCK: Final = threading.Lock()


class Words(NamedTuple):
    """Words of one style on one line; their place in parts of the page's width and height, from the top."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


class NoPages(ValueError):
    """A file that pdfium does not open: it is locked by a password, or no PDF."""


def page_count(pdf: bytes) -> int:
    """Return how many pages a PDF has; raises NoPages."""
    with _opened(pdf) as document:
        return len(document)


def page_images(
    pdf: bytes, numbers: Sequence[int], width: int, *, most_pixels: int = MOST_PIXELS
) -> list[Image.Image]:
    """Return pages, counted from 1, `width` pixels wide; raises NoPages, IndexError for a page too many.

    A page that would have more than `most_pixels` is narrower.
    """
    with _opened(pdf) as document:
        found = []
        for number in numbers:
            if not 1 <= number <= len(document):
                raise IndexError(number)
            page = document[number - 1]
            wide, high = page.get_size()
            scale = min(width / wide, math.sqrt(most_pixels / (wide * high)))
            picture = page.render(scale=scale, draw_annots=False).to_pil()
            # pdfium rounds up to whole pixels.
            found.append(picture.convert("RGB").crop((0, 0, min(width, picture.width), picture.height)))
            page.close()
        return found


def page_texts(pdf: bytes, numbers: Sequence[int]) -> list[list[Words]]:
    """Return the words of pages, counted from 1, each run with its place; raises as `page_images` does."""
    with _opened(pdf) as document:
        found = []
        for number in numbers:
            if not 1 <= number <= len(document):
                raise IndexError(number)
            page = document[number - 1]
            texts = page.get_textpage()
            found.append([_words(texts, index, *page.get_size()) for index in range(texts.count_rects())])
            texts.close()
            page.close()
        return found


def _words(texts: Any, index: int, wide: float, high: float) -> Words:
    left, bottom, right, top = texts.get_rect(index)
    text = texts.get_text_bounded(left, bottom, right, top).strip()
    return Words(text, left / wide, 1 - top / high, right / wide, 1 - bottom / high)


def as_png(image: Image.Image, *, quick: bool = False) -> bytes:
    """Return an image as a small PNG; a quick one takes a quarter of the time and has coarser colours."""
    out = io.BytesIO()
    method = Image.Quantize.FASTOCTREE if quick else Image.Quantize.MEDIANCUT
    image.quantize(COLOURS, method, dither=Image.Dither.NONE).save(out, "PNG", optimize=not quick)
    return out.getvalue()


@contextmanager
def _opened(pdf: bytes) -> Iterator[Any]:
    # Loads a library of some megabytes, which only the dashboard needs.
    import pypdfium2

    with _LOCK:
        try:
            document = pypdfium2.PdfDocument(pdf)
        except pypdfium2.PdfiumError as error:
            raise NoPages(str(error)) from None
        try:
            yield document
        finally:
            document.close()
