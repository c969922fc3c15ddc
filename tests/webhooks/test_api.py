"""`/v1/webhooks`: what may be entered, what is shown, and whose it is."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from accounts.models import AuditEntry, Organization
from accounts.webhooks.models import Webhook, WebhookDelivery
from accounts.webhooks.services import MAX_WEBHOOKS
from tests.api.tools import assert_refused, errors_of
from tests.conftest import ApiClient
from tests.factories import WebhookDeliveryFactory, WebhookFactory

URL = "https://hooks.example.com/documents"


@pytest.fixture(autouse=True)
def _allowed(settings: Any) -> None:
    settings.WEBHOOK_ALLOWED_HOSTS = ["hooks.example.com"]


def test_the_life_of_a_webhook(secret: ApiClient) -> None:
    body = {"url": URL, "description": " Orders ", "eventTypes": ["document.failed", "batch.completed"]}
    answer = secret.post("/v1/webhooks", body)
    assert answer.status_code == 201
    created = answer.json()
    path = f"/v1/webhooks/{created['id']}"
    full = created.pop("secret")
    assert full.startswith("whsec_")
    shown = secret.get(path).json()
    assert shown.pop("secret") == f"whsec_****{full.rstrip('=')[-4:]}"
    assert shown == created
    assert shown["updatedAt"] == shown["createdAt"]
    assert {name: shown[name] for name in ("url", "description", "eventTypes", "enabled")} == {
        "url": URL,
        "description": "Orders",
        "eventTypes": ["batch.completed", "document.failed"],
        "enabled": True,
    }
    assert (shown["failingSince"], shown["disabledAt"], shown["disabledReason"]) == (None, None, "")
    assert [row["id"] for row in secret.get("/v1/webhooks").json()] == [created["id"]]

    changed = secret.patch(path, {"eventTypes": None, "enabled": False, "unknown": 1}).json()
    assert (changed["eventTypes"], changed["enabled"], changed["url"]) == (None, False, URL)
    assert changed["updatedAt"] > shown["updatedAt"]
    assert secret.patch(path, {}).json() == changed
    deleted = secret.delete(path)
    assert (deleted.status_code, deleted.content) == (204, b"")
    assert_refused(secret.get(path), 404, "Webhook not found")
    assert secret.get("/v1/webhooks").json() == []


def test_what_was_made_says_where_it_is(secret: ApiClient) -> None:
    webhook = secret.post("/v1/webhooks", {"url": URL})
    path = f"/v1/webhooks/{webhook.json()['id']}"
    assert webhook["Location"] == f"http://testserver{path}"
    tested = secret.post(f"{path}/test")
    where = f"{path}/deliveries/{tested.json()['id']}"
    assert tested["Location"] == secret.post(f"{where}/replay")["Location"] == f"http://testserver{where}"
    assert secret.get(where).json()["eventType"] == "webhook.test"


def test_every_change_is_in_the_audit_log(secret: ApiClient) -> None:
    path = f"/v1/webhooks/{secret.post('/v1/webhooks', {'url': URL}).json()['id']}"
    secret.patch(path, {"enabled": False})
    secret.patch(path, {"enabled": False})
    secret.post(f"{path}/rotate-secret")
    secret.delete(path)
    entries = AuditEntry.objects.filter(object_type="webhook").order_by("id")
    assert [entry.action for entry in entries] == [
        "webhook.created",
        "webhook.updated",
        "webhook.secret_rotated",
        "webhook.deleted",
    ]
    assert {(entry.actor, entry.object_name) for entry in entries} == {("api", URL)}
    assert not any("whsec_" in str(entry.detail) for entry in entries)


def test_no_secret_is_stored_as_it_is(secret: ApiClient) -> None:
    full = secret.post("/v1/webhooks", {"url": URL}).json()["secret"]
    row = Webhook.objects.values().get()
    assert full.removeprefix("whsec_") not in str(row)
    assert Webhook.objects.get().signing_secrets() == [full]


@pytest.mark.parametrize(
    ("body", "errors"),
    [
        ({}, {"url": "required"}),
        ({"url": None}, {"url": "must be a string"}),
        ({"url": "http://hooks.example.org/"}, {"url": "must begin with https://"}),
        ({"url": "hooks.example.com"}, {"url": "must be an absolute https:// URL"}),
        ({"url": "https://a:b@hooks.example.com/"}, {"url": "must not hold a user name or password"}),
        (
            {"url": "https://127.0.0.1/"},
            {"url": "the host 127.0.0.1 has an address that is not public"},
        ),
        (
            {"url": "https://[::ffff:10.0.0.1]/"},
            {"url": "the host ::ffff:a00:1 has an address that is not public"},
        ),
        (
            {"url": "https://169.254.169.254/latest/meta-data"},
            {"url": "the host 169.254.169.254 has an address that is not public"},
        ),
        ({"url": URL, "eventTypes": []}, {"eventTypes": "must not be empty"}),
        ({"url": URL, "eventTypes": [1] * 101}, {"eventTypes": "must have at most 100 entries"}),
        ({"url": URL, "eventTypes": "all"}, {"eventTypes": "must be a list"}),
        (
            {"url": URL, "eventTypes": ["document.completed", "document.eaten"]},
            {
                "eventTypes[1]": 'must be "document.completed", "document.failed", "batch.completed", '
                '"template.published", "template.archived" or "credentials.rotated"'
            },
        ),
        (
            {"url": URL, "description": "x" * 256, "enabled": "yes"},
            {"description": "must have at most 255 characters", "enabled": "must be true or false"},
        ),
        ({"url": URL, "description": "a\nb"}, {"description": "must be one line of printable text"}),
        (
            {"url": "http://hooks.example.org/", "eventTypes": []},
            {"eventTypes": "must not be empty", "url": "must begin with https://"},
        ),
    ],
)
def test_what_is_refused(body: dict[str, Any], errors: dict[str, str], secret: ApiClient) -> None:
    assert errors_of(secret.post("/v1/webhooks", body)) == errors
    if body:
        webhook_id = secret.post("/v1/webhooks", {"url": URL}).json()["id"]
        assert errors_of(secret.patch(f"/v1/webhooks/{webhook_id}", body)) == errors


def test_an_update_without_a_body(secret: ApiClient, acme: Organization) -> None:
    path = f"/v1/webhooks/{WebhookFactory(organization=acme).pk}"
    assert_refused(secret.patch(path), 400, "body: required")


def test_the_limit_of_webhooks(secret: ApiClient, acme: Organization) -> None:
    for _ in range(MAX_WEBHOOKS - 1):
        WebhookFactory(organization=acme)
    WebhookFactory()
    assert secret.post("/v1/webhooks", {"url": URL}).status_code == 201
    answer = secret.post("/v1/webhooks", {"url": URL})
    assert_refused(answer, 400, "An organization can have at most 20 webhooks")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", ""),
        ("POST", ""),
        ("GET", "/{}"),
        ("PATCH", "/{}"),
        ("DELETE", "/{}"),
        ("POST", "/{}/rotate-secret"),
        ("POST", "/{}/test"),
        ("GET", "/{}/deliveries"),
        ("GET", "/{}/deliveries/dlv_x"),
        ("POST", "/{}/deliveries/dlv_x/replay"),
    ],
)
def test_whose_it_is(method: str, path: str, acme: Organization, ann: ApiClient, globex: ApiClient) -> None:
    path = "/v1/webhooks" + path.format(WebhookFactory(organization=acme).pk)
    assert_refused(ann.request(method, path), 403, "Secret key required to manage webhooks")
    if path.count("/") > 2:
        assert_refused(globex.request(method, path, {}), 404, "Webhook not found")
    assert ann.get("/v1/webhooks/x")["RateLimit-Remaining"]


@pytest.mark.parametrize("raw", ["x", "a\x00b", "日本", "..", "a/b", "x" * 5000])
def test_an_id_that_names_nothing(raw: str, secret: ApiClient, acme: Organization) -> None:
    webhook = WebhookFactory(organization=acme)
    given = quote(raw, safe="")
    assert_refused(secret.get(f"/v1/webhooks/{given}"), 404, "Webhook not found")
    if "/" not in raw:
        assert_refused(secret.get(f"/v1/webhooks/{given}/deliveries"), 404, "Webhook not found")
        path = f"/v1/webhooks/{webhook.pk}/deliveries/{given}"
        assert_refused(secret.get(path), 404, "Webhook delivery not found")
        assert_refused(secret.post(f"{path}/replay"), 404, "Webhook delivery not found")


def test_a_delivery_of_another_webhook(secret: ApiClient, acme: Organization) -> None:
    delivery = WebhookDeliveryFactory(webhook__organization=acme)
    other = WebhookFactory(organization=acme)
    path = f"/v1/webhooks/{other.pk}/deliveries/{delivery.pk}"
    assert_refused(secret.get(path), 404, "Webhook delivery not found")


def test_the_log_page_by_page(secret: ApiClient, acme: Organization) -> None:
    webhook = WebhookFactory(organization=acme)
    made = [
        WebhookDeliveryFactory(webhook=webhook, status=status).pk
        for status in ("delivered", "failed", "pending", "delivered", "failed")
    ]
    WebhookDeliveryFactory(webhook__organization=acme)
    path = f"/v1/webhooks/{webhook.pk}/deliveries"
    assert {row["id"] for row in secret.get(path).json()} == set(made)
    seen: list[str] = []
    url = f"{path}?limit=2"
    while url:
        answer = secret.get(url)
        seen += [row["id"] for row in answer.json()]
        url = answer["Link"].partition("<http://testserver")[2].partition(">")[0] if "Link" in answer else ""
    assert seen == sorted(made, reverse=True)
    failed = secret.get(f"{path}?status=failed").json()
    assert [row["id"] for row in failed] == sorted((made[1], made[4]), reverse=True)
    assert "log" not in failed[0]
    assert "body" not in failed[0]
    answer = secret.get(f"{path}?status=lost")
    assert_refused(answer, 400, 'status: must be "pending", "delivered" or "failed"')


@pytest.mark.parametrize("rows", [1, 60])
def test_a_long_log_costs_what_a_short_one_does(
    rows: int, secret: ApiClient, acme: Organization, django_assert_num_queries: Any
) -> None:
    webhook = WebhookFactory(organization=acme)
    for _ in range(rows):
        WebhookDeliveryFactory(webhook=webhook)
    with django_assert_num_queries(3):
        assert len(secret.get(f"/v1/webhooks/{webhook.pk}/deliveries").json()) == rows


def test_deleting_a_webhook_deletes_its_log_and_not_the_events_of_others(
    secret: ApiClient, acme: Organization
) -> None:
    delivery = WebhookDeliveryFactory(webhook__organization=acme)
    other = WebhookDeliveryFactory(webhook__organization=acme, event=delivery.event)
    assert secret.delete(f"/v1/webhooks/{delivery.webhook_id}").status_code == 204
    assert list(WebhookDelivery.objects.all()) == [other]
