"""Usage: the months, one of them by template and by end user, and the exports, in which texts stay texts."""

from __future__ import annotations

import csv
from io import BytesIO, StringIO

import pytest
from django.utils import timezone
from openpyxl import load_workbook
from pytest_django import DjangoAssertNumQueries

from dashboard.exports import harmless
from tests.dashboard.world import World, page
from usage.models import MonthlyCount


def get(world: World, path: str = "", **query):
    return world.client("viewer").get(world.path("{o}/usage" + path), query)


def count(world: World, **fields) -> None:
    MonthlyCount.objects.create(
        **{
            "organization": world.organization,
            "month": timezone.now().date().replace(day=1),
            "template_id": world.ids["template"],
            "format": "pdf",
            "external_user_id": "",
            "documents": 7,
        }
        | fields
    )


def test_a_month_by_template_and_by_end_user(world: World) -> None:
    shown = page(get(world))
    assert shown.count('<th scope="col"><a href="?month=') == 6
    assert "Invoice" in shown
    assert "83.3 %" in shown
    assert "customer-17" not in shown
    users = page(get(world, by="user"))
    assert "customer-17" in users
    assert "The organization itself" in users


def test_an_earlier_month_and_a_wrong_one(world: World) -> None:
    count(world, month="2024-02-01", template_id="tpl_gone", documents=1234)
    shown = page(get(world, month="2024-02"))
    assert "February 2024" in shown
    assert "1,234 documents" in shown
    assert "tpl_gone" in shown
    for month in ("2024-13", "9999-01", "nonsense", "0001-01"):
        assert f"{timezone.now():%B %Y}" in page(get(world, month=month))
    assert "Nothing was rendered" in page(get(world, month="2024-03"))


def test_others_are_not_counted(world: World) -> None:
    other = world.people["stranger"].memberships.get().organization_id
    answer = world.client("stranger").get(f"/o/{other}/usage")
    assert "Nothing was rendered" in page(answer)
    lines = b"".join(world.client("stranger").get(f"/o/{other}/usage/export.csv?months=6"))
    assert lines.count(b"\r\n") == 1


@pytest.mark.parametrize("path", ["{o}/usage/export.csv", "{o}/usage/export.xlsx", "{o}/settings/audit.csv"])
def test_who_takes_an_export_slowly_holds_no_query_open(
    path: str, world: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    answer = world.client("owner").get(world.path(path))
    with django_assert_num_queries(0):
        assert len(b"".join(answer.streaming_content)) > 50


def test_csv_has_every_counter_and_no_formula(world: World) -> None:
    count(world, external_user_id='=HYPERLINK("https://evil.example","x")')
    count(world, external_user_id='a,b\n"c"')
    answer = get(world, "/export.csv")
    rows = list(csv.reader(StringIO(b"".join(answer.streaming_content).decode())))
    assert rows[0] == ["Month", "Template id", "Template", "Format", "End user", "Documents"]
    users = {row[4]: row for row in rows[1:]}
    assert '\'=HYPERLINK("https://evil.example","x")' in users
    assert users['a,b\n"c"'][2:] == ["Invoice", "pdf", 'a,b\n"c"', "7"]
    assert f"usage-{timezone.now():%Y-%m}.csv" in answer["Content-Disposition"]
    many = b"".join(get(world, "/export.csv", months=6).streaming_content).decode()
    assert len(many.splitlines()) > len(rows)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_text_that_begins_like_a_formula_is_quoted(text: str) -> None:
    assert harmless(text) == f"'{text}"
    assert harmless(f"x{text}") == f"x{text}"


def test_a_workbook_keeps_texts_and_numbers(world: World) -> None:
    count(world, external_user_id="=1+1")
    count(world, external_user_id="0042", documents=3)
    content = b"".join(get(world, "/export.xlsx").streaming_content)
    sheet = load_workbook(BytesIO(content)).active
    found = {row[4].value: row for row in sheet.iter_rows(min_row=2)}
    assert found["=1+1"][4].data_type == "s"
    assert (found["0042"][4].data_type, found["0042"][5].value) == ("s", 3)
    assert found["0042"][0].value.strftime("%Y-%m") == f"{timezone.now():%Y-%m}"


@pytest.mark.parametrize(
    "text",
    [
        "<r><t>a</t></r>",
        "<r>a & b</r>",
        '<r><t>a</t></r></is></c><c r="H2"><f>1+1</f></c><c r="I2" t="inlineStr"><is><r><t>b</t></r>',
    ],
)
def test_a_text_in_a_workbook_is_no_markup(world: World, text: str) -> None:
    """End users name templates: what looks like XlsxWriter's own rich text becomes no cell or formula."""
    count(world, external_user_id=text)
    sheet = load_workbook(BytesIO(b"".join(get(world, "/export.xlsx").streaming_content))).active
    assert text in [row[4].value for row in sheet.iter_rows(min_row=2)]
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} <= {"s", "n", "d"}
    assert sheet.max_column == 6
