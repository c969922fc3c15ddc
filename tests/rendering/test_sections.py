"""Pairs, lists, columns and signatures: what stands where. The layout is looked at, no file is written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from rendering.formats.pdf.layout.document import pages_of
from rendering.formats.pdf.layout.items import Page
from templates_app.resolved import (
    ResolvedColumnOfSections,
    ResolvedColumns,
    ResolvedItem,
    ResolvedKeyValue,
    ResolvedList,
    ResolvedPair,
    ResolvedSignature,
    ResolvedSigner,
)
from tests.rendering.geometry import Box, boxes, outside, overlapping
from tests.rendering.resolved import document, heading, limits, text

LEFT, RIGHT = 20 * 72 / 25.4, 190 * 72 / 25.4  # of the text on the page
PLAIN = ResolvedPair("Label", "Value", False)
STRONG = ResolvedPair("Strong", "Sum", True)


def laid(*sections: Any, language: str = "en") -> list[Page]:
    """Return the pages of a document of these sections."""
    pages = pages_of(document(*sections, language=language), limits())
    for page in pages:
        assert not outside(page)
        assert not overlapping(page)
    return pages


def found(pages: Sequence[Page], text: str) -> Box:
    """Return the place of the first text that begins so."""
    return next(box for page in pages for box in boxes(page.items) if box.text.startswith(text))


class TestPairs:
    @pytest.mark.parametrize("long", [False, True])
    @pytest.mark.parametrize("align", ["left", "center", "right"])
    def test_a_strong_pair_is_larger_in_a_totals_block_only(self, align: Any, long: bool) -> None:
        more = [ResolvedPair("More", "word " * 100, False)] if long else []  # set as paragraphs, not as lines
        pages = laid(ResolvedKeyValue([PLAIN, STRONG, *more], 1, align, None))
        plain, strong = (found(pages, label) for label in ("Label", "Strong"))
        sizes = [box.top - box.bottom for box in (plain, strong)]
        assert (sizes[1] > sizes[0] * 1.1) is (align == "right")
        assert (sizes[1] == pytest.approx(sizes[0])) is (align != "right")

    def test_texts_of_a_row_taller_than_a_page_begin_at_the_same_height(self) -> None:
        lengths = (9000, 20, 3000)
        values = [f"V{number} " + f"word{number} " * length for number, length in enumerate(lengths)]
        pairs = [ResolvedPair(f"L{number}", value, False) for number, value in enumerate(values)]
        pages = laid(text("before"), ResolvedKeyValue(pairs, 3, "left", None), text("behind"))
        assert len(pages) > 2
        begun = [found(pages[:1], name) for name in ("L0", "V0", "L1", "V1", "L2", "V2")]
        assert {round(box.bottom, 2) for box in begun} == {round(begun[0].bottom, 2)}
        said = " ".join(box.text for page in pages for box in boxes(page.items))
        assert [said.count(f"word{n}") for n in range(3)] == list(lengths)
        assert found(pages[-1:], "behind")


class TestRightToLeft:
    @pytest.mark.parametrize("align", ["left", "center", "right"])
    def test_labels_stand_to_the_right_of_their_values(self, align: Any) -> None:
        pairs = [PLAIN, STRONG, ResolvedPair("More", "Words", False)]
        pages = laid(ResolvedKeyValue(pairs, 1, align, None), language="ar")
        for pair in pairs:
            assert found(pages, pair.value).right < found(pages, pair.label).left
        if align == "left":
            assert found(pages, "Label").right == pytest.approx(RIGHT, abs=0.1)
        if align == "right":
            assert found(pages, "Value").left < LEFT + 40

    def test_columns_and_signatures_begin_at_the_right(self) -> None:
        columns = ResolvedColumns(
            [ResolvedColumnOfSections([text(name)], None) for name in ("one", "two")], 6
        )
        signers = [ResolvedSigner(name, "") for name in ("Ann", "Bob")]
        pages = laid(columns, ResolvedSignature(signers, 2, 20), language="he")
        assert found(pages, "one").left > found(pages, "two").right
        assert found(pages, "one").right == pytest.approx(RIGHT, abs=0.1)
        assert found(pages, "Ann").left > found(pages, "Bob").right

    def test_texts_begin_at_the_right(self) -> None:
        listed = ResolvedList([ResolvedItem("item", (ResolvedItem("inner"),))], True)
        pages = laid(heading("Head"), text("Words"), listed, language="ur")
        for words in ("Head", "Words"):
            assert found(pages, words).right == pytest.approx(RIGHT, abs=0.1)
        assert found(pages, "inner").right < found(pages, "item").right < found(pages, "1.").left


def test_signatures_stand_where_columns_do() -> None:
    columns = ResolvedColumns([ResolvedColumnOfSections([text(name)], None) for name in ("one", "two")], 6)
    signers = [ResolvedSigner(name, "") for name in ("Ann", "Bob")]
    pages = laid(columns, ResolvedSignature(signers, 2, 20))
    assert found(pages, "Bob").left == pytest.approx(found(pages, "two").left, abs=0.01)
