"""The demo looks as it did: pages against stored pictures, with room for another rasteriser's edges."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageChops

from tests.dashboard.pictures import EXPECTED, PAGES, difference, drawn, save

TOLERANCE = 0.003
NAMES = [f"{slug}-{number}" for slug, numbers in PAGES.items() for number in numbers]


@pytest.fixture(scope="module")
def pictures() -> dict[str, Image.Image]:
    return dict(drawn())


@pytest.mark.parametrize("name", NAMES)
def test_page_looks_as_it_did(name: str, pictures: dict[str, Image.Image], tmp_path: Path) -> None:
    assert name in pictures, "the document has fewer pages than it had"
    stored, got = EXPECTED / f"{name}.png", tmp_path / f"{name}.png"
    save(pictures[name], got)
    share = difference(Image.open(stored), pictures[name]) if stored.exists() else 1.0
    assert share < TOLERANCE, (
        f"{share:.2%} of the page differ. It is now: {got}; it was: {stored}. "
        "If that is how it should look: make pictures"
    )


def test_pictures_are_those_of_the_pages_and_small() -> None:
    stored = sorted(path for path in EXPECTED.iterdir())
    assert [path.name for path in stored] == sorted(f"{name}.png" for name in NAMES)
    assert sum(path.stat().st_size for path in stored) < 400_000


def test_difference_sees_a_line_that_moved(pictures: dict[str, Image.Image]) -> None:
    page = pictures["invoice-1"]
    assert difference(page, page) == 0
    assert difference(page, page.crop((0, 0, 100, 100))) == 1
    assert difference(page, ImageChops.offset(page, 0, 1)) > TOLERANCE
