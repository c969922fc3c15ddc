"""Slow receivers of one organization do not keep the messages of others waiting."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from typing import Any

import pytest
from django.db import OperationalError, connections
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from accounts.models import Organization
from accounts.webhooks import deliveries, shares
from accounts.webhooks.events import emit
from accounts.webhooks.models import WebhookDelivery
from accounts.webhooks.shares import LONGEST_TURN, SHARE, SHORTEST_TURN, Full, Shares
from config.jobs import IO, LANES
from config.jobs.worker import Lane, Worker
from tests.conftest import ApiClient, secret_client
from tests.factories import OrganizationFactory
from tests.jobs import run_jobs, waiting
from tests.webhooks.receiver import Receiver, answer


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_share_is_held_and_given_back() -> None:
    threads = Shares(2)
    with threads.held("acme"):
        with threads.held("acme"), threads.held("globex"), pytest.raises(Full), threads.held("acme"):
            pass
        with threads.held("acme"):
            pass
    assert threads._held == threads._seconds == threads._next_turn == {}


def test_those_who_are_sent_away_come_back_one_after_the_other() -> None:
    clock = Clock()
    threads = Shares(2, clock)

    def sent_away() -> float:
        with pytest.raises(Full) as full, threads.held("acme"):
            pass
        return full.value.after_seconds

    with ExitStack() as held:
        held.enter_context(threads.held("acme"))
        with threads.held("acme"):
            clock.now += 10
        held.enter_context(threads.held("acme"))
        assert [sent_away() for _ in range(3)] == [5, 10, 15]
        clock.now += 12
        assert sent_away() == 8
        assert max(sent_away() for _ in range(100)) <= LONGEST_TURN
    with threads.held("acme"), threads.held("acme"):
        assert sent_away() == pytest.approx(SHORTEST_TURN)


def fire(organization: Organization) -> WebhookDelivery:
    event = emit(organization.pk, "document.completed", {"id": "doc_1"})
    assert event is not None
    return event.deliveries.get()


def test_what_finds_no_thread_waits_and_uses_up_no_try(
    acme: Organization, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    delivery = fire(acme)
    with ExitStack() as held:
        for _ in range(SHARE):
            held.enter_context(shares.threads.held(acme.pk))
        for _ in range(20):
            DBTaskResult.objects.update(run_after=timezone.now())
            assert run_jobs() == 1
        delivery.refresh_from_db()
        assert (delivery.status, delivery.attempts, delivery.tries) == ("pending", 0, 0)
        assert (receiver.messages, waiting()) == ([], 1)
    assert run_jobs(later=True) == 1
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts, len(receiver.messages)) == ("delivered", 1, 1)


@pytest.mark.django_db(transaction=True)
def test_a_slow_receiver_that_succeeds_leaves_threads_to_others(
    acme: Organization, receiver: Receiver, webhook: dict[str, Any]
) -> None:
    """A lane of a real worker: with its share of messages on their way, another organization's arrives."""
    other = OrganizationFactory(name="Globex")
    globex: ApiClient = secret_client(other)
    assert globex.post("/v1/webhooks", {"url": receiver.url + "&fast"}).status_code == 201
    begun, let_go = threading.Semaphore(0), threading.Event()

    def reply(handler: Any) -> None:
        if not handler.path.endswith("&fast"):
            begun.release()
            assert let_go.wait(120)
        answer(handler, 204)

    receiver.reply = reply
    for _ in range(LANES[IO] + 2):
        fire(acme)
    fast = fire(other)
    worker = Worker(name="worker", queues=[IO])
    (lane,) = worker.lanes
    try:
        run_lane(lane, until=lambda: WebhookDelivery.objects.get(pk=fast.pk).status == "delivered")
        for _ in range(SHARE):
            assert begun.acquire(timeout=60)
        assert not begun.acquire(blocking=False), "it holds more than its share"
    finally:
        let_go.set()
        run_lane(lane, until=lambda: not WebhookDelivery.objects.filter(status="pending").exists())
        lane._pool.shutdown()
        connections.close_all()
    assert set(WebhookDelivery.objects.values_list("attempts", flat=True)) == {1}


def run_lane(lane: Lane, until: Any) -> None:
    """Claim as a worker does, until something is so; fails after a while."""
    for _ in range(1000):
        DBTaskResult.objects.filter(status="READY").update(run_after=timezone.now())
        while lane.claim():
            pass
        if until():
            return
        lane.worker.wake.wait(0.05)
        lane.worker.wake.clear()
    raise AssertionError("not within 1000 rounds")


def test_a_lost_database_uses_up_no_try(
    acme: Organization, receiver: Receiver, webhook: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was sent and could not be recorded is sent again, under the same id, as the same attempt."""

    def lost(*_: Any) -> str:
        raise OperationalError("away")

    delivery = fire(acme)
    with monkeypatch.context() as patch:
        patch.setattr(deliveries, "_record", lost)
        for _ in range(20):
            WebhookDelivery.objects.update(claimed_until=None)
            DBTaskResult.objects.update(run_after=timezone.now())
            run_jobs()
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts, delivery.tries) == ("pending", 0, 0)
    WebhookDelivery.objects.update(claimed_until=None)
    run_jobs(later=True)
    delivery.refresh_from_db()
    assert (delivery.status, delivery.attempts) == ("delivered", 1)
    assert len({message.headers["webhook-id"] for message in receiver.messages}) == 1
    assert not DBTaskResult.objects.exists()
