"""Pages of a PDF as images, by pdfium.

The PDFs are those that our own engine has just made. pdfium may be used by one thread at a time; a page takes
it some milliseconds, during which Python goes on. One that shows a large image ten thousand times would take
minutes, in which nobody gets a picture: what takes too long is given up.
"""

from __future__ import annotations

import io
import math
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from PIL import Image

COLOURS: Final = 128  # of a picture: paper, ink and what is between them
MOST_PIXELS: Final = 16_000_000  # of a page, however long it is
MOST_SECONDS: Final = 10.0  # for the pages of one call
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


class SlowPages(NoPages):
    """Pages that take longer than MOST_SECONDS."""


def page_count(pdf: bytes) -> int:
    """Return how many pages a PDF has; raises NoPages."""
    with _opened(pdf) as document:
        return len(document)


def page_images(
    pdf: bytes, numbers: Sequence[int], width: int, *, most_pixels: int = MOST_PIXELS
) -> list[Image.Image]:
    """Return pages, counted from 1, `width` pixels wide; raises NoPages, SlowPages, IndexError for a page too
    many.

    A page that would have more than `most_pixels` is narrower.
    """
    with _opened(pdf) as document:
        found, deadline = [], time.monotonic() + MOST_SECONDS
        for number in numbers:
            if not 1 <= number <= len(document):
                raise IndexError(number)
            page = document[number - 1]
            wide, high = page.get_size()
            scale = min(width / wide, math.sqrt(most_pixels / (wide * high)))
            picture = _drawn(page, math.ceil(wide * scale), math.ceil(high * scale), deadline)
            # pdfium rounds up to whole pixels.
            found.append(picture.convert("RGB").crop((0, 0, min(width, picture.width), picture.height)))
            page.close()
        return found


def page_texts(pdf: bytes, numbers: Sequence[int]) -> list[list[Words]]:
    """Return the words of pages, counted from 1, each run with its place; raises as `page_images` does."""
    with _opened(pdf) as document:
        found, deadline = [], time.monotonic() + MOST_SECONDS
        for number in numbers:
            if not 1 <= number <= len(document):
                raise IndexError(number)
            page = document[number - 1]
            wide, high = page.get_size()
            texts = page.get_textpage()
            found.append(list(_all_words(texts, wide, high, deadline)))
            texts.close()
            page.close()
        return found


def _drawn(page: Any, width: int, height: int, deadline: float) -> Image.Image:
    """Return a page as `page.render` draws it; raises SlowPages at a time of `time.monotonic()`."""
    from pypdfium2 import PdfBitmap, raw

    bitmap = PdfBitmap.new_native(width, height, raw.FPDFBitmap_BGR)
    bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
    pause = raw.IFSDK_PAUSE(version=1)
    pause.NeedToPauseNow = type(pause.NeedToPauseNow)(lambda _: time.monotonic() > deadline)
    try:
        state = raw.FPDF_RenderPageBitmap_Start(bitmap, page, 0, 0, width, height, 0, 0, pause)
    finally:
        raw.FPDF_RenderPage_Close(page)
    if state == raw.FPDF_RENDER_TOBECONTINUED:
        raise SlowPages("the page takes too long to draw")
    return bitmap.to_pil()


def _all_words(texts: Any, wide: float, high: float, deadline: float) -> Iterator[Words]:
    for index in range(texts.count_rects()):
        if time.monotonic() > deadline:
            raise SlowPages("the words of the page take too long to read")
        yield _words(texts, index, wide, high)


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
