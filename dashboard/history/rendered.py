"""Two versions on paper: the same sample rendered with both, page by page, changed places marked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

from django.core.cache import caches
from django.utils import timezone
from PIL import Image

from config.api.errors import ApiError
from dashboard.bodies import without_password
from dashboard.history.marks import Mark, WordChanges, compare_words, marks_of_pixels
from dashboard.pictures.raster import (
    NoPages,
    SlowPages,
    Words,
    as_png,
    page_count,
    page_images,
    page_texts,
)
from dashboard.previews import TooManyPreviews
from rendering.preview import Preview, preview
from templates_app.models import TemplateVersion

MOST_PAGES: Final = 12
PICTURE_WIDTH: Final = 960  # of a page as it is shown
WIDTH: Final = 340  # of a page as it is compared
COMPARED_PIXELS: Final = 600_000  # at most, of such a page: paper may be a hundred times as high as wide

KEPT_SECONDS: Final = 600
LARGEST_KEPT: Final = 2_000_000  # bytes of a PDF


@dataclass(frozen=True)
class PagePair:
    """The pages of one number: the heights of their pictures (0: there is no such page), and what differs.

    `is_moved`: the same words in other places, which are not marked.
    """

    number: int
    before: int
    after: int
    before_marks: Sequence[Mark] = ()
    after_marks: Sequence[Mark] = ()
    is_moved: bool = False

    @property
    def is_same(self) -> bool:
        """Tell whether both have it and it looks alike."""
        return bool(self.before and self.after) and not (
            self.before_marks or self.after_marks or self.is_moved
        )


@dataclass(frozen=True)
class Comparison:
    """The first pages of two versions, and what kept either from being rendered (empty: nothing)."""

    pages: Sequence[PagePair] = ()
    before_count: int = 0
    after_count: int = 0
    before_error: str = ""
    after_error: str = ""

    @property
    def is_same(self) -> bool:
        """Tell whether both look alike on every page that was compared."""
        return self.before_count == self.after_count and all(page.is_same for page in self.pages)

    @property
    def is_cut(self) -> bool:
        """Tell whether there are more pages than were compared."""
        return max(self.before_count, self.after_count) > MOST_PAGES


def rendered(entry: TemplateVersion, data: dict[str, Any], format: str | None = None) -> Preview:
    """Render a version with sample data; raises ApiError 400.

    The document takes midnight for the present time: the clock is never why two of them differ.
    """
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    return preview(
        organization=entry.template.organization,
        body=without_password(entry.body()),
        data=data,
        format=format,
        now=midnight,
    )


def digest_of(data: dict[str, Any]) -> str:
    """Return what stands for sample data in a key or an address."""
    # Not by orjson, which has no integers of any length.
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()[:16]


def picture_of(entry: TemplateVersion, data: dict[str, Any], number: int, spend: Callable[[], None]) -> bytes:
    """Return a page of a version as PNG; raises ApiError 400, NoPages, IndexError. `spend` as in `pdf_of`."""
    found: bytes | None = caches["derived"].get(_picture_key(entry, data, number))
    if found is not None:
        return found
    pdf = pdf_of(entry, data, spend)
    found = as_png(page_images(pdf, [number], PICTURE_WIDTH)[0])
    if len(pdf) > LARGEST_KEPT:
        caches["derived"].set(_picture_key(entry, data, number), found, KEPT_SECONDS)
    return found


def pdf_of(entry: TemplateVersion, data: dict[str, Any], spend: Callable[[], None]) -> bytes:
    """Return a version as PDF, kept while its pages are asked for; raises ApiError 400.

    `spend` is called before it is rendered, and may raise.
    """
    key = _key(entry, data)
    found: bytes | None = caches["derived"].get(key)
    if found is None:
        spend()
        found = rendered(entry, data, "pdf").file
        if len(found) <= LARGEST_KEPT:
            caches["derived"].set(key, found, KEPT_SECONDS)
    return found


def compare(
    before: TemplateVersion, after: TemplateVersion, data: dict[str, Any], spend: Callable[[], None]
) -> Comparison:
    """Render both versions and compare their first pages; `spend` as in `pdf_of`.

    Of a file that is too large to be kept, the pages that the page shows at once are drawn while it is there.
    """
    is_alone = before is after
    old = _tried(before, data, spend)
    new = old if is_alone else _tried(after, data, spend)
    pairs = _pairs(old, new)
    numbers = [pair.number for pair in pairs if is_alone or not pair.is_same] or [1]
    for entry, paper in ((before, old), (after, new))[is_alone:]:
        if len(paper.pdf) > LARGEST_KEPT:
            _keep_pictures(entry, data, paper.pdf, numbers)
    return Comparison(
        pages=pairs,
        before_count=page_count(old.pdf) if old.pdf else 0,
        after_count=page_count(new.pdf) if new.pdf else 0,
        before_error=old.error,
        after_error=new.error,
    )


@dataclass(frozen=True)
class _Paper:
    """A version that was rendered and its first pages, or the reason why there are none."""

    pdf: bytes = b""
    pages: Sequence[Image.Image] = ()
    error: str = ""


def _key(entry: TemplateVersion, data: dict[str, Any]) -> str:
    today = timezone.now().date().isoformat()
    return f"version:{entry.template_id}:{entry.version}:{today}:{digest_of(data)}"


def _picture_key(entry: TemplateVersion, data: dict[str, Any], number: int) -> str:
    return f"{_key(entry, data)}:{number}"


def _keep_pictures(entry: TemplateVersion, data: dict[str, Any], pdf: bytes, numbers: Sequence[int]) -> None:
    there = min(page_count(pdf), MOST_PAGES)
    wanted = {_picture_key(entry, data, number): number for number in numbers if number <= there}
    kept = caches["derived"].get_many(wanted)
    for key, number in wanted.items():
        if key not in kept:
            try:
                image = page_images(pdf, [number], PICTURE_WIDTH)[0]
            except SlowPages:
                return
            caches["derived"].set(key, as_png(image, quick=True), KEPT_SECONDS)


def _tried(entry: TemplateVersion, data: dict[str, Any], spend: Callable[[], None]) -> _Paper:
    try:
        pdf = pdf_of(entry, data, spend)
        return _Paper(pdf, _pages(pdf))
    except TooManyPreviews:
        raise
    except ApiError as error:
        return _Paper(error=error.message)
    except SlowPages:
        return _Paper(error="Its pages take too long to draw")
    except NoPages:
        return _Paper(error="The document does not open without a password")


def _pairs(old: _Paper, new: _Paper) -> list[PagePair]:
    words = WordChanges({}, {}, set())
    if old.pdf and new.pdf:
        with suppress(SlowPages):  # then pixels alone tell
            words = compare_words(_texts(old.pdf), _texts(new.pdf))
    pairs = []
    for number, (one, other) in enumerate(zip_longest(old.pages, new.pages), start=1):
        heights = _height(one), _height(other)
        if one is None or other is None:
            pairs.append(PagePair(number, *heights))
            continue
        marks = marks_of_pixels(one, other)
        if marks and number in words.moved:
            # Something pushed the rest away: pixels differ wherever there are any, words do not.
            left, right = words.gone.get(number, []), words.come.get(number, [])
            pairs.append(PagePair(number, *heights, left, right, is_moved=not (left or right)))
        else:
            pairs.append(PagePair(number, *heights, marks, marks))
    return pairs


def _pages(pdf: bytes) -> list[Image.Image]:
    numbers = range(1, min(page_count(pdf), MOST_PAGES) + 1)
    found = page_images(pdf, numbers, WIDTH, most_pixels=COMPARED_PIXELS)
    return [image.convert("L") for image in found]


def _texts(pdf: bytes) -> list[list[Words]]:
    return page_texts(pdf, range(1, min(page_count(pdf), MOST_PAGES) + 1))


def _height(page: Image.Image | None) -> int:
    return 0 if page is None else round(PICTURE_WIDTH * page.height / page.width)
