"""Previews: unsaved content through the stages of a render, errors at their fields."""

from __future__ import annotations

import json
from email.parser import BytesParser
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from openpyxl import load_workbook
from pypdf import PdfReader

from assets.models import Asset
from rendering.models import Document
from templates_app.models import Template
from tests.conftest import INVOICE, INVOICE_DATA
from tests.dashboard.world import World
from usage.models import MonthlyCount


def preview(
    client: Client, world: World, content: Any = INVOICE, data: Any = INVOICE_DATA, **fields: Any
) -> Any:
    body = {"content": content, "data": data} | fields
    return client.post(world.path("{o}/preview"), json.dumps(body), content_type="application/json")


def parts(answer: Any) -> tuple[dict[str, Any], bytes]:
    """Return what a browser's `formData()` makes of a preview."""
    assert answer.status_code == 200, answer.content
    head = f"Content-Type: {answer['Content-Type']}\r\n\r\n".encode()
    found = {
        part.get_param("name", header="content-disposition"): part.get_payload(decode=True)
        for part in BytesParser().parsebytes(head + answer.content).get_payload()
    }
    return json.loads(found["result"]), found["file"]


def problems(answer: Any) -> dict[str, str]:
    assert answer.status_code == 400, answer.content
    return {problem["field"]: problem["message"] for problem in answer.json()["problems"]}


def test_a_pdf_of_what_nobody_saved(world: World) -> None:
    result, file = parts(preview(world.client("editor"), world))
    text = PdfReader(BytesIO(file)).pages[0].extract_text()
    assert "Invoice 42" in text
    assert "Ink" in text
    assert {variable["name"]: variable["type"] for variable in result["variables"]} == {
        "number": "string",
        "items": "list",
    }
    assert result["sheets"] == []


def test_a_file_with_a_password_comes_with_what_opens_it(world: World) -> None:
    content = INVOICE | {"page": {"protection": {"userPassword": "to-{{number}}"}}}
    result, file = parts(preview(world.client("editor"), world, content))
    reader = PdfReader(BytesIO(file))
    assert reader.is_encrypted
    assert reader.decrypt(result["password"])
    assert result["password"] == "to-42"


def test_a_workbook_as_file_and_as_sheets(world: World) -> None:
    result, file = parts(preview(world.client("viewer"), world, format="xlsx"))
    assert load_workbook(BytesIO(file)).active["A2"].value == "Pen"
    (sheet,) = result["sheets"]
    assert [line["cells"] for line in sheet["lines"]] == [["Pen", "$1.50"], ["Ink", "$20.00"]]


def section(kind: str, **fields: Any) -> dict[str, Any]:
    """Return content of one section."""
    return {"sections": [{"type": kind} | fields]}


