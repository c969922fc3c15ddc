"""Frames over pages: behind what they hold, inside of each other, and on no page where they hold nothing."""

from __future__ import annotations

from typing import Any

import pytest

from rendering.formats.pdf.layout.document import pages_of
from rendering.formats.pdf.layout.items import Page, Rect, TextBlock, TextLine
from templates_app.resolved import (
    Frame,
    ResolvedBox,
    ResolvedGroup,
    ResolvedImage,
    ResolvedLanguage,
)
from tests.rendering.geometry import boxes, covered, outside, overlapping
from tests.rendering.resolved import beside, document, heading, image_file, limits, text

OUTER, INNER = "#ddeeff", "#ffeedd"
MM = 72 / 25.4
TOP = (297 - 20) * MM
LONG = text("\n".join(f"Line {number}" for number in range(150)))


def framed(*sections: Any, color: str = OUTER, padding: float = 4) -> ResolvedBox:
    """Return a box that goes over pages."""
    return ResolvedBox(sections, Frame(background=color, padding=padding), keep_together=False)


def picture(height: float) -> ResolvedImage:
    """Return a picture so many millimetres high."""
    return ResolvedImage(image_file(), 50, height, "left", "", "exact")


def laid(*sections: Any) -> list[Page]:
    """Return the pages of a document of these sections."""
    pages = pages_of(document(*sections), limits())
    for page in pages:
        assert not outside(page)
        assert not overlapping(page)
        assert not covered(page)
    return pages


def frames(page: Page, color: str = OUTER) -> list[Rect]:
    """Return the grounds in a colour on a page."""
    return [item for item in page.items if isinstance(item, Rect) and item.fill == color]


def behind(page: Page) -> bool:
    """Return whether the grounds of a page are drawn before its lines."""
    drawn = [isinstance(item, Rect) for item in page.items if isinstance(item, Rect) or "Line" in said(item)]
    return drawn == sorted(drawn, reverse=True)


def said(item: Any) -> str:
    """Return what an item says."""
    if isinstance(item, TextBlock):
        return " ".join(line.text for line in item.lines())
    return item.text if isinstance(item, TextLine) else ""


@pytest.mark.parametrize(("gap", "apart"), [(0, 0), (7, 7), (None, 12 / MM)])
def test_entries_of_a_group_stand_apart(gap: float | None, apart: float) -> None:
    entries = [[text("one")], [text("two")]]
    (page,) = laid(ResolvedGroup(entries, True, False, gap, Frame(background=OUTER, padding=4)))
    first, second = frames(page)
    assert first.y - second.y - second.height == pytest.approx(apart * MM)


@pytest.mark.parametrize(
    "columns", [beside(LONG, LONG), ResolvedLanguage(beside(LONG, text("short")), "de"), beside(beside(LONG))]
)
def test_columns_that_go_over_pages_stand_upon_their_frame(columns: Any) -> None:
    pages = laid(text("before"), framed(text("within"), framed(columns, color=INNER), text("behind")))
    assert len(pages) > 2
    for page in pages:
        assert len(frames(page)) == len(frames(page, INNER)) == 1
        assert behind(page)


def test_frames_within_frames_keep_their_distance_on_every_page() -> None:
    pages = laid(framed(framed(LONG, color=INNER, padding=3), padding=5))
    for page in pages:
        (outer,), (inner,) = frames(page), frames(page, INNER)
        assert outer.y + outer.height == pytest.approx(TOP)
        assert inner.y + inner.height == pytest.approx(TOP - 5 * MM)
        assert inner.y - outer.y == pytest.approx(5 * MM)


def test_a_frame_begins_where_its_first_content_does() -> None:
    pages = laid(picture(200), framed(framed(heading("Head"), picture(60), color=INNER)))
    assert [(len(frames(page)), len(frames(page, INNER))) for page in pages] == [(0, 0), (1, 1)]


def test_what_fills_a_page_stands_in_a_frame_at_the_top_of_a_page() -> None:
    pages = laid(framed(heading("Head"), picture(290), text("caption")))
    # The heading alone, as no page has room for both; then the picture, as high as the frame lets it be.
    assert [len(frames(page)) for page in pages] == [1, 1, 1]


@pytest.mark.parametrize("together", [True, False])
def test_nothing_stands_on_a_border(together: bool) -> None:
    frame = Frame(border=3, border_color=OUTER)
    (page,) = laid(ResolvedBox([picture(20)], frame, keep_together=together))
    (rim,) = (item for item in page.items if isinstance(item, Rect) and item.stroke == OUTER)
    (image,) = (box for box in boxes(page.items) if box.role == "figure")
    assert image.left - (rim.x - 1.5) == pytest.approx(3)
    assert rim.y + rim.height + 1.5 - image.top == pytest.approx(3)
    assert image.bottom - (rim.y - 1.5) == pytest.approx(3)
