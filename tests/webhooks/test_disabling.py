"""A webhook that the service disables: when, why, and who is told."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import AuditEntry, Membership, Organization, User
from accounts.webhooks import deliveries
from accounts.webhooks.deliveries import DISABLE_AFTER, LONGEST_PAUSE, PATIENCE, PAUSE
from accounts.webhooks.models import Webhook, WebhookDelivery
from accounts.webhooks.notices import send_disabled_notice
from tests.conftest import ApiClient
from tests.jobs import run_jobs
from tests.webhooks.firing import fire
from tests.webhooks.receiver import Receiver


@pytest.fixture
def people(acme: Organization) -> None:
    for name, role, active in (
        ("olga", "owner", True),
        ("otto", "owner", True),
        ("gone", "owner", False),
        ("edith", "editor", True),
    ):
        user = User.objects.create_user(f"{name}@example.com", is_active=active)
        Membership.objects.create(organization=acme, user=user, role=role)


@pytest.mark.usefixtures("people")
def test_gone_disables_at_once(
    acme: Organization, secret: ApiClient, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    receiver.reply = 410
    delivery = fire(acme)
    assert run_jobs(later=True) == 2  # the attempt and the mail
    path = f"/v1/webhooks/{webhook['id']}"
    shown = secret.get(path).json()
    assert shown["enabled"] is False
    assert shown["disabledAt"]
    assert shown["disabledReason"] == "The receiver answered 410 Gone: it asks for no more messages"
    delivery.refresh_from_db()
    assert delivery.status == "failed"
    (message,) = mail.outbox
    assert sorted(message.to) == ["olga@example.com", "otto@example.com"]
    assert message.subject == "A webhook of Acme was disabled"
    assert receiver.url in message.body
    assert "410 Gone" in message.body
    entry = AuditEntry.objects.get(action="webhook.disabled")
    assert (entry.actor, entry.object_id) == ("system", webhook["id"])

    assert secret.published()
    assert run_jobs() == 0  # nobody listens any more
    replay = secret.post(f"{path}/deliveries/{delivery.pk}/replay")
    assert (replay.status_code, replay.json()["message"]) == (
        400,
        "Webhook is disabled: enable it before you replay deliveries",
    )

    receiver.reply = 204
    shown = secret.patch(path, {"enabled": True}).json()
    assert (shown["enabled"], shown["disabledAt"], shown["disabledReason"]) == (True, None, "")
    assert shown["failingSince"] is None
    assert secret.post(f"{path}/deliveries/{delivery.pk}/replay").status_code == 202
    run_jobs()
    delivery.refresh_from_db()
    assert delivery.status == "delivered"


@pytest.mark.usefixtures("people")
def test_a_long_failure_disables_when_a_delivery_is_given_up(
    acme: Organization, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    receiver.reply = 503
    fire(acme)
    run_jobs(later=True)
    assert Webhook.objects.get().enabled
    long_ago = timezone.now() - DISABLE_AFTER - timedelta(hours=1)
    Webhook.objects.update(failing_since=long_ago)
    fire(acme)
    run_jobs()
    assert Webhook.objects.get().enabled  # there are attempts left
    run_jobs(later=True)
    disabled = Webhook.objects.get()
    assert not disabled.enabled
    assert disabled.disabled_reason == (
        f"No message arrived since {long_ago:%Y-%m-%d %H:%M} UTC; the last error: The receiver answered 503"
    )
    assert len(mail.outbox) == 1


def test_a_success_in_between_starts_again(
    acme: Organization, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    Webhook.objects.update(failing_since=timezone.now() - DISABLE_AFTER * 2)
    fire(acme)
    run_jobs()
    receiver.reply = 500
    fire(acme)
    run_jobs(later=True)
    assert Webhook.objects.get().enabled


def test_what_waits_for_a_disabled_webhook_is_not_sent(
    acme: Organization, secret: ApiClient, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    delivery = fire(acme)
    secret.patch(f"/v1/webhooks/{webhook['id']}", {"enabled": False})
    run_jobs()
    delivery.refresh_from_db()
    assert (delivery.status, delivery.last_error) == ("failed", "Not sent: the webhook is disabled")
    assert (receiver.messages, WebhookDelivery.objects.get().attempts) == ([], 0)
    assert secret.get(f"/v1/webhooks/{webhook['id']}").json()["disabledReason"] == ""


def test_nobody_is_told_of_a_webhook_that_works_again(webhook: dict[str, Any]) -> None:
    assert send_disabled_notice(webhook["id"]) == 0
    assert send_disabled_notice("whk_unknown") == 0
    Webhook.objects.update(enabled=False)
    assert send_disabled_notice(webhook["id"]) == 0  # the organization has no owners
    assert mail.outbox == []


@pytest.mark.usefixtures("people")
def test_what_waits_for_a_dead_receiver_ends_and_disables_it(
    acme: Organization, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    """With thousands waiting none of them makes all of its attempts: they must not grow without end."""
    now = timezone.now()

    def look(away: timedelta) -> WebhookDelivery:
        """Look at a message that waits since the receiver went away."""
        delivery = fire(acme)
        WebhookDelivery.objects.filter(pk=delivery.pk).update(created_at=now - away)
        Webhook.objects.update(failing_since=now - away, paused_until=now + PAUSE)
        run_jobs()
        delivery.refresh_from_db()
        return delivery

    young = look(timedelta(minutes=1))
    assert young.next_attempt_at is not None
    assert PAUSE / 2 < young.next_attempt_at - now < 3 * PAUSE
    older = look(PATIENCE / 2)
    assert older.next_attempt_at is not None
    assert LONGEST_PAUSE / 2 < older.next_attempt_at - now < 3 * LONGEST_PAUSE
    assert (older.status, older.tries) == ("pending", 0)

    given_up = look(PATIENCE)
    assert (given_up.status, given_up.attempts, given_up.claimed_until) == ("failed", 0, None)
    assert given_up.last_error == "Not sent: the receiver did not answer other messages for a day"
    assert Webhook.objects.get().enabled
    look(DISABLE_AFTER)
    disabled = Webhook.objects.get()
    assert not disabled.enabled
    assert disabled.disabled_reason.endswith("UTC; the last error: The receiver did not answer")
    assert (len(mail.outbox), receiver.messages) == (1, [])


def test_what_is_replayed_waits_for_a_dead_receiver_as_long_as_what_is_new(
    acme: Organization, secret: ApiClient, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    """Its event is older than PATIENCE, and so is the failure: neither says how long it has waited."""
    now = timezone.now()
    delivery = fire(acme)
    WebhookDelivery.objects.update(created_at=now - PATIENCE * 2)
    Webhook.objects.update(failing_since=now - PATIENCE * 2, paused_until=now + PAUSE)
    run_jobs()
    delivery.refresh_from_db()
    assert delivery.status == "failed"
    replay = secret.post(f"/v1/webhooks/{webhook['id']}/deliveries/{delivery.pk}/replay")
    assert replay.status_code == 202
    Webhook.objects.update(paused_until=now + PAUSE)  # another message has just found it away
    run_jobs()
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts) == ("pending", 0)
    assert delivery.next_attempt_at is not None
    assert delivery.next_attempt_at - now < 3 * PAUSE
    WebhookDelivery.objects.update(waiting_since=now - PATIENCE)
    run_jobs(later=True)
    delivery.refresh_from_db()
    assert (delivery.status, receiver.messages) == ("failed", [])


def test_what_is_given_up_without_an_attempt_is_counted(
    acme: Organization, receiver: Receiver, webhook: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes: list[str] = []
    monkeypatch.setattr(deliveries, "count_webhook", outcomes.append)
    now = timezone.now()
    for away in (PATIENCE, DISABLE_AFTER):
        fire(acme)
        WebhookDelivery.objects.update(created_at=now - away)
        Webhook.objects.update(failing_since=now - away, paused_until=now + PAUSE)
        run_jobs()
    assert outcomes == ["exhausted", "disabled"]
