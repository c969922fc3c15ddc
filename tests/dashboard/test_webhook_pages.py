"""Webhooks in the settings: create, secret once, change, log, test, send again, delete."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import AuditEntry
from accounts.webhooks.models import Webhook, WebhookDelivery
from tests.dashboard.world import World, page


@pytest.fixture
def world(world: World, settings) -> World:
    # No name is looked up in a test.
    settings.WEBHOOK_ALLOWED_HOSTS = ["127.0.0.1"]
    return world


def post(world: World, path: str, role: str = "owner", **form):
    return world.client(role).post(world.path("{o}/settings/webhooks" + path), form, follow=True)


def test_create_shows_the_secret_once(world: World) -> None:
    client = world.client("owner")
    form = {"url": "https://127.0.0.1/hook", "events": ["document.completed"], "enabled": "on"}
    answer = client.post(world.path("{o}/settings/webhooks/new"), form, follow=True)
    secret = re.search(r'value="(whsec_[^"]+)"', page(answer))[1]
    made = Webhook.objects.latest("id")
    assert (made.url, made.event_types, made.enabled) == (form["url"], ["document.completed"], True)
    assert made.signing_secrets() == [secret]
    assert secret not in page(client.get(answer.request["PATH_INFO"], follow=True))
    entry = AuditEntry.objects.get(action="webhook.created")
    assert (entry.actor, entry.object_name) == ("ada@acme.example", "https://127.0.0.1/hook")
    assert secret not in str(entry.detail)


@pytest.mark.parametrize("url", ["http://hooks.acme.example/x", "nonsense", "https://10.0.0.1/", ""])
def test_a_wrong_address_is_refused_at_its_field(url: str, world: World) -> None:
    answer = post(world, "/new", url=url)
    assert answer.status_code == 422
    assert 'id="id_url_error"' in page(answer)
    assert Webhook.objects.count() == 1


def test_change(world: World) -> None:
    assert "The webhook is saved" in page(post(world, "/{webhook}/edit", url="https://127.0.0.1/other"))
    row = Webhook.objects.get()
    assert (row.url, row.enabled) == ("https://127.0.0.1/other", False)


def test_replace_the_secret(world: World) -> None:
    old = Webhook.objects.get().signing_secrets()
    shown = page(post(world, "/{webhook}/rotate"))
    new = re.search(r'value="(whsec_[^"]+)"', shown)[1]
    assert Webhook.objects.get().signing_secrets() == [new, *old]
    # As long as both sign, the page says so.
    told = "Signs as well until"
    client, path = world.client("editor"), world.path("{o}/settings/webhooks/{webhook}")
    assert told in page(client.get(path))
    Webhook.objects.update(earlier_secrets=[{"secret": "gone", "until": timezone.now().timestamp() - 1}])
    assert told not in page(client.get(path))


def test_delete(world: World) -> None:
    assert "The webhook is deleted" in page(post(world, "/{webhook}/delete"))
    assert not Webhook.objects.exists()


def test_send_a_test(world: World) -> None:
    assert "A test is on its way" in page(post(world, "/{webhook}/test", "editor"))
    assert WebhookDelivery.objects.latest("id").event.type == "webhook.test"


def test_the_log_is_filtered_and_a_delivery_is_sent_again(world: World) -> None:
    WebhookDelivery.objects.update(status="failed", last_status_code=500, tries=8)
    client = world.client("editor")
    address = world.path("{o}/settings/webhooks/{webhook}")
    assert "template.published" in page(client.get(address, {"status": "failed"}))
    assert "No delivery with this status" in page(client.get(address, {"status": "delivered"}))
    assert "template.published" in page(client.get(address, {"status": "nonsense"}))
    answer = client.post(address + world.path("/deliveries/{delivery}/replay"), follow=True)
    assert "It is on its way again" in page(answer)
    assert WebhookDelivery.objects.get().status == "pending"


def test_a_disabled_webhook_says_why_it_cannot_send_again(world: World) -> None:
    Webhook.objects.update(enabled=False)
    assert "Webhook is disabled" in page(post(world, "/{webhook}/deliveries/{delivery}/replay"))


def test_the_webhooks_of_another_organization_are_not_found(world: World) -> None:
    theirs = world.client("stranger").get("/", follow=True).request["PATH_INFO"].split("/")[2]
    for path in ("", "/edit", "/rotate", "/delete", "/deliveries/{delivery}"):
        address = f"/o/{theirs}/settings/webhooks/" + world.path("{webhook}" + path)
        assert world.client("stranger").get(address).status_code == 404


def test_a_delivery_tells_what_came_of_it(world: World) -> None:
    path = world.path("{o}/settings/webhooks/{webhook}/deliveries/{delivery}")
    client, asks = world.client("editor"), {"hx-request": "true", "hx-target": "div#sending"}
    assert "every 2s" in page(client.get(path))
    part = client.get(path, headers=asks)
    assert (part.status_code, "HX-Refresh" in part) == (204, False)
    rows = WebhookDelivery.objects.filter(pk=world.ids["delivery"])
    rows.update(next_attempt_at=timezone.now() + timedelta(hours=2))
    assert client.get(path, headers=asks)["HX-Refresh"] == "true"
    shown = page(client.get(path))
    assert "every 2s" not in shown, "nobody waits for hours"
    assert "It was not sent yet" in shown
    rows.update(status="delivered", next_attempt_at=None)
    assert "every 2s" not in page(client.get(path))


def test_failed_attempts_of_a_delivery_are_shown_although_the_next_one_is_due_soon(world: World) -> None:
    path = world.path("{o}/settings/webhooks/{webhook}/deliveries/{delivery}")
    client, asks = world.client("editor"), {"hx-request": "true", "hx-target": "div#sending"}
    row = WebhookDelivery.objects.get(pk=world.ids["delivery"])
    next_at = timezone.now() + timedelta(seconds=5)
    WebhookDelivery.objects.filter(pk=row.pk).update(tries=1, attempts=1, next_attempt_at=next_at)
    row.log.create(number=1, started_at=timezone.now(), duration_ms=12, status_code=503, response="Closed")
    assert client.get(path, headers=asks)["HX-Refresh"] == "true"
    shown = page(client.get(path))
    assert "It is on its way" not in shown
    assert "It has not arrived yet" in shown
    assert f"{next_at:%H:%M:%S} UTC" in shown
    assert ("503" in shown, "Closed" in shown) == (True, True)
    # To the second, as the receiver's own log has it: attempts may be seconds apart.
    assert f"{row.log.get().started_at:%H:%M:%S} UTC" in shown
