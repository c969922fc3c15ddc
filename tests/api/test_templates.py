"""Templates: create, read, publish, archive. Updates and versions: `test_template_versions.py`."""

from __future__ import annotations

from typing import Any

import pytest

from templates_app.models import Template
from tests.api.tools import HEADING, TABLE, assert_refused, errors_of
from tests.conftest import INVOICE, ApiClient

FIELDS = {
    "id",
    "name",
    "description",
    "status",
    "version",
    "formats",
    "sections",
    "variables",
    "page",
    "sampleData",
    "externalUserId",
    "createdAt",
    "updatedAt",
    "publishedAt",
}
CONTENT = {"sections", "variables", "page", "sampleData"}


def test_a_created_template(secret: ApiClient) -> None:
    body = secret.create()
    assert body.keys() == FIELDS
    assert body["id"].startswith("tpl_")
    assert (body["name"], body["formats"], body["sections"]) == (
        INVOICE["name"],
        INVOICE["formats"],
        INVOICE["sections"],
    )
    assert (body["status"], body["version"]) == ("draft", 1)
    assert (body["externalUserId"], body["publishedAt"], body["description"]) == (None, None, "")
    assert body["createdAt"] == body["updatedAt"]
    assert body["createdAt"].endswith("Z")
    assert secret.get(f"/v1/templates/{body['id']}").json() == body


def test_a_created_template_says_where_it_is(secret: ApiClient) -> None:
    answer = secret.post("/v1/templates", INVOICE)
    assert answer["Location"] == f"http://testserver/v1/templates/{answer.json()['id']}"


def test_the_list_leaves_content_out(secret: ApiClient) -> None:
    body = secret.create()
    assert secret.get("/v1/templates").json() == [{k: v for k, v in body.items() if k not in CONTENT}]


def test_the_list_is_newest_first_and_without_archived_ones(secret: ApiClient) -> None:
    first, second, third = (secret.create(name=name)["id"] for name in "abc")
    secret.delete(f"/v1/templates/{second}")
    assert [row["id"] for row in secret.get("/v1/templates").json()] == [third, first]


def test_everything_that_may_be_written(secret: ApiClient) -> None:
    given = {
        "description": "For customers",
        "variables": [{"name": "number", "type": "string", "required": True, "label": "Number"}],
        "page": {"size": "A5", "orientation": "landscape", "locale": "de-AT", "margins": {"top": 10}},
        "sampleData": {"number": "1", "items": []},
        "externalUserId": "ann",
    }
    body = secret.create(**given)
    assert {name: body[name] for name in given if name != "variables"} == {
        name: value for name, value in given.items() if name != "variables"
    }
    number, items = body["variables"]
    assert (number["name"], number["required"], number["label"]) == ("number", True, "Number")
    assert "inferred" not in number
    assert (items["name"], items["inferred"]) == ("items", True)


def test_inferred_variables_show_what_a_render_takes(secret: ApiClient) -> None:
    sections = [
        {"type": "heading", "content": "{{number}} of {{customer.name}}, {{total|currency}}"},
        {
            "type": "table",
            "source": "items",
            "columns": [{"key": "price", "format": "currency"}, {"key": "made.by"}],
        },
        {"type": "list", "source": "notes", "content": "{{item.text}} {{number}}"},
        {"type": "image", "source": "{{logo}}"},
        {"type": "text", "content": "\\{{literal}} {{issued|date:long}} {{paid|yesno}}"},
    ]
    page = {"footer": {"left": "{{company}}", "right": "{{page.number}} of {{page.count}}"}}
    variables = secret.create(sections=sections, page=page)["variables"]
    assert all(variable["inferred"] and not variable["required"] for variable in variables)
    assert {variable["name"]: variable["type"] for variable in variables} == {
        "number": "string",
        "customer": "object",
        "total": "currency",
        "items": "list",
        "notes": "list",
        "logo": "image",
        "issued": "date",
        "paid": "boolean",
        "company": "string",
    }
    fields = {variable["name"]: variable.get("fields") for variable in variables}
    assert [(f["name"], f["type"]) for f in fields["items"]] == [("price", "currency"), ("made", "object")]
    assert [f["name"] for f in fields["items"][1]["fields"]] == ["by"]
    assert [f["name"] for f in fields["notes"]] == ["text"]
    assert [f["name"] for f in fields["customer"]] == ["name"]


