"""What reviewers found: each request that once crashed, passed silently or answered beside the point."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import Organization
from templates_app.models import Template
from tests.conftest import ApiClient
from tests.factories import TemplateFactory


def heading(text: str) -> dict[str, Any]:
    return {"name": "T", "formats": ["pdf"], "sections": [{"type": "heading", "content": text}]}


@pytest.mark.parametrize("names", [21, 150, 1200, 20_000])
def test_a_path_is_not_deeper_than_bodies_may_be(names: int, secret: ApiClient) -> None:
    answer = secret.post("/v1/templates", heading("{{" + ".".join("a" * names) + "}}"))
    assert answer.status_code == 400
    assert answer.json()["message"].startswith('Section 1: "{{a.a.')


def test_the_deepest_template_can_be_read_and_sent_back(secret: ApiClient) -> None:
    created = secret.create(**heading("{{" + ".".join("a" * 20) + "}}"))
    read = secret.get(f"/v1/templates/{created['id']}").json()
    assert secret.patch(f"/v1/templates/{created['id']}", read).json()["variables"] == created["variables"]


@pytest.mark.parametrize(
    "expression",
    [
        "{{d|date:wwwww}}",
        "{{d|date:ddd}}",
        "{{d|date:YYYY}}",
        "{{d|time:yyyy}}",
        "{{d|datetime:hhh}}",
        "{{n|currency:123}}",
    ],
)
def test_a_pattern_that_is_none_is_refused_when_it_is_written(expression: str, secret: ApiClient) -> None:
    answer = secret.post("/v1/templates", heading(expression))
    assert answer.status_code == 400
    assert answer.json()["message"].startswith(f'Section 1: "{expression}" is not a valid expression: helper')


def test_a_day_has_a_time_where_a_pattern_asks_for_one(secret: ApiClient) -> None:
    template = secret.published(**heading("{{d|datetime:dd.MM.yyyy_HH:mm}}"))
    assert secret.render(template, {"d": "2026-11-21"}).status_code == 200


@pytest.mark.parametrize("number", [1e60, 1e300, -1.7e308, 10**18])
def test_large_numbers_are_written(number: float, secret: ApiClient) -> None:
    template = secret.published(
        sections=[
            {"type": "text", "content": "{{n|currency}} {{n|number:2}} {{n|percent}} {{n|integer}}"},
            {"type": "table", "source": "rows", "columns": [{"key": "n", "format": "currency"}]},
        ]
    )
    for name in ("pdf", "xlsx"):
        answer = secret.render(template, {"n": number, "rows": [{"n": number}]}, format=name)
        assert answer.status_code == 200, answer.content


def test_a_template_with_a_broken_stored_expression_can_be_mended(
    acme: Organization, secret: ApiClient
) -> None:
    broken = [{"type": "heading", "content": "{{ total }}"}]
    path = f"/v1/templates/{TemplateFactory(organization=acme, sections=broken).pk}"
    assert secret.patch(path, {"name": "Renamed"}).json()["name"] == "Renamed"
    assert secret.patch(path, {"page": {}}).json()["message"].startswith('Section 1: "{{ total }}" is not')
    assert secret.patch(path, {"sections": [{"type": "spacer"}]}).status_code == 200


def test_misshapen_stored_content_can_be_renamed(acme: Organization, secret: ApiClient) -> None:
    template = TemplateFactory(organization=acme, sections=[{"type": "spacer", "old_field": 1}])
    assert secret.patch(f"/v1/templates/{template.pk}", {"name": "Renamed"}).status_code == 200
    answer = secret.patch(f"/v1/templates/{template.pk}", {"variables": []})
    assert answer.json()["message"] == "Template cannot be rendered: its stored content is not valid"


@pytest.mark.parametrize("name", ["heading", "text", "list", "image"])
def test_an_unknown_field_named_like_a_kind_is_named(name: str, secret: ApiClient) -> None:
    table = {"type": "table", "source": "rows", "columns": [{"key": "k", name: "x"}]}
    body = heading("x") | {"sections": [table], "variables": [{"name": "v", name: 1}]}
    assert secret.post("/v1/templates", body).json()["message"] == (
        f"sections[0].columns[0].{name}: unknown field; variables[0].{name}: unknown field"
    )


def test_names_on_the_wire_are_camel_case_only(secret: ApiClient) -> None:
    table = {"type": "table", "source": "rows", "columns": [{"key": "k"}], "empty_text": "none"}
    answer = secret.post("/v1/templates", heading("x") | {"sections": [table]})
    assert answer.json()["message"] == "sections[0].empty_text: unknown field"
    assert secret.create(external_user_id="ann")["externalUserId"] is None
    assert (
        secret.post("/v1/render", {"template_id": "x", "data": {}}).json()["message"]
        == "templateId: required"
    )


def test_the_exact_expression_is_quoted(secret: ApiClient) -> None:
    for expression in ("{{{a}}}", "{{" + "a " * 200 + "}}"):
        message = secret.post("/v1/templates", heading(f"x {expression} y")).json()["message"]
        assert message.startswith(f'Section 1: "{expression}" is not a valid expression')


def test_expressions_in_names_count(secret: ApiClient) -> None:
    answer = secret.post("/v1/templates", heading("x") | {"sections": [{"{{ x }}": 1}]})
    assert answer.json()["message"].startswith('Section 1: "{{ x }}" is not a valid expression')


@pytest.mark.parametrize(
    ("method", "path", "body", "message"),
    [
        ("PATCH", "/v1/templates/nope", b"", "Template not found"),
        ("PATCH", "/v1/templates/nope", b"{", "Template not found"),
        ("GET", "/v1/downloads/nope?redirect=no", None, "Document not found"),
        ("GET", "/v1/templates/a%2Fb", None, "Template not found"),
        ("GET", "/v1/downloads/a%2Fb", None, "Document not found"),
        ("GET", "/v1/assets/a%2Fb", None, "Asset not found"),
        ("POST", "/v1/render", {"templateId": "\x00", "data": {}}, "Template not found"),
    ],
)
def test_an_id_that_names_nothing_is_a_404(
    method: str, path: str, body: Any, message: str, secret: ApiClient
) -> None:
    answer = secret.request(method, path, body)
    assert (answer.status_code, answer.json()["message"]) == (404, message)


@pytest.mark.parametrize(
    ("variable", "message"),
    [
        ({"type": "number", "default": "abc"}, "must be a number"),
        ({"type": "list", "default": "abc"}, "must be a list"),
        ({"type": "date", "default": "2026-02-30"}, "must be a date (YYYY-MM-DD)"),
        (
            {"type": "list", "fields": [{"name": "n", "type": "number"}], "default": [{"n": "x"}]},
            "[0].n: must be a number",
        ),
    ],
)
def test_a_default_fits_its_type(variable: Any, message: str, secret: ApiClient) -> None:
    answer = secret.post("/v1/templates", heading("x") | {"variables": [{"name": "v"} | variable]})
    assert answer.json()["message"] == f"variables[0].default: {message}"


@pytest.mark.parametrize("cursor", ["!!!!", "%00", "YWJj", "dHBsX3g", "é"])
def test_a_cursor_that_is_none_is_refused(cursor: str, secret: ApiClient) -> None:
    assert secret.get(f"/v1/templates?cursor={cursor}").status_code == 400


def test_a_doubled_slash_is_still_the_api(secret: ApiClient) -> None:
    answer = secret.get("http://testserver//v1/templates")
    assert answer.status_code == 404
    assert answer["Content-Type"] == "application/json"
    assert answer["Access-Control-Allow-Origin"] == "*"


def test_a_public_key_may_send_any_owner(ann: ApiClient) -> None:
    template = ann.published(externalUserId=5)
    assert Template.objects.get(pk=template).external_user_id == "ann"
    assert ann.patch(f"/v1/templates/{template}", {"externalUserId": ""}).status_code == 200
    assert ann.render(template, externalUserId=["x"]).status_code == 200


def test_whole_numbers_may_be_written_with_a_point(secret: ApiClient) -> None:
    template = secret.published(sections=[{"type": "heading", "content": "x", "level": 2.0}], formats=["pdf"])
    assert secret.render(template, {}, templateVersion=1.0).status_code == 200


def test_a_deeply_nested_declaration_is_refused(secret: ApiClient) -> None:
    variable: dict[str, Any] = {"name": "v"}
    for _ in range(25):
        variable = {"name": "v", "type": "object", "fields": [variable]}
    answer = secret.post("/v1/templates", heading("x") | {"variables": [variable]})
    assert "must not nest deeper than 20 levels" in answer.json()["message"]
