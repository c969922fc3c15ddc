"""Stories of events on their way: signed, repeated, claimed, replayed, forgotten."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from accounts.credentials import encrypt
from accounts.models import Organization
from accounts.webhooks import deliveries
from accounts.webhooks.backoff import DELAYS, MAX_ATTEMPTS
from accounts.webhooks.deliveries import PAUSE, attempt
from accounts.webhooks.events import emit
from accounts.webhooks.models import Webhook, WebhookAttempt, WebhookDelivery, WebhookEvent
from accounts.webhooks.services import rotate_secret
from accounts.webhooks.upkeep import purge_log
from config.jobs import Retry
from tests.conftest import ApiClient
from tests.jobs import run_jobs, waiting
from tests.webhooks.firing import DATA, fire
from tests.webhooks.receiver import Message, Receiver, answer


def verified(message: Message, secret: str) -> Any:
    """Return the body as the convention's library reads it."""
    return Verifier(secret).verify(message.body, message.headers)


def test_a_message_is_signed_and_says_what_happened(
    acme: Organization, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    delivery = fire(acme)
    assert run_jobs() == 1
    (message,) = receiver.messages
    body = verified(message, webhook["secret"])
    assert list(body) == ["type", "timestamp", "data"]
    assert (body["type"], body["data"]) == ("document.completed", DATA)
    assert body["timestamp"].endswith("Z")
    assert message.headers["webhook-id"] == delivery.event_id
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts, delivery.last_status_code) == ("delivered", 1, 204)
    assert delivery.next_attempt_at is delivery.claimed_until is None


def test_a_receiver_that_fails_and_recovers_gets_the_same_message_again(
    acme: Organization, secret: ApiClient, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    receiver.reply = lambda handler: answer(handler, 500, b"database is away")
    delivery = fire(acme)
    begun = timezone.now()
    run_jobs()
    ended = timezone.now()
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts, waiting()) == ("pending", 1, 1)
    first_pause = timedelta(seconds=DELAYS[0])
    assert begun + first_pause <= delivery.next_attempt_at <= ended + first_pause * 1.2
    assert secret.get(f"/v1/webhooks/{webhook['id']}").json()["failingSince"]
    assert run_jobs() == 0
    receiver.reply = 200
    assert run_jobs(later=True) == 1

    first, second = receiver.messages
    assert first.body == second.body
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    verified(second, webhook["secret"])
    assert secret.get(f"/v1/webhooks/{webhook['id']}").json()["failingSince"] is None
    shown = secret.get(f"/v1/webhooks/{webhook['id']}/deliveries/{delivery.pk}").json()
    assert (shown["status"], shown["attempts"], shown["lastError"]) == ("delivered", 2, "")
    assert shown["body"].encode() == first.body
    assert [(entry["number"], entry["statusCode"]) for entry in shown["log"]] == [(1, 500), (2, 200)]
    assert shown["log"][0]["error"] == "The receiver answered 500"
    assert shown["log"][0]["response"] == "database is away"


def test_after_the_whole_schedule_a_delivery_is_given_up(
    acme: Organization, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    receiver.reply = 500
    delivery = fire(acme)
    assert run_jobs(later=True) == MAX_ATTEMPTS
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts) == ("failed", MAX_ATTEMPTS)
    assert (delivery.next_attempt_at, waiting()) == (None, 0)
    assert delivery.completed_at
    assert len({message.headers["webhook-id"] for message in receiver.messages}) == 1
    assert Webhook.objects.get().enabled  # it did not fail for days


def test_the_receiver_may_ask_for_more_time(
    acme: Organization, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    receiver.reply = lambda handler: answer(handler, 429, retry_after="600")
    delivery = fire(acme)
    begun = timezone.now()
    run_jobs()
    delivery.refresh_from_db()
    assert delivery.next_attempt_at >= begun + timedelta(seconds=600)


def test_a_receiver_that_does_not_answer_is_asked_by_one_message_at_a_time(
    acme: Organization,
    secret: ApiClient,
    receiver: Receiver,
    webhook: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deliveries, "SLOW_MS", 0)  # any failure is as bad as none within seconds
    receiver.reply = 503
    first, second, third = fire(acme), fire(acme), fire(acme)
    run_jobs()
    assert len(receiver.messages) == 1
    for _ in range(3):  # what waits uses up no tries, and does not become more
        # Not the second attempt of the first one, whose task names the attempts before it.
        first_attempts = [
            task.pk for task in DBTaskResult.objects.all() if len(task.args_kwargs["args"]) == 1
        ]
        DBTaskResult.objects.filter(pk__in=first_attempts).update(run_after=timezone.now())
        assert (run_jobs(), waiting()) == (2, 3)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.status, first.attempts, first.tries) == ("pending", 1, 1)
    assert (second.status, second.attempts, second.tries) == ("pending", 0, 0)
    assert second.last_error == "Not sent yet: the receiver did not answer other messages a moment ago"
    assert second.next_attempt_at - timezone.now() > PAUSE / 2
    assert second.claimed_until is None
    assert not second.log.exists()

    Webhook.objects.update(paused_until=timezone.now())
    for delivery, attempts in ((first, 1), (second, 0), (third, 0)):
        with suppress(Retry):
            attempt(delivery.pk, attempts)
    assert len(receiver.messages) == 2

    receiver.reply = 204
    assert secret.post(f"/v1/webhooks/{webhook['id']}/deliveries/{third.pk}/replay").status_code == 202
    run_jobs(later=True)
    assert Webhook.objects.get().paused_until is None
    assert len({message.headers["webhook-id"] for message in receiver.messages}) == 3
    assert set(WebhookDelivery.objects.values_list("status", flat=True)) == {"delivered"}