def test_nothing_is_stored_or_counted(world: World) -> None:
    def rows() -> list[Any]:
        return [list(Document.objects.values_list("pk")), list(MonthlyCount.objects.values())]

    before = rows()
    parts(preview(world.client("editor"), world))
    assert rows() == before


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        (section("heading", content="{{ x }}"), "sections[0].content", '"{{ x }}" is not a valid'),
        (
            section("table", source="items", columns=[{"key": "a"}, {"key": "b c"}]),
            "sections[0].columns[1].key",
            "must be a name or a dotted path",
        ),
        (
            section("columns", columns=[section("heading", content="x", level=9)]),
            "sections[0].columns[0].sections[0].level",
            "must be at most 6",
        ),
        (section("nothing"), "sections[0].type", "must be one of"),
        (section("text", content="x", colour="#000000"), "sections[0].colour", "unknown field"),
        (section("image", source="ast_none"), "sections[0].source", "must be the id of an asset"),
        ({"sections": []}, "sections", "must not be empty"),
        ({"sections": "x"}, "sections", "must be a list"),
        ({"formats": []}, "formats", "must not be empty"),
        ({"formats": ["docx"]}, "formats", "must list"),
        ({"page": {"margins": {"left": -1}}}, "page.margins.left", "must be at least 0"),
        ({"page": {"footer": {"left": "{{"}}}, "page.footer.left", "is not a valid expression"),
        ({"variables": [{"name": "a", "value": "b +"}]}, "variables[0].value", ""),
        ({"variables": [{"name": "number", "type": "number"}]}, "data.number", "must be a number"),
        ({"variables": [{"name": "total", "required": True}]}, "data.total", "required"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_at_its_field(world: World, changes: Any, field: str, message: str) -> None:
    answer = preview(world.client("editor"), world, content=INVOICE | changes)
    assert message in problems(answer)[field]


@pytest.mark.parametrize(
    "digits", ["9007199254740993", "-9223372036854775808", "18446744073709551615", "0.30000000000000004"]
)
def test_numbers_are_printed_with_the_digits_that_they_have(world: World, digits: str) -> None:
    content = section("text", content="{{number}}")
    body = {"content": INVOICE | content, "data": {"number": 0}, "format": "pdf"}
    raw = json.dumps(body).replace('"number": 0', f'"number": {digits}')
    answer = world.client("editor").post(world.path("{o}/preview"), raw, content_type="application/json")
    assert PdfReader(BytesIO(parts(answer)[1])).pages[0].extract_text() == digits


def test_a_name_may_come_later(world: World) -> None:
    parts(preview(world.client("editor"), world, content=INVOICE | {"name": ""}))


def test_data_that_does_not_fit_still_tells_the_variables(world: World) -> None:
    answer = preview(world.client("editor"), world, data={"items": [{"name": {"not": "single"}}]})
    assert problems(answer) == {"data.items[0].name": "must be a single value, not an object"}
    assert [variable["name"] for variable in answer.json()["variables"]] == ["number", "items"]
    assert (
        preview(world.client("editor"), world, content={"sections": [{"type": "text"}]}).json()["variables"]
        is None
    )


def test_a_format_that_does_not_suit(world: World) -> None:
    client = world.client("editor")
    words = INVOICE | {"sections": [{"type": "text", "content": "x"}]}
    assert problems(preview(client, world, content=words, format="xlsx")) == {"": "No table sections found"}
    assert problems(preview(client, world, format="docx")) == {"format": 'must be "pdf" or "xlsx"'}


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b'{"content": 1}', b'{"content": {}, "data": []}', b"\xff"]
)
def test_bodies_of_any_shape_are_refused(world: World, body: bytes) -> None:
    answer = world.client("editor").post(world.path("{o}/preview"), body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["message"]


def test_limits_hold(world: World, settings: Any) -> None:
    client = world.client("editor")
    settings.MAX_SECTIONS = 1
    assert "must have at most 1 entries" in problems(preview(client, world))["sections"]
    settings.MAX_SECTIONS, settings.MAX_PAGES = 200, 1
    words, turn = {"type": "text", "content": "x"}, {"type": "page_break"}
    pages = INVOICE | {"sections": [words, turn, words, turn, words]}
    assert "MAX_PAGES" in problems(preview(client, world, content=pages))[""]
    settings.MAX_BODY_BYTES = 1024
    answer = preview(client, world, data={"number": "x" * 2000})
    assert (answer.status_code, answer["Content-Type"]) == (413, "application/json")
    assert "may have 1.0\xa0KB" in answer.json()["message"]


def test_who_asks_too_often_waits(world: World, settings: Any) -> None:
    settings.PREVIEW_RATE_LIMIT = "2/d"
    client = world.client("editor")
    assert [preview(client, world).status_code for _ in range(3)] == [200, 200, 429]
    assert int(preview(client, world)["Retry-After"]) >= 1
    assert preview(world.client("owner"), world).status_code == 200


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", "{o}/templates/{draft}/publish"),
        ("get", "{o}/templates/{template}/thumbnail"),
        ("get", "{o}/templates/{draft}/history/3"),
        ("get", "{o}/templates/{draft}/history/3/pages/1.png"),
        ("get", "{o}/templates/{draft}/history/3/document?format=pdf"),
        ("post", "{o}/templates/{draft}/publish-saved"),
        ("post", "{o}/preview"),
    ],
)
def test_whatever_is_drawn_counts_together(world: World, settings: Any, method: str, path: str) -> None:
    settings.PREVIEW_RATE_LIMIT = "1/d"
    client = world.client("editor")
    assert preview(client, world).status_code == 200
    body = {"data": {"version": 3}, "content_type": "application/json"}
    sent = body if method == "post" else {}
    answer = getattr(client, method)(world.path(path), **sent)
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) >= 1
    assert Template.objects.get(pk=world.ids["draft"]).status == "draft"


