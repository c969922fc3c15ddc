"""Every page answers, asks for a log-in, and needs no more queries for more rows."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.utils import quote
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import admin_filters, audit
from accounts.models import AuditEntry, Membership, Organization, User
from accounts.webhooks.models import Webhook, WebhookAttempt, WebhookDelivery
from assets.models import Asset
from config.jobs.models import Job
from dashboard.tasks import send_reset_mail
from rendering.models import Batch, Document
from rendering.tasks import render_in_background
from templates_app.models import Template
from tests.admin.conftest import document, text
from tests.factories import (
    BatchFactory,
    OrganizationFactory,
    TemplateFactory,
    TemplateVersionFactory,
    WebhookDeliveryFactory,
)
from tests.parts.session import REAL, parts
from usage.models import MonthlyCount

MODELS = (
    Organization,
    User,
    Group,
    AuditEntry,
    Template,
    Document,
    Batch,
    Job,
    MonthlyCount,
    Asset,
    Webhook,
    WebhookDelivery,
)
# The one other origin that a page may show pictures of.
BUCKET = parts().s3_endpoint_url.removeprefix("http") if REAL else "nowhere"
ADDED_BY_HAND = {Organization, User, Group, Asset}


def base(model: Any) -> str:
    return f"/admin/{model._meta.app_label}/{model._meta.model_name}/"


def add_rows(number: int) -> None:
    """Make `number` more rows of every kind, each with relations of its own."""
    now = timezone.now()
    for index in range(number):
        organization = OrganizationFactory()
        user = User.objects.create_user(f"user{User.objects.count()}@example.com")
        Membership.objects.create(user=user, organization=organization)
        Group.objects.create(name=f"Group {Group.objects.count()}")
        template = TemplateFactory(organization=organization)
        TemplateVersionFactory(template=template)
        document(template=template, status="completed", file_size_bytes=1, render_time_ms=1, completed_at=now)
        BatchFactory(template=template)
        render_in_background.enqueue(template.pk)
        audit.record(
            organization, user.email, "member.added", object_type="member", detail={"role": "editor"}
        )
        delivery = WebhookDeliveryFactory(webhook__organization=organization)
        WebhookAttempt.objects.create(delivery=delivery, number=1, started_at=now, duration_ms=1)
        MonthlyCount.objects.create(
            organization=organization,
            month=date(2026, 1, 1),
            template_id=template.pk,
            format="pdf",
            documents=index,
        )
        Asset.objects.create(
            organization=organization,
            name="logo.png",
            content_type="image/png",
            size_bytes=1,
            width=1,
            height=1,
            file=f"assets/{template.pk}.png",
        )


def addresses() -> list[str]:
    """Return the address of every page of the admin that reads."""
    pages = ["/admin/"]
    for model in MODELS:
        row = quote(model.objects.order_by("pk").last().pk)  # type: ignore[attr-defined]
        pages += [base(model), f"{base(model)}{row}/change/", f"{base(model)}{row}/history/"]
        if model in ADDED_BY_HAND:
            pages.append(f"{base(model)}add/")
    pages += [
        f"{base(Organization)}{quote(Organization.objects.all()[0].pk)}/rotate-keys/",
        f"{base(Template)}{quote(Template.objects.all()[0].pk)}/publish/",
        f"{base(User)}{User.objects.all()[0].pk}/password/",
        f"{base(Asset)}{quote(Asset.objects.all()[0].pk)}/delete/",
    ]
    return pages


def test_every_model_of_ours_is_in_the_admin() -> None:
    assert set(admin.site._registry) == set(MODELS)


def test_every_page_answers_and_takes_its_files_from_the_service(browser: Client) -> None:
    add_rows(1)
    for address in addresses():
        answer = browser.get(address)
        assert answer.status_code == 200, address
        page = text(answer)
        assert not re.search(rf'src="http(?!{BUCKET})', page), address
        assert '<link href="http' not in page, address


def test_the_log_in_page_asks_for_an_address(db: None) -> None:
    page = text(Client().get("/admin/login/"))
    assert "E-mail address" in page


def test_the_own_password_is_changed_on_the_one_page_that_counts_wrong_ones(browser: Client) -> None:
    form = {"old_password": "wrong", "new_password1": "fork-Tulip-9", "new_password2": "fork-Tulip-9"}
    for answer in (browser.get("/admin/password_change/"), browser.post("/admin/password_change/", form)):
        assert (answer.status_code, answer["Location"]) == (302, "/account/password")
    assert 'href="/admin/password_change/"' in text(browser.get("/admin/"))


@pytest.mark.parametrize("who", ["nobody", "customer"])
def test_without_being_staff_every_page_leads_to_the_log_in(db: None, who: str) -> None:
    add_rows(1)
    visitor = Client()
    if who == "customer":
        visitor.force_login(User.objects.create_user("customer@example.com", "x"))
    organization = quote(Organization.objects.all()[0].pk)
    more = [f"{base(Organization)}{organization}/new-keys/"]
    for address in [*addresses(), *more]:
        answer = visitor.get(address)
        assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/admin/login/"), address


def test_staff_without_permissions_sees_an_empty_house(db: None) -> None:
    helper = User.objects.create_user("helper@example.com", "x", is_staff=True)
    add_rows(1)
    browser = Client()
    browser.force_login(helper)
    page = text(browser.get("/admin/"))
    assert "Ask an administrator" in page
    assert base(Organization) not in page
    for model in MODELS:
        assert browser.get(base(model)).status_code == 403


def queries(browser: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert browser.get(address).status_code == 200
    return len(captured)


def test_lists_need_no_more_queries_for_fifty_rows_than_for_two(browser: Client) -> None:
    add_rows(2)
    browser.get("/admin/")
    few = {model: queries(browser, base(model)) for model in MODELS}
    add_rows(48)
    many = {model: queries(browser, base(model)) for model in MODELS}
    assert many == few
    assert max(many.values()) <= 10, many


@pytest.mark.parametrize("model", [AuditEntry, Template, Document, Batch, MonthlyCount, Asset])
def test_beside_many_organizations_the_first_are_offered_and_all_are_found(
    browser: Client, monkeypatch: pytest.MonkeyPatch, model: Any
) -> None:
    monkeypatch.setattr(admin_filters, "MAX_OFFERED", 2)
    add_rows(4)
    *_, last = Organization.objects.order_by("name")
    page = text(browser.get(base(model)))
    assert page.count("organization__id__exact=org_") == 2
    assert f"organization__id__exact={last.pk}" not in page
    for query in ({"q": last.pk}, {"organization__id__exact": last.pk}):
        found = browser.get(base(model), query).context["cl"].result_list
        assert {row.organization for row in found} == {last}
    assert f"organization__id__exact={last.pk}" in text(
        browser.get(base(model), {"organization__id__exact": last.pk})
    )


@pytest.mark.parametrize("model", MODELS)
def test_what_no_database_stores_or_searches_for_finds_nothing(browser: Client, model: Any) -> None:
    add_rows(1)
    searches = ["a\x00b", "a " * 5_000, "x" * 10_000]
    for query in [*({"q": each} for each in searches), {"status__exact": "\x00"}, {"format": "\x00"}]:
        assert browser.get(base(model), query).status_code in (200, 302), query
    for page in ("change", "history", "delete"):
        assert browser.get(f"{base(model)}%00/{page}/").status_code in (302, 403, 404), page


@pytest.mark.parametrize("date", ["9999-12-31", "9999-12", "9999", "0-0-0", "x"])
def test_a_date_outside_of_the_calendar_shows_the_whole_list(browser: Client, date: str) -> None:
    names = ("created_at__year", "created_at__month", "created_at__day")
    query = dict(zip(names, date.split("-"), strict=False))
    answer = browser.get(base(Document), query, follow=True)
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("model", "lookup", "value"),
    [
        (Document, "created_at__year", "99999"),
        (Template, "created_at__year", "99999"),
        (Organization, "created_at__year", "0"),
        (User, "date_joined__year", "99999"),
        (Job, "run_after__year", "99999"),
        (Batch, "created_at__hour", "9" * 30),
        (Document, "file_size_bytes__mod", "x"),
    ],
)
def test_a_filter_that_no_database_can_ask_shows_the_whole_list(
    browser: Client, model: Any, lookup: str, value: str
) -> None:
    add_rows(1)
    answer = browser.get(base(model), {lookup: value}, follow=True)
    assert answer.status_code == 200
    assert model.objects.exists()


def test_jobs_are_called_so(browser: Client) -> None:
    page = text(browser.get(base(Job)))
    assert "Task" not in page
    assert "Jobs" in page


def test_a_job_shows_ids_and_no_address(browser: Client) -> None:
    row = document()
    render_in_background.enqueue(row.pk)
    send_reset_mail.enqueue("somebody@example.com", "https://docs.example.com")
    pages = [text(browser.get(f"{base(Job)}{job.pk}/change/")) for job in Job.objects.all()]
    assert len(pages) == 2
    assert any(row.pk in page for page in pages)
    assert not any("somebody@example.com" in page for page in pages)


def test_no_member_is_found_by_text_that_no_database_stores(browser: Client) -> None:
    query = {"app_label": "accounts", "model_name": "membership", "field_name": "user", "term": "\x00"}
    assert browser.get("/admin/autocomplete/", query).json()["results"] == []
