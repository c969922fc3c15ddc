"""The workbook around the tables: cover, charts, print set-up, the package itself, values of any kind."""

from __future__ import annotations

import io
import re
import struct
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from rendering.formats.base import Limits
from rendering.formats.palette import palette
from rendering.formats.xlsx import archive
from rendering.formats.xlsx.archive import Archive
from rendering.formats.xlsx.printing import band
from templates_app.expressions.helpers import Format, Style
from templates_app.resolved import (
    HeadingLook,
    ImageFile,
    ResolvedBand,
    ResolvedChart,
    ResolvedDivider,
    ResolvedGroupOfRows,
    ResolvedHeading,
    ResolvedItem,
    ResolvedKeyValue,
    ResolvedLanguage,
    ResolvedList,
    ResolvedPair,
    ResolvedSignature,
    ResolvedSigner,
    ResolvedText,
    Series,
    SheetOptions,
    Theme,
)
from tests.cases import cases
from tests.rendering.resolved import document, page, workbook_bytes
from tests.rendering.sheets import part, read
from tests.rendering.tables import column, table

ORDERS = table(["A"], [["x"]], title="Orders")


def chart(kind: Any = "column", **more: Any) -> ResolvedChart:
    given: dict[str, Any] = {
        "title": "Sales",
        "categories": ["Q1", "=Q2", "Q3"],
        "series": [Series("2025", [1, None, 3]), Series("2026", [4, 5.5, float("inf")])],
        "format": Format("number", "1", Style()),
        "width": 120.0,
        "height": 70.0,
        "align": "left",
        "legend": "bottom",
        "labels": True,
        "alt": "Sales by quarter",
        **more,
    }
    return ResolvedChart(kind, **given)


class TestRightToLeft:
    """Worksheets of a language from right to left have column A at the right, and text begins there."""

    TABLE = table(["A", "B"], [["x", 1]], title="Orders")

    def test_sheets_of_the_document_and_of_one_table(self) -> None:
        for language, own, wanted in (
            ("he", None, True),
            ("en", None, False),
            ("en", "ar", True),
            ("ar", "en", False),
        ):
            section = self.TABLE if own is None else ResolvedLanguage(self.TABLE, own)
            written = workbook_bytes(document(section, language=language))
            (sheet,) = load_workbook(io.BytesIO(written)).worksheets
            assert bool(sheet.sheet_view.rightToLeft) is wanted
            for row in (1, 2):
                assert sheet.cell(row, 1).alignment.horizontal == ("right" if wanted else "left")

    def test_titles_of_groups_begin_at_the_right(self) -> None:
        groups = [ResolvedGroupOfRows(1, "Group", 0, 1, None)]
        made = replace(self.TABLE, groups=groups)
        written = workbook_bytes(document(made, language="fa"))
        (sheet,) = load_workbook(io.BytesIO(written)).worksheets
        (title,) = [cell for row in sheet.iter_rows() for cell in row if cell.value == "Group"]
        assert (title.alignment.horizontal, title.alignment.indent) == ("right", 1)

    def test_cover_and_charts(self) -> None:
        words = ResolvedLanguage(ResolvedText("Latin", "left", None, False, False, None), "en")
        pairs = ResolvedKeyValue([ResolvedPair("Label", "Value", False)], 1, "left", None)
        written = workbook_bytes(document(words, pairs, chart(), cover_sheet=True, language="ar"))
        cover, charts = load_workbook(io.BytesIO(written)).worksheets
        assert cover.sheet_view.rightToLeft
        assert charts.sheet_view.rightToLeft
        sides = {
            cell.value: cell.alignment.horizontal for row in cover.iter_rows() for cell in row if cell.value
        }
        assert sides == {"Latin": "left", "Label": "right", "Value": "right"}

    def test_a_band_has_the_texts_of_other_languages(self) -> None:
        words = ResolvedLanguage(ResolvedText("Seite", "right", None, False, False, None), "de")
        assert band(ResolvedBand(sections=(words,))) == "&RSeite"


