"""Every example of the gallery renders, stays on its pages, and has its pictures in the documentation."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from rendering.formats.base import Limits
from rendering.formats.pdf.layout.document import pages_of
from templates_app.kinds import KINDS
from tests.gallery.base import Example
from tests.gallery.examples import EXAMPLES
from tests.rendering.geometry import outside, overlapping

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
EACH = pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)


@EACH
def test_is_drawn_within_its_pages(example: Example) -> None:
    pages = pages_of(example.resolved(), Limits(1000, time.monotonic() + 600, 600))
    assert len(pages) >= example.pages
    assert example.pages > 1 or len(pages) == 1, f"{len(pages)} pages: a larger height, or pages="
    assert [outside(page) for page in pages] == [[] for _ in pages], "what is outside of its page"
    assert [overlapping(page) for page in pages] == [[] for _ in pages], "what is over something else"


@EACH
def test_is_a_pdf(example: Example) -> None:
    assert example.pdf().startswith(b"%PDF-")


def test_names_are_unique() -> None:
    assert len({example.name for example in EXAMPLES}) == len(EXAMPLES)


def test_pictures_are_those_of_the_examples_and_small() -> None:
    wanted = {path for example in EXAMPLES for path in example.paths(DOCS / "gallery")}
    pictures = set((DOCS / "gallery").iterdir())
    assert {path.name for path in wanted ^ pictures} == set(), "make gallery"
    assert sum(path.stat().st_size for path in pictures) < 2_500_000
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    assert [path.name for path in wanted if f"](gallery/{path.name})" not in text] == []


def test_every_kind_has_an_example() -> None:
    def kinds(value: object) -> set[str]:
        if isinstance(value, list):
            return set().union(*map(kinds, value)) if value else set()
        if isinstance(value, dict):
            return set().union(*map(kinds, value.values())) | {str(value.get("type"))}
        return set()

    shown = set().union(*(kinds(example.sections) for example in EXAMPLES))
    assert set(KINDS) - shown == set(), "an Example in tests/gallery"
