"""Text sections: how display sizes are set, and what stays with what follows. The layout is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from rendering.formats.pdf.layout.document import DocumentLayout, pages_of
from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.items import Page
from rendering.formats.pdf.layout.kinds.text import leading_of
from rendering.formats.pdf.layout.measures import MM
from rendering.formats.pdf.layout.places import PlacedFlow
from rendering.formats.pdf.typeset.typesetter import Typesetter
from templates_app.resolved import (
    Frame,
    ResolvedGroup,
    ResolvedHeading,
    ResolvedItem,
    ResolvedLanguage,
    ResolvedList,
    ResolvedPlace,
    ResolvedText,
    Rich,
    Span,
    Theme,
)
from tests.rendering.geometry import boxes
from tests.rendering.resolved import document, heading, limits, page, text
from tests.rendering.table_layout import column, table

LONG = "Leistungsbeschreibungen der Versicherungsgesellschaft"
WIDTH = 120  # of the page, millimetres


def laid(*sections: Any, **more: Any) -> list[Page]:
    """Return the pages of sections."""
    return pages_of(document(*sections, on=page(width=WIDTH), **more), limits())


def said(pages: Sequence[Page]) -> list[list[str]]:
    """Return the texts of each page, from top to bottom."""
    found = [[box for box in boxes(page.items) if box.text] for page in pages]
    return [[box.text for box in sorted(page, key=lambda box: -box.bottom)] for page in found]


class TestCentred:
    @pytest.mark.parametrize("rich", [False, True])
    @pytest.mark.parametrize("kind", ["text", "heading"])
    def test_few_lines_are_about_as_long_as_each_other(self, kind: str, rich: bool) -> None:
        words = "This is to certify that the bearer of this document has passed the examination in Vienna"
        content: Rich = (Span(words[:40], bold=True), Span(words[40:])) if rich else words
        made = {
            "text": ResolvedText(content, "center", 10, False, False, None),
            "heading": ResolvedHeading(content, 3, "center"),
        }
        lines = [box for box in boxes(laid(made[kind])[0].items) if box.text]
        rows = {round(line.bottom): (line.left, line.right) for line in lines}
        for line in lines:
            left, right = rows[round(line.bottom)]
            rows[round(line.bottom)] = min(left, line.left), max(right, line.right)
        assert len(rows) > 1
        widths = [right - left for left, right in rows.values()]
        assert min(widths) > 0.7 * max(widths)
        middle = WIDTH / 2 * MM
        assert [(left + right) / 2 for left, right in rows.values()] == pytest.approx([middle] * len(rows))

    def test_lines_of_the_author_and_long_texts_stay(self) -> None:
        made = text("One line\nof two\nor of three", align="center")
        assert said(laid(made))[0] == ["One line", "of two", "or of three"]
        long = "word " * 400
        widths = [
            [round(box.right - box.left, 1) for box in boxes(laid(text(long, align=align))[0].items)]
            for align in ("left", "center")
        ]
        assert widths[0] == widths[1]


class TestDisplay:
    @pytest.mark.parametrize(("size", "divided"), [(15, True), (15.1, False), (19, False)])
    def test_large_words_are_divided_only_where_they_must_be(self, size: float, divided: bool) -> None:
        pages = laid(text("Allgemeine Leistungsbeschreibungen folgen", size=size), language="de")
        assert any(line.endswith("-") for line in said(pages)[0]) is divided

    def test_a_word_wider_than_the_line_is_divided_all_the_same(self) -> None:
        made = said(laid(text("Versicherungsgesellschaftsbedingungen", size=24), language="de"))
        assert made[0][0].endswith("-")

    def test_justified_and_undivided_text_is_as_the_author_wants_it(self) -> None:
        content = f"Allgemeine {LONG} " * 4
        justified = text(content, align="justify", size=16)
        assert any(line.endswith("-") for line in said(laid(justified, language="de"))[0])
        never = ResolvedText(content, "left", 10, False, False, None, hyphenate=False)
        assert not any(line.endswith("-") for line in said(laid(never, language="de"))[0])

    def test_lines_stand_closer_together_the_larger_they_are(self) -> None:
        theme = Theme()
        assert leading_of(15, theme) == theme.leading * 15
        factors = [leading_of(size, theme) / size for size in (15, 16, 18, 20, 60)]
        assert factors == sorted(factors, reverse=True)
        assert factors[-1] == factors[-2] == pytest.approx(1.207)

    @pytest.mark.parametrize(("leading", "large"), [(2.0, 1.7), (1.2, 1.15), (1.0, 1.0), (0.8, 0.8)])
    def test_the_leading_of_the_theme_counts(self, leading: float, large: float) -> None:
        assert leading_of(40, Theme(leading=leading)) == pytest.approx(large * 40)


ROWS = table(column("head", ["row 1", "row 2", "row 3"]))
FILL = text("\n".join(f"fill {number}" for number in range(8)))
PAPER = page(width=WIDTH, height=97)
ITEMS = ResolvedList((ResolvedItem("row 1 " + "word " * 30), ResolvedItem("two")), ordered=False)


class TestLeadIn:
    """A page has room for a line of text at its end, but not for the beginning of what it announces."""

    def split(self, *sections: Any) -> list[list[str]]:
        return said(pages_of(document(FILL, *sections, on=PAPER), limits()))

    @pytest.mark.parametrize("announced", [ROWS, ITEMS])
    @pytest.mark.parametrize(
        "content", ["The following items:", "Your order", "A text\n\nwith the following：", "Zwei\nZeilen:"]
    )
    def test_it_stays_with_what_it_announces(self, announced: Any, content: str) -> None:
        before, behind = self.split(text(content), announced)[:2]
        ends = content.split("\n\n")[-1].split("\n")
        assert ends[0] not in before
        assert behind[: len(ends)] == ends
        assert any(line.startswith("row 1") for line in behind)

    def test_it_does_so_in_another_language_and_with_places(self) -> None:
        sections = [ResolvedLanguage(section, "de") for section in (text("Posten:"), ROWS)]
        for announcing in (sections, [ResolvedPlace(section, "sections[1]") for section in sections]):
            wanted = document(FILL, *announcing, on=PAPER)
            pages: list[Page] = []
            typesetter = Typesetter(wanted.theme, wanted.language)
            flow = PlacedFlow if isinstance(announcing[0], ResolvedPlace) else Flow
            DocumentLayout(wanted, typesetter, limits(), flow).run(pages.append)
            assert said(pages)[1][0] == "Posten:"

    @pytest.mark.parametrize("content", ["One line.\n\nAnother line.", "Two\nlines."])
    def test_other_texts_do_not(self, content: str) -> None:
        before = self.split(text(content), ROWS)[0]
        assert content.split("\n")[-1] in before

    def test_nor_does_one_before_a_text(self) -> None:
        assert "The following:" in self.split(text("The following:"), text("More"))[0]

    def test_the_last_text_is_drawn(self) -> None:
        assert said(laid(text("The end:")))[0] == ["The end:"]


class TestGroups:
    @pytest.mark.parametrize("gap", [None, 3.0])
    def test_entries_kept_together_stand_as_far_apart_as_their_sections_wish(self, gap: float | None) -> None:
        """Unless the author says how far."""
        entries = [[heading(f"Head {number}", 2), ROWS] for number in range(3)]
        tops = []
        for keep in (True, False):
            group = ResolvedGroup(entries, keep, False, gap, Frame())
            found = [box for box in boxes(laid(text("before"), group, text("behind"))[0].items) if box.text]
            tops.append([round(box.bottom, 1) for box in found])
        assert (tops[0] == tops[1]) is (gap is None)