class TestCover:
    SECTIONS = (
        ResolvedHeading("Report", 1, "left"),
        ResolvedText("First line\n\n=1+1", "justify", None, True, False, "#ff0000"),
        ResolvedKeyValue([ResolvedPair("Customer", "Acme", True)], 1, "left", None),
        ResolvedList([ResolvedItem("One", [ResolvedItem("Inner")])], ordered=True),
        ResolvedDivider(1, None),
        ResolvedSignature([ResolvedSigner("Ann", "Director", None, "today")], 1, 10),
    )

    def test_texts_in_cells(self) -> None:
        book = read(*self.SECTIONS, ORDERS, cover_sheet=True, title="Sample")
        assert book.sheetnames == ["Sample", "Orders"]
        assert book.active.title == "Sample"
        values = [[c.value for c in row] for row in book.active.iter_rows()]
        assert [row for row in values if any(row)] == [
            ["Report", None],
            ["First line", None],
            ["=1+1", None],
            ["Customer", "Acme"],
            ["1. One", None],
            ["a. Inner", None],
            ["Ann", "today"],
            ["Director", None],
        ]
        assert {c.data_type for row in book.active.iter_rows() for c in row} == {"s", "n"}

    def test_lists_count_as_on_paper(self) -> None:
        items = [ResolvedItem("One"), ResolvedItem("Two", [ResolvedItem("Inner")])]
        book = read(ResolvedList(items, ordered=True, style="roman", start=4), ORDERS, cover_sheet=True)
        assert [row[0].value for row in book.active.iter_rows()] == ["iv. One", "v. Two", "1. Inner"]
        book = read(ResolvedList(items, ordered=True, style="outline", start=4), ORDERS, cover_sheet=True)
        assert [row[0].value for row in book.active.iter_rows()] == ["4. One", "5. Two", "5.1 Inner"]

    def test_a_text_of_very_many_lines_keeps_to_the_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        looks: list[Limits] = []
        monkeypatch.setattr(Limits, "check_time", lambda self: looks.append(self))
        lines = ResolvedText("x\n" * 5_000, "left", None, False, False, None)
        workbook_bytes(document(lines, ORDERS, cover_sheet=True))
        assert len(looks) > 10

    def test_in_the_colours_of_the_theme(self) -> None:
        looks = {
            **Theme().headings,
            1: HeadingLook(24, "#8a1c1c", 22, 10),
            2: HeadingLook(15, "#fdfdfd", 20, 7),
        }
        theme = Theme(ink="#103020", muted="#557755", rule_strong="#99aa99", headings=looks)
        second = ResolvedHeading("White on a dark box", 2, "left")
        sheet = read(*self.SECTIONS, second, ORDERS, cover_sheet=True, theme=theme).active
        cells = [cell for row in sheet.iter_rows() for cell in row]
        colors = {cell.value: cell.font.color.rgb[2:].lower() for cell in cells if cell.value}
        assert colors["Report"] == "8a1c1c"
        assert colors["Customer"] == colors["Director"] == "557755"
        assert {colors[text] for text in ("Acme", "1. One", second.text)} == {"103020"}
        below = [cell.border.bottom for cell in cells]
        assert {line.color.rgb[2:].lower() for line in below if line.style} == {"99aa99"}

    def test_only_when_wanted(self) -> None:
        assert read(*self.SECTIONS, ORDERS).sheetnames == ["Orders"]
        assert read(ORDERS, cover_sheet=True).sheetnames == ["Orders"]


