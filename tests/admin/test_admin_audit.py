"""The audit logs of all organizations in the admin: found, read, never changed."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts import audit
from tests.admin.conftest import text
from tests.conftest import ApiClient
from tests.factories import OrganizationFactory

LIST = "/admin/accounts/auditentry/"


def listed(answer: object) -> list[str]:
    return [entry.action for entry in answer.context["cl"].result_list]  # type: ignore[attr-defined]


def test_every_organization_is_there_and_entries_are_found(browser: Client, secret: ApiClient) -> None:
    template = secret.create(name="Offer")
    other = OrganizationFactory(name="Globex")
    audit.record(other, "ada@globex.example", "keys.rotated")
    assert listed(browser.get(LIST))[:1] == ["keys.rotated"]
    shown = text(browser.get(LIST))
    for words in ("Globex", "ada@globex.example", "Acme", "A server (secret key)", "Offer"):
        assert words in shown
    assert listed(browser.get(LIST, {"q": template["id"]})) == ["template.created"]
    assert listed(browser.get(LIST, {"q": "ada@globex.example"})) == ["keys.rotated"]
    assert listed(browser.get(LIST, {"area": "keys"})) == ["keys.rotated"]
    of_globex = listed(browser.get(LIST, {"organization__id__exact": other.pk}))
    assert of_globex == ["keys.rotated", "organization.created"]


@pytest.mark.parametrize("verb", ["change", "delete"])
def test_nobody_changes_an_entry(verb: str, browser: Client) -> None:
    organization = OrganizationFactory()
    entry = audit.record(organization, "api", "template.updated", detail={"changed": ["sections"]})
    address = f"{LIST}{entry.pk}/{verb}/"
    if verb == "change":
        shown = text(browser.get(address))
        assert "sections" in shown
        assert 'name="_save"' not in shown
    assert browser.post(address, {"action": "keys.rotated", "post": "yes"}).status_code == 403
    assert browser.get(f"{LIST}add/").status_code == 403
    entry.refresh_from_db()
    assert entry.action == "template.updated"