def test_each_webhook_gets_what_it_wants(acme: Organization, secret: ApiClient, receiver: Receiver) -> None:
    def create(path: str, types: list[str] | None, **fields: Any) -> None:
        body = {"url": receiver.url + path, "eventTypes": types, **fields}
        assert secret.post("/v1/webhooks", body).status_code == 201

    create("&all", None)
    create("&one", ["document.completed"])
    create("&other", ["document.failed"])
    create("&off", None, enabled=False)
    event = emit(acme.pk, "document.completed", DATA, external_user_id="ann")
    run_jobs()
    assert sorted(message.path[-4:] for message in receiver.messages) == ["&all", "&one"]
    assert {message.headers["webhook-id"] for message in receiver.messages} == {event.pk}
    assert event.external_user_id == "ann"


@pytest.mark.usefixtures("webhook")
def test_others_hear_nothing(receiver: Receiver, globex: ApiClient) -> None:
    globex.delete(f"/v1/templates/{globex.published()}")
    assert (run_jobs(), receiver.messages, WebhookEvent.objects.count()) == (0, [], 0)


def test_where_nobody_listens_an_event_costs_one_query(
    acme: Organization, django_assert_num_queries: Any
) -> None:
    def never() -> dict[str, Any]:
        raise AssertionError("nobody listens")

    with django_assert_num_queries(1):
        assert emit(acme.pk, "document.completed", never) is None


def test_a_type_that_does_not_exist(acme: Organization) -> None:
    with pytest.raises(ValueError, match="document.eaten"):
        emit(acme.pk, "document.eaten", {})  # type: ignore[arg-type]


