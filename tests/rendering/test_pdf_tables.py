"""Tables in PDF: what stands where. The layout is looked at, no file is written."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendering.formats.base import Limits
from rendering.formats.pdf.layout.flow import Context, Flow
from rendering.formats.pdf.layout.items import (
    ARTIFACT,
    Item,
    Link,
    Page,
    Path,
    Picture,
    Rects,
    Rules,
    TextBlock,
    TextLine,
)
from rendering.formats.pdf.layout.kinds import table as kind
from rendering.formats.pdf.layout.pages import Body, Pages
from rendering.formats.pdf.layout.tables.columns import Wish, column_widths
from rendering.formats.pdf.layout.tables.story import passages
from rendering.formats.pdf.layout.tables.wrapping import cut, wrapped
from rendering.formats.pdf.typeset.style import TextStyle
from rendering.formats.pdf.typeset.typesetter import Typesetter
from templates_app.expressions.helpers import Format, Style
from templates_app.resolved import (
    CellStyle,
    ImageFile,
    ResolvedColumn,
    ResolvedGroupOfRows,
    ResolvedTable,
    Span,
    Theme,
)
from tests.cases import cases

MARGIN = 40.0
PLAIN = Format(None, None, Style())
MONEY = Format("number", "2", Style())


def column(key: str, values: Sequence[Any], **more: Any) -> ResolvedColumn:
    """Return a column; its head is its key."""
    more = {"header": key, "width": None, "align": "left", "format": PLAIN, **more}
    return ResolvedColumn(key=key, values=values, **more)


def table(*columns: ResolvedColumn, **more: Any) -> ResolvedTable:
    """Return a table of as many rows as its columns have values."""
    count = len(columns[0].values)
    more = {"title": "", "zebra": False, "size": None, "empty_text": "Nothing", "count": count, **more}
    return ResolvedTable(columns=columns, **more)


def laid(
    *sections: ResolvedTable | Callable[[Flow], None],
    width: float = 500.0,
    height: float = 700.0,
    language: str = "en",
) -> list[Page]:
    """Return the pages of sections, on paper of a size in points."""
    theme, limits = Theme(), Limits(5_000, time.monotonic() + 600, 600)
    context = Context(Typesetter(theme, language), theme, limits, language, {"table": kind.render})
    pages: list[Page] = []
    body = Body(height - MARGIN, MARGIN)
    paper = Pages(size=(width, height), first=body, rest=body, backdrop=(), limits=limits, emit=pages.append)
    flow = Flow(context, paper, left=MARGIN, width=width - 2 * MARGIN, top_level=True)
    for section in sections:
        section(flow) if callable(section) else flow.draw([section])
    flow.settle()
    paper.seal(paper.count)
    return pages


def block(height: float) -> Callable[[Flow], None]:
    """Return a section that takes some height."""

    def draw(flow: Flow) -> None:
        flow.need(height)
        flow.put(Rects([(flow.left, flow.y - height, 10, height)], "#ff0000", role="block"))
        flow.advance(height)

    return draw


def lines(items: Sequence[Item], role: str | None = "td") -> Iterator[TextLine]:
    """Give the lines of text of a role, None for any."""
    for item in items:
        if isinstance(item, TextLine):
            found: Iterator[TextLine] = iter([item])
        elif isinstance(item, TextBlock):
            found = item.lines()
        else:
            continue
        yield from (line for line in found if role is None or line.role == role)


def texts(page: Page, role: str | None = "td") -> list[str]:
    """Return the texts of a page from top to bottom, each line from left to right."""
    found = sorted(lines(page.items, role), key=lambda line: (-round(line.y, 1), line.x))
    return [line.text for line in found]


def boxes(item: Item) -> Iterator[tuple[float, float, float, float]]:
    """Give left, bottom, right, top of what an item covers."""
    match item:
        case TextLine() | TextBlock():
            for line in lines([item], None):
                size = line.runs[0].size
                yield line.x, line.y - 0.2 * size, line.x + line.width, line.y + 0.7 * size
        case Rects():
            yield from ((x, y, x + wide, y + high) for x, y, wide, high in item.boxes)
        case Rules():
            yield from ((x1, min(y1, y2), x2, max(y1, y2)) for x1, y1, x2, y2 in item.lines)
        case Picture() | Link():
            yield item.x, item.y, item.x + item.width, item.y + item.height


def check_inside(pages: Sequence[Page], slack: float = 0.05) -> None:
    """Assert that nothing leaves the body of its page."""
    for page in pages:
        right, top = page.width - MARGIN + slack, page.height - MARGIN + slack
        for item in page.items:
            for box in boxes(item):
                assert box[0] >= MARGIN - slack, (page.number, item)
                assert box[1] >= MARGIN - slack, (page.number, item)
                assert box[2] <= right, (page.number, item)
                assert box[3] <= top, (page.number, item)


def check_apart(pages: Sequence[Page]) -> None:
    """Assert that no text stands on another."""
    for page in pages:
        placed = sorted(
            (box for item in page.items if isinstance(item, TextLine | TextBlock) for box in boxes(item)),
            key=lambda box: -box[3],
        )
        for index, (left, bottom, right, _top) in enumerate(placed):
            for other in placed[index + 1 :]:
                if other[3] <= bottom + 0.05:
                    break
                assert other[2] <= left + 0.1 or other[0] >= right - 0.1, (page.number, placed[index], other)


OPERATORS = re.compile(
    r"(?:1 0 0 1 )?(?P<x>-?[\d.]+) (?P<y>-?[\d.]+) (?P<move>Tm|Td)"
    r"|(?:\[(?P<pull>-?\d+)?)?(?P<code>(?:\((?:\\.|[^\\()])*\)|<[0-9A-Fa-f]*>|-?[\d.]+)+)\]?T[jJ]"
)


def check_code(pages: Sequence[Page]) -> None:
    """Assert that the code of text blocks, run as a viewer runs it, puts the texts where `lines` says."""
    for page in pages:
        for item in page.items:
            if not isinstance(item, TextBlock):
                continue
            x = y = 0.0
            told = ((line.x, line.y, line.runs[0].code) for line in item.lines())
            for found in OPERATORS.finditer(item.code):
                if found["move"]:
                    dx, dy = float(found["x"]), float(found["y"])
                    x, y = (dx, dy) if found["move"] == "Tm" else (x + dx, y + dy)
                elif found["code"] not in {"()", "<>"}:
                    left, bottom, code = next(told)
                    pull = found["pull"] or "0"
                    if code != found["code"]:  # the number in front belongs to the glyphs
                        assert code == pull + found["code"]
                        pull = "0"
                    assert (x - float(pull) * item.size / 1000, y) == pytest.approx((left, bottom), abs=0.06)
            assert next(told, None) is None


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

    def test_decimal_alignment(self) -> None:
        values = ["1.5", "22", "-333.25", "n/a", "1,234.125", ""]
        pages = laid(table(column("n", values, align="decimal")))
        found = {line.text: line for line in lines(pages[0].items)}
        font = Typesetter(Theme(), "en").font(TextStyle(9, "#000000"))
        places = {
            round(found[text].x + font.advances([text.split(".")[0]])[0] * 0.009, 1) for text in values[:5]
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

    @pytest.mark.parametrize("overflow", ["wrap", "shrink"])
    def test_numbers_of_a_narrow_column_become_smaller_together(self, overflow: str) -> None:
        values = [1_447_594.85, 7.0, None, Decimal("-12345.6")]
        made = table(column("a", values, width=15.0, align="right", format=MONEY, overflow=overflow))
        pages = laid(made)
        assert texts(pages[0]) == ["1,447,594.85", "7.00", "-12,345.60"]
        (size,) = {line.runs[0].size for line in lines(pages[0].items)}
        assert 4.5 <= size < 9
        check_inside(pages)

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

    def test_floats_add_up_exactly(self) -> None:
        made = table(column("n", [0.1] * 100, total="sum", align="right"), carry=True)
        shown = [text for page in laid(made, height=300) for text in texts(page, ARTIFACT)]
        sums = [text for text in shown if text[0].isdigit()]
        assert sums
        assert all(Decimal(text) * 10 % 1 == 0 for text in sums)


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
            ),
            min_size=1,
            max_size=60,
        ),
        st.floats(30, 800),
    )
    def test_they_never_exceed_it(
        self, columns: list[tuple[float | str | None, float, float, bool]], room: float
    ) -> None:
        widths = column_widths(
            [Wish(given, full, full * part, grow) for given, full, part, grow in columns], room
        )
        assert sum(widths) <= room + 0.01
        assert all(width >= 0 for width in widths)


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


class TestWrapping:
    font = Typesetter(Theme(), "en").font(TextStyle(10, "#000000"))

    @cases(100)
    @given(st.lists(st.text("abcW 1\n", max_size=80), min_size=1, max_size=4), st.floats(50, 9000))
    def test_wrapping_loses_only_blanks(self, values: list[str], limit: float) -> None:
        for text, made in zip(values, wrapped(values, self.font, limit), strict=True):
            assert "".join("".join(made).split()) == "".join(text.split())
            assert all(len(line) < 2 or self.font.advances([line])[0] <= limit for line in made)

    @cases(100)
    @given(st.text("abcW 1\n", max_size=200), st.floats(0, 9000))
    def test_cutting(self, text: str, limit: float) -> None:
        made = cut(text, self.font, limit)
        assert not made or self.font.advances([made])[0] <= limit


LETTERS = st.text(
    st.sampled_from("abc  defghij,.-W()\\\n\t\x00éŁж日שا̈👍\u200d\ud800€\u202f0123456789"), max_size=40
)
VALUES = st.one_of(
    LETTERS, st.integers(-(10**9), 10**9), st.booleans(), st.none(), st.decimals(-1000, 1000, places=2)
)


@st.composite
def tables(draw: st.DrawFn) -> ResolvedTable:
    """Give tables of every kind; the first column tells the row."""
    count = draw(st.integers(0, 60))
    columns = [column("id", [f"#{number}" for number in range(count)], width=14.0)]
    for number in range(draw(st.integers(0, 5))):
        pool = draw(st.lists(VALUES, min_size=1, max_size=8))
        values = [pool[row * 7 % len(pool)] for row in range(count)]
        more: dict[str, Any] = {
            "width": draw(st.sampled_from([None, None, "*", "2*", "20%", 8.0, 30.0])),
            "align": draw(st.sampled_from(["left", "center", "right", "decimal"])),
            "overflow": draw(st.sampled_from(["wrap", "wrap", "shrink", "cut"])),
            "head_group": draw(st.sampled_from(["", "", "Group of heads"])),
            "bold": draw(st.booleans()),
            "header": draw(st.sampled_from(["", "Head", "A somewhat longer head"])),
            "display": draw(st.sampled_from(["text", "text", "check"])),
        }
        if draw(st.booleans()):
            more["styles"] = [row % 3 - 1 for row in range(count)]
        if draw(st.integers(0, 4)) == 0:
            image = ImageFile(b"", "image/png", 300, draw(st.sampled_from([20, 100, 900])))
            more["images"] = [None if row % 4 else image for row in range(count)]
        if draw(st.booleans()):
            more["links"] = ["https://a.example" if row % 3 else None for row in range(count)]
        columns.append(column(f"c{number}", values, **more))
    groups = []
    bounds = sorted({0, count, *draw(st.lists(st.integers(0, count), max_size=5))})
    if draw(st.booleans()) and count:
        sums = [None, *[Decimal(5)] * (len(columns) - 1)]
        groups.append(ResolvedGroupOfRows(0, "Whole", 0, count, sums, "Sum"))
        for start, stop in zip(bounds, bounds[1:], strict=False):
            groups += [
                ResolvedGroupOfRows(level, "Part", start, stop, sums if level % 2 else None, "Sum")
                for level in (1, 2, 3)
            ]
    return table(
        *columns,
        title=draw(st.sampled_from(["", "Title"])),
        zebra=draw(st.booleans()),
        size=draw(st.sampled_from([None, 6.0, 12.0])),
        styles=[CellStyle("#ff0000", "#ffeeee", bold=True), CellStyle(italic=True)],
        groups=groups,
        totals=draw(st.sampled_from([None, [None, *[1234] * (len(columns) - 1)]])),
        totals_label="Total",
        rules=draw(st.sampled_from(["horizontal", "grid", "none"])),
        padding=draw(st.sampled_from([None, 0.0, 3.0])),
        repeat_head=draw(st.booleans()),
        head=draw(st.booleans()),
        keep_rows=draw(st.booleans()),
        min_rows=draw(st.integers(0, 5)),
        keep_with_next=draw(st.booleans()),
        carry=draw(st.booleans()),
    )


class TestEverything:
    @cases(120)
    @given(tables(), st.integers(240, 600), st.integers(200, 500), st.integers(0, 100))
    def test_rows_once_inside_and_apart(
        self, made: ResolvedTable, width: float, height: float, before: int
    ) -> None:
        pages = laid(block(before + 1), made, block(30), width=width, height=height)
        check_inside(pages)
        check_apart(pages)
        check_code(pages)
        # long numbers may be broken in a narrow column: the pieces of the first column make them up
        first = [line for page in pages for line in sorted(lines(page.items), key=lambda line: -line.y)]
        left = min((line.x for line in first), default=0.0)
        pieces = [line.text for line in first if abs(line.x - left) < 0.01]
        found = "".join(piece for piece in pieces if re.fullmatch(r"[#\d]+", piece))
        assert found == "".join(f"#{number}" for number in range(made.count))

    def test_200_columns(self) -> None:
        made = table(*(column(f"c{number}", [number, number * 100]) for number in range(200)))
        pages = laid(made)
        check_inside(pages)
        check_apart(pages)
        assert len([text for page in pages for text in texts(page)]) >= 400

    @pytest.mark.parametrize("height", [2 * MARGIN + 29, 2 * MARGIN + 40, 2 * MARGIN + 60])
    def test_pages_hardly_higher_than_a_line(self, height: float) -> None:
        made = table(column("Name", ["x"] * 20), column("n", [1] * 20, total="sum"), carry=True, title="T")
        pages = laid(made, height=height)
        assert sum(texts(page).count("x") for page in pages) == 20
        check_inside(pages)

    def test_same_input_same_items(self) -> None:
        made = table(column("a", ["x", "Łódź", "long " * 20], width=20.0), column("n", [1, 2, 3]))
        one, two = laid(made), laid(made)
        for page, other in zip(one, two, strict=True):
            for item, twin in zip(page.items, other.items, strict=True):
                if isinstance(item, TextBlock) and isinstance(twin, TextBlock):
                    assert (item.code, item.font, item.color) == (twin.code, twin.font, twin.color)
                else:
                    assert item == twin
