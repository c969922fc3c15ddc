"""Tasks of deliveries: run twice, late, at the same moment or after a crash, they send each message once."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from accounts.models import Organization
from accounts.webhooks import deliveries
from accounts.webhooks.deliveries import attempt
from accounts.webhooks.models import Webhook, WebhookAttempt, WebhookDelivery
from accounts.webhooks.upkeep import OVERDUE, resume_overdue
from config.jobs import Retry
from tests.jobs import run_jobs, waiting
from tests.webhooks.firing import fire
from tests.webhooks.receiver import Receiver, answer


def test_a_task_that_runs_twice_or_late_sends_nothing(
    acme: Organization, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    receiver.reply = 500
    delivery = fire(acme)
    attempt(delivery.pk, 0)
    attempt(delivery.pk, 0)
    assert len(receiver.messages) == 1
    receiver.reply = 204
    attempt(delivery.pk, 1)
    attempt(delivery.pk, 1)
    attempt(delivery.pk, 2)
    attempt("dlv_unknown", 0)
    assert len(receiver.messages) == 2


def test_two_workers_do_not_send_at_once_and_a_dead_one_is_followed(
    acme: Organization, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    delivery = fire(acme)
    mine = deliveries._claim(delivery.pk, 0)
    assert mine is not None
    run_jobs()
    assert receiver.messages == []
    assert waiting() == 1  # looks again when the claim is over
    WebhookDelivery.objects.update(claimed_until=timezone.now() - timedelta(seconds=1))
    assert run_jobs(later=True) == 1
    assert len(receiver.messages) == 1
    # The first worker was not dead after all: what it has to say changes nothing any more.
    deliveries._record(mine, deliveries.sending.Answer(status_code=500, error="late"), timezone.now())
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts, waiting()) == ("delivered", 1, 0)


@pytest.mark.django_db(transaction=True)
def test_of_two_workers_at_the_same_moment_one_sends(
    acme: Organization, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    delivery = fire(acme)
    together = threading.Barrier(2)

    def reply(handler: Any) -> None:
        time.sleep(0.2)
        answer(handler, 204)

    def work() -> None:
        try:
            together.wait()
            with suppress(Retry):  # who is second looks again later
                attempt(delivery.pk, 0)
        finally:
            connection.close()

    receiver.reply = reply
    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    delivery.refresh_from_db()
    assert (len(receiver.messages), delivery.status, delivery.attempts) == (1, "delivered", 1)


def test_what_a_crash_left_behind_is_taken_up_again(
    acme: Organization, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    fire(acme)
    DBTaskResult.objects.all().delete()
    assert resume_overdue() == 0
    WebhookDelivery.objects.update(next_attempt_at=timezone.now() - OVERDUE * 2)
    assert resume_overdue() == 1
    assert resume_overdue() == 0
    run_jobs()
    assert len(receiver.messages) == 1


def test_a_queue_that_is_behind_gets_no_second_task_for_what_waits_in_it(
    acme: Organization, webhook: dict[str, Any]
) -> None:
    late, running, lost = fire(acme), fire(acme), fire(acme)
    task_of = {task.args_kwargs["args"][0]: task for task in DBTaskResult.objects.all()}
    DBTaskResult.objects.filter(pk=task_of[running.pk].pk).update(status="RUNNING")
    DBTaskResult.objects.filter(pk=task_of[lost.pk].pk).delete()
    long_ago = timezone.now() - OVERDUE * 2
    for _ in range(2):
        WebhookDelivery.objects.update(next_attempt_at=long_ago)
        resume_overdue()
    arguments = [task.args_kwargs["args"][0] for task in DBTaskResult.objects.all()]
    assert sorted(arguments) == sorted([late.pk, running.pk, lost.pk])
    late.refresh_from_db()
    assert late.next_attempt_at > long_ago, "those behind it have their turn of being looked at"


def test_a_webhook_that_is_deleted_while_it_is_sent_to(
    acme: Organization, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    receiver.reply = 500
    delivery = fire(acme)
    mine = deliveries._claim(delivery.pk, 0)
    assert mine is not None
    Webhook.objects.all().delete()
    deliveries._record(mine, deliveries.sending.Answer(status_code=500), timezone.now())
    assert (run_jobs(), WebhookAttempt.objects.count(), receiver.messages) == (1, 0, [])


def test_a_webhook_that_is_deleted_while_the_event_happens(
    acme: Organization, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    """The change that is told must not fail by it: the delivery leads nowhere, and goes."""
    delivery = fire(acme)
    Webhook.objects.filter(pk=webhook["id"])._raw_delete("default")
    assert run_jobs(later=True) == 1
    assert not WebhookDelivery.objects.filter(pk=delivery.pk).exists()