class TestCharts:
    @pytest.mark.parametrize(
        "kind", ["bar", "stacked_bar", "column", "stacked_column", "line", "area", "pie", "donut"]
    )
    def test_native_with_its_data(self, kind: str) -> None:
        book = read(ORDERS, chart(kind), chart(kind, title="", legend="none", width=None))
        assert book.sheetnames == ["Orders", "Charts"]
        sheet = book["Charts"]
        assert len(sheet._charts) == 2
        rows = [[c.value for c in row] for row in sheet.iter_rows(max_row=5)]
        assert rows == [
            ["Sales", None, None],
            [None, "2025", "2026"],
            ["Q1", 1, 4],
            ["=Q2", None, 5.5],
            ["Q3", 3, None],
        ]
        assert sheet["A4"].data_type == "s"

    @pytest.mark.parametrize("kind", ["bar", "stacked_bar", "column", "stacked_column", "line", "area"])
    def test_names_stay_at_the_edge_where_values_are_below_zero(self, kind: str) -> None:
        drawn = chart(kind, series=[Series("Profit", [-1, 2, -3])])
        found = part(workbook_bytes(document(ORDERS, drawn)), "xl/charts/chart1.xml")
        names = found[found.index("<c:catAx>") : found.index("</c:catAx>")]
        assert '<c:tickLblPos val="low"/>' in names

    @pytest.mark.parametrize(
        "title",
        ["Orders!A1", "Up 5!B2 sold", "=Orders!$A$1", "=[http://x.test/a.xlsx]S!$A$1", "=cmd|' /C x'!A0"],
    )
    def test_a_title_is_text_and_no_reference(self, title: str) -> None:
        """Titles come from the data; a reference would show what stands in another cell, or another file."""
        found = part(workbook_bytes(document(ORDERS, chart(title=title))), "xl/charts/chart1.xml")
        shown = ElementTree.fromstring(found).find(".//{*}chart/{*}title")
        assert shown is not None
        assert [run.text for run in shown.iterfind(".//{*}t")] == [title]
        assert not shown.findall(".//{*}f")

    @pytest.mark.parametrize("kind", ["bar", "stacked_bar", "column", "stacked_column", "line", "area"])
    def test_axes_say_what_they_show_as_text(self, kind: str) -> None:
        drawn = chart(kind, category_title="=Orders!$A$1", value_title="Euros")
        found = ElementTree.fromstring(part(workbook_bytes(document(ORDERS, drawn)), "xl/charts/chart1.xml"))
        axes = {axis: found.find(f".//{{*}}{axis}/{{*}}title") for axis in ("catAx", "valAx")}
        assert {axis: [run.text for run in title.iterfind(".//{*}t")] for axis, title in axes.items()} == {
            "catAx": ["=Orders!$A$1"],
            "valAx": ["Euros"],
        }
        assert all(not title.findall(".//{*}f") for title in axes.values())

    def test_pies_have_no_axes_to_name(self) -> None:
        drawn = chart("pie", category_title="Months", value_title="Euros")
        assert "Euros" not in part(workbook_bytes(document(ORDERS, drawn)), "xl/charts/chart1.xml")

    def test_areas_do_not_hide_each_other(self) -> None:
        found = ElementTree.fromstring(
            part(workbook_bytes(document(ORDERS, chart("area"))), "xl/charts/chart1.xml")
        )
        shapes = found.findall(".//{*}ser/{*}spPr")
        assert [shape.find("{*}solidFill/{*}srgbClr/{*}alpha").get("val") for shape in shapes] == [
            "16000"
        ] * 2
        assert all(shape.find("{*}ln/{*}solidFill/{*}srgbClr/{*}alpha") is None for shape in shapes)

    def test_values_of_slices_stand_outside_in_ink(self) -> None:
        found = part(workbook_bytes(document(ORDERS, chart("pie"))), "xl/charts/chart1.xml")
        labels = found[found.index("<c:dLbls>") : found.index("</c:dLbls>")]
        assert '<c:dLblPos val="outEnd"/>' in labels
        assert "FFFFFF" not in labels

    @pytest.mark.parametrize("kind", ["bar", "stacked_bar", "column", "stacked_column", "line", "area"])
    @pytest.mark.parametrize(("count", "shown"), [(3, True), (60, False)])
    def test_values_that_would_stand_on_each_other_are_left_out(
        self, kind: str, count: int, shown: bool
    ) -> None:
        series = [Series("A", [float(10**6)] * count)]
        drawn = chart(kind, categories=[str(n) for n in range(count)], series=series)
        found = part(workbook_bytes(document(ORDERS, drawn)), "xl/charts/chart1.xml")
        assert ("<c:dLbls>" in found) is shown

    def test_the_data_has_room(self) -> None:
        series = [Series("A", [float(10**12)]), *(Series("B", [1.0]) for _ in range(9))]
        amounts = Format("currency", "EUR", Style())
        drawn = chart(categories=["A category with a long name"], series=series, format=amounts)
        found = read(ORDERS, drawn, chart())["Charts"].column_dimensions
        assert found["A"].width > len("A category with a long name")
        assert found["B"].width > len("\u20ac1,000,000,000,000.00")
        assert found["C"].width == pytest.approx(14, abs=1)
        assert found["C"].max == 11

    @pytest.mark.parametrize(("width", "turned"), [(None, "landscape"), (60, "portrait"), (140, "landscape")])
    def test_charts_wider_than_the_paper_with_their_data_print_in_landscape(
        self, width: float | None, turned: str
    ) -> None:
        assert read(ORDERS, chart(width=width))["Charts"].page_setup.orientation == turned
        assert read(ORDERS, chart(width=width), chart(width=20))["Charts"].page_setup.orientation == turned

    def test_no_chart_is_parted_where_a_page_has_room_for_it(self) -> None:
        def breaks(*charts: Any) -> list[int]:
            return [found.id for found in read(ORDERS, *charts)["Charts"].row_breaks.brk]

        small = [chart(height=60.0)] * 5  # 13 rows each with the title, and two between them
        assert breaks(*small) == [2 * 15, 4 * 15]
        assert breaks(*small[:2]) == []
        assert breaks(chart(height=400.0), chart(height=20.0)) == []  # the page that the tall one ends on
        assert breaks(chart(height=20.0), chart(height=400.0)) == [7]
        assert breaks(chart(series=[])) == []

    def test_the_colours_of_charts_are_those_of_the_pdf(self) -> None:
        theme = replace(Theme(), accent="#7a1fa2")
        content = part(
            workbook_bytes(document(ORDERS, chart(), theme=theme)),
            "xl/charts/chart1.xml",
        )
        found = re.findall('<c:spPr><a:solidFill><a:srgbClr val="([0-9A-F]{6})"', content)
        assert found == [color[1:].upper() for color in palette(theme.accent, 2)]

    def test_values_on_marks_can_be_read(self) -> None:
        donut = part(workbook_bytes(document(ORDERS, chart("donut", labels=True))), "xl/charts/chart1.xml")
        labels = re.findall("<c:dLbl>.*?</c:dLbl>", donut)
        colors = [re.findall('srgbClr val="([0-9A-F]{6})"', label) for label in labels]
        assert colors == [["FFFFFF"], ["1B2430"], ["FFFFFF"]]

    def test_nothing_to_draw(self) -> None:
        assert read(ORDERS, chart(series=[]), chart(categories=[]))["Charts"]._charts == []