def test_what_was_drawn_before_is_shown_however_often(world: World, settings: Any) -> None:
    client, path = world.client("viewer"), world.path("{o}/templates/{draft}/thumbnail")
    assert client.get(path)["Content-Type"] == "image/png"
    settings.PREVIEW_RATE_LIMIT = "0/m"
    assert client.get(path).status_code == 200


def test_without_data_it_is_made_from_the_variables(world: World) -> None:
    content = INVOICE | {"sections": [{"type": "text", "content": "Dear {{customer.name}},"}]}
    result, file = parts(preview(world.client("editor"), world, content=content, data=None))
    name = result["data"]["customer"]["name"]
    assert f"Dear {name}," in PdfReader(BytesIO(file)).pages[0].extract_text()
    own, _ = parts(preview(world.client("editor"), world))
    assert own["data"] is None


def test_areas_of_sections_on_the_pages(world: World) -> None:
    sections = [*INVOICE["sections"], {"type": "page_break"}, {"type": "text", "content": "{{note}}"}]
    result, _ = parts(preview(world.client("editor"), world, content=INVOICE | {"sections": sections}))
    places = result["areas"]["places"]
    assert places == ["sections[0]", "sections[1]"], "what is empty stands nowhere"
    ((heading, table),) = result["areas"]["pages"]
    assert places[heading[0]] == "sections[0]"
    assert heading[2] + heading[4] <= table[2], "below each other"
    tagged = INVOICE | {"sections": sections, "page": {"tagged": True}}
    same, file = parts(preview(world.client("editor"), world, content=tagged))
    assert same["areas"] == result["areas"]
    assert "/StructTreeRoot" in PdfReader(BytesIO(file)).root_object
    sheet, _ = parts(preview(world.client("editor"), world, format="xlsx"))
    assert sheet["areas"] == {"places": [], "pages": []}


def test_only_members_preview(world: World) -> None:
    assert preview(world.client("stranger"), world).status_code == 404
    assert preview(world.client("nobody"), world).status_code == 302
    assert world.client("editor").get(world.path("{o}/preview")).status_code == 405
    forged = preview(world.client("editor", enforce_csrf_checks=True), world)
    assert forged.status_code == 403


def test_assets_of_others_cannot_be_seen(world: World) -> None:
    theirs = world.people["stranger"].organizations.get()
    asset = Asset.objects.create(
        organization=theirs, name="x.png", content_type="image/png", size_bytes=1, width=1, height=1, file="x"
    )
    content = INVOICE | {"sections": [{"type": "image", "source": asset.pk}]}
    answer = preview(world.client("editor"), world, content=content)
    assert problems(answer) == {"sections[0].source": "must be the id of an asset or a data URI"}


def test_sample_data_from_variables(world: World) -> None:
    client = world.client("editor")
    url = world.path("{o}/sample")
    answer = client.post(url, json.dumps({"content": INVOICE}), content_type="application/json")
    data = answer.json()["data"]
    assert [set(row) for row in data["items"]] == [{"name", "price"}] * 3
    parts(preview(client, world, data=data))
    broken = client.post(url, json.dumps({"content": {"sections": [{}]}}), content_type="application/json")
    assert broken.status_code == 400


def test_a_preview_asks_the_database_little(world: World, django_assert_max_num_queries: Any) -> None:
    client = world.client("editor")
    preview(client, world)
    with django_assert_max_num_queries(5):
        preview(client, world)