def test_publishing_and_archiving_are_told_once(
    secret: ApiClient, ann: ApiClient, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    template_id = ann.published(name="Invoice of Ann")
    ann.post(f"/v1/templates/{template_id}/publish")
    secret.delete(f"/v1/templates/{template_id}")
    secret.delete(f"/v1/templates/{template_id}")
    run_jobs()
    told = sorted(
        (verified(message, webhook["secret"]) for message in receiver.messages), key=str, reverse=True
    )
    assert [(body["type"], body["data"]["status"]) for body in told] == [
        ("template.published", "published"),
        ("template.archived", "archived"),
    ]
    assert told[0]["data"]["id"] == template_id
    assert told[0]["data"]["externalUserId"] == "ann"
    assert "sections" not in told[0]["data"]
    assert set(WebhookEvent.objects.values_list("external_user_id", flat=True)) == {"ann"}


def test_a_rotation_is_told_without_a_key(
    acme: Organization, secret: ApiClient, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    new = secret.post("/v1/auth/rotate-keys").json()
    run_jobs()
    (message,) = receiver.messages
    body = verified(message, webhook["secret"])
    assert (body["type"], body["data"]["organizationId"]) == ("credentials.rotated", acme.pk)
    assert not any(key[-4:].encode() in message.body for key in new.values())


def test_a_change_that_is_undone_is_not_told(acme: Organization, receiver: Receiver, webhook: Any) -> None:
    with transaction.atomic():
        fire(acme)
        transaction.set_rollback(True)
    assert (run_jobs(), waiting(), WebhookEvent.objects.count()) == (0, 0, 0)


def test_for_a_day_both_secrets_sign(
    acme: Organization,
    secret: ApiClient,
    receiver: Receiver,
    webhook: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = f"/v1/webhooks/{webhook['id']}"
    second = secret.post(f"{path}/rotate-secret").json()["secret"]
    third = secret.post(f"{path}/rotate-secret").json()["secret"]
    fire(acme)
    run_jobs()
    assert len({webhook["secret"], second, third}) == 3
    for each in (webhook["secret"], second, third):
        verified(receiver.messages[0], each)
    assert secret.get(path).json()["secret"] == f"whsec_****{third.rstrip('=')[-4:]}"

    row = Webhook.objects.get()
    assert not {webhook["secret"], second, third} & {row.secret_encrypted, json.dumps(row.earlier_secrets)}
    tomorrow = timezone.now() + timedelta(hours=24, minutes=1)
    monkeypatch.setattr("accounts.webhooks.models.timezone.now", lambda: tomorrow)
    assert row.signing_secrets() == [third]
    row.set_secret("whsec_AAAA")
    assert row.earlier_secrets == []


def test_an_old_secret_does_not_verify_what_a_new_one_signed(
    acme: Organization, secret: ApiClient, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    secret.post(f"/v1/webhooks/{webhook['id']}/rotate-secret")
    Webhook.objects.update(earlier_secrets=[])
    fire(acme)
    run_jobs()
    with pytest.raises(WebhookVerificationError):
        verified(receiver.messages[0], webhook["secret"])


def test_a_secret_whose_key_is_lost_is_an_error_in_the_log(
    settings: Any, acme: Organization, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    settings.CREDENTIALS_KEYS = ["another one"]
    delivery = fire(acme)
    run_jobs()
    assert delivery.log.get().error == "Not sent: the secret cannot be decrypted, rotate it"
    assert receiver.messages == []
    fresh = rotate_secret(webhook=Webhook.objects.get(), actor="an owner").secret
    fire(acme)
    run_jobs()
    assert verified(receiver.messages[0], fresh), "the cure works at once"


def test_an_earlier_secret_whose_key_is_lost_signs_nothing(
    settings: Any, acme: Organization, receiver: Receiver, secret: ApiClient, webhook: dict[str, Any]
) -> None:
    fresh = secret.post(f"/v1/webhooks/{webhook['id']}/rotate-secret").json()["secret"]
    [hook] = Webhook.objects.all()
    settings.CREDENTIALS_KEYS = ["another one"]
    hook.secret_encrypted = encrypt(fresh)
    hook.save()
    fire(acme)
    run_jobs()
    assert verified(receiver.messages[0], fresh)


def test_a_replay_sends_the_same_message_again(
    acme: Organization, secret: ApiClient, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    delivery = fire(acme)
    run_jobs()
    path = f"/v1/webhooks/{webhook['id']}/deliveries/{delivery.pk}"
    receiver.reply = 500
    answered = secret.post(f"{path}/replay")
    assert (answered.status_code, answered.json()["status"]) == (202, "pending")
    run_jobs()
    receiver.reply = 204
    # Not yet its time, but a person does not want to wait.
    assert secret.post(f"{path}/replay").status_code == 202
    run_jobs()
    first, second, third = receiver.messages
    assert first.body == second.body == third.body
    assert len({message.headers["webhook-id"] for message in receiver.messages}) == 1
    shown = secret.get(path).json()
    assert [entry["statusCode"] for entry in shown["log"]] == [204, 500, 204]
    assert run_jobs(later=True) == 1  # the retry that the replay came before
    assert len(receiver.messages) == 3


def test_a_replay_of_what_is_being_sent_changes_nothing(
    acme: Organization, secret: ApiClient, webhook: dict[str, Any]
) -> None:
    delivery = fire(acme)
    assert deliveries._claim(delivery.pk, 0)
    before = waiting()
    assert secret.post(f"/v1/webhooks/{webhook['id']}/deliveries/{delivery.pk}/replay").status_code == 202
    assert waiting() == before


def test_a_test_is_sent_once_whatever_the_webhook_wants(
    secret: ApiClient, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    path = f"/v1/webhooks/{webhook['id']}"
    secret.patch(path, {"eventTypes": ["document.failed"], "enabled": False})
    receiver.reply = 500
    delivery = secret.post(f"{path}/test")
    assert (delivery.status_code, delivery.json()["eventType"]) == (202, "webhook.test")
    assert secret.post(f"{path}/test").json()["id"] == delivery.json()["id"], "one at a time"
    run_jobs(later=True)
    (message,) = receiver.messages
    assert verified(message, webhook["secret"])["type"] == "webhook.test"
    assert secret.get(f"{path}/deliveries/{delivery.json()['id']}").json()["status"] == "failed"
    assert secret.get(path).json()["failingSince"] is None


def test_the_log_is_kept_for_a_month(acme: Organization, receiver: Receiver, webhook: dict[str, Any]) -> None:
    old, pending, young = fire(acme), fire(acme), fire(acme)
    run_jobs()
    WebhookDelivery.objects.filter(pk=pending.pk).update(status="pending")
    WebhookEvent.objects.exclude(pk=young.event_id).update(created_at=timezone.now() - timedelta(days=31))
    assert purge_log() == 1
    assert set(WebhookEvent.objects.values_list("pk", flat=True)) == {pending.event_id, young.event_id}
    assert WebhookAttempt.objects.filter(delivery=old.pk).count() == 0
    WebhookDelivery.objects.update(status="delivered")
    assert purge_log(timezone.now()) == 2