class TestArchive:
    def test_zip64_when_an_entry_is_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(archive, "LARGEST", 1000)
        out = io.BytesIO(b"before")
        out.seek(6)
        package = Archive(out)
        package.add("small", b"x")
        entry = package.open("large")
        data = bytes(range(256)) * 200
        for start in range(0, len(data), 999):
            entry.write(data[start : start + 999])
        entry.close()
        package.add("last", b"y")
        package.finish()
        out.seek(6)
        with zipfile.ZipFile(io.BytesIO(out.read())) as found:
            assert found.namelist() == ["small", "large", "last"]
            assert found.read("large") == data
            assert found.testzip() is None
            assert {info.date_time for info in found.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert struct.pack("<HH", 1, 16) in out.getvalue()

    def test_plain_otherwise(self) -> None:
        content = workbook_bytes(document(ORDERS))
        assert b"PK\x06\x06" not in content  # nor anything else of the large format
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            assert package.testzip() is None
            assert package.namelist()[0] == "[Content_Types].xml"
            assert {info.extract_version for info in package.infolist()} == {20}

    def test_same_bytes_in_threads(self) -> None:
        sections = [
            table(["A", "B"], [[f"t{n % 7}", n / 8] for n in range(3000)], title=f"T{n}") for n in range(3)
        ]
        wanted = document(*sections, chart(), *TestCover.SECTIONS, cover_sheet=True)
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda _: workbook_bytes(wanted), range(16)))
        assert len(set(found)) == 1


TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"]), max_size=30) | st.sampled_from(
    [
        "=1",
        "+1",
        " x ",
        "<r>a</r>",
        "a&b",
        "]]>",
        "&amp;",
        "x" * 500,
        "\t",
        "a\nb",
        "2026-01-02",
        "@x",
        "\u00a0",
    ]
)
NUMBERS = (
    st.integers(-(10**15) + 1, 10**15 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**12), max_value=10**12, places=2)
)


