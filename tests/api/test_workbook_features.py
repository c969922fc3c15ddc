"""Stories over HTTP with what a workbook has beside and instead of what stands on pages."""

from __future__ import annotations

import zipfile
from datetime import datetime
from io import BytesIO
from typing import Any

import pytest

from tests.api.sections import CHART, ITEMS, TABLE
from tests.api.tools import content_of, rendered, workbook_of
from tests.conftest import ApiClient


def test_a_cover_sheet_and_its_header(secret: ApiClient) -> None:
    page = {"coverSheet": True, "header": {"left": "R&G {{a}} &[Picture]"}}
    sections = [{"type": "heading", "content": "Report {{a}}"}, TABLE, CHART | {"chart": "line"}]
    data = {"items": ITEMS, "a": "=1+1"}
    answer = rendered(secret, *sections, data=data, page=page, format="xlsx")
    book = workbook_of(answer)
    assert book.sheetnames == ["Invoice", "Sheet1", "Charts"]
    cover = [cell.value for row in book.worksheets[0].iter_rows() for cell in row if cell.value]
    assert "Report =1+1" in cover
    assert all(cell.data_type != "f" for row in book.worksheets[0].iter_rows() for cell in row)
    with zipfile.ZipFile(BytesIO(content_of(answer))) as archive:
        header = archive.read("xl/worksheets/sheet2.xml").decode()
    assert '&amp;LR&amp;&amp;&amp;"-,Regular"G =1+1' in header.replace("&quot;", '"')


def test_amounts_and_days_of_a_cover_sheet_can_be_reckoned_with(secret: ApiClient) -> None:
    values = {
        "Net": ("{{net}}", 1234.5, '#,##0.00 "€"'),
        "VAT": ("{{vat|percent}}", 0.2, "0.00##%"),
        "Due": ("{{due|date:long}}", datetime(2026, 11, 21), "[$-407]d. mmmm yyyy"),
        "Seen": ("{{seen}}", datetime(2026, 11, 21, 11, 30), "dd.mm.yyyy hh:mm:ss"),
        "Number": ("{{number}}", "2026-7", "General"),
        "Customer no.": ("{{customer|number}}", 123456789012345, "0"),
        "Identifier": ("{{long|number}}", "1.234.567.890.123.456.789", "General"),
        "Both": ("{{net}} net", "1.234,50\u00a0€ net", "General"),
        "Nothing": ("{{nothing|currency}}", None, "General"),
    }
    pairs = [{"label": label, "value": value} for label, (value, _, _) in values.items()]
    kinds = {"net": "currency", "vat": "number", "due": "date", "seen": "datetime", "number": "string"}
    answer = rendered(
        secret,
        {"type": "key_value", "items": pairs},
        TABLE,
        data={
            "items": ITEMS, "net": 1234.5, "vat": 0.2, "due": "2026-11-21", "seen": "2026-11-21T10:30:00Z",
            "number": "2026-7", "customer": 123456789012345, "long": 1234567890123456789,
        },
        format="xlsx",
        page={"coverSheet": True, "locale": "de", "currency": "EUR", "timezone": "Europe/Vienna"},
        variables=[{"name": name, "type": kind} for name, kind in kinds.items()],
    )  # fmt: skip
    rows = {row[0].value: row[1] for row in workbook_of(answer).worksheets[0].iter_rows() if row[0].value}
    found = {label: (cell.value, cell.number_format) for label, cell in rows.items()}
    assert found == {label: (value, pattern) for label, (_, value, pattern) in values.items()}
    assert rows["Net"].alignment.horizontal == "left", "beside its label, as texts are"


def test_days_of_signatures_are_days(secret: ApiClient) -> None:
    signers = [{"name": "Ann", "date": "{{signed|date:short}}"}, {"name": "Ben", "date": "on {{signed}}"}]
    answer = rendered(
        secret,
        {"type": "signature", "signers": signers},
        TABLE,
        data={"items": ITEMS, "signed": "2026-11-21"},
        format="xlsx",
        page={"coverSheet": True},
        variables=[{"name": "signed", "type": "date"}],
    )
    rows = {row[0].value: row[1].value for row in workbook_of(answer).worksheets[0].iter_rows()}
    assert rows["Ann"] == datetime(2026, 11, 21)
    assert rows["Ben"] == "on Nov 21, 2026"


@pytest.mark.parametrize(
    "section",
    [
        {**TABLE, "showIf": {"field": "details", "is": "set"}},
        {
            "type": "group",
            "source": "months",
            "as": "month",
            "sections": [{**TABLE, "source": "month.items"}],
        },
    ],
    ids=["hidden", "repeated over nothing"],
)
def test_a_workbook_whose_tables_have_nothing_to_show_is_one_empty_sheet(
    secret: ApiClient, section: dict[str, Any]
) -> None:
    data = {"details": None, "items": ITEMS, "months": []}
    book = workbook_of(rendered(secret, section, data=data, format="xlsx", name="Sales", formats=["xlsx"]))
    assert book.sheetnames == ["Sales"]
    assert list(book.active.values) == []
