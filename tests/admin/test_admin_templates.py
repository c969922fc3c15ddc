"""Templates: looked at, published, archived."""

from __future__ import annotations

import re

import pytest
from django.contrib.admin.utils import quote
from django.contrib.auth.models import Permission
from django.test import Client

from accounts import admin_pages
from accounts.models import User
from templates_app.models import Template
from tests.admin.conftest import text
from tests.factories import TemplateFactory, TemplateVersionFactory

LIST = "/admin/templates_app/template/"


def page(template: Template, name: str = "change") -> str:
    return f"{LIST}{quote(template.pk)}/{name}/"


def names(answer: object) -> list[str]:
    return sorted(template.name for template in answer.context["cl"].result_list)  # type: ignore[attr-defined]


def confirmed(browser: Client, values: dict[str, object]) -> object:
    """Ask for a bulk action on the list, and send what the page that asks back holds."""
    question = text(browser.post(LIST, values))
    hidden: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="hidden" name="([a-z_]+)" value="(.*?)">', question):
        hidden.setdefault(name, []).append(value)
    return browser.post(LIST, hidden, follow=True)


def test_publish_and_archive_ask_first(browser: Client) -> None:
    template = TemplateFactory(name="Invoice")
    assert browser.get(page(template, "publish")).status_code == 200
    template.refresh_from_db()
    assert template.status == "draft"
    assert "Published: Invoice." in text(browser.post(page(template, "publish"), follow=True))
    template.refresh_from_db()
    assert template.status == "published"

    assert "cannot be changed or published again" in text(browser.get(page(template, "archive")))
    assert "Archived: Invoice." in text(browser.post(page(template, "archive"), follow=True))
    template.refresh_from_db()
    assert template.status == "archived"

    refused = text(browser.post(page(template, "publish"), follow=True))
    assert "Invoice: Template is archived." in refused


@pytest.mark.parametrize(
    ("status", "offered"),
    [("draft", {"publish", "archive"}), ("published", {"archive"}), ("archived", set())],
)
def test_only_what_the_status_allows_is_offered(browser: Client, status: str, offered: set[str]) -> None:
    template = TemplateFactory(status=status)
    shown = text(browser.get(page(template)))
    assert {name for name in ("publish", "archive") if page(template, name) in shown} == offered


def test_several_are_published_across_organizations(browser: Client) -> None:
    good = TemplateFactory.create_batch(2)
    archived = TemplateFactory(name="Old", status="archived")
    chosen = [template.pk for template in [*good, archived]]
    answer = confirmed(browser, {"action": "publish_selected", "_selected_action": chosen})
    assert "Published: 2 templates." in text(answer)
    assert "Old: Template is archived." in text(answer)
    assert Template.objects.filter(status="published").count() == 2
    confirmed(browser, {"action": "archive_selected", "_selected_action": chosen})
    assert Template.objects.filter(status="archived").count() == 3


def test_viewers_cannot_publish(db: None) -> None:
    viewer = User.objects.create_user("viewer@example.com", "x", is_staff=True)
    viewer.user_permissions.add(Permission.objects.get(codename="view_template"))
    browser = Client()
    browser.force_login(viewer)
    template = TemplateFactory()
    assert page(template, "publish") not in text(browser.get(page(template)))
    assert browser.post(page(template, "publish")).status_code == 403


def test_the_detail_shows_content_and_versions_and_saves_nothing(browser: Client) -> None:
    template = TemplateFactory(
        name="Invoice", version=2, sections=[{"type": "text", "content": "<b>Grüße & {{name}}</b>"}]
    )
    TemplateVersionFactory(template=template, version=1, name="First draft")
    shown = text(browser.get(page(template)))
    assert "&lt;b&gt;Grüße &amp; {{name}}&lt;/b&gt;" in shown
    assert "First draft" in shown
    assert browser.post(page(template), {"name": "Other"}).status_code == 403
    assert browser.get(f"{LIST}add/").status_code == 403
    assert browser.post(page(template, "delete"), {"post": "yes"}).status_code == 403


def test_search_and_filters(browser: Client) -> None:
    invoice = TemplateFactory(name="Invoice", formats=["pdf"])
    prices = TemplateFactory(name="Prices", formats=["xlsx"], status="published")
    both = TemplateFactory(name="Both", formats=["pdf", "xlsx"], organization=prices.organization)
    assert names(browser.get(LIST, {"q": "voic"})) == ["Invoice"]
    assert names(browser.get(LIST, {"q": both.pk})) == ["Both"]
    assert names(browser.get(LIST, {"format": "xlsx"})) == ["Both", "Prices"]
    assert names(browser.get(LIST, {"status__exact": "published"})) == ["Prices"]
    assert names(browser.get(LIST, {"organization__id__exact": invoice.organization_id})) == ["Invoice"]


def test_several_are_archived_only_after_the_question(browser: Client) -> None:
    chosen = [TemplateFactory(name=f"Letter {number}").pk for number in range(2)]
    values: dict[str, object] = {"action": "archive_selected", "_selected_action": chosen}
    question = text(browser.post(LIST, values))
    assert "Archive 2 templates?" in question
    assert "Letter 0" in question
    assert not Template.objects.filter(status="archived").exists()
    assert "Archived: 2 templates." in text(confirmed(browser, values))
    assert Template.objects.filter(status="archived").count() == 2


def test_more_rows_than_an_action_does_at_once_are_refused(
    browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admin_pages, "MAX_AT_ONCE", 2)
    chosen = [TemplateFactory().pk for _ in range(3)]
    values: dict[str, object] = {
        "action": "archive_selected",
        "_selected_action": chosen[:1],
        "select_across": "1",
        "post": "yes",
    }
    assert "more than 2 rows" in text(browser.post(LIST, values, follow=True))
    assert not Template.objects.filter(status="archived").exists()
    assert browser.post(f"{LIST}?q={chosen[0]}", values).status_code == 302
    assert Template.objects.filter(status="archived").count() == 1
