"""XLSX: read back and compared by values and types."""

from __future__ import annotations

import gc
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendering.formats.base import LimitExceeded, RenderError
from rendering.formats.xlsx.lengths import has_wide, length
from rendering.formats.xlsx.names import SheetNames
from rendering.formats.xlsx.renderer import XlsxRenderer
from rendering.formats.xlsx.tables import layout
from templates_app.expressions.helpers import Style
from templates_app.resolved import ResolvedHeading, ResolvedText, SheetOptions
from tests.cases import cases
from tests.rendering.resolved import document, limits, page, workbook_bytes
from tests.rendering.sheets import read
from tests.rendering.tables import column, table

RENDERER = XlsxRenderer()


def cells(value: Any, helper: str | None = None, argument: str | None = None, **style: str) -> Any:
    """Return the cell that a single value becomes."""
    only = column("H", helper=helper, argument=argument, style=Style(**style))
    return read(table([only], [[value]])).active["A2"]


def text(content: str) -> ResolvedText:
    return ResolvedText(content, "left", 10, False, False, None)


def heading(content: str) -> ResolvedHeading:
    return ResolvedHeading(content, 1, "left")


class TestCheck:
    def test_a_template_without_table_is_refused(self) -> None:
        with pytest.raises(RenderError) as caught:
            RENDERER.check(["heading", "text"])
        assert str(caught.value) == "No table sections found"

    def test_a_table_is_enough(self) -> None:
        RENDERER.check(["heading", "table"])

    def test_no_table_left_to_show_is_an_empty_sheet(self) -> None:
        book = read(text("x"))
        assert len(book.worksheets) == 1
        assert list(book.active.values) == []


