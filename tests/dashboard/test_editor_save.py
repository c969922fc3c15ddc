"""The editor's page and its saves: one version each, never over somebody else's, and who may."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from accounts.models import AuditEntry
from rendering.formats import RENDERERS
from templates_app import services
from templates_app.bodies import parse_body
from templates_app.models import Template, TemplateSample
from templates_app.samples import digest_of, samples_of
from tests.conftest import INVOICE
from tests.dashboard.world import World


@pytest.fixture
def world(world: World) -> World:
    """The cast with a draft: the gate in front of what is live has tests of its own."""
    Template.objects.filter(pk=world.ids["template"]).update(status=Template.Status.DRAFT)
    return world


def send(client: Client, world: World, action: str, body: Any) -> Any:
    path = world.path("{o}/templates/{template}/") + action
    return client.post(path, json.dumps(body), content_type="application/json")


def save(client: Client, world: World, version: int | None = 1, **fields: Any) -> Any:
    digest = digest_of(samples_of(stored(world)))
    body = {"version": version, "content": INVOICE, "samples": None, "samplesDigest": digest} | fields
    return send(client, world, "save", body)


def stored(world: World) -> Template:
    return Template.objects.get(pk=world.ids["template"])


def test_a_save_is_one_version_with_its_author(world: World) -> None:
    answer = save(world.client("editor"), world)
    assert answer.status_code == 200, answer.content
    template = stored(world)
    assert answer.json()["template"]["version"] == template.version == 2
    assert template.content_created_by == "ed@acme.example"
    assert [entry.version for entry in template.versions.all()] == [1]
    assert template.sections == INVOICE["sections"]
    assert AuditEntry.objects.filter(action="template.updated", object_id=template.pk).count() == 1


def test_a_save_in_between_is_a_choice(world: World) -> None:
    """Two authors open version 1; the second save changes nothing until its author has chosen."""
    assert save(world.client("owner"), world, content=INVOICE | {"name": "Hers"}).status_code == 200
    answer = save(world.client("editor"), world, content=INVOICE | {"name": "His"})
    assert answer.status_code == 409
    current = answer.json()["current"]
    assert (current["author"], current["template"]["version"]) == ("ada@acme.example", 2)
    assert current["template"]["name"] == stored(world).name == "Hers"
    assert stored(world).version == 2
    kept = save(world.client("editor"), world, version=2, content=INVOICE | {"name": "His"})
    assert kept.json()["template"]["version"] == 3
    assert stored(world).versions.get(version=2).name == "Hers"


def test_what_was_written_for_a_draft_is_no_save_of_what_is_live(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody publishes between two saves, or in the very moment of one: the author chooses."""
    editor = world.client("editor")
    Template.objects.update(status="published")
    answer = save(editor, world, status="draft")
    assert answer.status_code == 409
    assert answer.json()["current"]["template"]["status"] == "published"
    Template.objects.update(status="draft")

    def published_meanwhile(*args: Any) -> None:
        Template.objects.update(status="published")

    monkeypatch.setattr("dashboard.views.editor._gate", published_meanwhile)
    for fields in ({"status": "draft"}, {}):
        Template.objects.update(status="draft")
        answer = save(editor, world, **fields)
        assert (answer.status_code, stored(world).version) == (409, 1)
        assert answer.json()["message"] == "The template was changed meanwhile: it is published now"


