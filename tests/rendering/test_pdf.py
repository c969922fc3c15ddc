"""PDF: checked by its text, page by page, and by what it holds."""

from __future__ import annotations

import io
import threading
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from rendering.formats import RENDERERS
from rendering.formats.base import LimitExceeded, RenderError
from rendering.formats.pdf.layout.document import pages_of as laid
from rendering.formats.pdf.layout.kinds import KINDS
from templates_app.resolved import (
    PAGE_COUNT,
    PAGE_NUMBER,
    ImageFile,
    ResolvedBand,
    ResolvedDivider,
    ResolvedDocument,
    ResolvedImage,
    ResolvedItem,
    ResolvedKeyValue,
    ResolvedList,
    ResolvedPageBreak,
    ResolvedPair,
    ResolvedSection,
    ResolvedSpacer,
    ResolvedText,
    Span,
)
from tests.cases import cases
from tests.rendering.geometry import boxes
from tests.rendering.resolved import document, heading, image_file, limits, page, rendered, text
from tests.rendering.tables import column, table


def read(wanted: ResolvedDocument) -> PdfReader:
    return PdfReader(io.BytesIO(rendered(wanted)))


def pages_of(wanted: ResolvedDocument) -> list[str]:
    return [sheet.extract_text() for sheet in read(wanted).pages]


def listed(items: list[str], ordered: bool) -> ResolvedList:
    return ResolvedList([ResolvedItem(item) for item in items], ordered)


def pairs(count: int, *, strong: bool = False) -> list[ResolvedPair]:
    return [ResolvedPair(f"Label {n}", f"Value {n}", strong) for n in range(count)]