def test_inferred_variables_follow_the_sections(secret: ApiClient) -> None:
    template = secret.create(sections=[HEADING], variables=[{"name": "kept"}])
    path = f"/v1/templates/{template['id']}"
    assert [v["name"] for v in template["variables"]] == ["kept", "name"]
    changed = secret.patch(path, {"sections": [{"type": "text", "content": "{{other}}"}]}).json()
    assert [v["name"] for v in changed["variables"]] == ["kept", "other"]
    again = secret.patch(path, {"variables": changed["variables"]}).json()
    assert again["variables"] == changed["variables"]
    assert [v["name"] for v in secret.patch(path, {"variables": None}).json()["variables"]] == ["other"]


def test_inferred_fields_complete_declared_ones(secret: ApiClient) -> None:
    declared = [{"name": "items", "type": "list", "fields": [{"name": "name", "required": True}]}]
    body = secret.create(variables=declared)
    items = body["variables"][0]
    assert [(f["name"], f.get("inferred", False)) for f in items["fields"]] == [
        ("name", False),
        ("price", True),
    ]
    path = f"/v1/templates/{body['id']}"
    stored = secret.patch(path, {"variables": body["variables"], "sections": [HEADING]}).json()["variables"]
    assert [f["name"] for f in stored[0]["fields"]] == ["name"]


@pytest.mark.parametrize(
    ("change", "errors"),
    [
        ({"name": ""}, {"name": "must not be empty"}),
        ({"name": 1}, {"name": "must be a string"}),
        ({"name": None}, {"name": "must be a string"}),
        ({"name": "x" * 201}, {"name": "must have at most 200 characters"}),
        ({"formats": []}, {"formats": "must not be empty"}),
        ({"formats": "pdf"}, {"formats": "must be a list"}),
        ({"formats": ["docx"]}, {"formats": 'must list "pdf" or "xlsx"'}),
        ({"formats": [1]}, {"formats[0]": "must be a string"}),
        ({"sections": []}, {"sections": "must not be empty"}),
        ({"sections": {}}, {"sections": "must be a list"}),
        ({"sections": None}, {"sections": "must be a list"}),
        ({"sections": ["x"]}, {"sections[0]": "must be an object"}),
        ({"sections": [{}]}, {"sections[0].type": "required"}),
        ({"sections": [{"type": "heading"}]}, {"sections[0].content": "required"}),
        ({"sections": [HEADING | {"level": 7}]}, {"sections[0].level": "must be at most 6"}),
        ({"sections": [HEADING | {"colour": "red"}]}, {"sections[0].colour": "unknown field"}),
        (
            {"sections": [HEADING, TABLE | {"columns": [{"key": "a", "widht": 1}]}]},
            {"sections[1].columns[0].widht": "unknown field"},
        ),
        ({"sections": [TABLE | {"columns": [{"key": "a", "format": "money"}]}]}, None),
        ({"variables": [{"name": "a", "typ": "string"}]}, {"variables[0].typ": "unknown field"}),
        ({"variables": [{"name": "a"}, {"name": "a"}]}, {"variables": 'the name "a" is declared twice'}),
        (
            {"variables": [{"name": "a", "type": "list", "fields": [{"name": "b", "x": 1}]}]},
            {"variables[0].fields[0].x": "unknown field"},
        ),
        ({"variables": [{"name": "a b"}]}, None),
        ({"page": {"papier": "A4"}}, {"page.papier": "unknown field"}),
        ({"page": {"margins": {"inner": 1}}}, {"page.margins.inner": "unknown field"}),
        ({"page": {"currency": "XXXX"}}, {"page.currency": 'must be an ISO 4217 code such as "EUR"'}),
        ({"page": []}, {"page": "must be an object"}),
        ({"sampleData": []}, {"sampleData": "must be an object"}),
        ({"description": 5}, {"description": "must be a string"}),
        ({"externalUserId": ""}, {"externalUserId": "must not be empty"}),
        ({"externalUserId": "a\x07"}, {"externalUserId": "must have printable characters only, not U+0007"}),
        ({"externalUserId": "x" * 256}, {"externalUserId": "must have at most 255 characters"}),
    ],
)
def test_refused_content(change: dict[str, Any], errors: dict[str, str] | None, secret: ApiClient) -> None:
    found = errors_of(secret.post("/v1/templates", INVOICE | change))
    if errors is not None:
        assert found == errors
    path = f"/v1/templates/{secret.create()['id']}"
    before = secret.get(path).json()
    assert errors_of(secret.patch(path, change)) == found
    assert secret.get(path).json() == before
    assert secret.get(f"{path}/versions").json() == []


