"""`POST /v1/render`: what becomes of the data; what is wrong is refused by its path."""

from __future__ import annotations

from typing import Any

from tests.api.tools import HEADING, TABLE, assert_refused, errors_of, pdf_of, text_of
from tests.conftest import ApiClient

ITEM = [{"name": "items", "type": "list", "fields": [{"name": "price", "type": "number", "required": True}]}]


def test_data_errors_name_every_path(secret: ApiClient) -> None:
    variables = [
        {"name": "number", "required": True},
        {"name": "issued", "type": "date"},
        {"name": "at", "type": "datetime"},
        {"name": "paid", "type": "boolean"},
        {"name": "logo", "type": "image"},
        {
            "name": "customer",
            "type": "object",
            "fields": [{"name": "name", "required": True}, {"name": "vat"}],
        },
        {
            "name": "items",
            "type": "list",
            "fields": [
                {"name": "price", "type": "currency", "required": True},
                {"name": "tags", "type": "list"},
                {"name": "by", "type": "object", "fields": [{"name": "name", "required": True}]},
            ],
        },
    ]
    template_id = secret.published(variables=variables, sections=[HEADING])
    data = {
        "issued": "2026-02-30",
        "at": "noon",
        "paid": "yes",
        "logo": 5,
        "customer": {"vat": 1},
        "name": {"a": 1},
        "items": [{"price": 1}, {"price": "x"}, {}, 5, {"price": True, "tags": "a", "by": {}}],
    }
    assert errors_of(secret.render(template_id, data)) == {
        "data.at": "must be a date and time (ISO 8601)",
        "data.customer.name": "required",
        "data.customer.vat": "must be a string",
        "data.issued": "must be a date (YYYY-MM-DD)",
        "data.items[1].price": "must be a number",
        "data.items[2].price": "required",
        "data.items[3]": "must be an object",
        "data.items[4].by.name": "required",
        "data.items[4].price": "must be a number",
        "data.items[4].tags": "must be a list",
        "data.logo": "must be an asset id or a data URI",
        "data.name": "must be a single value, not an object",
        "data.number": "required",
        "data.paid": "must be true or false",
    }


def test_the_offending_path_of_a_row(secret: ApiClient) -> None:
    template_id = secret.published(variables=ITEM, sections=[TABLE])
    rows: list[dict[str, Any]] = [{"price": 1}, {"price": 2}, {"price": 3}, {"price": "4"}]
    assert_refused(secret.render(template_id, {"items": rows}), 400, "data.items[3].price: must be a number")


def test_a_flood_of_data_errors_is_cut(secret: ApiClient) -> None:
    template_id = secret.published(variables=ITEM, sections=[TABLE])
    answer = secret.render(template_id, {"items": [{}] * 5000})
    assert answer.status_code == 400
    assert len(answer.json()["errors"]) < 5000
    assert answer.json()["message"].endswith("; and more")


def test_missing_values_are_defaults_or_nothing(secret: ApiClient) -> None:
    variables = [
        {"name": "greeting", "default": "Dear"},
        {"name": "customer", "type": "object", "fields": [{"name": "name", "default": "customer"}]},
        {"name": "items", "type": "list", "fields": [{"name": "unit", "default": "pcs"}]},
    ]
    sections = [
        {"type": "text", "content": "{{greeting}} {{customer.name}},[{{missing}}][{{deep.er}}]"},
        {"type": "list", "source": "items", "content": "{{item.unit}} of {{item.name}}"},
    ]
    template_id = secret.published(variables=variables, sections=sections)
    text = text_of(secret.render(template_id, {"customer": {}, "items": [{"name": "ink"}, {"unit": "kg"}]}))
    assert "Dear customer,[][]" in text
    assert "pcs of ink" in text
    assert "kg of" in text
    text = text_of(secret.render(template_id, {"greeting": None, "customer": {"name": "Ada"}}))
    assert "Dear Ada,[][]" in text
    assert "Dear customer,[][]" in text_of(secret.render(template_id, {}))


def test_values_are_written_by_type_and_locale(secret: ApiClient) -> None:
    variables = [
        {"name": "total", "type": "currency"},
        {"name": "weight", "type": "number"},
        {"name": "issued", "type": "date"},
        {"name": "printed", "type": "datetime"},
        {"name": "due", "type": "date", "format": "date:yyyy/MM/dd"},
    ]
    texts = ("{{total}}", "{{weight}}", "{{issued}}", "{{due}}", "{{printed|time}}", "{{total|currency:CHF}}")
    content = " | ".join((*texts, "\\{{total}}"))
    page = {
        "locale": "de-AT",
        "timezone": "Europe/Vienna",
        "footer": {"right": "Seite {{page.number}} von {{page.count}}"},
    }
    template_id = secret.published(
        variables=variables, sections=[{"type": "text", "content": content}], page=page
    )
    data = {
        "total": 1234.5,
        "weight": 1234.25,
        "issued": "2026-11-21",
        "due": "2026-12-01",
        "printed": "2026-11-21T10:30:00Z",
    }
    text = text_of(secret.render(template_id, data))
    for expected in (
        "€ 1.234,50",
        "1.234,25",
        "21.11.2026",
        "2026/12/01",
        "11:30",
        "CHF 1.234,50",
        "{{total}}",
    ):
        assert expected in text
    assert "Seite 1 von 1" in text


def test_images_come_from_assets_and_data_uris_only(secret: ApiClient) -> None:
    template_id = secret.published(sections=[{"type": "image", "source": "{{logo}}"}], formats=["pdf"])
    pixel = (
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9"
        "awAAAABJRU5ErkJggg=="
    )
    assert len(pdf_of(secret.render(template_id, {"logo": pixel})).pages[0].images) == 1
    assert secret.render(template_id, {}).status_code == 200
    for wrong in (
        "/etc/passwd",
        "http://127.0.0.1/x.png",
        "file:///etc/passwd",
        "data:image/png;base64,AAAA",
        "data:image/png;base64,?",
        "data:text/html,x",
        "ast_unknown",
    ):
        assert list(errors_of(secret.render(template_id, {"logo": wrong}))) == ["data.logo"]
    literal = secret.published(sections=[HEADING, {"type": "image", "source": "ast_gone"}])
    assert errors_of(secret.render(literal, {})) == {
        "sections[1].source": "must be the id of an asset or a data URI"
    }


def test_an_expression_in_the_data_is_text(secret: ApiClient) -> None:
    assert "Hello {{ x }} \\{{" in text_of(
        secret.render(secret.published(sections=[HEADING]), {"name": "{{ x }} \\{{"})
    )


def test_hostile_data_renders_or_is_refused(secret: ApiClient) -> None:
    template_id = secret.published()
    raw = b'{"templateId":"%s","format":"%s","data":{"number":%s,"items":[{"name":%s,"price":%s}]}}'
    values = [
        b"1e999",
        b"-1e308",
        b"1e-320",
        b"99999999999999999999999",
        b'"\\u0007\\uFFFE"',
        b"[[],{}]",
        b"true",
        b'"<b>"',
    ]
    for value in values:
        for name in (b"pdf", b"xlsx"):
            body = raw % (template_id.encode(), name, value, value, value)
            assert secret.post("/v1/render", body).status_code in {200, 400}, (name, value)