class TestSections:
    def test_it_draws_every_kind(self) -> None:
        sections = [
            heading("Title of it"),
            text("Dear Ms. Özdemir,\n\nthank you."),
            ResolvedKeyValue(pairs(3), 2, "left", None),
            ResolvedKeyValue(pairs(2, strong=True), 1, "right", None),
            ResolvedKeyValue(pairs(2), 1, "center", 20),
            listed(["One", "Two"], False),
            listed(["First", "Second"], True),
            ResolvedDivider(0.5, "#cccccc"),
            ResolvedSpacer(10),
            ResolvedImage(image_file(), 30, None, "center", "a picture"),
            table(["Head"], [["Cell"]], title="Caption"),
            ResolvedPageBreak(),
            text("Last"),
        ]
        assert {section.kind for section in sections} <= set(KINDS)
        first, second = pages_of(document(*sections))
        for part in ("Title of it", "Özdemir", "Value 2", "•", "2.", "Second", "Caption", "Head", "Cell"):
            assert part in first
        assert second.strip() == "Last"

    @pytest.mark.parametrize("level", range(1, 7))
    def test_headings_of_every_level_are_in_the_outline(self, level: int) -> None:
        assert [entry.title for entry in read(document(heading("A  title", level), text("x"))).outline] == [
            "A title"
        ]

    def test_outline_leads_to_the_page_of_the_heading(self) -> None:
        reader = read(document(heading("One"), text("x"), ResolvedPageBreak(), heading("Two", 3), text("y")))
        one, nested = reader.outline
        assert reader.get_destination_page_number(one) == 0
        assert reader.get_destination_page_number(nested[0]) == 1

    def test_heading_stays_with_what_follows(self) -> None:
        first, second = pages_of(document(ResolvedSpacer(248), heading("Held", 2), text("Follows")))
        assert "Held" not in first
        assert "Held" in second
        assert "Follows" in second

    def test_heading_at_the_very_end_is_drawn(self) -> None:
        assert "Alone" in pages_of(document(text("x"), heading("Alone")))[0]

    def test_more_headings_than_a_page_holds(self) -> None:
        found = "".join(pages_of(document(*(heading(f"H{n};") for n in range(60)))))
        assert [found.count(f"H{n};") for n in range(60)] == [1] * 60

    def test_heading_longer_than_a_page(self) -> None:
        words = [f"w{n}" for n in range(3000)]
        assert " ".join(pages_of(document(heading(" ".join(words))))).split() == words

    def test_text_flows_over_pages_and_keeps_every_word(self) -> None:
        words = [f"word{n}" for n in range(4000)]
        found = pages_of(document(text(" ".join(words), align="justify")))
        assert len(found) > 2
        assert " ".join(found).split() == words

    def test_newlines_are_kept(self) -> None:
        assert pages_of(document(text("one\ntwo\r\nthree")))[0].split("\n")[:3] == ["one", "two", "three"]

    def test_last_line_of_a_text_is_not_alone_on_a_page(self) -> None:
        lines = "\n".join(f"line{n}" for n in range(60))
        pages = [found.split() for found in pages_of(document(text(lines, size=10), on=page(height=120)))]
        assert len(pages[-1]) >= 2

    def test_list_over_pages(self) -> None:
        found = " ".join(pages_of(document(listed([f"item{n};" for n in range(500)], True))))
        assert all(found.count(f"item{n};") == 1 for n in range(500))

    def test_pairs_taller_than_a_page(self) -> None:
        words = " ".join(f"v{n}" for n in range(3000))
        found = " ".join(
            pages_of(document(ResolvedKeyValue([ResolvedPair("Label", words, False)], 1, "left", None)))
        )
        assert "v0 " in found
        assert "v2999" in found

    @pytest.mark.parametrize("align", ["left", "center", "right"])
    def test_pairs_with_a_very_long_label_and_word(self, align: str) -> None:
        pair = ResolvedPair("L" * 500, "V" * 500, False)
        found = "".join(pages_of(document(ResolvedKeyValue([pair, pair, pair], 3, align, 500)))).replace(
            "\n", ""
        )  # type: ignore[arg-type]
        assert found.count("L") == found.count("V") == 1500

    def test_empty_sections_leave_nothing(self) -> None:
        sections = [
            heading(""),
            text(" \n "),
            listed([], False),
            ResolvedKeyValue([], 1, "left", None),
            ResolvedImage(None, None, None, "left", ""),
            table([], []),
        ]
        assert [found.strip() for found in pages_of(document(*sections))] == [""]

    def test_no_section_makes_one_page(self) -> None:
        assert len(pages_of(document())) == 1

    def test_unknown_kind_is_left_out(self) -> None:
        class Unknown(ResolvedSection):
            kind = "unknown"

        assert len(pages_of(document(Unknown()))) == 1


class TestPageBreaks:
    def test_several_in_a_row_make_one(self) -> None:
        assert len(pages_of(document(text("a"), ResolvedPageBreak(), ResolvedPageBreak(), text("b")))) == 2

    def test_first_and_last_make_no_empty_page(self) -> None:
        assert len(pages_of(document(ResolvedPageBreak(), text("a"), ResolvedPageBreak()))) == 1

    def test_heading_before_a_break_stays_on_its_page(self) -> None:
        first, second = pages_of(document(heading("Before"), ResolvedPageBreak(), text("After")))
        assert "Before" in first
        assert "After" in second

    def test_spacer_larger_than_the_page_ends_it_once(self) -> None:
        assert len(pages_of(document(text("a"), ResolvedSpacer(900), text("b")))) == 2