def test_content_is_checked_before_the_transaction_that_stores_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody else could write to an SQLite database while a large template is looked at."""
    depths: list[int] = []

    def parsed(*arguments: Any) -> dict[str, Any]:
        depths.append(len(connection.savepoint_ids))
        return parse_body(*arguments)

    monkeypatch.setattr(services, "parse_body", parsed)
    assert save(world.client("editor"), world).status_code == 200
    assert depths == [len(connection.savepoint_ids)]


@pytest.mark.parametrize("version", [None, "1", -1, 1.0, True, 99])
def test_a_version_that_is_none_overwrites_nothing(world: World, version: Any) -> None:
    save(world.client("owner"), world)
    assert save(world.client("editor"), world, version=version).status_code == 409
    assert stored(world).version == 2


def test_what_is_wrong_is_said_at_its_field_and_nothing_is_stored(world: World) -> None:
    sections = [
        {"type": "text", "content": "a"},
        {"type": "key_value", "items": [{"label": "x", "value": "{{ y }}"}]},
    ]
    answer = save(world.client("editor"), world, content=INVOICE | {"sections": sections})
    assert answer.status_code == 400
    assert [problem["field"] for problem in answer.json()["problems"]] == ["sections[1].items[0].value"]
    assert answer.json()["message"].startswith('Section 2: "{{ y }}" is not a valid expression')
    assert stored(world).version == 1


def test_named_samples(world: World) -> None:
    client = world.client("editor")
    samples = [{"name": "Long", "data": {"number": "1" * 50}}, {"name": "Empty", "data": {}}]
    answer = save(client, world, content=None, samples=samples)
    assert answer.json()["samples"] == samples
    assert stored(world).version == 1, "samples are no part of a version"
    kept = TemplateSample.objects.get(name="Empty").pk
    assert save(client, world, samples=[samples[1], {"name": "New", "data": {"a": 1}}]).status_code == 200
    assert [(each.name, each.pk == kept) for each in stored(world).samples.all()] == [
        ("Empty", True),
        ("New", False),
    ]


def test_samples_that_somebody_else_has_changed_are_not_replaced(world: World) -> None:
    """Two authors have the same list; the second one to save it is asked, whatever else they save."""
    client = world.client("editor")
    seen = page_data(client, world)["samplesDigest"]
    hers = [{"name": "Hers", "data": {"a": 1.0}}]
    first = save(world.client("owner"), world, content=None, samples=hers, samplesDigest=seen)
    assert first.status_code == 200
    for fields in ({"content": None}, {}, {"samplesDigest": None}):
        his: dict[str, Any] = {"samples": [{"name": "His", "data": {}}], "samplesDigest": seen} | fields
        answer = save(client, world, **his)
        assert (answer.status_code, answer.json()["message"]) == (
            409,
            "The named samples were changed meanwhile",
        )
    assert answer.json()["current"]["samples"] == samples_of(stored(world)) == hers
    assert stored(world).version == 1, "content that came along is not saved either"
    now = answer.json()["current"]["samplesDigest"]
    assert now == first.json()["samplesDigest"] == page_data(client, world)["samplesDigest"]
    assert save(client, world, samples=[*hers, his["samples"][0]], samplesDigest=now).status_code == 200


def test_samples_alone_follow_the_version_and_the_status_too(world: World) -> None:
    client = world.client("editor")
    fields: dict[str, Any] = {"content": None, "samples": [{"name": "New", "data": {}}]}
    assert save(client, world, version=2, **fields).status_code == 409
    assert save(client, world, status="published", **fields).status_code == 409
    Template.objects.update(status=Template.Status.ARCHIVED)
    answer = save(client, world, status="archived", **fields)
    assert (answer.status_code, answer.json()["message"]) == (400, "Template is archived")
    assert not TemplateSample.objects.exists()


@pytest.mark.parametrize(
    "samples",
    [
        "x", [1], [{"name": "", "data": {}}], [{"name": "Default", "data": {}}], [{"name": "a"}],
        [{"name": "a", "data": {}}, {"name": "a", "data": {}}], [{"name": "x" * 101, "data": {}}],
        [{"name": str(number), "data": {}} for number in range(51)],
    ],
)  # fmt: skip
def test_samples_that_are_none_store_nothing_at_all(world: World, samples: Any) -> None:
    answer = save(world.client("editor"), world, samples=samples)
    assert answer.status_code == 400
    assert all(problem["field"].startswith("samples") for problem in answer.json()["problems"])
    assert stored(world).version == 1


def test_the_owner_of_a_template_stays(world: World) -> None:
    save(world.client("editor"), world, content=INVOICE | {"externalUserId": "eve"})
    assert stored(world).external_user_id is None


def test_who_may_not_save(world: World) -> None:
    assert save(world.client("viewer"), world).status_code == 403
    assert save(world.client("stranger"), world).status_code == 404
    assert save(world.client("nobody"), world).status_code == 302
    assert save(world.client("owner", enforce_csrf_checks=True), world).status_code == 403
    assert send(world.client("viewer"), world, "publish-saved", {}).status_code == 403
    assert send(world.client("stranger"), world, "publish-saved", {}).status_code == 404
    assert stored(world).version == 1


def test_archived_templates_are_shown_and_not_changed(world: World) -> None:
    Template.objects.update(status=Template.Status.ARCHIVED)
    client = world.client("editor")
    assert page_data(client, world)["mayEdit"] is False
    answer = save(client, world).json()
    assert (answer["message"], answer["isArchived"]) == ("Template is archived", True)
    assert send(client, world, "publish-saved", {}).status_code == 400


# ---------------------------------------------------------------- pages


def page_data(client: Client, world: World) -> Any:
    answer = client.get(world.path("{o}/templates/{template}/edit"))
    assert answer.status_code == 200
    text = answer.content.decode()
    start = text.index('<script id="ed-data" type="application/json">')
    return json.loads(text[text.index(">", start) + 1 : text.index("</script>", start)])


def test_the_page_holds_the_template(world: World) -> None:
    data = page_data(world.client("editor"), world)
    assert (data["template"]["id"], data["template"]["version"], data["mayEdit"]) == (
        world.ids["template"],
        1,
        True,
    )
    assert data["urls"]["save"] == world.path("{o}/templates/{template}/save")
    assert page_data(world.client("viewer"), world)["mayEdit"] is False


def test_the_page_asks_the_database_little(world: World, django_assert_max_num_queries: Any) -> None:
    client = world.client("editor")
    page_data(client, world)
    with django_assert_max_num_queries(8):
        page_data(client, world)


def test_a_template_of_others_does_not_exist(world: World) -> None:
    theirs = world.people["stranger"].organizations.get()
    path = f"/o/{theirs.pk}/templates/{world.ids['template']}/edit"
    assert world.client("stranger").get(path).status_code == 404
    assert world.client("editor").get(path).status_code == 404
    assert world.client("editor").get(world.path("{o}/templates/x%00/edit")).status_code == 404


def test_a_new_template_is_a_draft_that_is_opened(world: World) -> None:
    client = world.client("editor")
    answer = client.post(world.path("{o}/templates/new"), {"name": "A new one", "formats": ["pdf", "xlsx"]})
    template = Template.objects.get(name="A new one")
    assert answer["Location"] == f"/o/{world.organization.pk}/templates/{template.pk}/edit"
    assert (template.status, template.formats, template.version) == ("draft", ["pdf", "xlsx"], 1)
    assert client.get(answer["Location"]).status_code == 200


@pytest.mark.parametrize(
    ("formats", "kinds"),
    [(["pdf"], ["heading"]), (["xlsx"], ["heading", "table"]), (["pdf", "xlsx"], ["heading", "table"])],
)
def test_a_new_template_can_be_drawn_at_once(world: World, formats: list[str], kinds: list[str]) -> None:
    world.client("editor").post(world.path("{o}/templates/new"), {"name": "New", "formats": formats})
    template = Template.objects.get(name="New")
    assert [section["type"] for section in template.sections] == kinds
    for renderer in map(RENDERERS.get, formats):
        assert renderer is not None
        renderer.check(kinds)


@pytest.mark.parametrize(
    "form", [{"name": "", "formats": "pdf"}, {"name": "x"}, {"name": "x", "formats": "doc"}]
)
def test_a_new_template_that_says_too_little(world: World, form: dict[str, str]) -> None:
    before = Template.objects.count()
    assert world.client("editor").post(world.path("{o}/templates/new"), form).status_code == 422
    assert world.client("viewer").post(world.path("{o}/templates/new"), form).status_code == 403
    assert Template.objects.count() == before
