"""Tables in PDF, row by row and page by page: heads, groups, sums and carried sums. No file is written."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendering.formats.pdf.layout.flow import Flow
from rendering.formats.pdf.layout.items import ARTIFACT, Page, Rects, Rules
from rendering.formats.pdf.layout.tables.story import passages
from rendering.formats.pdf.layout.tables.sums import Running
from rendering.formats.pdf.typeset.style import TextStyle
from rendering.formats.pdf.typeset.typesetter import Typesetter
from templates_app.expressions.helpers import Format, Style
from templates_app.resolved import ResolvedGroupOfRows, Theme
from tests.cases import cases
from tests.rendering.table_layout import (
    MARGIN,
    MONEY,
    block,
    check_apart,
    check_inside,
    column,
    laid,
    lines,
    table,
    texts,
)


class TestRows:
    def test_each_row_once_in_order(self) -> None:
        made = table(
            column("id", [f"r{number}" for number in range(3_000)]),
            column("amount", [number / 4 for number in range(3_000)], format=MONEY, align="right"),
        )
        pages = laid(made)
        found = [text for page in pages for text in texts(page)]
        assert found[::2] == [f"r{number}" for number in range(3_000)]
        assert found[1::2] == [MONEY.text(number / 4) for number in range(3_000)]
        check_inside(pages)

    def test_numbers_end_at_the_right(self) -> None:
        pages = laid(table(column("n", [1, 1234.5, -7], format=MONEY, align="right", width=50.0)))
        ends = {round(line.x + line.width, 1) for line in lines(pages[0].items)}
        assert len(ends) == 1

    @pytest.mark.parametrize(
        ("values", "helper", "locale", "symbol"),
        [
            (["1.5", "22", "-333.25", "n/a", "1,234.125", ""], None, "en_US", "."),
            (["1,5", "22", "1.234,125"], None, "de_DE", ","),
            ([1.5, 22, -333.25, 1234.125], "number", "de_DE", ","),
            ([1.5, 22, -333.25, 1234.125], None, "de_DE", "."),  # numbers without a format have a point
        ],
    )
    def test_decimal_alignment(self, values: list[Any], helper: str | None, locale: str, symbol: str) -> None:
        written = Format(helper, None, Style(locale))
        pages = laid(table(column("n", values, align="decimal", format=written)))
        found = {line.text: line for line in lines(pages[0].items)}
        font = Typesetter(Theme(), "en").font(TextStyle(9, "#000000"))
        shown = [text for value in values if (text := written.text(value))]
        places = {
            round(found[text].x + font.advances([text.split(symbol)[0]])[0] * 0.009, 1) for text in shown
        }
        assert len(places) == 1

    def test_stripes(self) -> None:
        pages = laid(table(column("a", list("abcde")), zebra=True))
        stripes = [item for item in pages[0].items if isinstance(item, Rects) and item.fill == Theme().zebra]
        assert [len(item.boxes) for item in stripes] == [2]

    @pytest.mark.parametrize(("rules", "least"), [("none", 0), ("horizontal", 5), ("grid", 8)])
    def test_rules(self, rules: str, least: int) -> None:
        pages = laid(table(column("a", list("abcd")), column("b", list("abcd")), rules=rules))
        count = sum(len(item.lines) for item in pages[0].items if isinstance(item, Rules))
        assert count >= least if least else count == 0

    def test_no_columns(self) -> None:
        assert (
            laid(
                table(column("a", ["x"])).__class__(
                    title="", columns=(), count=0, zebra=True, size=None, empty_text=""
                )
            )[0].items
            == []
        )

    def test_nothing(self) -> None:
        page = laid(table(column("a", []), column("b", []), title="Title"))[0]
        assert texts(page) == ["Nothing"]
        assert texts(page, "th") == ["a", "b"]
        assert texts(page, "caption") == ["Title"]


class TestPages:
    def test_head_again(self) -> None:
        pages = laid(table(column("Name", ["x"] * 100)))
        assert texts(pages[0], "th") == ["Name"]
        assert len(pages) > 2
        assert all(texts(page, ARTIFACT) == ["Name"] for page in pages[1:])

    def test_head_not_again_and_no_head(self) -> None:
        pages = laid(table(column("Name", ["x"] * 100), repeat_head=False))
        assert all(texts(page, ARTIFACT) == [] for page in pages)
        assert texts(laid(table(column("Name", ["x"] * 3), head=False))[0], None) == ["x"] * 3

    @pytest.mark.parametrize("space", [10, 25, 45, 60, 75])
    def test_head_stays_with_rows(self, space: float) -> None:
        made = table(column("Name", ["x"] * 9), min_rows=3, title="Title")
        pages = laid(block(620 - space), made)
        for page in pages:
            if "Name" in texts(page, "th"):
                assert texts(page, "caption") == ["Title"]
                assert len(texts(page)) >= 3

    def test_the_last_row_is_not_alone(self) -> None:
        for count in range(60, 80):
            pages = laid(table(column("Name", ["x"] * count), totals=["sum"], totals_label="All"))
            assert len(texts(pages[-1])) >= 2

    @pytest.mark.parametrize("rows", [3, 4])
    def test_a_short_table_leaves_no_single_row_for_the_next_page(self, rows: int) -> None:
        for space in range(30, 120, 7):
            made = table(column("Name", ["x"] * rows), totals=["sum"], totals_label="All")
            counts = [texts(page).count("x") for page in laid(block(620 - space), made)]
            assert set(counts) <= {0, 2, rows}

    def test_rows_stay_whole(self) -> None:
        long = "word " * 60
        pages = laid(table(column("a", [long] * 30, width=60.0)))
        counts = [len(texts(page)) for page in pages]
        assert all(count % (sum(counts) // 30) == 0 for count in counts)

    def test_the_first_row_stays_whole(self) -> None:
        """Two rows that together are taller than a page: neither is parted, no head stands alone."""
        made = table(column("Name", ["word " * 250] * 2, width=60.0))
        pages = laid(block(300), made)
        assert [len(texts(page)) for page in pages] == [0, *[len(texts(pages[1]))] * 2]
        assert texts(pages[0], "th") == []

    def test_rows_may_part(self) -> None:
        long = "word " * 60
        whole = laid(table(column("a", [long] * 30, width=60.0)))
        parted = laid(table(column("a", [long] * 30, width=60.0), keep_rows=False))
        assert len(parted) <= len(whole)
        assert sum(len(texts(page)) for page in parted) == sum(len(texts(page)) for page in whole)

    def test_a_cell_taller_than_five_pages(self) -> None:
        words = [f"w{number}" for number in range(4_000)]
        made = table(
            column("a", ["first", " ".join(words), "last"], width=40.0), column("b", ["1", "2", "3"])
        )
        pages = laid(made)
        assert len(pages) > 5
        found = " ".join(text for page in pages for text in texts(page)).split()
        assert [word for word in found if word.startswith("w")] == words
        assert all(len(texts(page)) > 20 for page in pages[:-1])
        check_inside(pages)
        check_apart(pages)

    def test_keep_with_next(self) -> None:
        for count in range(30, 40):
            made = table(column("a", ["x"] * count), keep_with_next=True)
            pages = laid(made, block(80))
            for page in pages:
                if any(item.role == "block" for item in page.items):
                    assert len(texts(page)) >= 1
            assert sum(len(texts(page)) for page in pages) == count
            check_inside(pages)

    def test_galley(self) -> None:
        """In a flow without end all rows stand below each other."""
        heights: list[float] = []

        def draw(flow: Flow) -> None:
            galley = flow.galley(200.0, [table(column("a", ["x"] * 500))], most=1e6)
            assert galley is not None
            heights.append(galley.used)

        laid(draw)
        assert heights[0] > 500 * 10


class TestGroups:
    def test_headings_and_sums(self) -> None:
        groups = [
            ResolvedGroupOfRows(0, "North", 0, 3, [None, Decimal(6)], "Sum North"),
            ResolvedGroupOfRows(1, "Oslo", 0, 1, None),
            ResolvedGroupOfRows(1, "Rome", 1, 3, [None, Decimal(5)], "Sum Rome"),
        ]
        made = table(
            column("a", ["x", "y", "z"]),
            column("n", [1, 2, 3], align="right"),
            groups=groups,
            totals=[None, 6],
            totals_label="All",
        )
        expected = "North|Oslo|x|1|Rome|y|2|z|3|Sum Rome|5|Sum North|6|All|6"
        assert texts(laid(made)[0]) == expected.split("|")

    @pytest.mark.parametrize("language", ["en", "he"])
    @pytest.mark.parametrize("width", [None, 6.0])
    def test_rows_begin_below_the_innermost_headings(self, language: str, width: float | None) -> None:
        """The head of the column begins where the outermost do; in a narrow column less is left free."""
        groups = [ResolvedGroupOfRows(level, f"G{level}", 0, 1, None) for level in range(3)]
        made = table(column("a", ["x"], width=width), column("b", ["y"]), groups=groups)
        found = {line.text: line for line in lines(laid(made, language=language)[0].items, None)}
        begin = {name: line.x + line.width if language == "he" else line.x for name, line in found.items()}
        assert begin["a"] == pytest.approx(begin["G0"], abs=0.1)
        step = abs(begin["G1"] - begin["G0"])
        assert abs(begin["G2"] - begin["G0"]) == pytest.approx(2 * step, abs=0.1)
        assert abs(begin["x"] - begin["a"]) == pytest.approx(2 * step if width is None else 2.1, abs=0.1)

    def test_rows_of_one_level_and_columns_of_numbers_are_not_indented(self) -> None:
        outer = ResolvedGroupOfRows(0, "G0", 0, 1, None)
        plain = table(column("a", ["x"]), groups=[outer])
        found = {line.text: line.x for line in lines(laid(plain)[0].items)}
        assert found["x"] == found["G0"]
        numbers = table(
            column("a", [1], align="right"), groups=[outer, ResolvedGroupOfRows(1, "G1", 0, 1, None)]
        )
        ends = {line.text: line.x + line.width for line in lines(laid(numbers)[0].items, None)}
        assert ends["1"] == pytest.approx(ends["a"], abs=0.1)

    def test_headings_again(self) -> None:
        groups = [ResolvedGroupOfRows(level, f"G{level}", 0, 100, None) for level in range(4)]
        pages = laid(table(column("a", ["x"] * 100), groups=groups))
        assert texts(pages[0])[:4] == ["G0", "G1", "G2", "G3"]
        for page in pages[1:]:
            assert texts(page, ARTIFACT) == ["a", "G0", "G1", "G2", "G3"]
        check_apart(pages)

    def test_a_heading_stays_with_its_rows(self) -> None:
        groups = [
            ResolvedGroupOfRows(0, f"G{start}", start, start + 4, [4], "Sum") for start in range(0, 120, 4)
        ]
        for height in range(500, 520, 4):
            pages = laid(table(column("a", ["x"] * 120, align="right"), groups=groups), height=height)
            for page in pages:
                found = texts(page)
                assert not found[-1].startswith("G")
                assert not found[-2].startswith("G")  # min_rows is 2
                assert found[0] != "Sum"
            check_inside(pages)

    def test_a_count_is_a_number_of_rows(self) -> None:
        money = Format("currency", "EUR", Style())
        made = table(column("a", ["x"]), column("n", [5], format=money, total="count"), totals=[None, 1])
        assert texts(laid(made)[0])[-1] == "1"

    def test_sums_without_room_for_the_label(self) -> None:
        made = table(
            column("n", [1, 2], align="right", width=15.0), totals=[3], totals_label="All of it together"
        )
        pages = laid(made)
        check_apart(pages)
        check_inside(pages)

    def test_a_sum_wider_than_its_column(self) -> None:
        made = table(
            column("a", ["x"], width=10.0),
            column("n", [1], width=12.0, align="right", format=MONEY),
            totals=[None, Decimal("123456789012345.67")],
        )
        pages = laid(made)
        (shown,) = texts(pages[0])[2:]
        assert re.fullmatch(r"123,[\d,]+…", shown)  # no line end and no missing digit that cannot be seen
        check_inside(pages)
        check_apart(pages)


class TestCarry:
    def test_brought_and_carried_forward(self) -> None:
        values = [Decimal(number) / 100 for number in range(1, 301)]
        made = table(
            column("a", [f"r{number}" for number in range(300)]),
            column("n", values, format=MONEY, align="right", total="sum"),
            totals=[None, sum(values)],
            carry=True,
        )
        pages = laid(made)
        assert len(pages) > 4
        placed = 0
        for page in pages[:-1]:
            shown = texts(page, ARTIFACT)
            if placed:
                assert shown[2:4] == ["Brought forward", MONEY.text(sum(values[:placed]))]
            placed += len([text for text in texts(page) if text.startswith("r")])
            assert shown[-2:] == ["Carried forward", MONEY.text(sum(values[:placed]))]
        assert texts(pages[-1])[-1] == MONEY.text(sum(values))
        assert "Carried forward" not in texts(pages[-1], ARTIFACT)
        check_inside(pages)
        check_apart(pages)

    def test_only_numbers_are_summed_and_each_once(self) -> None:
        values = [Decimal("0.1"), 1, None, True, "7", 0.2, math.inf, math.nan, Decimal("1e20")]
        sums = Running(table(column("a", values), column("n", values, total="sum")))
        shown = [sums.upto(stop)[1] for stop in (0, 1, 2, 2, 6, 9, 6)]
        exact = [Decimal(text) for text in ("0", "0.1", "1.1", "1.1", "1.3")]
        assert shown == [*exact, *[Decimal("100000000000000000001.3")] * 2]
        assert sums.upto(9)[0] is None

    @pytest.mark.parametrize("rules", ["horizontal", "grid"])
    @pytest.mark.parametrize("carry", [True, False])
    def test_last_rows_that_go_along_with_the_next_section(self, carry: bool, rules: str) -> None:
        """The page that they leave ends as every other one: with the sum carried forward and a rule."""
        moved = 0
        for count in range(25, 45):
            made = table(
                column("a", [f"r{number}" for number in range(count)]),
                column("n", [1] * count, format=MONEY, align="right", total="sum"),
                totals=[None, Decimal(count)],
                carry=carry,
                keep_with_next=True,
                rules=rules,
            )
            pages = laid(made, block(80))
            rows = [[text for text in texts(page) if text.startswith("r")] for page in pages]
            assert sum(map(len, rows)) == count
            assert rows[-1]
            assert any(item.role == "block" for item in pages[-1].items)
            check_inside(pages)
            check_apart(pages)
            if len(pages) == 2:
                moved += len(rows[1]) == 2  # the block took them along
                sums = [text for text in texts(pages[0], ARTIFACT)[-2:] if text in {MONEY.text(len(rows[0]))}]
                assert len(sums) == carry
                drawn = [item for item in pages[0].items if isinstance(item, Rules)]
                strong = [item for item in drawn if item.color == Theme().rule_strong]
                lowest = min(y for item in drawn for _, y, _, _ in item.lines)
                assert lowest == min(y for item in strong for _, y, _, _ in item.lines)
        assert moved > 2

    def test_floats_add_up_exactly(self) -> None:
        made = table(column("n", [0.1] * 100, total="sum", align="right"), carry=True)
        shown = [text for page in laid(made, height=300) for text in texts(page, ARTIFACT)]
        sums = [text for text in shown if text[0].isdigit()]
        assert sums
        assert all(Decimal(text) * 10 % 1 == 0 for text in sums)


class TestGrid:
    """Upright lines part columns; a cell over several of them is not crossed."""

    @staticmethod
    def crossed(pages: list[Page]) -> list[str]:
        """Return the texts that an upright line goes through."""
        found: list[str] = []
        for page in pages:
            upright = [
                line
                for item in page.items
                if isinstance(item, Rules)
                for line in item.lines
                if line[0] == line[2]
            ]
            for line in lines(page.items, None):
                for x, y, _, below in upright:
                    inside = line.x < x < line.x + line.width
                    if inside and min(y, below) < line.y + 0.3 * line.runs[0].size < max(y, below):
                        found.append(line.text)
        return found

    @staticmethod
    def gaps(page: Page, left: float) -> float:
        """Return how much of the table's height has no line at `left`."""
        drawn = [line for item in page.items if isinstance(item, Rules) for line in item.lines]
        upright = [line for line in drawn if line[0] == line[2] == pytest.approx(left)]
        ys = [y for _, one, _, two in drawn for y in (one, two)]
        return max(ys) - min(ys) - sum(abs(one - two) for _, one, _, two in upright)

    @pytest.mark.parametrize("language", ["en", "ar"])
    @pytest.mark.parametrize("carry", [True, False])
    def test_no_text_is_crossed(self, language: str, carry: bool) -> None:
        groups = [
            ResolvedGroupOfRows(
                0, "North and all that is beside it", 0, 40, [None, None, Decimal(40), None], "Sum of it all"
            ),
            ResolvedGroupOfRows(1, "A town with a long name", 0, 40, None),
            ResolvedGroupOfRows(
                0, "South", 40, 60, [None, None, Decimal(20), None], "Sum of South, and of nothing else"
            ),
        ]
        made = table(
            column("a", ["x"] * 60, width=10.0),
            column("b", ["y"] * 60, width=10.0, head_group="Two columns share it"),
            column("n", [1] * 60, width=20.0, total="sum", head_group="Two columns share it"),
            column("rest", ["z"] * 60),
            groups=groups,
            totals=[None, None, Decimal(60), None],
            totals_label="Sum of everything there is in this table",
            carry=carry,
            rules="grid",
        )
        pages = laid(made, language=language)
        assert len(pages) > 1
        assert self.crossed(pages) == []
        check_inside(pages)
        for page in pages:  # the outermost lines go all the way
            for edge in (MARGIN, page.width - MARGIN):
                assert self.gaps(page, edge) == pytest.approx(0, abs=0.1)

    def test_a_label_above_its_sums_and_no_rows_are_not_crossed(self) -> None:
        some = {"rules": "grid", "totals_label": "A label of its own", "size": 9}
        full = table(
            column("a", [1], total="sum"),
            column("b", [2], total="sum"),
            totals=[Decimal(1), Decimal(2)],
            **some,
        )
        empty = table(
            column("a", []),
            column("b", []),
            empty_text="There is nothing to be shown in all of this table",
            **some,
        )
        (page,) = laid(full, empty, width=200.0)
        assert self.crossed([page]) == []


class TestStory:
    @cases(100)
    @given(st.integers(1, 40), st.lists(st.integers(1, 39), max_size=8), st.integers(1, 5))
    def test_every_row_once(self, count: int, cuts: list[int], least: int) -> None:
        bounds = sorted({0, count, *(cut for cut in cuts if cut < count)})
        groups = [
            ResolvedGroupOfRows(0, "", start, stop, [1])
            for start, stop in zip(bounds, bounds[1:], strict=False)
        ]
        made = list(passages(table(column("a", ["x"] * count), groups=groups), least))
        rows = [row for passage in made for row in range(passage.start, passage.stop)]
        assert rows == list(range(count))
        assert [passage.last for passage in made] == [False] * (len(made) - 1) + [True]
        assert [group for passage in made for group in passage.opens] == groups
        assert [group for passage in made for group in passage.closes] == groups
