"""Texts, headings, lists and pairs on pages: what stands where, what stays together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendering.formats.counters import alpha, counter, roman
from rendering.formats.pdf.layout.document import pages_of
from rendering.formats.pdf.layout.items import Anchor, Group, Item, Page, Rules, TextBlock, TextLine
from templates_app.resolved import (
    ResolvedColumnOfSections,
    ResolvedColumns,
    ResolvedContents,
    ResolvedHeading,
    ResolvedItem,
    ResolvedKeyValue,
    ResolvedList,
    ResolvedPageBreak,
    ResolvedPair,
    ResolvedText,
    Span,
)
from tests.cases import cases
from tests.rendering.geometry import overlapping
from tests.rendering.resolved import document, limits, page

LEFT = 20 * 72 / 25.4
RIGHT = 190 * 72 / 25.4


def laid_out(*sections: Any, **options: Any) -> list[Page]:
    return list(pages_of(document(*sections, **options), limits()))


def walked(items: Any) -> Iterator[Item]:
    for item in items:
        if isinstance(item, Group):
            yield from walked(item.items)
        elif isinstance(item, TextBlock):
            yield from item.lines()
        else:
            yield item


def lines(pages: list[Page], role: str) -> list[TextLine]:
    return [
        item
        for sheet in pages
        for item in walked(sheet.items)
        if isinstance(item, TextLine) and item.role == role
    ]


def text(content: Any, align: Any = "left", **more: Any) -> ResolvedText:
    return ResolvedText(content, align, more.get("size"), more.get("bold", False), False, more.get("color"))


class TestText:
    def test_empty_lines_part_paragraphs(self) -> None:
        first, second, third = lines(laid_out(text("one\ntwo\n \n\nthree")), "p")
        assert [first.text, second.text, third.text] == ["one", "two", "three"]
        assert first.y - second.y == pytest.approx(14.2)
        assert second.y - third.y == pytest.approx(14.2 + 6)

    def test_an_empty_text_leaves_nothing(self) -> None:
        assert lines(laid_out(text(" \n\n "), text(()), text("")), "p") == []

    @pytest.mark.parametrize(("align", "edge"), [("left", LEFT), ("right", RIGHT)])
    def test_alignment(self, align: str, edge: float) -> None:
        (line,) = lines(laid_out(text("some words", align)), "p")
        assert edge in (pytest.approx(line.x), pytest.approx(line.x + line.width))

    def test_looks(self) -> None:
        (line,) = lines(laid_out(text("some words", size=14, color="#c00000")), "p")
        assert (line.runs[0].size, line.runs[0].color) == (14, "#c00000")

    def test_marks_go_over_paragraphs(self) -> None:
        found = lines(laid_out(text((Span("a "), Span("b\n\nc", color="#c00000")))), "p")
        assert [(line.text, line.runs[-1].color) for line in found] == [("a b", "#c00000"), ("c", "#c00000")]


class TestHeadings:
    def test_it_is_an_anchor_for_outline_and_contents(self) -> None:
        pages = laid_out(
            ResolvedHeading("First\nline", 1, "left"),
            ResolvedHeading((Span("Se"), Span("cond", bold=True)), 2, "left", "1.1"),
        )
        anchors = [item for item in pages[0].items if isinstance(item, Anchor)]
        assert [(a.name, a.title, a.level) for a in anchors] == [
            ("h1", "First line", 1),
            ("h2", "1.1 Second", 2),
        ]

    def test_a_number_stands_in_front(self) -> None:
        number, title = lines(laid_out(ResolvedHeading("Scope", 2, "left", "2.1")), "h2")
        assert (number.text, title.text) == ("2.1", "Scope")
        assert number.y == title.y
        assert number.x + number.width < title.x
        (centred,) = lines(laid_out(ResolvedHeading("Scope", 2, "center", "2.1")), "h2")
        assert centred.text == "2.1 Scope"

    def test_it_stays_with_what_follows(self) -> None:
        filler = "\n".join(["x"] * 49)
        pages = laid_out(text(filler), ResolvedHeading("Title", 2, "left"), text("one\ntwo\nthree"))
        assert [line.text for line in lines(pages[1:], "h2")] == ["Title"]

    def test_an_empty_one_leaves_nothing_but_counts(self) -> None:
        pages = laid_out(ResolvedHeading(" ", 1, "left"), ResolvedHeading("Real", 1, "left"))
        assert [item.name for item in pages[0].items if isinstance(item, Anchor)] == ["h2"]

    def test_one_that_is_taller_than_a_page_flows_on(self) -> None:
        pages = laid_out(ResolvedHeading("word " * 800, 1, "left"), text("end"))
        assert len(pages) > 2


def beside(*columns: Sequence[Any]) -> ResolvedColumns:
    return ResolvedColumns([ResolvedColumnOfSections(sections, None) for sections in columns], 4)


class TestContents:
    """Entries have the pages of their headings, whatever waits for what follows it."""

    A, B, C = (ResolvedHeading(title, 1, "left") for title in "ABC")
    EMPTY = ResolvedHeading(" ", 1, "left")
    TABLE = ResolvedContents("Contents", 3)
    BREAK = ResolvedPageBreak()

    @pytest.mark.parametrize(
        "sections",
        [
            (TABLE, A, BREAK, B, BREAK, C),
            (A, TABLE, BREAK, B, BREAK, C),
            (text("before"), A, TABLE, BREAK, B, BREAK, C),
            (A, EMPTY, TABLE, BREAK, EMPTY, B, BREAK, C),
            (beside((A,), (EMPTY, TABLE)), BREAK, B, EMPTY, BREAK, C),
            (TABLE, A, beside((EMPTY,), (text("beside"),)), BREAK, B, beside((EMPTY,), (C,))),
        ],
    )
    def test_numbers_are_those_of_the_headings(self, sections: Sequence[Any]) -> None:
        pages = laid_out(*sections)
        stands = {line.text: page.number for page in pages for line in lines([page], "h1")}
        printed = lines(pages, "toc")
        numbers = {line.y: int(line.text) for line in printed if line.text.isdigit()}
        titles = [line for line in printed if not line.text.isdigit()]
        assert {line.text: numbers[line.y] for line in titles} == stands
        assert [line.text for line in titles] == ["A", "B", "C"]

    def test_numbers_of_headings_stand_below_the_titles_above(self) -> None:
        heads = [("1", 1), ("1.1", 2), ("1.2", 2), ("10", 1), ("10.1", 2), ("10.1.1", 3)]
        sections = [ResolvedHeading(f"Title {number}", level, "left", number) for number, level in heads]
        toc = lines(laid_out(self.TABLE, self.BREAK, *sections), "toc")
        place = {line.text: line.x for line in toc}
        assert place["1"] == place["10"] == pytest.approx(LEFT)
        assert place["Title 1"] == place["Title 10"] == place["1.1"] == place["10.1"]
        assert place["Title 1.1"] == place["Title 10.1"] == place["10.1.1"]
        assert place["10"] + 10 < place["Title 10"] < place["10"] + 24

    def test_the_title_stays_with_the_first_entry(self) -> None:
        pages = laid_out(text("\n".join(["x"] * 49)), self.TABLE, self.BREAK, self.A)
        assert [line.text for line in lines(pages[1:2], "h2")] == ["Contents"]


@pytest.mark.parametrize(
    ("language", "counted"),
    [
        ("en", {1: "a", 27: "aa"}),
        (
            "he",
            {1: "א", 10: "י", 11: "יא", 15: "טו", 16: "טז", 21: "כא", 115: "קטו", 999: "תתקצט", 1000: "1000"},
        ),
        ("iw-IL", {2: "ב"}),
        ("ar_EG", {1: "أ", 3: "ج", 28: "غ", 29: "29", 0: "0"}),
        ("fa", {2: "ب"}),
        ("ru", {2: "b"}),
    ],
)
def test_letters_of_lists_are_those_of_the_language(language: str, counted: dict[int, str]) -> None:
    write = counter("alpha", language)
    assert {number: write(number) for number in counted} == counted
    assert (counter("decimal", language)(12), counter("roman", language)(4)) == ("12", "iv")


class TestLists:
    NESTED = (
        ResolvedItem("one", (ResolvedItem("inner", (ResolvedItem("deep"),)), ResolvedItem("next"))),
        ResolvedItem("two"),
    )

    def marks(self, section: ResolvedList) -> list[str]:
        found = lines(laid_out(section), "li")
        return [line.text for line in found if line.runs[0].color == "#1f4b73"]

    def test_bullets_by_level(self) -> None:
        assert self.marks(ResolvedList(self.NESTED, False)) == ["•", "–", "▪", "–", "•"]

    def test_numbers_by_level(self) -> None:
        assert self.marks(ResolvedList(self.NESTED, True)) == ["1.", "a.", "i.", "b.", "2."]
        assert self.marks(ResolvedList(self.NESTED, True, "roman", 3)) == ["iii.", "1.", "a.", "2.", "iv."]

    def test_clauses_go_on_from_the_number_above(self) -> None:
        clauses = ResolvedList((*self.NESTED, *self.NESTED[:1]), True, "outline", 9)
        expected = ["9.", "9.1", "9.1.1", "9.2", "10.", "11.", "11.1", "11.1.1", "11.2"]
        assert self.marks(clauses) == expected
        found = lines(laid_out(clauses), "li")
        texts = [line for line in found if line.text not in expected]
        assert len({round(line.x, 3) for line in texts if line.text == "deep"}) == 1

    def test_texts_hang_and_numbers_end_at_one_place(self) -> None:
        items = tuple(ResolvedItem("word " * 40) for _ in range(12))
        found = lines(laid_out(ResolvedList(items, True)), "li")
        marks = [line for line in found if line.runs[0].color == "#1f4b73"]
        texts = [line for line in found if line not in marks]
        assert len({round(line.x, 3) for line in texts}) == 1
        assert len({round(mark.x + mark.width, 3) for mark in marks}) == 1
        assert min(mark.x for mark in marks) == pytest.approx(LEFT)

    def test_small_print(self) -> None:
        items = tuple(ResolvedItem("word " * 40) for _ in range(3))
        usual, small = (lines(laid_out(ResolvedList(items, True, size=size)), "li") for size in (None, 5.0))
        assert {line.runs[0].size for line in small} == {5.0}
        assert {line.runs[0].size for line in usual} == {10}
        assert len(small) < len(usual)
        # Marks, gaps and all: the page in half its size.
        texts = [next(line for line in found if line.text.startswith("word")) for found in (usual, small)]
        assert texts[0].x - LEFT == pytest.approx(2 * (texts[1].x - LEFT))

    def test_a_mark_stays_with_its_text(self) -> None:
        items = tuple(ResolvedItem("word " * 60) for _ in range(40))
        for sheet in laid_out(ResolvedList(items, False)):
            found = lines([sheet], "li")
            heights = {round(line.y, 3) for line in found if line.runs[0].color != "#1f4b73"}
            assert all(round(line.y, 3) in heights for line in found)

    @pytest.mark.parametrize("before", range(4))
    def test_a_mark_goes_to_the_next_page_with_a_text_of_three_lines(self, before: int) -> None:
        items = tuple(ResolvedItem("word " * 45) for _ in range(40))
        for sheet in laid_out(text("before\n" * before), ResolvedList(items, False)):
            found = [line.runs[0].color == "#1f4b73" for line in lines([sheet], "li")]
            assert found == [True, False, False, False] * (len(found) // 4)

    @pytest.mark.parametrize("before", range(36, 54))
    def test_no_short_item_stands_alone_on_a_page(self, before: int) -> None:
        sheets = laid_out(text("before\n" * before), ResolvedList([ResolvedItem("word")] * 7, False))
        counts = [len(lines([sheet], "li")) // 2 for sheet in sheets]
        assert sum(counts) == 7
        assert 1 not in counts

    def test_deep_ones_keep_room_for_their_text(self) -> None:
        item = ResolvedItem("bottom words")
        for _ in range(120):
            item = ResolvedItem("word", (item,))
        found = lines(laid_out(ResolvedList((item,), False)), "li")
        assert max(line.x + line.width for line in found) <= RIGHT + 0.01

    def test_right_to_left(self) -> None:
        found = lines(laid_out(ResolvedList((ResolvedItem("שלום"),), False)), "li")
        mark, line = found
        assert mark.x > line.x + line.width > RIGHT - 30

    def test_letters_and_roman_numbers(self) -> None:
        assert [alpha(n) for n in (0, 1, 26, 27, 52, 703)] == ["0", "a", "z", "aa", "az", "aaa"]
        assert [roman(n) for n in (0, 4, 9, 1994, 4000)] == ["0", "iv", "ix", "mcmxciv", "4000"]


def pair(label: Any, value: Any, strong: bool = False) -> ResolvedPair:
    return ResolvedPair(label, value, strong)


class TestPairs:
    PAIRS = (pair("Net", "1,234.00"), pair("VAT 20 %", "246.80"), pair("Total", "1,480.80", True))

    def test_labels_and_values_share_baselines(self) -> None:
        pages = laid_out(ResolvedKeyValue(self.PAIRS, 1, "left", None))
        labels, values = lines(pages, "label"), lines(pages, "value")
        assert [line.y for line in labels] == [line.y for line in values]
        assert len({line.x for line in values}) == 1

    def test_a_totals_block_is_flush_right_with_rules(self) -> None:
        pages = laid_out(ResolvedKeyValue(self.PAIRS, 1, "right", None))
        ends = {round(line.x + line.width, 2) for line in lines(pages, "value")}
        assert ends == {round(RIGHT - 5, 2)}
        rules = [item for item in pages[0].items if isinstance(item, Rules)]
        assert [rule.thickness for rule in rules] == [0.5, 0.9]

    def test_a_size_of_their_own(self) -> None:
        pages = laid_out(ResolvedKeyValue(self.PAIRS, 1, "left", None, 6.0))
        assert {line.runs[0].size for line in lines(pages, "value")} == {6.0}
        totals = lines(laid_out(ResolvedKeyValue(self.PAIRS, 1, "right", None, 6.0)), "value")
        sizes = [line.runs[0].size for line in totals]
        assert sizes == pytest.approx([6.0, 6.0, 6.0 * 1.15 / 0.95])

    def test_centred_on_the_gutter(self) -> None:
        pages = laid_out(ResolvedKeyValue(self.PAIRS, 1, "center", None))
        assert len({round(line.x + line.width, 2) for line in lines(pages, "label")}) == 1
        assert len({round(line.x, 2) for line in lines(pages, "value")}) == 1

    def test_columns(self) -> None:
        pages = laid_out(ResolvedKeyValue(self.PAIRS + self.PAIRS[:1], 2, "left", None))
        first, second, third, fourth = lines(pages, "label")
        assert first.y == second.y > third.y == fourth.y
        assert first.x == third.x < second.x == fourth.x

    def test_label_width(self) -> None:
        pages = laid_out(ResolvedKeyValue(self.PAIRS, 1, "left", 50))
        (x,) = {line.x for line in lines(pages, "value")}
        assert x == pytest.approx(LEFT + 50 * 72 / 25.4 + 14)

    @pytest.mark.parametrize("align", ["left", "center", "right"])
    @pytest.mark.parametrize("value", ["👩‍👩‍👧‍👦", "漢字かな", "Total"])
    def test_a_wide_label_leaves_room_for_any_sign(self, align: Any, value: str) -> None:
        pages = laid_out(ResolvedKeyValue((pair("Label", value, True),), 1, align, 500))
        assert "".join(line.text for line in lines(pages, "value")).replace("-", "") == value
        assert max(line.x + line.width for line in lines(pages, "value")) <= RIGHT

    @pytest.mark.parametrize("align", ["left", "center", "right"])
    @pytest.mark.parametrize("width", [10, 12, 14, 16, 20])
    def test_pairs_stay_in_a_narrow_column(self, align: Any, width: float) -> None:
        pairs = ResolvedKeyValue((*self.PAIRS, pair("漢字", "かな", True)), 1, align, None)
        narrow = ResolvedColumns([ResolvedColumnOfSections([pairs], width)], 0)
        pages = laid_out(narrow)
        found = [*lines(pages, "label"), *lines(pages, "value")]
        assert max(line.x + line.width for line in found) <= LEFT + width * 72 / 25.4
        assert not any(overlapping(sheet) for sheet in pages)

    def test_long_values_wrap_and_tall_rows_flow_on(self) -> None:
        pages = laid_out(ResolvedKeyValue((pair("Label", "word " * 4000),), 1, "left", None))
        assert len(pages) > 2
        assert sum(line.text.count("word") for line in lines(pages, "value")) == 4000

    def test_a_balance_does_not_stand_alone(self) -> None:
        filler = text("\n".join(["x"] * 50))
        pages = laid_out(filler, ResolvedKeyValue(self.PAIRS, 1, "right", None))
        assert len(lines(pages[1:], "label")) == 3


@cases(40)
@given(
    st.lists(
        st.one_of(
            st.builds(text, st.text(max_size=60), st.sampled_from(["left", "justify", "center"])),
            st.builds(ResolvedHeading, st.text(max_size=40), st.integers(1, 6), st.just("left")),
            st.builds(
                ResolvedList,
                st.lists(st.builds(ResolvedItem, st.text(max_size=40)), max_size=4),
                st.booleans(),
                st.sampled_from(["decimal", "alpha", "roman", "outline"]),
                st.integers(0, 5000),
            ),
            st.builds(
                ResolvedKeyValue,
                st.lists(st.builds(pair, st.text(max_size=30), st.text(max_size=60)), max_size=5),
                st.integers(1, 4),
                st.sampled_from(["left", "center", "right"]),
                st.none() | st.floats(1, 200),
            ),
        ),
        max_size=6,
    ),
    st.sampled_from([210.0, 60.0]),
)
def test_nothing_is_outside_of_its_page(sections: list[Any], width: float) -> None:
    pages = laid_out(*sections, on=page(width=width, height=80, margin=15))
    for sheet in pages:
        for item in walked(sheet.items):
            if isinstance(item, TextLine):
                assert 0 <= item.y <= sheet.height
                assert item.x >= -0.01
                assert item.x + item.width <= sheet.width + 0.01
