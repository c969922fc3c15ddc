"""The publish gate finds what a first render would."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from rendering.gate import Finding, Sample, findings
from templates_app.content import Content
from tests.factories import OrganizationFactory

pytestmark = pytest.mark.django_db
BODY: dict[str, Any] = {
    "name": "Bill",
    "formats": ["pdf", "xlsx"],
    "sections": [
        {"type": "heading", "content": "Bill {{number}}"},
        {
            "type": "table",
            "source": "items",
            "columns": [
                {"key": "item", "header": "Item", "overflow": "cut", "width": 20},
                {"key": "price", "header": "Price", "format": "currency"},
            ],
        },
    ],
    "variables": [
        {"name": "number", "type": "string", "required": True},
        {
            "name": "items",
            "type": "list",
            "required": True,
            "fields": [{"name": "item", "type": "string"}, {"name": "price", "type": "currency"}],
        },
    ],
}
DATA: dict[str, Any] = {"number": "7", "items": [{"item": "Pen", "price": 2}]}


def gate(change: Any = None, *, data: Any = None, live: dict[str, Any] | None = None) -> list[Finding]:
    body = copy.deepcopy(BODY)
    if change:
        change(body)
    samples = [Sample("Default", DATA if data is None else data)]
    return findings(
        organization=OrganizationFactory(),
        body=body,
        samples=samples,
        live=None if live is None else content(live),
    )


def content(body: dict[str, Any]) -> Content:
    return Content(
        name=body["name"],
        description="",
        formats=body["formats"],
        sections=body["sections"],
        variables=body["variables"],
        page={},
        sample_data={},
    )


def told(found: list[Finding]) -> list[tuple[str, str]]:
    return [(finding.level, finding.text) for finding in found]


def test_a_sound_template_passes() -> None:
    assert gate() == []


def test_a_missing_required_value_stops_once_for_all_formats() -> None:
    found = gate(data={"items": []})
    assert told(found) == [("error", "data.number: required")]
    assert (found[0].field, found[0].sample, found[0].format) == ("data.number", "Default", "")


def test_a_broken_expression_stops() -> None:
    found = gate(lambda body: body["sections"][0].update(content="{{ number }}"))
    assert found[0].level == "error"
    assert "{{ number }}" in found[0].text


def test_xlsx_without_a_table_stops() -> None:
    found = gate(lambda body: body["sections"].pop())
    assert ("error", "No table sections found") in told(found)


def test_a_text_that_is_cut_off_is_shown() -> None:
    found = gate(
        data={"number": "7", "items": [{"item": "A pen of very precious wood and gold", "price": 2}]}
    )
    assert [finding.level for finding in found] == ["warning"]
    assert found[0].text.startswith("text is cut off on page 1: “A pen")
    assert found[0].format == "pdf"


def test_an_ellipsis_of_the_data_is_not_a_cut() -> None:
    assert gate(data={"number": "7", "items": [{"item": "Pen…", "price": 2}]}) == []


def test_names_that_nobody_declared_or_uses() -> None:
    found = gate(
        lambda body: body["sections"].append({"type": "text", "content": "{{note}}"}),
        data=DATA | {"nota": "typo"},
    )
    assert told(found) == [
        ("warning", "“note” is used but not declared: any data passes, and without it nothing prints"),
        ("warning", "the sample gives “nota”, which the template does not use"),
    ]


def test_a_slip_in_a_field_of_a_declared_object_is_told() -> None:
    customer = {"name": "customer", "type": "object", "fields": [{"name": "contact", "type": "string"}]}

    def change(body: dict[str, Any]) -> None:
        body["variables"].append(customer)
        body["sections"].append({"type": "text", "content": "{{customer.contakt}} {{x.y}} {{x.z}}"})

    found = gate(change, data=DATA | {"customer": {"contact": "Ada"}})
    assert [text for _, text in told(found)] == [
        "“customer.contakt” is used but not declared: any data passes, and without it nothing prints",
        "“x” is used but not declared: any data passes, and without it nothing prints",
    ]


def test_what_callers_would_trip_over() -> None:
    live = copy.deepcopy(BODY)
    live["variables"][0]["required"] = False
    live["variables"][1]["fields"][1]["type"] = "string"

    def change(body: dict[str, Any]) -> None:
        body["formats"] = ["pdf"]
        body["variables"].append({"name": "due", "type": "date", "required": True})

    found = gate(change, data=DATA | {"due": "2026-01-01"}, live=live)
    assert told(found) == [
        ("warning", "xlsx is switched off: requests for it will be refused"),
        ("warning", "“number” becomes required: requests without it will be refused"),
        ("warning", "“items.price” was string and becomes currency: other values will be refused"),
        ("warning", "“due” becomes required: requests without it will be refused"),
    ]


def test_without_samples_nothing_is_tried() -> None:
    found = findings(organization=OrganizationFactory(), body=BODY, samples=[])
    assert told(found) == [("warning", "there is no sample data, so that nothing could be tried out")]
