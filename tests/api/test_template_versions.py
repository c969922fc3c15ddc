"""Updates of templates and their versions."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from accounts.caller import Caller
from accounts.models import Organization
from templates_app import compiled, services
from templates_app.models import Template, TemplateVersion
from templates_app.services import update_template
from tests.api.tools import assert_refused
from tests.conftest import ApiClient
from tests.factories import TemplateFactory

ENTRY = {
    "version",
    "name",
    "description",
    "formats",
    "sections",
    "variables",
    "page",
    "sampleData",
    "createdAt",
    "createdBy",
}


def test_an_update_changes_what_it_gives_and_keeps_what_it_replaced(secret: ApiClient) -> None:
    first = secret.create()
    path = f"/v1/templates/{first['id']}"
    second = secret.patch(path, {"name": "Bill"})
    assert second.status_code == 200
    assert second.json() == first | {"name": "Bill", "version": 2, "updatedAt": second.json()["updatedAt"]}
    third = secret.patch(path, {"formats": ["xlsx"], "description": "New"}).json()
    assert (third["version"], third["name"], third["formats"]) == (3, "Bill", ["xlsx"])

    entries = secret.get(f"{path}/versions").json()
    assert [entry["version"] for entry in entries] == [2, 1]
    assert all(entry.keys() == ENTRY for entry in entries)
    shared = ENTRY - {"version", "createdAt", "createdBy"}
    assert {name: entries[1][name] for name in shared} == {name: first[name] for name in shared}
    assert {name: entries[0][name] for name in shared} == {name: second.json()[name] for name in shared}
    assert entries[1]["createdAt"] == first["createdAt"]
    assert entries[0]["createdAt"] == second.json()["updatedAt"]
    assert entries[0]["createdBy"] == "api"


def test_any_version_answers_the_current_one_included(secret: ApiClient, globex: ApiClient) -> None:
    path = f"/v1/templates/{secret.create()['id']}"
    assert secret.get(f"{path}/versions").json() == []
    secret.patch(path, {"name": "Second"})
    assert secret.get(f"{path}/versions/1").json() == secret.get(f"{path}/versions").json()[0]
    current = secret.get(f"{path}/versions/2").json()
    assert (current.keys(), current["name"], current["version"]) == (ENTRY, "Second", 2)
    for version in ("0", "3", "-1", "x", "01x", "9" * 50, "²", "1.0"):
        assert_refused(secret.get(f"{path}/versions/{version}"), 404, "Template not found")
    assert_refused(globex.get(f"{path}/versions/1"), 404, "Template not found")


def test_who_changed_it(secret: ApiClient, ann: ApiClient) -> None:
    path = f"/v1/templates/{ann.create()['id']}"
    secret.patch(path, {"name": "By the server"})
    secret.patch(path, {"name": "Again"})
    entries = secret.get(f"{path}/versions").json()
    assert [entry["createdBy"] for entry in entries] == ["api", "user:ann"]


def test_end_users_are_told_of_no_other_person(
    acme: Organization, secret: ApiClient, ann: ApiClient, ben: ApiClient
) -> None:
    """Neither the address of a member who changed their template nor the id of the user who had it before."""
    path = f"/v1/templates/{ben.create()['id']}"
    secret.patch(path, {"externalUserId": "ann"})
    member = Caller(acme, is_public=False, user_id=None, credential="member:1", member="vera@acme.example")
    for name in ("By a member", "Once more"):
        update_template(
            templates=Template.objects.visible_to(member),
            template=Template.objects.get(pk=path.rpartition("/")[2]),
            body={"name": name},
            author=member.author,
            may_move=True,
        )
    ann.patch(path, {"name": "By herself"})
    told = {
        "secret": ["vera@acme.example", "vera@acme.example", "api", "user:ben"],
        "ann": ["organization", "organization", "api", "organization"],
    }
    for caller, expected in ((secret, told["secret"]), (ann, told["ann"])):
        assert [entry["createdBy"] for entry in caller.get(f"{path}/versions").json()] == expected
        assert caller.get(f"{path}/versions/4").json()["createdBy"] == expected[0]
        assert caller.get(f"{path}/versions/5").json()["createdBy"] == "user:ann"


def test_an_empty_update_is_a_version_too(secret: ApiClient) -> None:
    path = f"/v1/templates/{secret.create()['id']}"
    assert secret.patch(path, {}).json()["version"] == 2
    assert len(secret.get(f"{path}/versions").json()) == 1


def test_an_update_needs_a_body(secret: ApiClient) -> None:
    path = f"/v1/templates/{secret.create()['id']}"
    assert_refused(secret.patch(path), 400, "body: required")


def test_null_empties_what_may_be_empty(secret: ApiClient) -> None:
    given = {"description": "x", "page": {"size": "A5"}, "sampleData": {"a": 1}, "externalUserId": "ann"}
    path = f"/v1/templates/{secret.create(**given)['id']}"
    body = secret.patch(path, dict.fromkeys(given)).json()
    assert {name: body[name] for name in given} == {
        "description": "",
        "page": {},
        "sampleData": {},
        "externalUserId": None,
    }


@pytest.mark.django_db
def test_a_version_entry_is_made_by_updates_only(acme: Organization, secret: ApiClient) -> None:
    template = TemplateFactory(organization=acme)
    secret.post(f"/v1/templates/{template.pk}/publish")
    secret.delete(f"/v1/templates/{template.pk}")
    assert TemplateVersion.objects.count() == 0
    assert str(template) == template.name


def test_an_update_is_checked_before_its_template_is_locked(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock is everybody's under SQLite: a large body must not keep all renders waiting."""
    path = f"/v1/templates/{secret.create()['id']}"
    depths: dict[str, list[int]] = {}

    def noting(name: str, function: Any) -> Any:
        def called(*arguments: Any) -> Any:
            depths.setdefault(name, []).append(len(connection.savepoint_ids))
            return function(*arguments)

        return called

    monkeypatch.setattr(services, "parse_body", noting("parse", services.parse_body))
    monkeypatch.setattr(compiled, "_compile", noting("compile", compiled._compile))
    monkeypatch.setattr(services, "_locked", noting("lock", services._locked))
    changed = secret.patch(path, {"sections": [{"type": "text", "content": "Quite {{new}}"}]})
    assert [variable["name"] for variable in changed.json()["variables"]] == ["new"]
    (locked,) = depths.pop("lock")
    assert depths == {"parse": [locked - 1], "compile": [locked - 1]}
