"""How worksheets print, and what a workbook says about itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rendering.formats.xlsx.printing import band
from templates_app.resolved import PAGE_COUNT, PAGE_NUMBER, ResolvedBand, ResolvedText, SheetOptions
from tests.rendering.resolved import page
from tests.rendering.sheets import part, read, written
from tests.rendering.tables import table

ORDERS = table(["A"], [["x"]], title="Orders")


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (ResolvedBand("A & B", "", f"{PAGE_NUMBER} / {PAGE_COUNT}"), "&LA && B&R&P / &N"),
        (ResolvedBand("2026 report"), '&L&"-,Regular"2026 report'),
        (ResolvedBand("", f"{PAGE_NUMBER}+1"), '&C&P&"-,Regular"+1'),
        (ResolvedBand("&P"), "&L&&P"),
        (ResolvedBand(), ""),
        (None, ""),
    ],
)
def test_bands(wanted: ResolvedBand | None, expected: str) -> None:
    assert band(wanted) == expected


def test_bands_of_sections_and_long_ones() -> None:
    title = ResolvedText("Title", "center", None, False, False, None)
    assert band(ResolvedBand(sections=[title])) == "&CTitle"
    assert 200 < len(band(ResolvedBand("&" * 400, "x" * 400))) <= 255
    # Excel counts an emoji as two.
    assert band(ResolvedBand("😀" * 300, "x")) == f"&L{'😀' * 126}"


def test_bands_and_properties_longer_than_a_cell() -> None:
    long = "x" * 40_000
    found = read(ORDERS, on=page(header=ResolvedBand(long)), subject=long)
    assert len(found.active.oddHeader.left.text) == 253
    assert len(found.properties.subject) == 255


@pytest.mark.parametrize("name", ["True", "CO₂", "Größe", "O'Neil €"])
def test_references_to_sheets_are_quoted_where_a_formula_reads_something_else(name: str) -> None:
    options = SheetOptions(name=name, freeze_columns=1)
    workbook = part(written(replace(ORDERS, sheet=options), on=page(width=2000)), "xl/workbook.xml")
    quoted = "'" + name.replace("'", "''") + "'"
    assert f">{quoted}!$A$1:$A$2<" in workbook
    assert f"{quoted}!$1:$1<" in workbook


def test_set_up() -> None:
    paper = page(width=297, height=210, footer=ResolvedBand("", f"Page {PAGE_NUMBER}"))
    sheet = read(ORDERS, on=paper).active
    assert sheet.page_setup.orientation == "landscape"
    assert sheet.page_setup.paperSize == 9
    assert sheet.oddFooter.center.text == "Page &P"
    assert read(ORDERS).active.oddFooter.right.text == "&P / &N"


def test_the_first_page_has_a_header_of_its_own() -> None:
    paper = page(header=ResolvedBand("Rest"))
    first, second = read(ORDERS, ORDERS, on=replace(paper, first_header=ResolvedBand("First"))).worksheets
    assert first.HeaderFooter.differentFirst
    assert (first.firstHeader.left.text, first.oddHeader.left.text) == ("First", "Rest")
    assert first.firstFooter.right.text == first.oddFooter.right.text == "&P / &N"
    assert (second.HeaderFooter.differentFirst, second.oddHeader.left.text) == (None, "Rest")
    empty = read(ORDERS, on=replace(paper, first_header=ResolvedBand())).active
    assert (empty.firstHeader.left.text, empty.oddHeader.left.text) == (None, "Rest")


def test_bands_of_several_lines_stand_above_the_cells() -> None:
    lines = ResolvedBand("One\ntwo\nthree", "A && B")
    usual = read(ORDERS, on=page()).active.page_margins
    margins = read(ORDERS, on=replace(page(footer=lines), first_header=lines)).active.page_margins
    assert margins.header + 3 * 0.18 < margins.top
    assert margins.footer + 3 * 0.18 < margins.bottom
    assert margins.top > usual.top
    assert margins.bottom > usual.bottom


def test_properties() -> None:
    found = read(ORDERS, author="Ann <a@b>", subject="S\x00ubject").properties
    assert (found.creator, found.subject) == ("Ann <a@b>", "Subject")