class TestCells:
    @pytest.mark.parametrize(
        ("value", "expected", "kind"),
        [
            ("text", "text", "s"),
            ("=1+1", "=1+1", "s"),
            ("@SUM(A1)", "@SUM(A1)", "s"),
            ("https://example.com/", "https://example.com/", "s"),
            ("007", "007", "s"),
            ("  padded ", "  padded ", "s"),
            ("a\x00b\x1fc", "abc", "s"),
            ("a\nb", "a\nb", "s"),
            (5, 5, "n"),
            (-0.5, -0.5, "n"),
            (Decimal("12.30"), 12.3, "n"),
            (999_999_999_999_999, 999_999_999_999_999, "n"),
            (1234567890123456789, "1234567890123456789", "s"),
            (-(10**400), str(-(10**400)), "s"),
            (Decimal("1E+400"), "1E+400", "s"),
            (Decimal("NaN"), "NaN", "s"),
            (float("inf"), "inf", "s"),
            (True, True, "b"),
            (False, False, "b"),
            (date(2026, 11, 21), datetime(2026, 11, 21), "d"),
            (datetime(2026, 11, 21, 9, 30), datetime(2026, 11, 21, 9, 30), "d"),
            (date(1899, 12, 31), "Dec 31, 1899", "s"),
            (None, None, "n"),
            ("", None, "n"),
        ],
    )
    def test_types(self, value: Any, expected: Any, kind: str) -> None:
        cell = cells(value)
        assert (cell.value, cell.data_type) == (expected, kind)
        assert cell.hyperlink is None

    def test_moments_are_on_the_local_clock(self) -> None:
        cell = cells(datetime(2026, 11, 21, 23, 30, tzinfo=UTC), "datetime", timezone="Europe/Berlin")
        assert cell.value == datetime(2026, 11, 22, 0, 30)

    def test_a_workbook_that_fails_leaves_nothing_for_the_log(self, monkeypatch: pytest.MonkeyPatch) -> None:
        complaints: list[Any] = []
        monkeypatch.setattr("sys.unraisablehook", complaints.append)
        for _ in range(5):
            try:
                cells("x" * 32_768)
            except RenderError as error:
                error.args = (error,)  # a cycle: the collector finds the archive and its file in any order
        gc.collect()
        assert complaints == []

    @pytest.mark.parametrize("day", [date(2026, 12, 31), date(9999, 12, 31)])
    def test_the_last_moment_of_a_day_stays_in_it(self, day: date) -> None:
        cell = cells(datetime(day.year, day.month, day.day, 23, 59, 59, 999_999))
        assert cell.value == datetime(day.year, day.month, day.day, 23, 59, 59, 999_000)

    def test_number_formats(self) -> None:
        assert cells(Decimal("5"), "number", "2").number_format == "#,##0.00"
        assert cells(5).number_format == "General"
        assert "€" in cells(5, "currency", "EUR").number_format
        assert cells(0.5, "percent", "0").number_format == "0%"
        assert cells(20260102, "date").number_format == "General"  # as in a PDF, where it stays a number
        assert cells(date(2026, 1, 2)).number_format == "yyyy-mm-dd"
        assert cells(date(2026, 1, 2), "date", "dd.MM.yyyy").number_format == "dd.mm.yyyy"
        assert cells(datetime(2026, 1, 2, 3)).number_format == "yyyy-mm-dd hh:mm"

    @pytest.mark.parametrize(
        ("values", "wanted"),
        [
            ([4006381333931, 5], ["0", "0"]),
            ([Decimal(-999999999999), None], ["0", "General"]),
            ([99_999_999_999], ["General"]),
            ([4006381333931, "n/a", 7, True], ["0", "General", "General", '"TRUE";"TRUE";"FALSE"']),
            ([123456789012.5, 5], ["General", "General"]),
            ([Decimal("123456789012.5"), Decimal(4006381333931)], ["General", "General"]),
        ],
    )
    def test_long_whole_numbers_show_all_their_digits(self, values: list[Any], wanted: list[str]) -> None:
        """In a cell without a number format, Excel writes 4006381333931 as 4.00638E+12."""
        sheet = read(table(["H"], [[value] for value in values])).active
        found = [cell.number_format for cell in next(sheet.iter_cols(min_row=2, max_row=len(values) + 1))]
        assert found == wanted

    def test_text_helpers_give_text(self) -> None:
        assert cells(True, "yesno", "on,off").value == "on"
        assert cells("No", "yesno").value == "No"

    def test_longest_text(self) -> None:
        assert len(cells("x" * 32_767).value) == 32_767
        with pytest.raises(RenderError, match="32,767"):
            workbook_bytes(document(table(["H"], [["x" * 32_768]])))
        with pytest.raises(RenderError, match="32,767"):
            workbook_bytes(document(table(["H"], [["\U0001f600" * 20_000]])))

    def test_long_text_wraps(self) -> None:
        assert cells("word " * 40).alignment.wrap_text
        assert not cells("word").alignment.wrap_text
        sheet = read(table(["H"], [["word " * 40], ["word"], ["x\n" * 99]])).active
        assert sheet.row_dimensions[2].height >= 60
        assert sheet.row_dimensions[3].height is None
        assert sheet.row_dimensions[4].height == pytest.approx(409, abs=1)

    @cases(40)
    @given(
        st.lists(
            st.tuples(
                st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"]), max_size=40).filter(
                    lambda value: "_x" not in value
                ),
                st.integers(-(10**14), 10**14),
                st.booleans(),
                st.dates(min_value=date(1900, 3, 1)),
            ),
            max_size=12,
        )
    )
    def test_rows_come_back(self, rows: list[tuple[str, int, bool, date]]) -> None:
        sheet = read(table(["A", "B", "C", "D"], rows)).active
        found = [tuple(cell.value for cell in row) for row in sheet.iter_rows(min_row=2, max_col=4)]
        wanted = [(a or None, b, c, datetime(d.year, d.month, d.day)) for a, b, c, d in rows]
        assert [row for row in found if any(value is not None for value in row)] == wanted


