"""The publish gate: errors stop, warnings ask, on the page and in the editor alike."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dashboard.publishing import judge, place_in
from templates_app.models import Template, TemplateSample
from tests.conftest import INVOICE, INVOICE_DATA
from tests.dashboard.world import World, page

PUBLISH = "{o}/templates/{draft}/publish"
DECLARED: list[dict[str, Any]] = [
    {"name": "number", "type": "string"},
    {
        "name": "items",
        "type": "list",
        "fields": [
            {"name": "name", "type": "string"},
            {"name": "price", "type": "currency"},
            {"name": "unit", "type": "string"},
        ],
    },
]


def stored(world: World, **changes: Any) -> Template:
    if changes:
        Template.objects.filter(pk=world.ids["draft"]).update(**changes)
    return Template.objects.get(pk=world.ids["draft"])


def publish(world: World, **form: str) -> Any:
    return world.client("editor").post(world.path(PUBLISH), {"version": str(stored(world).version)} | form)


def test_nothing_in_the_way(world: World) -> None:
    stored(world, variables=DECLARED)
    assert "Nothing is in the way." in page(world.client("editor").get(world.path(PUBLISH)))
    assert publish(world).status_code == 302
    assert stored(world).status == "published"
    assert "already" in page(world.client("editor").get(world.path(PUBLISH), follow=True))


def test_warnings_ask(world: World) -> None:
    shown = page(world.client("editor").get(world.path(PUBLISH)))
    assert "One thing looks wrong." in shown
    assert "“number” and “items” are used but not declared" in shown
    assert world.path("{o}/templates/{draft}/edit#at=variables") in shown
    refused = publish(world)
    assert refused.status_code == 422
    assert "Tick this box" in page(refused)
    assert publish(world, accept="on").status_code == 422
    assert stored(world).status == "draft"
    token = refused.context["verdict"].token
    assert publish(world, accept=token).status_code == 302
    assert stored(world).status == "published"


def test_warnings_that_came_later_are_asked_about_again(world: World) -> None:
    token = judge(stored(world)).token
    TemplateSample.objects.create(template=stored(world), name="Odd", data={"colour": "red"})
    refused = publish(world, accept=token)
    assert refused.status_code == 422
    assert "With the sample “Odd”" in page(refused)
    assert "&amp;sample=Odd" in page(refused)


def test_errors_stop(world: World) -> None:
    stored(world, variables=[*DECLARED, {"name": "due", "type": "date", "required": True}])
    verdict = judge(stored(world))
    assert verdict.errors
    refused = publish(world, accept=verdict.token)
    assert refused.status_code == 422
    shown = page(refused)
    assert "One thing stops it." in shown
    assert "Publish version" not in shown
    assert '<h2 id="group-1">With the sample “Default”</h2>' in shown
    assert stored(world).status == "draft"


def test_what_is_tried_out(world: World) -> None:
    """Without any sample the data is made from the variables; what goes wrong with it only warns."""

    def samples(**changes: Any) -> list[str]:
        return [finding.text for finding in judge(stored(world, **changes)).warnings]

    undeclared = (
        "“number” and “items” are used but not declared: any data passes, and without it nothing prints"
    )
    assert samples(sample_data={}) == [undeclared]
    made_up = samples(
        sections=[{"type": "barcode", "symbology": "ean13", "value": "{{code}}"}], formats=["pdf"]
    )
    assert any("EAN" in text or "digit" in text for text in made_up), made_up
    assert "With example data generated from the variables, as PDF" in page(
        world.client("editor").get(world.path(PUBLISH))
    )
    TemplateSample.objects.create(template=stored(world), name="Real", data={"code": "4006381333931"})
    assert len(samples()) == 1
    TemplateSample.objects.all().delete()
    plain = [{"type": "heading", "content": "Rules"}]
    assert samples(sections=plain, formats=["pdf"], page={"footer": {"right": "{{page.number}}"}}) == []


def test_a_name_that_is_misspelt_is_told_where_it_stands(world: World) -> None:
    client = {"name": "client", "type": "object", "fields": [{"name": "name", "type": "string"}]}
    texts = {"type": "text", "content": "{{clinet.name}}, {{Client.name}}, {{client.nmae|upper}}, {{line_2}}"}
    template = stored(
        world,
        formats=["pdf"],
        sections=[{"type": "box", "sections": [texts]}],
        variables=[client, {"name": "line_1", "type": "string"}],
        sample_data={},
    )
    found = [finding.text for finding in judge(template).warnings]
    assert found[:3] == [
        f"sections[0].sections[0].content: “{wrong}” may be a misspelt “{right}”: only the latter is declared"
        for wrong, right in (("client.nmae", "client.name"), ("clinet", "client"), ("Client", "client"))
    ]
    assert len(found) == 4, "what differs by a number alone is meant"


def test_places_in_words() -> None:
    body = INVOICE | {"page": {"footer": {"left": "x"}}}
    assert place_in(body, "sections[1].columns[0].key") == "Key of column Item of section 2 (table items)"
    assert place_in(body, "sections[0].content") == "Content of section 1 (heading “Invoice {{number}}”)"
    assert place_in(body, "sections[7].x") == "X of section 8"
    assert place_in(body, "data.items[0].price") == "Sample data, items[0].price"
    assert place_in(body, "page.footer.left") == "Left of the footer"


# ---------------------------------------------------------------- in the editor


def save(world: World, content: Any = None, **body: Any) -> Any:
    sent = {"version": stored(world).version, "content": INVOICE | (content or {}), "samples": None} | body
    path = world.path("{o}/templates/{draft}/save")
    return world.client("editor").post(path, json.dumps(sent), content_type="application/json")


def publish_in_the_editor(world: World, **body: Any) -> Any:
    path = world.path("{o}/templates/{draft}/publish-saved")
    return world.client("editor").post(path, json.dumps(body), content_type="application/json")


def test_saving_what_is_live_passes_the_gate(world: World) -> None:
    stored(world, status="published", variables=DECLARED)
    assert save(world, {"variables": DECLARED}).status_code == 200
    changed = [*DECLARED, {"name": "due", "type": "date", "required": True}]
    stops = save(world, {"variables": changed})
    assert stops.status_code == 422
    assert stops.json()["gate"]["stops"] is True
    due = {"sampleData": INVOICE_DATA | {"due": "2026-05-04"}}
    asks = save(world, {"variables": changed, **due})
    assert asks.status_code == 422
    gate = asks.json()["gate"]
    assert [(each["level"], each["field"]) for each in gate["findings"]] == [("warning", "variables.due")]
    assert "becomes required" in gate["findings"][0]["message"]
    assert stored(world).version == 4
    assert save(world, {"variables": changed, **due}, accept="x").status_code == 422
    assert save(world, {"variables": changed, **due}, accept=gate["token"]).status_code == 200
    assert stored(world).version == 5


def test_what_cannot_be_stored_is_said_at_its_field_first(world: World) -> None:
    stored(world, status="published")
    answer = save(world, {"sections": [{"type": "text", "content": "{{ x }}"}]})
    assert answer.status_code == 400
    assert answer.json()["problems"][0]["field"] == "sections[0].content"
    assert save(world, version=1).status_code == 409
    assert save(world, content=None, samples=[{"name": "", "data": {}}], accept="").status_code == 422
    assert stored(world).version == 3


def test_a_draft_may_be_anything(world: World) -> None:
    assert save(world).status_code == 200


@pytest.mark.parametrize("page", ["publish", "editor"])
def test_what_nobody_looked_at_is_not_published(
    page: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(world, variables=DECLARED)
    view = f"dashboard.views.{page}"

    def saved_meanwhile(row: Template) -> Any:
        verdict = judge(row)
        stored(world, version=row.version + 1)
        return verdict

    monkeypatch.setattr(f"{view}.judge", saved_meanwhile)
    if page == "publish":
        assert publish(world).status_code == 302
    else:
        answer = publish_in_the_editor(world, version=3)
        assert (answer.status_code, answer.json()["message"][:28]) == (409, "The template was changed mea")
    assert stored(world).status == "draft"


def test_what_was_saved_since_the_page_was_shown_is_shown_first(world: World) -> None:
    """Somebody saves while another one reads the publish page, or has the editor open."""
    stored(world, variables=DECLARED)
    assert 'name="version" value="3"' in page(world.client("editor").get(world.path(PUBLISH)))
    stored(world, version=4)
    for seen in ("3", "", "four", "9" * 12):
        answer = publish(world, version=seen)
        assert (answer.status_code, answer["Location"]) == (302, world.path(PUBLISH))
    shown = page(world.client("editor").get(world.path(PUBLISH)))
    assert "Publish version 4" in shown
    refused = publish_in_the_editor(world, version=3)
    assert (refused.status_code, refused.json()["current"]["template"]["version"]) == (409, 4)
    assert publish_in_the_editor(world).status_code == 409
    assert stored(world).status == "draft"
    followed = world.client("editor").post(world.path(PUBLISH), {"version": "3"}, follow=True)
    assert "Nothing was published. The template was changed meanwhile: it is at version 4." in page(followed)
    assert publish(world).status_code == 302
    assert stored(world).status == "published"


def test_publishing_in_the_editor(world: World) -> None:
    gate = publish_in_the_editor(world, version=3).json()["gate"]
    assert (gate["stops"], [each["code"] for each in gate["findings"]]) == (False, ["undeclared"])
    assert publish_in_the_editor(world, version=3, accept=gate["token"]).status_code == 200
    assert stored(world).status == "published"
    assert publish_in_the_editor(world, version=3).status_code == 200, "published already: nothing to do"
