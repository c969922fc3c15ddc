"""Exact numbers of queries per endpoint; a long list costs what a short one does."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from accounts.models import Organization
from assets.services import upload_asset
from templates_app.models import Template
from tests.api.tools import HEADING
from tests.conftest import INVOICE, ApiClient
from tests.factories import (
    BatchFactory,
    DocumentFactory,
    TemplateFactory,
    TemplateVersionFactory,
    WebhookDeliveryFactory,
)
from tests.parts.session import REAL
from usage.models import MonthlyCount

RENDER = {"templateId": "{template}", "data": {"name": "Ada"}}
BATCH = {"templateId": "{template}", "items": [{"data": {"name": "Ada"}}]}

# One query is always the key's. Transactions count their BEGIN and COMMIT, which are savepoints in a test.
TABLE: list[tuple[str, str, Any, int]] = [
    ("POST", "/v1/render", RENDER, 10),
    ("GET", "/v1/documents", None, 2),
    ("GET", "/v1/documents?status=failed&format=pdf&createdFrom=2026-01-01", None, 2),
    ("GET", "/v1/documents/{document}", None, 2),
    ("DELETE", "/v1/documents/{document}", None, 9),
    ("GET", "/v1/downloads/{document}", None, 2),
    ("GET", "/v1/batches", None, 2),
    ("GET", "/v1/batches?status=failed&templateId=x&externalUserId=x", None, 2),
    ("POST", "/v1/batches", BATCH, 9),
    ("GET", "/v1/batches/{batch}", None, 2),
    ("POST", "/v1/batches/{batch}/cancel", None, 8),
    ("DELETE", "/v1/batches/{batch}", None, 9),
    ("POST", "/v1/templates", INVOICE, 5),
    ("GET", "/v1/templates", None, 2),
    ("GET", "/v1/templates?status=draft&externalUserId=x", None, 2),
    ("GET", "/v1/templates/{template}", None, 2),
    ("PATCH", "/v1/templates/{template}", {"name": "New"}, 8),
    ("DELETE", "/v1/templates/{template}", None, 7),
    ("POST", "/v1/templates/{draft}/publish", None, 7),
    ("POST", "/v1/templates/{template}/publish", None, 4),
    ("GET", "/v1/templates/{template}/versions", None, 3),
    ("GET", "/v1/templates/{template}/versions/1", None, 3),
    ("GET", "/v1/templates/{template}/versions/2", None, 2),
    ("GET", "/v1/assets", None, 2),
    ("GET", "/v1/assets/{asset}", None, 2),
    ("GET", "/v1/usage?year=2026&month=1", None, 2),
    ("GET", "/v1/usage/trend", None, 2),
    ("GET", "/v1/orgs", None, 1),
    ("POST", "/v1/auth/rotate-keys", None, 7),
    ("GET", "/v1/webhooks", None, 2),
    ("POST", "/v1/webhooks", {"url": "https://hooks.example.com/"}, 7),
    ("GET", "/v1/webhooks/{webhook}", None, 2),
    ("PATCH", "/v1/webhooks/{webhook}", {"description": "Orders"}, 7),
    ("DELETE", "/v1/webhooks/{webhook}", None, 10),
    ("POST", "/v1/webhooks/{webhook}/rotate-secret", None, 7),
    ("POST", "/v1/webhooks/{webhook}/test", None, 10),
    ("GET", "/v1/webhooks/{webhook}/deliveries", None, 3),
    ("GET", "/v1/webhooks/{webhook}/deliveries/{delivery}", None, 4),
    ("POST", "/v1/webhooks/{webhook}/deliveries/{delivery}/replay", None, 12),
    ("GET", "/v1/nope", None, 0),
]


@pytest.fixture
def ids(acme: Organization, settings: Any) -> dict[str, str]:
    """Ids of one row of everything."""
    settings.WEBHOOK_ALLOWED_HOSTS = ["hooks.example.com"]
    delivery = WebhookDeliveryFactory(webhook__organization=acme, webhook__event_types=["batch.completed"])
    template = TemplateFactory(organization=acme, sections=[HEADING], published=True, version=2)
    TemplateVersionFactory(template=template, version=1)
    out = BytesIO()
    Image.new("RGB", (2, 2)).save(out, "PNG")
    return {
        "template": template.pk,
        "draft": TemplateFactory(organization=acme).pk,
        "document": DocumentFactory(template=template, completed=True).pk,
        "batch": BatchFactory(template=template).pk,
        "asset": upload_asset(organization=acme, name="logo.png", content=out.getvalue(), actor="system").pk,
        "webhook": delivery.webhook_id,
        "delivery": delivery.pk,
    }


@pytest.mark.parametrize(("method", "path", "body", "queries"), TABLE, ids=lambda value: str(value)[:50])
def test_queries(
    method: str,
    path: str,
    body: Any,
    queries: int,
    ids: dict[str, str],
    secret: ApiClient,
    django_assert_num_queries: Any,
    django_assert_max_num_queries: Any,
) -> None:
    body = body | {"templateId": ids["template"]} if body in (RENDER, BATCH) else body
    # PostgreSQL enqueues by fewer queries and deletes what depends on a row by one more.
    with django_assert_max_num_queries(queries + 1) if REAL else django_assert_num_queries(queries):
        answer = secret.request(method, path.format(**ids), body)
    assert answer.status_code < 400 or path == "/v1/nope"


@pytest.mark.parametrize("rows", [0, 10, 1000])
def test_a_long_list_of_templates_costs_what_a_short_one_does(
    rows: int, acme: Organization, secret: ApiClient, django_assert_num_queries: Any
) -> None:
    Template.objects.bulk_create(TemplateFactory.build(organization=acme) for _ in range(rows))
    with django_assert_num_queries(2):
        assert len(secret.get("/v1/templates").json()) == rows


@pytest.mark.parametrize("rows", [1, 300])
def test_a_long_history_costs_what_a_short_one_does(
    rows: int, acme: Organization, secret: ApiClient, django_assert_num_queries: Any
) -> None:
    template = TemplateFactory(organization=acme, version=rows + 1)
    for version in range(1, rows + 1):
        TemplateVersionFactory(template=template, version=version)
    with django_assert_num_queries(3):
        assert len(secret.get(f"/v1/templates/{template.pk}/versions").json()) == rows


@pytest.mark.parametrize("rows", [1, 500])
def test_usage_of_many_templates_costs_what_one_does(
    rows: int, acme: Organization, secret: ApiClient, django_assert_num_queries: Any
) -> None:
    templates = Template.objects.bulk_create(TemplateFactory.build(organization=acme) for _ in range(rows))
    MonthlyCount.objects.bulk_create(
        MonthlyCount(
            organization=acme, month="2026-01-01", template_id=template.pk, format="pdf", documents=2
        )
        for template in templates
    )
    with django_assert_num_queries(3):
        assert secret.get("/v1/usage?year=2026&month=1").json()["total"] == 2 * rows


@pytest.mark.parametrize("rows", [1, 2000])
def test_a_long_table_costs_what_a_short_one_does(
    rows: int, secret: ApiClient, django_assert_num_queries: Any
) -> None:
    template_id = secret.published()
    items = [{"name": "Pen", "price": 1}] * rows
    with django_assert_num_queries(10):
        assert secret.render(template_id, {"items": items}, format="xlsx").status_code == 200