class TestMarkup:
    HOSTILE = '<img src="/etc/hostname"/> <b>& &amp; <para> {{x}} \\( )'

    def test_it_is_printed_as_it_is(self) -> None:
        sections = [
            heading(self.HOSTILE, 6),
            text(self.HOSTILE),
            ResolvedKeyValue([ResolvedPair("label", self.HOSTILE, False)], 1, "left", 20),
            listed([self.HOSTILE], False),
            table(["column"], [[self.HOSTILE]], title=self.HOSTILE),
        ]
        band = ResolvedBand(self.HOSTILE, "", "")
        assert pages_of(document(*sections, on=page(header=band)))[0].count(self.HOSTILE) == 7

    def test_page_number_marks_in_data_are_not_obeyed(self) -> None:
        assert pages_of(document(text(f"a{PAGE_NUMBER}b{PAGE_COUNT}c")))[0].strip() == "abc"

    @pytest.mark.parametrize("bad", ["\x00", "\x1b", "\ud800", "\u202e", "\ufeff", "\U000e0001", "\ue005"])
    def test_controls_and_halves_do_no_harm(self, bad: str) -> None:
        found = pages_of(document(heading(bad + "h"), text(f"a{bad}b"), table([bad], [[bad], ["end"]])))[0]
        assert bad not in found
        assert "end" in found

    def test_other_scripts_are_drawn(self) -> None:
        found = pages_of(document(text("Ελληνικά Кириллица Žluťoučký kůň € №")))[0]
        assert "Ελληνικά Кириллица Žluťoučký kůň € №" in found


class TestTable:
    @cases(40)
    @given(
        heights=st.lists(st.integers(1, 40), max_size=60),
        zebra=st.booleans(),
        height=st.integers(60, 300),
        above=st.integers(0, 200),
    )
    def test_each_row_is_there_once_and_each_page_has_the_header(
        self, heights: list[int], zebra: bool, height: int, above: int
    ) -> None:
        rows = [(f"row{n};", "\n".join(["x"] * lines)) for n, lines in enumerate(heights)]
        grid = table(["Number", "Lines"], rows, zebra=zebra)
        found = pages_of(document(ResolvedSpacer(above), grid, on=page(height=height)))
        everything = "".join(found)
        assert [everything.count(f"row{n};") for n in range(len(rows))] == [1] * len(rows)
        assert everything.count("x") == sum(heights)
        assert all("Number" in sheet for sheet in found if sheet.strip())

    def test_rows_keep_their_order(self) -> None:
        found = " ".join(pages_of(document(table(["A"], [(f"r{n};",) for n in range(500)]))))
        assert [part for part in found.split() if part.startswith("r")] == [f"r{n};" for n in range(500)]

    def test_no_rows(self) -> None:
        found = pages_of(document(table(["A", "B"], [], empty_text="No entries.")))[0]
        assert "A" in found
        assert "No entries." in found

    def test_no_headers(self) -> None:
        assert pages_of(document(table(["", ""], [["a", "b"]])))[0].split() == ["a", "b"]

    def test_two_hundred_columns(self) -> None:
        grid = table([f"Column {n}" for n in range(200)], [[f"v{n}" for n in range(200)]] * 30)
        assert "v" in "".join(pages_of(document(grid)))

    @pytest.mark.parametrize("width", [2000.0, "100%", "1%", 1.0])
    def test_wishes_that_cannot_be_met(self, width: float | str) -> None:
        grid = table([column("Head", width=width)] * 30, [["word word"] * 30] * 3)
        assert len(pages_of(document(grid))) >= 1

    def test_a_word_of_ten_thousand_letters(self) -> None:
        found = "".join(pages_of(document(table(["H", "K"], [["w" * 10_000, "k"]]), text("t" * 10_000))))
        assert found.count("w") == 10_000
        assert found.count("t") == 10_000

    def test_a_cell_taller_than_three_pages(self) -> None:
        cell = "\n".join(f"line{n};" for n in range(250))
        found = pages_of(
            document(table(["Head", "Other"], [["before", ""], [cell, "beside"], ["after", ""]]))
        )
        assert len(found) > 3
        assert all("Head" in sheet for sheet in found)
        assert [part for part in " ".join(found).split() if part.startswith("line")] == cell.split("\n")

    def test_a_header_taller_than_the_page(self) -> None:
        found = "".join(pages_of(document(table(["head " * 5000], [["row1;"], ["row2;"]]))))
        assert "row1;" in found
        assert "row2;" in found

    def test_type_larger_than_the_page(self) -> None:
        small = page(width=60, height=30, margin=5)
        grid = table(["H"], [["a"], ["b"]], size=40)
        assert len(pages_of(document(grid, text("big", size=200), on=small))) < 20

    def test_cells_are_written_by_their_format(self) -> None:
        money = column("Money", align="right", helper="currency", argument="EUR")
        day = column("Day", helper="date")
        yes = column("Yes", helper="yesno")
        found = pages_of(document(table([money, day, yes], [[Decimal("1234.5"), date(2026, 11, 21), "No"]])))[
            0
        ]
        assert "€1,234.50" in found
        assert "Nov 21, 2026" in found
        assert "No" in found
        assert "Yes" in found.split("\n")[0]


