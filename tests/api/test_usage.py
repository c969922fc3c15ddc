"""Usage: a month by template and format, and the trend of six months."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Organization
from rendering.models import Document
from tests.api.tools import errors_of
from tests.conftest import ApiClient
from tests.factories import TemplateFactory
from usage.models import MonthlyCount
from usage.services import count_document


def count(
    template: Any, month: str, documents: int = 1, format: str = "pdf", user: str | None = None
) -> None:
    """Count documents that were completed in the middle of a month."""
    for _ in range(documents):
        count_document(
            organization_id=template.organization_id,
            template_id=template.pk,
            format=format,
            external_user_id=user,
            completed_at=dt.datetime.fromisoformat(f"{month}-15T12:00:00+00:00"),
        )


@pytest.fixture
def template(acme: Organization) -> Any:
    """A template of the organization."""
    return TemplateFactory(organization=acme, name="Bill")


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is 1 February 2026."""
    now = dt.datetime(2026, 2, 1, 0, 30, tzinfo=dt.UTC)
    monkeypatch.setattr("usage.views.timezone.now", lambda: now)


def test_a_month_by_template_and_format(acme: Organization, template: Any, secret: ApiClient) -> None:
    other = TemplateFactory(organization=acme, name="Note")
    count(template, "2026-01", 2)
    count(template, "2026-01", 1, "xlsx")
    count(template, "2026-01", 1, user="ann")
    count(other, "2026-01", 2, user="ben")
    count(template, "2025-12", 5)
    count(template, "2026-02", 5)
    assert secret.get("/v1/usage?year=2026&month=1").json() == {
        "year": 2026,
        "month": 1,
        "total": 6,
        "usage": [
            {"templateId": template.pk, "templateName": "Bill", "format": "pdf", "documents": 3},
            {"templateId": other.pk, "templateName": "Note", "format": "pdf", "documents": 2},
            {"templateId": template.pk, "templateName": "Bill", "format": "xlsx", "documents": 1},
        ],
    }


def test_the_default_is_the_present_month(today: None, template: Any, secret: ApiClient) -> None:
    count(template, "2026-02")
    body = secret.get("/v1/usage").json()
    assert (body["year"], body["month"], body["total"]) == (2026, 2, 1)
    body = secret.get("/v1/usage?month=1").json()
    assert (body["year"], body["month"], body["total"], body["usage"]) == (2026, 1, 0, [])


def test_a_render_is_counted_in_the_present_month(secret: ApiClient, ann: ApiClient) -> None:
    secret.render(secret.published())
    ann.render(ann.published(), format="xlsx")
    now = timezone.now()
    body = secret.get("/v1/usage").json()
    assert (body["year"], body["month"], body["total"]) == (now.year, now.month, 2)
    assert secret.get("/v1/usage/trend").json()[-1] == {"year": now.year, "month": now.month, "documents": 2}


def test_the_end_users_filter(template: Any, secret: ApiClient) -> None:
    count(template, "2026-01", 2, user="ann")
    count(template, "2026-01", 1, user="ben")
    count(template, "2026-01", 1)
    path = "/v1/usage?year=2026&month=1"
    assert secret.get(f"{path}&externalUserId=ann").json()["total"] == 2
    assert secret.get(f"{path}&externalUserId=nobody").json()["total"] == 0
    assert secret.get(f"{path}&externalUserId=").json()["total"] == 0  # a name that was lost is not everybody
    assert secret.get(path).json()["total"] == 4
    assert secret.get(f"{path}&externalUserId=%00").json()["total"] == 0


def test_a_public_key_sees_its_own_only(
    today: None, template: Any, ann: ApiClient, globex: ApiClient
) -> None:
    count(template, "2026-02", 2, user="ann")
    count(template, "2026-02", 1, user="ben")
    count(template, "2026-02", 1)
    for query in ("", "?externalUserId=ben", "?externalUserId=%00"):
        assert ann.get(f"/v1/usage{query}").json()["total"] == 2
    assert ann.get("/v1/usage/trend").json()[-1]["documents"] == 2
    assert ann.get("/v1/usage/trend?externalUserId=ben").json()[-1]["documents"] == 2
    assert globex.get("/v1/usage").json()["total"] == 0
    assert globex.get("/v1/usage/trend").json()[-1]["documents"] == 0


def test_the_trend_across_the_year(today: None, template: Any, secret: ApiClient) -> None:
    count(template, "2025-08", 7)
    count(template, "2025-09", 1)
    count(template, "2025-12", 2, user="ann")
    count(template, "2026-02", 3, "xlsx")
    count(template, "2026-03", 9)
    assert secret.get("/v1/usage/trend").json() == [
        {"year": 2025, "month": 9, "documents": 1},
        {"year": 2025, "month": 10, "documents": 0},
        {"year": 2025, "month": 11, "documents": 0},
        {"year": 2025, "month": 12, "documents": 2},
        {"year": 2026, "month": 1, "documents": 0},
        {"year": 2026, "month": 2, "documents": 3},
    ]


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("year=x", ["year"]),
        ("year=1999", ["year"]),
        ("year=10000", ["year"]),
        ("year=", ["year"]),
        ("month=0", ["month"]),
        ("month=13", ["month"]),
        ("month=1.5", ["month"]),
        ("month=-1", ["month"]),
        ("month=%C2%B2", ["month"]),
        ("month=" + "9" * 5000, ["month"]),
        ("year=x&month=x", ["month", "year"]),
    ],
)
def test_a_wrong_year_or_month_is_named(query: str, fields: list[str], secret: ApiClient) -> None:
    errors = errors_of(secret.get(f"/v1/usage?{query}"))
    assert list(errors) == fields
    assert all(text.startswith("must be a whole number from ") for text in errors.values())


@pytest.mark.parametrize(("year", "month"), [(2000, 1), (9999, 12)])
def test_the_ends_of_time(year: int, month: int, secret: ApiClient) -> None:
    assert secret.get(f"/v1/usage?year={year}&month={month}").json()["usage"] == []


def test_counts_survive_archiving_and_the_loss_of_files(secret: ApiClient) -> None:
    template_id = secret.published()
    secret.render(template_id)
    secret.delete(f"/v1/templates/{template_id}")
    Document.objects.all().delete()
    [row] = secret.get("/v1/usage").json()["usage"]
    assert (row["templateId"], row["templateName"], row["documents"]) == (template_id, "Invoice", 1)


def test_the_name_is_the_present_one(secret: ApiClient) -> None:
    template_id = secret.published(name="Old")
    secret.render(template_id)
    secret.patch(f"/v1/templates/{template_id}", {"name": "New"})
    assert [row["templateName"] for row in secret.get("/v1/usage").json()["usage"]] == ["New"]


def test_the_document_counts_for_its_owner(secret: ApiClient, ben: ApiClient) -> None:
    secret.render(secret.published(), externalUserId="ben")
    assert ben.get("/v1/usage").json()["total"] == 1
    assert secret.get("/v1/usage?externalUserId=ben").json()["total"] == 1


def test_failed_renders_do_not_count(secret: ApiClient, settings: Any) -> None:
    template_id = secret.published()
    settings.MAX_PAGES = 0
    assert secret.render(template_id).status_code == 400
    assert secret.get("/v1/usage").json()["total"] == 0
    assert not MonthlyCount.objects.exists()
