"""`ETag` and `If-Match` of templates: nobody's change is undone unseen."""

from __future__ import annotations

from typing import Any

import pytest

from templates_app import services
from templates_app.models import Template
from tests.api.tools import assert_refused
from tests.conftest import INVOICE, ApiClient

DRAFT = "If-Match is not the template's ETag: it is draft, at version {}"


def test_every_answer_with_a_template_names_its_state(secret: ApiClient) -> None:
    created = secret.post("/v1/templates", INVOICE)
    path = f"/v1/templates/{created.json()['id']}"
    answers = [
        created,
        secret.patch(path, {"name": "Bill"}),
        secret.post(f"{path}/publish"),
        secret.patch(path, {"name": "Note"}),
        secret.delete(path),
    ]
    tags = [answer["ETag"] for answer in answers]
    assert tags == ['"1-draft"', '"2-draft"', '"2-published"', '"3-published"', '"3-archived"']
    assert secret.get(path)["ETag"] == tags[-1]
    assert "ETag" not in secret.get("/v1/templates")
    assert "ETag" not in secret.get("/v1/templates/none")


def test_what_nobody_has_changed_meanwhile_is_changed(secret: ApiClient) -> None:
    path = f"/v1/templates/{secret.create()['id']}"
    for tags in ("{}", '"x", {}', "W/{}", "*"):
        known = secret.get(path)["ETag"]
        assert secret.patch(path, {"name": tags}, if_match=tags.format(known)).status_code == 200
    published = secret.post(f"{path}/publish", if_match=secret.get(path)["ETag"])
    assert secret.delete(path, if_match=published["ETag"]).json()["status"] == "archived"


@pytest.mark.parametrize("tag", ['"1-published"', '"1"', "1-draft", '"2-draft", "3-draft"', "x", '""'])
def test_any_other_state_is_left_alone(tag: str, secret: ApiClient) -> None:
    before = secret.create()
    path = f"/v1/templates/{before['id']}"
    for answer in (
        secret.patch(path, {"name": "Bill"}, if_match=tag),
        secret.post(f"{path}/publish", if_match=tag),
        secret.delete(path, if_match=tag),
    ):
        assert_refused(answer, 412, DRAFT.format(1))
    assert secret.get(path).json() == before
    assert secret.get(f"{path}/versions").json() == []


def test_of_two_who_have_read_the_same_the_second_is_told(secret: ApiClient) -> None:
    path = f"/v1/templates/{secret.create()['id']}"
    known = secret.get(path)["ETag"]
    assert secret.patch(path, {"name": "First"}, if_match=known).status_code == 200
    assert_refused(secret.patch(path, {"name": "Second"}, if_match=known), 412, DRAFT.format(2))
    assert secret.get(path).json()["name"] == "First"


@pytest.mark.parametrize("call", ["update", "publish", "archive"])
def test_a_change_in_the_very_moment_is_noticed(
    call: str, secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/v1/templates/{secret.create()['id']}"
    known, take = secret.get(path)["ETag"], services._locked

    def change_first(templates: Any, template_id: str) -> Template:
        Template.objects.filter(pk=template_id).update(version=2)
        return take(templates, template_id)

    monkeypatch.setattr(services, "_locked", change_first)
    answer = {
        "update": lambda: secret.patch(path, {"name": "Bill"}, if_match=known),
        "publish": lambda: secret.post(f"{path}/publish", if_match=known),
        "archive": lambda: secret.delete(path, if_match=known),
    }[call]()
    # The other change is in the transaction of the refused one here, and goes with it.
    assert_refused(answer, 412, DRAFT.format(1))
    assert secret.get(path).json()["status"] == "draft"


def test_other_refusals_go_before(secret: ApiClient, globex: ApiClient) -> None:
    path = f"/v1/templates/{secret.create()['id']}"
    assert_refused(globex.patch(path, {"name": "a"}, if_match='"9"'), 404, "Template not found")
    assert_refused(globex.delete(path, if_match='"9"'), 404, "Template not found")
    assert_refused(secret.patch(path, b"{", if_match='"9"'), 400, secret.patch(path, b"{").json()["message"])
    secret.delete(path)
    assert_refused(secret.patch(path, {"name": "a"}, if_match='"9"'), 400, "Template is archived")
    assert_refused(secret.post(f"{path}/publish", if_match='"9"'), 400, "Template is archived")
    assert secret.delete(path, if_match='"9"').status_code == 200