class TestSheets:
    def test_one_per_table_and_nothing_else(self) -> None:
        book = read(heading("H"), table(["A"], [["x"]], title="First"), text("t"), table(["B"], [["y"]]))
        assert book.sheetnames == ["First", "Sheet1"]
        assert [cell.value for cell in book["First"]["A"]] == ["A", "x"]

    def test_header_filter_and_panes(self) -> None:
        sheet = read(table(["A", "B"], [[1, 2]] * 3)).active
        assert sheet["A1"].font.bold
        assert sheet["A1"].fill.fgColor.rgb == "FFE9EEF3"
        assert sheet.freeze_panes == "A2"
        assert sheet.auto_filter.ref == "A1:B4"
        assert sheet.print_title_rows == "$1:$1"
        assert sheet.page_setup.fitToWidth in (None, 1)
        assert sheet.sheet_properties.pageSetUpPr.fitToPage

    def test_no_rows(self) -> None:
        sheet = read(table(["A"], [], empty_text="None")).active
        assert [cell.value for cell in sheet["A"]] == ["A"]

    def test_no_columns(self) -> None:
        assert read(table([], [])).sheetnames == ["Sheet1"]

    def test_widths_follow_the_content(self) -> None:
        rows = [["x", "y" * 30, ""], ["x", "y" * 400, ""]]
        sheet = read(table(["A", "B", column("C", width=39.0)], rows)).active
        widths = [sheet.column_dimensions[letter].width for letter in "ABC"]
        assert widths[0] < 12
        assert 55 < widths[1] <= 62
        assert widths[2] == pytest.approx(20, abs=1)

    def test_east_asian_signs_are_twice_as_wide(self) -> None:
        day = column("C", helper="date", argument="long", style=Style("ja_JP"))
        rows = [["\u9ad8\u6027\u80fd" * 5, "\u8aac\u660e" * 40, date(2026, 10, 31)], ["x", "y", None]]
        sheet = read(table(["\u5546\u54c1\u540d", "B", day], rows)).active
        widths = [sheet.column_dimensions[letter].width for letter in "ABC"]
        assert widths[0] > 30
        assert widths[2] > len("2026") + len("10") + len("31") + 2 * len("\u5e74\u6708\u65e5")
        assert sheet["B2"].alignment.wrap_text
        assert not sheet["A2"].alignment.wrap_text
        assert sheet.row_dimensions[2].height == 45

    def test_signs_as_wide_as_two(self) -> None:
        for sign in "\u1100\u3042\u4e00\ua000\uac00\ud7a3\uf900\uff01\uffe5\U0001f389\U00020000":
            assert (has_wide(f"ab{sign}"), length(f"ab{sign}")) == (True, 4)
        for sign in "a\u00fc\u0416\u0627\u0939\u2013\u20ac\uff71\U0001d400":
            assert (has_wide(f"ab{sign}"), length(f"ab{sign}")) == (False, 3)

    def test_east_asian_text_on_the_cover(self) -> None:
        sheet = read(text("\u8aac\u660e" * 60), table(["A"], [["x"]]), cover_sheet=True).worksheets[0]
        assert sheet.row_dimensions[1].height == 45

    def test_one_amount_among_many_has_room(self) -> None:
        amount = column("A", helper="number", argument="2")
        rows = [[Decimal(1)]] * 2001 + [[Decimal("-1234567890.12")]] + [[Decimal(1)]] * 900
        assert read(table([amount], rows)).active.column_dimensions["A"].width > len("-1,234,567,890.12")

    def test_wide_sheets_print_in_landscape(self) -> None:
        assert read(table(["word word"] * 12, [["x" * 12] * 12])).active.page_setup.orientation == "landscape"
        assert read(table(["A"], [["x"]])).active.page_setup.orientation == "portrait"

    def test_very_wide_sheets_print_on_pages_beside_each_other(self) -> None:
        wide = table(["x" * 20] * 60, [["x"] * 60], sheet=SheetOptions(freeze_columns=2))
        sheet = read(wide).active
        assert sheet.page_setup.fitToWidth == 4
        assert sheet.page_setup.fitToHeight == 0
        assert (sheet.print_title_rows, sheet.print_title_cols) == ("$1:$1", "$A:$B")
        assert read(wide, on=page(width=297, height=420)).active.page_setup.fitToWidth == 3
        narrow = read(table(["A"] * 12, [["x"] * 12], sheet=SheetOptions(freeze_columns=2))).active
        assert narrow.page_setup.fitToWidth in (None, 1)
        assert narrow.print_title_cols is None

    def test_paper_follows_the_page(self) -> None:
        assert read(table(["A"], []), on=page(width=215.9, height=279.4)).active.page_setup.paperSize == 1

    def test_more_rows_than_a_sheet_holds(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(layout, "MOST_ROWS", 5)
        book = read(table(["A"], [[n] for n in range(9)], title="Long"))
        assert book.sheetnames == ["Long", "Long (2)", "Long (3)"]
        values = [cell.value for sheet in book for cell in sheet["A"][1:]]
        assert values == list(range(9))
        assert {sheet["A1"].value for sheet in book} == {"A"}

    def test_too_many_columns(self) -> None:
        with pytest.raises(RenderError, match="16,384 columns"):
            workbook_bytes(document(table([""] * 16_385, [])))


class TestNames:
    @pytest.mark.parametrize(
        ("titles", "expected"),
        [
            (["", " "], ["Sheet1", "Sheet2"]),
            (["sheet1", ""], ["sheet1", "Sheet2"]),
            (["Items", "items", "ITEMS"], ["Items", "items (2)", "ITEMS (3)"]),
            (["a/b:c*[d]?\\"], ["a b c d"]),
            (["'quoted'"], ["quoted"]),
            (["History"], ["History (2)"]),
            (["[]:*?/\\"], ["Sheet1"]),
            (["x" * 40, "x" * 40], ["x" * 31, "x" * 27 + " (2)"]),
            (["\U0001f600" * 20], ["\U0001f600" * 15]),
            (["Items (2)", "Items", "Items"], ["Items (2)", "Items", "Items (3)"]),
            (["Σ", "ς", "σ"], ["Σ", "ς (2)", "σ (3)"]),
            (["ＡＢ", "AB"], ["ＡＢ", "AB (2)"]),
            (["_x0041_ b"], ["_ x0041_ b"]),
        ],
    )
    def test_table(self, titles: list[str], expected: list[str]) -> None:
        names = SheetNames()
        assert [names.take(title) for title in titles] == expected

    def test_long_titles_and_many_of_them(self) -> None:
        """Shortening by one letter, or trying all numbers anew, takes minutes for these."""
        names = SheetNames()
        taken = [names.take(title) for title in ("x" * 3_000_000, *["Items"] * 20_000, *[""] * 20_000)]
        assert taken[0] == "x" * 31
        assert taken[20_000] == "Items (20000)"
        assert taken[-1] == "Sheet20000"

    @cases(60)
    @given(
        st.lists(st.text(max_size=40) | st.sampled_from(["History", "'", "Straße", "STRASSE"]), max_size=12)
    )
    def test_any_titles_make_a_workbook(self, titles: list[str]) -> None:
        sections = [table(["A"], [["x"]], title=title) for title in titles] or [table(["A"], [])]
        names = read(*sections).sheetnames
        assert len({name.lower() for name in names}) == len(sections)
        assert all(0 < len(name.encode("utf-16-le")) // 2 <= 31 for name in names)


class TestFile:
    SECTIONS = (table(["A", "B"], [["x", Decimal("1.5")]] * 50, title="T"),)

    def test_same_input_gives_the_same_bytes(self) -> None:
        assert workbook_bytes(document(*self.SECTIONS)) == workbook_bytes(document(*self.SECTIONS))

    def test_properties(self) -> None:
        book = read(*self.SECTIONS, title="Prices & more")
        assert book.properties.title == "Prices & more"
        assert book.properties.created == datetime(2026, 11, 21, 9, 30)

    def test_time_limit_leaves_no_temporary_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        assert gettempdir() == str(tmp_path)
        with pytest.raises(LimitExceeded, match="RENDER_TIMEOUT"):
            workbook_bytes(document(*self.SECTIONS), limits(seconds=0))
        with pytest.raises(RenderError):
            workbook_bytes(document(table(["A"], [["x"], ["y" * 40_000]])))
        assert list(tmp_path.iterdir()) == []

    def test_wire_names(self) -> None:
        renderer = RENDERER
        assert (renderer.name, renderer.extension) == ("xlsx", "xlsx")
        assert renderer.content_type == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        assert {"table", "chart", "heading", "text"} <= set(renderer.sections)