def test_every_offending_field_is_named_in_one_line(secret: ApiClient) -> None:
    answer = secret.post("/v1/templates", {"sections": [{"type": "heading", "x": 1}, {"type": "hologram"}]})
    assert list(errors_of(answer)) == [
        "formats",
        "name",
        "sections[0].content",
        "sections[0].x",
        "sections[1].type",
    ]


def test_unknown_fields_at_the_top_are_ignored(secret: ApiClient) -> None:
    body = secret.create(
        status="published", version=7, id="tpl_mine", folder="x", createdAt="2001-01-01T00:00:00Z"
    )
    assert (body["status"], body["version"]) == ("draft", 1)
    assert body["id"] != "tpl_mine"
    changed = secret.patch(
        f"/v1/templates/{body['id']}", {"status": "archived", "version": 9, "name": "New"}
    ).json()
    assert (changed["status"], changed["version"], changed["name"]) == ("draft", 2, "New")


@pytest.mark.parametrize(
    ("section", "quoted"),
    [
        ({"type": "chart", "series": [{"deep": ["ok", "{{ x }}"]}]}, "{{ x }}"),
        ({"content": "{{a b}}"}, "{{a b}}"),
        ("{{bare string}}", "{{bare string}}"),
        (["{{in|nope}}"], "{{in|nope}}"),
        (TABLE | {"columns": [{"key": "a", "header": "{{x|shout}}", "unknown": 1}]}, "{{x|shout}}"),
        (HEADING | {"level": "{{not closed"}, "{{not closed"),
        (HEADING | {"content": "{{}}"}, "{{}}"),
        (HEADING | {"content": "\\{{ fine }} {{x|upper:1}}"}, "{{x|upper:1}}"),
    ],
)
def test_expressions_are_checked_before_shapes(section: Any, quoted: str, secret: ApiClient) -> None:
    answer = secret.post("/v1/templates", {"sections": [HEADING, section]})
    assert answer.status_code == 400
    assert answer.json()["message"].startswith(f'Section 2: "{quoted}" is not a valid expression: ')
    assert "errors" not in answer.json()


def test_the_first_broken_section_is_the_one_that_is_named(secret: ApiClient) -> None:
    sections = [HEADING] * 11 + [{"type": "text", "content": "{{ twelve }}"}, {"content": "{{ thirteen }}"}]
    message = secret.post("/v1/templates", INVOICE | {"sections": sections}).json()["message"]
    assert message.startswith('Section 12: "{{ twelve }}" is not a valid expression')


@pytest.mark.parametrize("many", [{"items": [[]] * 150_000}, {"content": "{{a}}" * 150_000}])
def test_an_expression_before_too_much_is_told_first(many: dict[str, Any], secret: ApiClient) -> None:
    sections = [{"type": "text", "content": "{{ first }}"}, {"type": "list"} | many]
    message = secret.post("/v1/templates", INVOICE | {"sections": sections}).json()["message"]
    assert message.startswith('Section 1: "{{ first }}" is not a valid expression')


def test_header_and_footer_hold_expressions_too(secret: ApiClient) -> None:
    answer = secret.post("/v1/templates", INVOICE | {"page": {"footer": {"left": "{{ x }}"}}})
    assert answer.status_code == 400
    assert answer.json()["message"].startswith('Page footer: "{{ x }}" is not a valid expression: ')


def test_sections_and_columns_are_limited(settings: Any, secret: ApiClient) -> None:
    settings.MAX_SECTIONS, settings.MAX_COLUMNS = 2, 3
    answer = secret.post("/v1/templates", INVOICE | {"sections": [HEADING] * 3})
    assert errors_of(answer) == {"sections": "must have at most 2 entries (MAX_SECTIONS)"}
    wide = TABLE | {"columns": [{"key": f"k{n}"} for n in range(4)]}
    answer = secret.post("/v1/templates", INVOICE | {"sections": [wide]})
    assert errors_of(answer) == {"sections[0].columns": "must have at most 3 entries (MAX_COLUMNS)"}


