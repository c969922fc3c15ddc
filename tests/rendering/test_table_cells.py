"""Tables in PDF, cell by cell: widths, what does not fit, looks, images, scripts. No file is written."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rendering.formats.pdf.layout.items import Link, Path, Picture, Rects, TextBlock, TextLine
from rendering.formats.pdf.layout.tables.columns import Wish, column_widths
from rendering.formats.pdf.layout.tables.wrapping import cut, wrapped
from rendering.formats.pdf.typeset.style import TextStyle
from rendering.formats.pdf.typeset.typesetter import Typesetter
from templates_app.expressions.helpers import Format, Style
from templates_app.resolved import CellStyle, ImageFile, ResolvedGroupOfRows, Span, Theme
from tests.cases import cases
from tests.rendering.table_layout import (
    MARGIN,
    MONEY,
    block,
    check_apart,
    check_code,
    check_inside,
    column,
    laid,
    lines,
    table,
    texts,
)


class TestOverflow:
    def test_wrap_breaks_long_words(self) -> None:
        word = "".join(chr(97 + number % 26) for number in range(10_000))
        pages = laid(table(column("a", [word, "short"], width=30.0)))
        assert "".join(text for page in pages for text in texts(page)) == word + "short"
        check_inside(pages)

    def test_cut(self) -> None:
        made = table(
            column("a", ["short", "a text that is far too long", "漢字" * 40], width=20.0, overflow="cut")
        )
        found = texts(laid(made)[0])
        assert found[0] == "short"
        assert found[1].endswith("…")
        assert found[2].startswith("漢字")
        check_inside(laid(made))

    def test_shrink(self) -> None:
        made = table(
            column(
                "a", ["short", "a bit too long", "a text that is far too long"], width=18.0, overflow="shrink"
            )
        )
        pages = laid(made)
        sizes = [line.runs[0].size for line in lines(pages[0].items)]
        assert sorted(sizes)[-1] == 9
        assert min(sizes) >= 0.6 * 9
        assert len(texts(pages[0])) == 3
        check_inside(pages)

    def test_figures_of_neighbours_are_of_one_size(self) -> None:
        """In columns as wide as they like none is cut, and the words of the heads stay whole."""
        values = {f"Month {n}": [10.0**power, -1.5] for n, power in enumerate((1, 6, 2, 5, 1, 3, 5, 2, 4, 5))}
        figures = [column(head, made, format=MONEY, align="right") for head, made in values.items()]
        pages = laid(table(column("Plant", ["Graz", "Linz"]), *figures), width=480)
        cells = [line for line in lines(pages[0].items) if "." in line.text]
        assert len(cells) == 20
        assert not any("…" in line.text for line in cells)
        assert len({line.runs[0].size for line in cells}) == 1
        assert 5 < cells[0].runs[0].size < 9
        assert sum("Month" in text for text in texts(pages[0], "th")) == len(values)

    def test_texts_are_not_much_larger_than_figures(self) -> None:
        """A table with far too many columns is smaller as a whole; given widths are as they are wanted."""
        plants = column("Plant", ["Erneuerung der Fernwärmestation", "Graz"])
        figures = [column(f"c{n}", [123_456.78, 2.5], format=MONEY, align="right") for n in range(12)]
        found = {line.text: line.runs[0].size for line in lines(laid(table(plants, *figures))[0].items)}
        assert 5.4 <= found["Graz"] < 9
        assert found["123,456.78"] >= 0.75 * found["Graz"]
        given = [column(f"c{n}", [123_456.78], format=MONEY, align="right", width=13.0) for n in range(3)]
        found = {
            line.text: line.runs[0].size for line in lines(laid(table(column("a", ["x"]), *given))[0].items)
        }
        assert found["x"] == 9 > found["123,456.78"]

    @pytest.mark.parametrize(("narrow", "sizes"), [(14.0, 1), (9.0, 2)])
    def test_a_column_much_too_narrow_does_not_make_its_neighbours_small(
        self, narrow: float, sizes: int
    ) -> None:
        wide = [column(f"c{n}", [12345.67], format=MONEY, align="right", width=25) for n in range(3)]
        thin = column("thin", [12345.67], format=MONEY, align="right", width=narrow)
        cells = list(lines(laid(table(*wide, thin))[0].items))
        assert len({line.runs[0].size for line in cells}) == sizes

    @pytest.mark.parametrize("rest", [{}, {"carry": True}])
    def test_sums_are_of_one_size_on_the_baseline_of_their_label(self, rest: dict[str, Any]) -> None:
        narrow = [column(f"c{n}", [12345.67] * 9, format=MONEY, align="right", width=21.0) for n in range(2)]
        wide = column("wide", [1.5] * 9, format=MONEY, align="right", width=30.0)
        groups = [
            ResolvedGroupOfRows(0, f"G{n}", 3 * n, 3 * n + 3, [None, 370, 370, 10.0**power, 4.5], f"Sum{n}")
            for n, power in enumerate((1, 9, 5))
        ]
        made = table(
            column("a", ["x"] * 9, width=30.0),
            *narrow,
            column("d", [9_999.5] * 9, format=MONEY, align="right", width=21.0),
            wide,
            groups=groups,
            totals=[None, 111_111.03, 1.0, 10.0**9, 13.5],
            totals_label="All",
            **rest,
        )
        pages = laid(made, height=200.0)
        labelled, sizes = 0, set()
        for page in pages:
            found = list(lines(page.items))
            for label in found:
                if label.text.startswith(("Sum", "All", "Brought", "Carried")):
                    beside = [line for line in found if line.y == label.y and line is not label]
                    assert beside, "they stand on the baseline of their label"
                    sizes |= {line.runs[0].size for line in beside}
                    labelled += 1
        assert labelled >= 4
        assert len(sizes) == 1
        assert 4.5 <= sizes.pop() < 9

    def test_figures_that_became_smaller_stand_on_the_baseline_of_their_row(self) -> None:
        made = table(
            column("a", ["x", "y"]), column("n", [1e9, 2.0], format=MONEY, align="right", width=18.0)
        )
        found = {line.text: line for line in lines(laid(made)[0].items)}
        assert found["2.00"].runs[0].size < found["y"].runs[0].size
        assert found["2.00"].y == found["y"].y

    @pytest.mark.parametrize("overflow", ["wrap", "shrink"])
    def test_numbers_of_a_narrow_column_become_smaller_together(self, overflow: str) -> None:
        values = [1_447_594.85, 7.0, None, Decimal("-12345.6")]
        made = table(column("a", values, width=15.0, align="right", format=MONEY, overflow=overflow))
        pages = laid(made)
        assert texts(pages[0]) == ["1,447,594.85", "7.00", "-12,345.60"]
        (size,) = {line.runs[0].size for line in lines(pages[0].items)}
        assert 4.5 <= size < 9
        check_inside(pages)

    def test_exact_numbers_beside_empty_cells_become_smaller_together(self) -> None:
        values = [Decimal("127572094.4240000000000000000"), Decimal("1.033"), None]
        made = table(column("a", values, width=14.0, align="right", format=MONEY))
        assert len({line.runs[0].size for line in lines(laid(made)[0].items)}) == 1

    def test_one_number_far_wider_than_the_sampled_ones(self) -> None:
        values = [1.0] * 400 + [12.0] * 400
        values[1], values[3] = 987_654_321.0, 123_456.0  # not among those that are measured
        made = table(column("a", values, width=12.0, align="right", format=MONEY))
        pages = laid(made)
        shown = texts(pages[0])
        assert shown[3] == "123,456.00"
        assert shown[1].startswith("987,6")
        assert "\n" not in shown[1]
        assert sum(len(texts(page)) for page in pages) == 800
        check_inside(pages)

    def test_numbers_that_would_become_too_small_are_visibly_cut(self) -> None:
        made = table(
            column("a", [1_447_594.85, 7.0], width=7.0, align="right", format=MONEY),
            column("b", [1.5, 7.0], align="decimal", width=1.0, format=MONEY),
            totals=[2_447_594.85, None],
        )
        pages = laid(made)
        shown = texts(pages[0])
        assert all(re.fullmatch(r"[12],\d*…|7.00|[17]?.?…?", text) for text in shown)
        assert min(line.runs[0].size for line in lines(pages[0].items)) >= 4.5
        check_inside(pages)

    def test_moments_are_parted_between_words_only(self) -> None:
        long = Format("date", "full", Style())
        made = table(
            column("a", [date(2026, 10, 10)], width=20.0, format=long),
            column("b", [date(2026, 10, 10)], width=10.0, format=Format("date", "short", Style())),
            column("c", [datetime(2026, 10, 10, 13, 5)], width=9.0, format=Format("time", None, Style())),
            column("d", ["2026-10-10: see the note"], width=10.0, format=long),
        )
        pages = laid(made)
        shown = texts(pages[0])
        for whole in ("Saturday,", "10/10/26", "1:05\xa0PM"):
            assert whole in shown or any(whole in text.split(" ") for text in shown)
        assert "note" in " ".join(shown)
        check_inside(pages)

    def test_a_number_cut_by_its_author(self) -> None:
        made = table(column("a", [1_447_594.85], width=12.0, format=MONEY, overflow="cut"))
        (line,) = lines(laid(made)[0].items)
        assert line.text.endswith("…")
        assert line.runs[0].size == 9

    def test_line_ends(self) -> None:
        made = table(column("a", ["one\ntwo", "Łódź\n漢字"]), column("b", ["x\ny", "z"], overflow="cut"))
        page = laid(made)[0]
        assert texts(page) == ["one", "x y", "two", "Łódź", "z", "漢字"]


class TestContents:
    def test_styles(self) -> None:
        made = table(
            column("a", [1, -2, 3], styles=[-1, 0, -1], format=MONEY, align="right"),
            styles=[CellStyle(color="#ff0000", background="#ffeeee", bold=True)],
        )
        pages = laid(made)
        found = {line.text: line.runs[0] for line in lines(pages[0].items)}
        assert found["-2.00"].color == "#ff0000"
        assert found["1.00"].color == Theme().ink
        assert found["-2.00"].font != found["1.00"].font
        tints = [item for item in pages[0].items if isinstance(item, Rects) and item.fill == "#ffeeee"]
        assert [len(item.boxes) for item in tints] == [1]
        ends = {round(line.x + line.width, 1) for line in lines(pages[0].items)}
        assert len(ends) == 1

    def test_links(self) -> None:
        made = table(
            column("a", ["here", "there", "Łódź"], links=["https://a.example", None, "https://b.example"])
        )
        page = laid(made)[0]
        found = [item for item in page.items if isinstance(item, Link)]
        assert [item.target for item in found] == ["https://a.example", "https://b.example"]
        colors = {line.text: line.runs[0].color for line in lines(page.items)}
        assert colors == {"here": Theme().accent, "there": Theme().ink, "Łódź": Theme().accent}

    def test_images(self) -> None:
        image = ImageFile(b"", "image/png", 900, 300)
        pages = laid(table(column("a", ["", ""], images=[image, None]), column("b", ["x", "y"])))
        (picture,) = [item for item in pages[0].items if isinstance(item, Picture)]
        assert picture.height <= 12 * 72 / 25.4 + 0.01
        assert picture.width / picture.height == pytest.approx(3)
        check_inside(pages)
        check_code(pages)
        beside = next(line for line in lines(pages[0].items) if line.text == "x")
        assert beside.y + 3 == pytest.approx(picture.y + picture.height / 2, abs=1)

    def test_a_row_begins_where_its_image_has_room(self) -> None:
        image = ImageFile(b"", "image/png", 300, 100)
        numbers = [f"#{number}" for number in range(5)]
        images = [image, None, None, None, image]
        columns = column("id", numbers, width=14.0), column("c", [""] * 5, images=images, head_group="Group")
        made = table(*columns, size=6.0, repeat_head=False, keep_rows=False, min_rows=5)
        for before in range(30, 80):
            check_inside(laid(block(before), made, width=240, height=200))

    def test_check_marks(self) -> None:
        page = laid(table(column("a", [True, False, None], display="check")))[0]
        assert texts(page) == []
        assert len([item for item in page.items if isinstance(item, Path)]) == 2

    def test_marks(self) -> None:
        rich = (Span("bold", bold=True), Span(" plain"))
        page = laid(table(column("a", ["", ""], texts=[rich, "text"])))[0]
        assert texts(page) == ["bold plain", "text"]

    def test_bold_column(self) -> None:
        page = laid(table(column("a", ["x"], bold=True), column("b", ["y"])))[0]
        fonts = {line.text: line.runs[0].font for line in lines(page.items)}
        assert fonts["x"] != fonts["y"]

    def test_scripts(self) -> None:
        values = ["Latin", "Łódź", "Ελλάδα", "שלום עולם", "日本語", "👍🏽 emoji", "é́́ combining"]
        pages = laid(table(column("a", values), column("b", values, align="right", width=15.0)))
        check_inside(pages)
        assert len(texts(pages[0])) >= 2 * len(values)

    def test_french_numbers_take_the_quick_way(self) -> None:
        written = Format("number", "2", Style(locale="fr_FR"))
        page = laid(table(column("a", [1234567.5, 2.0], format=written, align="right")))[0]
        assert texts(page)[0].replace("\xa0", " ") == "1 234 567,50"
        assert sum(isinstance(item, TextBlock) for item in page.items) == 1

    def test_shared_heads(self) -> None:
        made = table(
            column("a", ["1"]), column("b", ["2"], head_group="Both"), column("c", ["3"], head_group="Both")
        )
        page = laid(made)[0]
        assert texts(page, "th") == ["Both", "a", "b", "c"]
        check_inside([page])
        check_apart([page])


class TestRightToLeft:
    def test_a_line_from_right_to_left_stands_where_its_head_does(self) -> None:
        made = table(
            column("שם", ["חתול", "שלום עולם\nעולם", "cat"], width=60.0),
            column("b", ["חתול", "cat", ""], width=30.0, align="center"),
        )
        pages = laid(made)
        right = MARGIN + 60 * 72 / 25.4 - 5
        found = [line for line in lines(pages[0].items, None) if line.x < right]
        for line in found:
            if line.text == "cat":
                assert line.x == pytest.approx(MARGIN + 5, abs=0.05)
            else:
                assert line.x + line.width == pytest.approx(right, abs=0.05)

    @pytest.mark.parametrize("language", ["ar", "he-IL", "fa_IR", "az-Arab"])
    def test_a_document_from_right_to_left_is_mirrored(self, language: str) -> None:
        made = table(
            column("name", ["ACME", "Widget"], width=40.0, head_group="both"),
            column("text", ["a", "b"], width=40.0, head_group="both"),
            column("sum", [1, 2], width=30.0, align="right", total="sum"),
            totals=[None, None, 3],
            totals_label="Total",
            rules="grid",
            groups=[ResolvedGroupOfRows(0, "Group", 0, 2, None)],
        )
        pages = laid(made, language=language)
        check_inside(pages)
        check_apart(pages)
        places = {line.text: (line.x, line.x + line.width) for line in lines(pages[0].items, None)}
        end = 500 - MARGIN - 5
        for text in ("name", "ACME", "Widget", "Total", "Group"):
            assert places[text][1] == pytest.approx(end, abs=0.05)
        assert places["sum"][1] < places["text"][0] < places["name"][0]
        assert places["text"][0] < places["both"][0] < places["name"][0]

    @pytest.mark.parametrize("language", ["en", "de", "pa-Guru", "ar-Latn", "uz-Cyrl", "zh-Hant-TW"])
    def test_other_documents_are_not(self, language: str) -> None:
        pages = laid(table(column("a", ["x"]), column("b", ["y"])), language=language)
        assert [line.text for line in sorted(lines(pages[0].items), key=lambda line: line.x)] == ["x", "y"]


# What the first ones need is a hair more than the others leave.
SLIVER = (None, 13.0, 0.375, False, 0.2126)
TAKEN = [(1.0, 0.0, 0.0, False, 0.0)] * 14


class TestWidths:
    def test_they_fill_the_width(self) -> None:
        wishes = [
            Wish(None, 50, 40, True),
            Wish(None, 30, 30, False),
            Wish("25%", 0, 0, True),
            Wish(10.0, 0, 0, True),
        ]
        widths = column_widths(wishes, 400)
        assert sum(widths) == pytest.approx(400)
        assert widths[2] == pytest.approx(100)
        assert widths[3] == pytest.approx(28.35, abs=0.01)
        assert widths[0] > widths[1]

    def test_shares(self) -> None:
        wishes = [Wish("*", 0, 0, False), Wish("2*", 0, 0, False), Wish(None, 40, 40, True)]
        assert column_widths(wishes, 400) == pytest.approx([120, 240, 40])

    def test_given_widths_may_leave_room(self) -> None:
        assert sum(column_widths([Wish(10.0, 0, 0, True)], 400)) == pytest.approx(28.35, abs=0.01)

    def test_long_texts_leave_others_their_words(self) -> None:
        """Neither one long text nor several squeeze short columns; a word wider than its part is cut back."""
        short = Wish(None, 60, 30, False, least=30)
        essay = Wish(None, 20_000, 20_000, True, least=50)
        assert column_widths([short, essay], 300) == pytest.approx([30, 270])
        assert column_widths([short, *[essay] * 4], 300) == pytest.approx([30, *[67.5] * 4])
        assert column_widths([short, Wish(None, 9_000, 9_000, True, least=9_000)], 300) == pytest.approx(
            [30, 270]
        )
        assert sum(column_widths([essay] * 9, 300)) == pytest.approx(300)

    @cases(60)
    @given(
        st.lists(
            st.tuples(
                st.none()
                | st.floats(1, 2000)
                | st.integers(1, 100).map(lambda share: f"{share}%")
                | st.sampled_from(["*", "2*", "0.5*"]),
                st.floats(0, 5000),
                st.floats(0, 1),
                st.booleans(),
                st.floats(0, 1),
            ),
            min_size=1,
            max_size=60,
        ),
        st.floats(30, 800),
    )
    @example([(None, 0, 0, False, 0), (None, 1, 1, False, 0), (None, 3, 1, False, 1), SLIVER, *TAKEN], 30.0)
    def test_they_never_exceed_it(
        self, columns: list[tuple[float | str | None, float, float, bool, float]], room: float
    ) -> None:
        wishes = [
            Wish(given, full, full * part, grow, least=full * part * word)
            for given, full, part, grow, word in columns
        ]
        widths = column_widths(wishes, room)
        assert sum(widths) <= room + 0.01
        assert all(width >= 0 for width in widths)


class TestWrapping:
    font = Typesetter(Theme(), "en").font(TextStyle(10, "#000000"))

    @cases(100)
    @given(st.lists(st.text("abcW 1/.\n", max_size=80), min_size=1, max_size=4), st.floats(50, 9000))
    def test_wrapping_loses_only_blanks(self, values: list[str], limit: float) -> None:
        for text, made in zip(values, wrapped(values, self.font, limit, "en"), strict=True):
            assert "".join("".join(made).split()).replace("-", "") == "".join(text.split())
            assert all(len(line) < 2 or self.font.advances([line])[0] <= limit for line in made)

    def test_the_deadline_counts_among_cells_of_one_long_word_each(self) -> None:
        looks: list[None] = []
        font = Typesetter(Theme(), "en", lambda: looks.append(None)).font(TextStyle(10, "#000000"))
        wrapped(["w" * 3000] * 3, font, 400, "en")
        assert len(looks) >= 3

    @pytest.mark.parametrize("marked", [False, True])
    def test_words_wider_than_the_column_are_hyphenated(self, marked: bool) -> None:
        """Others go to the next line whole, as ever; what is no word is broken anywhere."""
        values = [
            "Arbeitslosenversicherungsbeitrag",
            "die Arbeitslosenversicherungsbeiträge",
            "neue Bedingungen",
            "550E8400E29B41D4A716446655440000",
        ]
        rich = [(Span(value, italic=True),) for value in values] if marked else None
        made = column("Gesellschafterversammlung", values, texts=rich, width=26.0)
        pages = laid(table(made), language="de")
        found = texts(pages[0])
        assert found[:6] == [
            *("Arbeitslosenver-", "sicherungsbei-", "trag"),
            *("die Arbeitslosen-", "versicherungs-", "beiträge"),
        ]
        assert found[6:8] == ["neue", "Bedingungen"]
        assert "".join(found[8:]) == "550E8400E29B41D4A716446655440000"
        assert texts(pages[0], "th") == ["Gesellschafter-", "versammlung"]
        check_inside(pages)

    @pytest.mark.parametrize(
        ("value", "lines"),
        [
            ("Kfz-Haftpflichten", ["Kfz-", "Haftpflichten"]),
            ("und/oder Rechtsschutz-Deckung", ["und/oder", "Rechtsschutz-", "Deckung"]),
            ("voller Mwst.-Satz", ["voller", "Mwst.-Satz"]),
            ("ermäßigter-Mwst.-Satz", ["ermäßigter-", "Mwst.-Satz"]),
            ("DE-8829-1123-AB-99182", ["DE-8829-1123-", "AB-99182"]),
            ("VS-2025/000/123456789", ["VS-2025/000/", "123456789"]),
            ("ab@haftpflichtversicherung.at", ["ab@", "haftpflichtversic", "herung.at"]),
        ],
    )
    def test_words_with_signs_are_broken_behind_them(self, value: str, lines: list[str]) -> None:
        """As in running text, and before they are broken anywhere; no hyphen comes into an address."""
        pages = laid(table(column("", [value], width=26.0)), language="de")
        assert texts(pages[0], "td") == lines
        check_inside(pages)

    def test_heads_become_smaller_together_so_that_no_word_is_torn(self) -> None:
        """Unless a hyphen parts it, or they would become too small."""
        size = {}
        for header in ("Column", "Sum", "Understanding", "WWWWWWWWW"):
            columns = [column(header, ["1"], width=12.0), column("Code 1", ["2"], width=30.0)]
            (page,) = laid(table(*columns))
            heads = [item for item in page.items if isinstance(item, TextLine) and item.role == "th"]
            size[header] = {line.runs[0].size for line in heads}
            assert (header in texts(page, "th")) == (header in ("Column", "Sum"))
        ((small,), (usual,)) = size["Column"], size["Sum"]
        assert 0.75 * usual <= small < usual
        assert size["Understanding"] == size["WWWWWWWWW"] == {usual}

    @cases(100)
    @given(st.text("abcW 1\n", max_size=200), st.floats(0, 9000))
    def test_cutting(self, text: str, limit: float) -> None:
        made = cut(text, self.font, limit)
        assert not made or self.font.advances([made])[0] <= limit
