"""The publish gate finds what a first render would."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from rendering.gate import Finding, Sample, findings
from rendering.preview import preview
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
    assert [finding.code for finding in found] == ["undeclared", ""]


def test_a_slip_in_a_field_of_a_declared_object_is_told() -> None:
    customer = {"name": "customer", "type": "object", "fields": [{"name": "contact", "type": "string"}]}

    def change(body: dict[str, Any]) -> None:
        body["variables"].append(customer)
        body["sections"].append({"type": "text", "content": "{{customer.contakt}} {{x.y}} {{x.z}}"})

    found = gate(change, data=DATA | {"customer": {"contact": "Ada"}})
    assert [text for _, text in told(found)] == [
        "sections[2].content: “customer.contakt” may be a misspelt “customer.contact”: "
        "only the latter is declared",
        "“x” is used but not declared: any data passes, and without it nothing prints",
    ]
    assert [finding.field for finding in found] == ["sections[2].content", "variables.x"]


def test_many_undeclared_names_are_one_finding() -> None:
    names = [f"n{number}" for number in range(12)]
    texts = " ".join(f"{{{{{name}}}}}" for name in names)
    (found,) = gate(lambda body: body["sections"].append({"type": "text", "content": texts}))
    assert found.text.startswith("“n0”, “n1”")
    assert "“n7” and 4 more are used but not declared" in found.text
    assert found.code == "undeclared"


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


def test_what_made_up_data_shows_only_warns() -> None:
    made_up = Sample("Made from the variables", {"items": []}, is_made_up=True)
    found = findings(organization=OrganizationFactory(), body=BODY, samples=[made_up])
    assert told(found) == [("warning", "data.number: required")]


def test_each_sample_is_laid_out_once_in_each_format(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def counted(**options: Any) -> Any:
        asked.append(options["format"])
        return preview(**options)

    monkeypatch.setattr("rendering.gate.preview", counted)
    monkeypatch.setattr("rendering.formats.pdf.layout.document.pages_of", None)
    samples = [Sample(name, DATA) for name in ("One", "Two")]
    assert findings(organization=OrganizationFactory(), body=BODY, samples=samples) == []
    assert asked == ["pdf", "pdf", "xlsx", "xlsx"]


@pytest.mark.parametrize(("share", "tried"), [(0.4, 2), (1.1, 1)])
def test_all_samples_together_have_the_time_of_one_render(
    share: float, tried: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    asked: list[str] = []

    def slow(**options: Any) -> Any:
        asked.append(options["format"])
        clock[0] += share * options["limits"].seconds
        return preview(**options)

    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    monkeypatch.setattr("rendering.gate.preview", slow)
    samples = [Sample(name, DATA) for name in ("One", "Two", "Three", "Four")]
    found = findings(organization=OrganizationFactory(), body=BODY, samples=samples)
    late = "not every sample could be tried: all together take longer than 60 seconds (RENDER_TIMEOUT)"
    alone = "Rendering took longer than 60 seconds (RENDER_TIMEOUT)"
    assert told(found) == [*[("error", alone)] * (tried == 1), ("warning", late)]
    assert len(asked) == tried + (tried > 1), "the one that came too late is not held against the template"


def test_without_samples_nothing_is_tried() -> None:
    found = findings(organization=OrganizationFactory(), body=BODY, samples=[])
    assert told(found) == [("warning", "there is no sample data, so that nothing could be tried out")]


def test_texts_that_were_begun_and_forgotten_are_told() -> None:
    def change(body: dict[str, Any]) -> None:
        empty = {"type": "text", "content": " \n"}
        row = {"type": "columns", "columns": [{"sections": []}, {"sections": [empty]}]}
        body["sections"] += [{"type": "heading", "content": ""}, {"type": "box", "sections": [row]}]
        body["page"] = {"footer": {"sections": [empty]}}

    found = gate(change)
    assert [(finding.level, finding.field) for finding in found] == [
        ("warning", "sections[2].content"),
        ("warning", "sections[3].sections[0].columns[1].sections[0].content"),
        ("warning", "page.footer.sections[0].content"),
    ]
    assert "nothing is written here" in found[0].text