class TestAnyValues:
    """A column comes back with its types and values, whether it is of one kind or mixed."""

    @cases(60)
    @given(st.lists(st.none() | TEXTS, max_size=30))
    def test_texts(self, values: list[str | None]) -> None:
        wanted = [value or None for value in values]
        assert self.back(values) == wanted

    @cases(60)
    @given(st.lists(NUMBERS | st.none(), max_size=30))
    def test_numbers(self, values: list[Any]) -> None:
        found = self.back(values)
        assert [None if v is None else float(v) for v in found] == [
            None if v is None else float(v) for v in values
        ]

    @cases(60)
    @given(st.lists(TEXTS | NUMBERS | st.booleans() | st.none() | st.dates(date(1900, 3, 1)), max_size=20))
    def test_mixed(self, values: list[Any]) -> None:
        for value, found in zip(values, self.back(values), strict=True):
            if isinstance(value, date):
                assert found == datetime(value.year, value.month, value.day)
            elif isinstance(value, bool | str) or value is None:
                assert found == (None if value == "" else value)
                assert type(found) is type(value) or value == ""
            else:
                assert float(found) == float(value)

    @cases(60)
    @given(st.lists(st.text(max_size=20), max_size=20))
    def test_nothing_breaks_the_file(self, values: list[str]) -> None:
        heads = [column(value[:20], head_group=value[::-1]) for value in values] or ["A"]
        wanted = table(heads, [values or [None]], title="".join(values))
        content = workbook_bytes(document(wanted, title="".join(values), subject="".join(values)))
        load_workbook(io.BytesIO(content))
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            for name in package.namelist():
                ElementTree.fromstring(package.read(name))

    def back(self, values: list[Any]) -> list[Any]:
        # A number beside each value, so that empty rows are read back as well.
        sheet = read(table(["V", "N"], [[value, 1] for value in values])).active
        return [row[0].value for row in sheet.iter_rows(min_row=2, max_col=2)]

    def test_unique_texts_and_repeated_ones(self) -> None:
        rows = [[f"text & {n}", f"<{n % 3}>", f" {n}\n"] for n in range(2500)]
        sheet = read(table(["A", "B", "C"], rows)).active
        assert [[c.value for c in row] for row in sheet.iter_rows(min_row=2)] == rows

    def test_more_texts_than_are_shared(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("rendering.formats.xlsx.texts.MOST_SHARED", 50)
        rows = [[f"a{n // 2}", f"b{n % 3}"] for n in range(3000)]
        sheet = read(table(["A", "B"], rows)).active
        assert [[c.value for c in row] for row in sheet.iter_rows(min_row=2)] == rows

    def test_escapes_of_the_format_stay_text(self) -> None:
        content = workbook_bytes(document(table(["A"], [["_x0041_"], ["_xyz_"]])))
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            everything = "".join(package.read(name).decode() for name in package.namelist())
        assert "_x005F_x0041_" in everything
        assert "_xyz_" in everything

    def test_what_looks_like_a_formula_stays_text_when_edited(self) -> None:
        sheet = read(table(["A"], [["=1+1"], ["plain"]])).active
        assert [bool(cell.quotePrefix) for cell in sheet["A"][1:]] == [True, False]

    def test_iso_texts_in_a_column_of_dates(self) -> None:
        values = ["2026-01-02", None, "2026-01-02", "2025-12-31"]
        sheet = read(table([column("D", helper="date"), "N"], [[v, 1] for v in values])).active
        assert [c.value for c in sheet["A"][1:]] == [
            datetime(2026, 1, 2),
            None,
            datetime(2026, 1, 2),
            datetime(2025, 12, 31),
        ]
        assert read(table(["D"], [["2026-01-02"]])).active["A2"].value == "2026-01-02"

    def test_long_numbers_keep_their_digits(self) -> None:
        values = [1, 10**15, Decimal("12345678901234567"), Decimal("1234567890123.25"), 1e300]
        sheet = read(table(["N"], [[value] for value in values])).active
        assert [c.value for c in sheet["A"][1:]] == [
            1,
            "1000000000000000",
            "12345678901234567",
            1234567890123.25,
            1e300,
        ]


def test_a_broken_image_is_left_out_of_the_cover() -> None:
    from templates_app.resolved import ResolvedImage

    broken = ResolvedImage(ImageFile(b"x", "image/png", 5, 5), None, None, "left", "")
    assert read(broken, ORDERS, cover_sheet=True).sheetnames == ["Sample", "Orders"]


def test_hostile_text_everywhere() -> None:
    bad = "\ud800<&\x00\ufffe=x'\"]]>\n"
    columns = [
        column(bad, key=bad, head_group=bad, display="link", links=[bad, f"https://example.com/{bad}"]),
        column(bad, texts=[bad, bad], total="sum"),
    ]
    totals: dict[str, Any] = {"totals": [None, bad], "totals_label": bad, "title": bad}
    groups = [ResolvedGroupOfRows(0, bad, 0, 2, [None, bad], bad)]
    sections = [
        ResolvedHeading(bad, 1, "left"),
        ResolvedKeyValue([ResolvedPair(bad, bad, False)], 1, "left", None),
        table(columns, [[bad, bad], [None, 1]], groups=groups, **totals),
        table(columns, [[bad, bad], [1, None]], sheet=SheetOptions(name=bad, excel_table=True), **totals),
        chart(title=bad, categories=[bad], series=[Series(bad, [1.0])], alt=bad),
    ]
    paper = page(header=ResolvedBand(bad, bad, bad))
    texts = {"title": bad, "author": bad, "subject": bad}
    content = workbook_bytes(document(*sections, on=paper, cover_sheet=True, **texts))
    assert len(load_workbook(io.BytesIO(content)).sheetnames) == 4
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        for name in package.namelist():
            ElementTree.fromstring(package.read(name))