class TestBands:
    def test_page_numbers(self) -> None:
        footer = ResolvedBand("Left", f"{PAGE_NUMBER}", f"Page {PAGE_NUMBER} of {PAGE_COUNT}")
        found = pages_of(document(table(["A"], [["x"]] * 200), on=page(footer=footer)))
        count = len(found)
        assert count > 3
        for number, sheet in enumerate(found, start=1):
            assert f"Page {number} of {count}" in sheet
            assert "Left" in sheet

    def test_long_text_ends_in_an_ellipsis(self) -> None:
        header = ResolvedBand("long " * 100, "Center", "Right")
        found = pages_of(document(text("x"), on=page(header=header)))[0]
        assert "…" in found
        assert "Center" in found
        assert "Right" in found

    def test_line_ends_are_blanks_with_marks_and_without(self) -> None:
        words = "one\r\ntwo\u2028three"
        header = ResolvedBand(words, "", (Span(words, bold=True),))
        assert pages_of(document(text("x"), on=page(header=header)))[0].count("one two three") == 2

    @pytest.mark.parametrize(("height", "count"), [(None, 1), (5, 1), (200, 2)])
    def test_sections_take_at_least_their_height(self, height: float | None, count: int) -> None:
        header = ResolvedBand(sections=[text("Band")], height=height)
        assert len(pages_of(document(ResolvedSpacer(100), text("x"), on=page(header=header)))) == count

    @pytest.mark.parametrize("margin", [0, 3, 5, 8, 20])
    def test_lines_stand_clear_of_the_content(self, margin: float) -> None:
        band = ResolvedBand("Band", "", "")
        made = document(text("\n".join(["x"] * 100)), on=page(margin=margin, header=band, footer=band))
        first, *_ = laid(made, limits())
        found = [box for box in boxes(first.items) if box.text]
        header, footer = sorted((box for box in found if box.text == "Band"), key=lambda box: -box.top)
        body = [box for box in found if box.text == "x"]
        assert header.bottom - max(box.top for box in body) > 6
        assert min(box.bottom for box in body) - footer.top > 6

    def test_no_margin(self) -> None:
        band = ResolvedBand("Band", "", "")
        assert (
            pages_of(document(text("x"), on=page(margin=0, header=band, footer=band)))[0].count("Band") == 2
        )


class TestImages:
    @pytest.mark.parametrize(
        ("mode", "kind"),
        [
            *((mode, "PNG") for mode in ("RGB", "RGBA", "LA", "L", "P", "1", "I;16")),
            *((mode, "JPEG") for mode in ("RGB", "L", "CMYK")),
        ],
    )
    def test_every_mode(self, mode: str, kind: str) -> None:
        picture = ResolvedImage(image_file(mode, kind), None, None, "left", "")
        reader = read(document(picture))
        assert len(reader.pages) == 1
        assert reader.pages[0]["/Resources"]["/XObject"]

    @pytest.mark.parametrize(
        ("width", "height"), [(5000.0, None), (None, 5000.0), (2500.0, 5000.0), (None, None)]
    )
    def test_larger_than_the_page_is_scaled(self, width: float | None, height: float | None) -> None:
        picture = ResolvedImage(image_file(size=(600, 1200)), width, height, "right", "")
        assert len(pages_of(document(heading("H"), picture))) == 2

    def test_same_picture_is_stored_once(self) -> None:
        noise = ImageFile(**{name: getattr(image_file("L"), name) for name in ImageFile.__slots__})
        once = len(rendered(document(ResolvedImage(noise, 20, None, "left", ""))))
        often = len(rendered(document(*[ResolvedImage(noise, 20, None, "left", "")] * 20)))
        assert often < once + 800

    def test_broken_picture(self) -> None:
        broken = ImageFile(b"not a picture", "image/png", 10, 10)
        with pytest.raises(RenderError, match="Image cannot be read"):
            rendered(document(ResolvedImage(broken, None, None, "left", "")))


