"""Pairs, lists, columns and signatures: what stands where. The layout is looked at, no file is written."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader

from rendering.formats import RENDERERS
from rendering.formats.pdf.layout.document import pages_of
from rendering.formats.pdf.layout.items import (
    Group,
    Item,
    Language,
    Link,
    Page,
    Rect,
    Rules,
    TextBlock,
    TextLine,
)
from templates_app.resolved import (
    Frame,
    ResolvedBox,
    ResolvedColumnOfSections,
    ResolvedColumns,
    ResolvedContents,
    ResolvedHeading,
    ResolvedItem,
    ResolvedKeyValue,
    ResolvedLanguage,
    ResolvedList,
    ResolvedPageBreak,
    ResolvedPair,
    ResolvedSignature,
    ResolvedSigner,
)
from tests.rendering.geometry import Box, boxes, outside, overlapping
from tests.rendering.resolved import beside, document, heading, limits, text

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
        lengths = (2500, 20, 900)
        values = [f"V{number} " + f"word{number} " * length for number, length in enumerate(lengths)]
        pairs = [ResolvedPair(f"L{number}", value, False) for number, value in enumerate(values)]
        pages = laid(text("before"), ResolvedKeyValue(pairs, 3, "left", None), text("behind"))
        assert len(pages) > 2
        begun = [found(pages[:1], name) for name in ("L0", "V0", "L1", "V1", "L2", "V2")]
        assert {round(box.bottom, 2) for box in begun} == {round(begun[0].bottom, 2)}
        said = " ".join(box.text for page in pages for box in boxes(page.items))
        assert [said.count(f"word{n}") for n in range(3)] == list(lengths)
        assert found(pages[-1:], "behind")

    @pytest.mark.parametrize("align", ["left", "center", "right"])
    def test_words_stay_whole_in_fewer_columns(self, align: Any) -> None:
        """Four columns would tear words that two have room for."""
        names = ("Rechnungsnummer", "Leistungszeitraum", "Ansprechpartner", "Kundennummer")
        pairs = [ResolvedPair(name, f"Hinterleitner{number}", False) for number, name in enumerate(names)]
        pages = laid(ResolvedKeyValue(pairs, 4, align, None), language="de")
        places = [found(pages, name) for name in names]
        assert places[0].bottom == places[1].bottom > places[2].bottom == places[3].bottom
        assert [found(pages, f"Hinterleitner{number}").text for number in range(4)]

    def test_an_address_may_be_broken_behind_its_signs(self) -> None:
        address = "johanna.hinterleitner@example.com"
        pages = laid(
            ResolvedKeyValue([ResolvedPair(f"Name{n}", address, False) for n in (1, 2, 3)], 3, "left", None)
        )
        assert found(pages, "Name1").bottom == found(pages, "Name2").bottom
        assert found(pages, "johanna").text.endswith("@")

    def test_labels_keep_their_words_at_the_cost_of_values(self) -> None:
        label, value = "Sicherheitsbestimmungen", "eins zwei drei vier fünf sechs sieben acht"
        pairs = ResolvedKeyValue([ResolvedPair(label, value, False)], 1, "left", None)
        columns = [ResolvedColumnOfSections([pairs], width) for width in (55.0, None)]
        pages = laid(ResolvedColumns(columns, 6), language="de")
        assert found(pages, "Sicher").text == label
        assert found(pages, "eins").text != value


class TestSignatures:
    @pytest.mark.parametrize(("columns", "signers"), [(2, 1), (4, 1), (1, 2), (2, 2), (2, 3), (4, 3)])
    def test_a_line_alone_is_as_long_as_one_of_two(self, columns: int, signers: int) -> None:
        some = [ResolvedSigner(f"Ann{number}", "") for number in range(signers)]
        (page,) = laid(ResolvedSignature(some, columns, 20))
        lines = [line for item in page.items if isinstance(item, Rules) for line in item.lines]
        beside = max(min(columns, signers), 2)
        width = (RIGHT - LEFT - (beside - 1) * 6 * 72 / 25.4) / beside
        assert [right - left for left, _, right, _ in lines] == pytest.approx([width] * signers)

    def test_in_a_narrow_column_it_takes_all(self) -> None:
        signature = ResolvedSignature([ResolvedSigner("Ann", "")], 2, 20)
        (page,) = laid(ResolvedColumns([ResolvedColumnOfSections([signature], None)] * 2, 6))
        widths = [box.right - box.left for box in boxes(page.items) if box.top == box.bottom]
        assert widths == pytest.approx([(RIGHT - LEFT - 6 * 72 / 25.4) / 2] * 2)


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
        assert found(pages, "inner").right < found(pages, "item").right < found(pages, ".1").left

    @pytest.mark.parametrize("content", ["words", "كلمات"])
    @pytest.mark.parametrize(("language", "place"), [("ar", LEFT), ("en", RIGHT)])
    def test_texts_may_stand_where_lines_end(self, language: str, place: float, content: str) -> None:
        made = text(content, align="end"), ResolvedHeading(content, 1, "end")
        drawn = [box for box in boxes(laid(*made, language=language)[0].items) if box.text]
        assert len(drawn) == 2
        for box in drawn:
            assert (box.left if place == LEFT else box.right) == pytest.approx(place, abs=0.1)

    def test_numbers_of_headings_are_beside_the_first_line(self) -> None:
        numbered = ResolvedHeading("Head " * 40, 1, "left", "1.2")
        box = found(laid(numbered, language="he"), "1.2")
        assert box.right == pytest.approx(RIGHT, abs=0.1)
        assert found(laid(numbered, language="he"), "Head").right < box.left

    def test_a_table_of_contents_has_its_pages_at_the_left(self) -> None:
        heads = [ResolvedHeading("ראשון", 1, "left", "1"), ResolvedHeading("ACME שני", 2, "left", "1.1")]
        pages = laid(ResolvedContents("", 3), ResolvedPageBreak(), *heads, language="he")
        toc = [box for box in boxes(pages[0].items) if box.role == "toc"]
        marks, titles, numbers = toc[::3], toc[1::3], toc[2::3]
        assert [box.text for box in (*marks, *numbers)] == ["1", "1.1", "2", "2"]
        assert [box.left for box in numbers] == pytest.approx([LEFT] * 2, abs=0.1)
        assert marks[0].right == pytest.approx(RIGHT, abs=0.1)
        assert marks[1].right == pytest.approx(titles[0].right, abs=0.1)
        leaders = [box for box in boxes(pages[0].items) if box.role == "artifact"]
        for number, leader, title, mark in zip(numbers, leaders, titles, marks, strict=True):
            assert number.right < leader.left < leader.right < title.left < title.right < mark.left
        links = [item for item in pages[0].items if isinstance(item, Link)]
        assert [(link.target, round(link.x - LEFT)) for link in links] == [("#h1", 0), ("#h2", 0)]

    def test_a_long_number_comes_before_latin_letters_too(self) -> None:
        number = ".".join(["12"] * 30)
        title = ResolvedHeading("ACME שני", 1, "left", number)
        columns = [
            ResolvedColumnOfSections([ResolvedContents("", 3)], 50),
            ResolvedColumnOfSections([title], 50),
        ]
        for page in laid(ResolvedColumns(columns, 6), language="he"):
            drawn = [box for box in boxes(page.items) if box.role in {"toc", "h1"}]
            first = next(box for box in drawn if "12.12" in box.text)
            assert "ACME" not in first.text

    def test_the_accent_of_a_frame_and_names_that_sign(self) -> None:
        box = ResolvedBox([text("inside")], Frame("#eeeeee", accent="#112233", padding=2, radius=2), False)
        pages = laid(
            box, ResolvedSignature([ResolvedSigner("Ann", "Boss", None, "2026")], 1, 20), language="ar"
        )
        (accent,) = [item for item in pages[0].items if isinstance(item, Rect) and item.fill == "#112233"]
        assert accent.x + accent.width == pytest.approx(RIGHT, abs=0.1)
        (ground,) = [item for item in pages[0].items if isinstance(item, Rect) and item.fill == "#eeeeee"]
        assert ground.square == "right", "no corner is missing beside the accent"
        assert found(pages, "inside").right < accent.x
        assert found(pages, "Ann").right == found(pages, "Boss").right == pytest.approx(RIGHT, abs=0.1)
        middle = (LEFT + RIGHT) / 2
        assert middle < found(pages, "2026").left < found(pages, "Ann").left, "a line alone takes half"


class TestBoxesBesideEachOther:
    LONG = text("many words " * 60)

    @pytest.mark.parametrize("keep", [False, True])
    def test_they_end_at_the_same_height(self, keep: bool) -> None:
        short = [text("above"), ResolvedBox([text("short")], Frame("#aaaaaa", border=1, padding=2), keep)]
        long = [ResolvedBox([self.LONG], Frame("#bbbbbb", padding=2, accent="#112233"), keep)]
        columns = [ResolvedColumnOfSections(sections, None) for sections in (short, long)]
        pages = laid(ResolvedColumns(columns, 6), text("behind"))
        one, other = (self.frame(pages, color) for color in ("#aaaaaa", "#bbbbbb"))
        assert one.bottom == pytest.approx(other.bottom, abs=0.6)
        assert one.top < other.top
        assert found(pages, "behind").top < one.bottom

    def test_only_what_ends_a_column_reaches_down(self) -> None:
        short = [ResolvedBox([text("short")], Frame("#aaaaaa"), True), text("below")]
        columns = [ResolvedColumnOfSections(sections, None) for sections in (short, [self.LONG])]
        pages = laid(ResolvedColumns(columns, 6))
        assert found(pages, "below").top < self.frame(pages, "#aaaaaa").bottom

    @staticmethod
    def frame(pages: Sequence[Page], color: str) -> Box:
        """Return the upper and lower end of the frame of a colour."""
        groups = [item for item in pages[0].items if isinstance(item, Group)]
        (place,) = [
            Box("", 0.0, group.matrix[5] + item.y, 0.0, group.matrix[5] + item.y + item.height)
            for group in groups
            for item in group.items
            if isinstance(item, Rect) and item.fill == color
        ]
        return place


def spoken(pages: Sequence[Page]) -> list[tuple[str, str]]:
    """Return each text with the languages that are marked around it, the innermost last."""
    said: list[tuple[str, str]] = []

    def walk(items: Sequence[Item], around: tuple[str, ...]) -> None:
        inside = around
        for item in items:
            match item:
                case Language(tag=""):
                    inside = inside[:-1]
                case Language():
                    inside = (*inside, item.tag)
                case Group():
                    walk(item.items, inside)
                case TextLine() if item.text.strip():
                    said.append((item.text, inside[-1] if inside else ""))
                case TextBlock():
                    said.extend((line.text, inside[-1] if inside else "") for line in item.lines())
        assert inside == around, "each mark ends on its page"

    for page in pages:
        walk(page.items, ())
    return said


class TestLanguages:
    WORD = "Unterauftragsverarbeiter"

    def test_words_are_divided_as_their_language_does(self) -> None:
        narrow = [ResolvedColumnOfSections([each], 20) for each in (text(self.WORD), de(text(self.WORD)))]
        english, german = (
            [line for line, language in spoken(laid(ResolvedColumns(narrow, 6))) if language == wanted]
            for wanted in ("", "de")
        )
        assert "".join(english).replace("-", "") == "".join(german).replace("-", "") == self.WORD
        assert english != german
        alone = spoken(laid(ResolvedColumns(narrow[:1], 6), language="de"))
        assert [line for line, _ in alone] == german

    def test_what_is_inside_has_the_language_until_it_has_its_own(self) -> None:
        inner = ResolvedBox(
            [text("zwei"), ResolvedLanguage(text("three"), "en"), text("vier")], Frame(), True
        )
        pages = laid(text("one"), de(inner), text("five"))
        assert spoken(pages) == [("one", ""), ("zwei", "de"), ("three", "en"), ("vier", "de"), ("five", "")]

    def test_the_language_of_the_document_is_not_marked(self) -> None:
        assert spoken(laid(de(text("eins")), language="de")) == [("eins", "")]
        assert not any(isinstance(item, Language) for item in laid(de(text("eins")), language="de")[0].items)

    def test_a_heading_that_waits_keeps_its_language(self) -> None:
        pages = laid(de(heading("Kopf")), text("body"), heading("Head"), de(text("Text")))
        assert spoken(pages) == [("Kopf", "de"), ("body", ""), ("Head", "en"), ("Text", "de")]

    def test_over_pages_in_columns_and_frames(self) -> None:
        long = text("\n".join(f"Zeile {number}" for number in range(150)))
        columns = [ResolvedColumnOfSections([each], None) for each in (long, de(long))]
        for section in (
            ResolvedColumns(columns, 6),
            de(long),
            ResolvedBox([de(long)], Frame(border=1), False),
        ):
            pages = laid(section, text("behind"))
            said = spoken(pages)
            assert len(pages) > 2
            assert sum(language == "de" for _, language in said) == 150
            assert ("behind", "") in said
        said = spoken(laid(de(ResolvedColumns(columns, 6)), text("behind")))
        assert [language for _, language in said] == ["de"] * 300 + [""]

    def test_a_part_from_right_to_left_is_mirrored_alone(self) -> None:
        pairs = ResolvedKeyValue([PLAIN], 1, "left", None)
        pages = laid(pairs, ResolvedLanguage(ResolvedKeyValue([STRONG], 1, "left", None), "ar"), text("end"))
        assert found(pages, "Label").left == found(pages, "end").left == pytest.approx(LEFT, abs=0.1)
        assert found(pages, "Strong").right == pytest.approx(RIGHT, abs=0.1)

    def test_entries_of_a_table_of_contents_have_those_of_their_headings(self) -> None:
        pages = laid(ResolvedContents("", 3), de(heading("Kopf")), heading("Head"))
        toc = [entry for entry in spoken(pages)[:4] if not entry[0].isdigit()][:2]
        assert toc == [("Kopf", "de"), ("Head", "")]

    def test_both_halves_note_the_same_fonts(self) -> None:
        wanted = document(text("one"), de(text("zwei")), ResolvedLanguage(text("直"), "ja"), text("直"))
        out = BytesIO()
        RENDERERS["pdf"].render(wanted, out, limits())
        (page,) = PdfReader(out).pages
        names = {str(font["/BaseFont"]).rpartition("+")[2] for font in page["/Resources"]["/Font"].values()}
        assert names == {"SourceSans3-Regular", "NotoSansJP-Regular", "DroidSansFallback"}
        code = page.get_contents().get_data().decode("latin-1")
        assert code.count("/Span<</Lang(de)>>BDC") == code.count("/Span<</Lang(ja)>>BDC") == 1


def de(section: Any) -> ResolvedLanguage:
    return ResolvedLanguage(section, "de")


def test_signatures_stand_where_columns_do() -> None:
    columns = beside(text("one"), text("two"))
    signers = [ResolvedSigner(name, "") for name in ("Ann", "Bob")]
    pages = laid(columns, ResolvedSignature(signers, 2, 20))
    assert found(pages, "Bob").left == pytest.approx(found(pages, "two").left, abs=0.01)


class TestColumnsOverPages:
    LINES = text("\n".join(f"Line {number}" for number in range(120)))

    @pytest.mark.parametrize(
        "first",
        [
            [heading("Head"), ResolvedBox([text("one\ntwo\nthree\nfour\nfive")], Frame(padding=4), True)],
            [ResolvedLanguage(heading("Head"), "de"), heading("Head", 2), text("one\ntwo\nthree")],
            [beside(ResolvedBox([text("\n".join("123456789"))], Frame(padding=4), True), LINES)],
        ],
    )
    def test_all_begin_on_the_page_where_there_is_room_for_the_first_blocks_of_all(self, first: Any) -> None:
        for before in range(40, 52):
            columns = ResolvedColumns(
                [ResolvedColumnOfSections(each, None) for each in ([*first, self.LINES], [self.LINES])], 6
            )
            pages = laid(text("\n".join("before" for _ in range(before))), columns)
            one, other = "Line 0" in _words(pages[0]), "Head" in _words(pages[0]) or "1" in _words(pages[0])
            assert one == other

    def test_what_is_tried_leaves_no_trace(self) -> None:
        columns = beside(ResolvedColumns([], 6), self.LINES)
        headed = ResolvedColumns(
            [ResolvedColumnOfSections([heading("Head"), self.LINES], None) for _ in range(2)], 6
        )
        pages = laid(columns, headed, ResolvedContents("", 2))
        assert [text for page in pages for text in _words(page)].count("Head") == 4


def _words(page: Page) -> list[str]:
    return [box.text for box in boxes(page.items)]