@pytest.mark.parametrize(
    ("change", "field", "what"),
    [
        ({"sections": [1] * 100_001}, "sections", "values"),
        (
            {"sections": [{"type": "text", "content": "x", **{f"k{n}": 1 for n in range(100_000)}}]},
            "sections",
            "values",
        ),
        ({"sections": [{"type": "list", "items": [[]] * 100_000}]}, "sections", "values"),
        ({"variables": [{}] * 100_001}, "variables", "values"),
        ({"page": {"header": {"sections": [[0]] * 50_000}}}, "page", "values"),
        (
            {"sections": [{"type": "text", "content": "{{a}}" * 14_300}] * 7},
            "sections",
            "expressions",
        ),
    ],
)
def test_what_is_no_template_any_more_is_not_looked_at(
    change: dict[str, Any], field: str, what: str, secret: ApiClient, ann: ApiClient
) -> None:
    """Every wrong value of two million cost time and memory: 45 seconds and 3 GB."""
    made = secret.create()
    for answer in (
        ann.post("/v1/templates", INVOICE | change),
        secret.patch(f"/v1/templates/{made['id']}", change),
    ):
        assert errors_of(answer) == {field: f"must hold at most 100000 {what} altogether"}
    large = {"rows": [{"n": n} for n in range(100_000)]}
    assert secret.patch(f"/v1/templates/{made['id']}", {"sampleData": large}).status_code == 200


def test_publishing(secret: ApiClient) -> None:
    template = secret.create()
    path = f"/v1/templates/{template['id']}"
    answer = secret.post(f"{path}/publish")
    assert answer.status_code == 200
    published = answer.json()
    assert (published["status"], published["version"]) == ("published", 1)
    assert published["publishedAt"] >= template["createdAt"]
    again = secret.post(f"{path}/publish")
    assert (again.status_code, again.json()) == (200, published)
    assert secret.get(f"{path}/versions").json() == []


def test_a_published_template_stays_published_while_edited(secret: ApiClient) -> None:
    template_id = secret.published()
    body = secret.patch(f"/v1/templates/{template_id}", {"name": "Edited"}).json()
    assert (body["status"], body["version"]) == ("published", 2)
    assert secret.render(template_id).status_code == 200


def test_archiving(secret: ApiClient) -> None:
    template_id = secret.published()
    path = f"/v1/templates/{template_id}"
    answer = secret.delete(path)
    assert (answer.status_code, answer.json()["status"]) == (200, "archived")
    assert secret.delete(path).json() == answer.json()
    assert secret.get(path).json() == answer.json()
    assert secret.get("/v1/templates").json() == []
    assert_refused(secret.patch(path, {"name": "x"}), 400, "Template is archived")
    assert_refused(secret.post(f"{path}/publish"), 400, "Template is archived")
    assert secret.get(f"{path}/versions").status_code == 200
    assert Template.objects.filter(pk=template_id).exists()


def test_a_draft_can_be_archived(secret: ApiClient) -> None:
    template_id = secret.create()["id"]
    assert secret.delete(f"/v1/templates/{template_id}").json()["status"] == "archived"
    assert_refused(secret.render(template_id), 400, "Template is not published")


def test_an_end_users_template_is_always_their_own(secret: ApiClient, ann: ApiClient, ben: ApiClient) -> None:
    template = ann.create(externalUserId="ben")
    assert template["externalUserId"] == "ann"
    path = f"/v1/templates/{template['id']}"
    assert ann.patch(path, {"externalUserId": "ben"}).json()["externalUserId"] == "ann"
    assert ann.patch(path, {"externalUserId": None}).json()["externalUserId"] == "ann"
    assert ben.get(path).status_code == 404
    assert secret.patch(path, {"externalUserId": "ben"}).json()["externalUserId"] == "ben"
    assert ben.get(path).status_code == 200
    assert ann.get(path).status_code == 404


@pytest.mark.parametrize("number", ["1e999", "-1e999", "123456789012345678901234567890", "1e-400", "-0.0"])
def test_sample_data_of_any_number_is_kept_or_refused(number: str, secret: ApiClient) -> None:
    raw = b'{"name":"a","formats":["pdf"],"sections":[{"type":"divider"}],"sampleData":{"n":%s}}'
    answer = secret.post("/v1/templates", raw % number.encode())
    assert answer.status_code in {201, 400}
    if answer.status_code == 201:
        assert secret.get(f"/v1/templates/{answer.json()['id']}").json() == answer.json()


def test_a_variable_may_be_called_anything_that_an_expression_can_name(secret: ApiClient) -> None:
    body = secret.create(
        sections=[{"type": "text", "content": "{{größe}} {{item-no}} {{a_1}} {{2nd}} {{x.0.y}}"}]
    )
    assert [v["name"] for v in body["variables"]] == ["größe", "item-no", "a_1", "2nd", "x"]
    assert body["variables"][-1]["type"] == "list"