class TestLimits:
    def test_pages(self) -> None:
        with pytest.raises(LimitExceeded, match=r"more than 3 pages \(MAX_PAGES\)"):
            rendered(document(table(["A"], [["x"]] * 1000)), within=limits(pages=3))

    def test_as_many_as_allowed(self) -> None:
        wanted = document(text("a"), ResolvedPageBreak(), text("b"))
        assert rendered(wanted, within=limits(pages=2))

    def test_time(self) -> None:
        with pytest.raises(LimitExceeded, match="RENDER_TIMEOUT"):
            rendered(document(table(["A"], [["x"]] * 1000)), within=limits(seconds=-1))

    @pytest.mark.parametrize(
        "wanted", [page(margin=105), page(margin=148.5), page(width=40), page(height=45)]
    )
    def test_margins_that_leave_nothing(self, wanted: object) -> None:
        with pytest.raises(RenderError, match="Page margins leave no room for content"):
            rendered(document(text("x"), on=wanted))  # type: ignore[arg-type]


class TestFile:
    SECTIONS = (
        heading("H"),
        text("Grüße €"),
        ResolvedText("b", "left", 10, True, True, "#ff0000"),
        table(["A"], [["x"]] * 90),
        ResolvedImage(image_file("RGBA"), 10, None, "left", ""),
    )

    def test_same_input_gives_the_same_bytes(self) -> None:
        assert rendered(document(*self.SECTIONS)) == rendered(document(*self.SECTIONS))

    def test_also_from_several_threads(self) -> None:
        expected = rendered(document(*self.SECTIONS))
        results: list[bytes] = []
        threads = [
            threading.Thread(target=lambda: results.append(rendered(document(*self.SECTIONS))))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert results == [expected] * 8

    def test_metadata(self) -> None:
        reader = read(document(*self.SECTIONS, title="Rechnung (1)\n№ 7"))
        assert reader.metadata is not None
        assert reader.metadata.title == "Rechnung (1) № 7"
        assert reader.metadata.creation_date is not None
        assert reader.metadata.creation_date.isoformat() == "2026-11-21T09:30:00+00:00"
        assert reader.trailer["/Root"]["/Lang"] == "en"

    def test_fonts_are_embedded(self) -> None:
        for sheet in read(document(*self.SECTIONS)).pages:
            for font in sheet["/Resources"]["/Font"].values():
                assert "SourceSans3" in font.get_object()["/BaseFont"]
                assert "/FontFile2" in font.get_object()["/FontDescriptor"]

    def test_pages_are_compressed(self) -> None:
        for content in read(document(*self.SECTIONS)).pages[0]["/Contents"]:
            assert content.get_object()["/Filter"] == "/FlateDecode"

    def test_paper(self) -> None:
        box = read(document(text("x"), on=page(width=297, height=210))).pages[0].mediabox
        assert (float(box.width), float(box.height)) == (
            pytest.approx(841.89, abs=0.01),
            pytest.approx(595.28, abs=0.01),
        )

    def test_registry(self) -> None:
        assert list(RENDERERS) == ["pdf", "xlsx"]
        assert RENDERERS["pdf"].content_type == "application/pdf"
        RENDERERS["pdf"].check([])
