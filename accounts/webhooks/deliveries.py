"""The way of a delivery: claim, send, record, and what follows.

A message is delivered at least once. The claim is a lease of CLAIM, longer than a request can take, so that
two workers do not send at the same time; a worker that dies after sending and before recording makes the next
one send again, under the same id. No transaction is open while a request runs, and no connection to the
database is kept from others.

A delivery that is not sent, since its receiver is left alone or its organization holds its share of the
threads, waits: that is no attempt, and uses up none of its tries. But a receiver that stays away ends what
waits for it after PATIENCE, and is disabled like one that answers with errors.
"""

from __future__ import annotations

import logging
import random
from datetime import datetime, timedelta
from typing import Any, NoReturn

from cryptography.fernet import InvalidToken
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts import audit
from accounts.actors import SYSTEM
from accounts.webhooks import sending, shares
from accounts.webhooks.backoff import DELAYS, delay_after
from accounts.webhooks.events import TEST_TYPE
from accounts.webhooks.models import Webhook, WebhookAttempt, WebhookDelivery, unclaimed
from accounts.webhooks.signing import signed_headers
from accounts.webhooks.tasks import deliver, tell_owners
from config.jobs import Retry, give_connection_back
from config.metrics import count_webhook

logger = logging.getLogger(__name__)

CLAIM = timedelta(seconds=60)
# A webhook at which nothing arrived for so long is disabled when a delivery is given up.
DISABLE_AFTER = timedelta(days=3)
# A receiver that fails as slowly as this keeps a thread of a worker waiting: it is left alone for PAUSE, and
# then asked by one delivery at a time. So the dead receiver of one organization does not delay the others.
SLOW_MS = 5000
PAUSE = timedelta(seconds=30)
# Those that wait for it meanwhile are looked at again after PAUSE, and after longer ones as it stays away: a
# tenth of that time, up to this. Thousands may wait, and each look takes a thread.
LONGEST_PAUSE = timedelta(minutes=15)
# One that waits for as long as all of its attempts would take is given up as if they had been made.
PATIENCE = timedelta(seconds=sum(DELAYS))
_LEFT_ALONE = "Not sent yet: the receiver did not answer other messages a moment ago"
_GIVEN_UP = "Not sent: the receiver did not answer other messages for a day"


def attempt(delivery_id: str, attempts: int) -> None:
    """Make the attempt number `attempts` + 1 of a delivery; does nothing when it was made already.

    Raises Retry when it is not its time yet.
    """
    delivery = _claim(delivery_id, attempts)
    if delivery is None:
        return
    if not delivery.webhook.enabled and delivery.event.type != TEST_TYPE:
        _give_back(delivery, "Not sent: the webhook is disabled")
        return
    started_at = timezone.now()
    try:
        with shares.threads.held(delivery.webhook.organization_id):
            if not _may_ask(delivery, started_at):
                count_webhook(_leave_alone(delivery, started_at))
                return
            answer = _send(delivery, started_at)
    except shares.Full as full:
        _wait(delivery, full.after_seconds, "")
    else:
        count_webhook(_record(delivery, answer, started_at))


def _leave_alone(delivery: WebhookDelivery, now: datetime) -> str:
    """Put a delivery off, which raises Retry, or give it up: its receiver has stayed away for PATIENCE.

    Returns what to count.
    """
    since = delivery.waiting_since or delivery.created_at
    waited = now - max(since, delivery.webhook.failing_since or now)
    if waited < PATIENCE:
        pause = max(PAUSE, min(waited / 10, LONGEST_PAUSE))
        _wait(delivery, pause.total_seconds() * random.uniform(1, 2), _LEFT_ALONE)  # noqa: S311 (spreads load)
    with transaction.atomic():
        webhook = _locked_webhook(delivery)
        if webhook is None or not _give_back(delivery, _GIVEN_UP):
            return "discarded"
        is_disabled = _disable_after_long(webhook, now, "The receiver did not answer")
    return "disabled" if is_disabled else "exhausted"


def _wait(delivery: WebhookDelivery, seconds: float, reason: str) -> NoReturn:
    """Give the claim back and raise Retry: the delivery is looked at again, and has used up nothing."""
    changes: dict[str, Any] = {
        "claimed_until": None,
        "next_attempt_at": timezone.now() + timedelta(seconds=seconds),
    }
    if reason:
        changes["last_error"] = reason
    WebhookDelivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts).update(**changes)
    raise Retry(seconds)


def _claim(delivery_id: str, attempts: int) -> WebhookDelivery | None:
    """Take the delivery for CLAIM; None when there is nothing to do. Raises Retry while another has it."""
    now = timezone.now()
    waiting = WebhookDelivery.objects.filter(
        pk=delivery_id, status=WebhookDelivery.Status.PENDING, attempts=attempts
    )
    if not waiting.filter(unclaimed(now)).update(claimed_until=now + CLAIM):
        claimed_until = waiting.values_list("claimed_until", flat=True).first()
        if claimed_until is not None:
            # Another worker is sending, or was killed while it did: look again when its claim is over.
            raise Retry(max(0.0, (claimed_until - now).total_seconds()) + 1)
        return None
    delivery = WebhookDelivery.objects.select_related("event", "webhook").filter(pk=delivery_id).first()
    if delivery is None:  # its webhook was deleted
        WebhookDelivery.objects.filter(pk=delivery_id).delete()
    return delivery


def _may_ask(delivery: WebhookDelivery, now: datetime) -> bool:
    """Tell whether to send now; false where the receiver is left alone, and others ask after it."""
    if delivery.webhook.paused_until is None or delivery.event.type == TEST_TYPE:
        return True
    over = Webhook.objects.filter(pk=delivery.webhook_id, paused_until__lte=now)
    return over.update(paused_until=now + PAUSE) == 1


def _send(delivery: WebhookDelivery, now: datetime) -> sending.Answer:
    """Send the event as signed now: a receiver refuses old timestamps, so each attempt has its own."""
    body = delivery.event.body.encode()
    try:
        secrets = delivery.webhook.signing_secrets()
    except InvalidToken:
        return sending.Answer(error="Not sent: the secret cannot be decrypted, rotate it")
    headers = signed_headers(secrets, message_id=delivery.event_id, timestamp=int(now.timestamp()), body=body)
    give_connection_back()
    return sending.send(
        delivery.webhook.url, body=body, headers=headers, allowed_hosts=settings.WEBHOOK_ALLOWED_HOSTS
    )


def _give_back(delivery: WebhookDelivery, error: str) -> bool:
    """End a delivery without an attempt; it can be replayed. False when it is not ours any more."""
    ended = WebhookDelivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts).update(
        status=WebhookDelivery.Status.FAILED,
        claimed_until=None,
        next_attempt_at=None,
        completed_at=timezone.now(),
        last_error=error,
    )
    return bool(ended)


@transaction.atomic
def _record(delivery: WebhookDelivery, answer: sending.Answer, started_at: datetime) -> str:
    """Write the attempt into the log and decide what follows, both or nothing; return what to count."""
    webhook = _locked_webhook(delivery)
    if webhook is None:
        return "discarded"  # it was deleted meanwhile
    WebhookAttempt.objects.create(
        delivery=delivery,
        number=delivery.attempts + 1,
        started_at=started_at,
        duration_ms=answer.duration_ms,
        status_code=answer.status_code,
        error=answer.error[:500],
        response=answer.excerpt,
    )
    is_test = delivery.event.type == TEST_TYPE
    tries = delivery.tries + 1
    wait = None
    if not (answer.is_success or answer.is_gone or is_test):
        wait = delay_after(tries, answer.retry_after)
    if not _move_on(delivery, answer, tries, wait):
        return "discarded"  # the claim had run out, and another worker has the delivery
    if answer.is_success:
        if webhook.failing_since is not None or webhook.paused_until is not None:
            webhook.failing_since = webhook.paused_until = None
            webhook.save(update_fields=["failing_since", "paused_until"])
        return "delivered"
    if is_test:
        return "exhausted"
    return _after_failure(webhook, answer, started_at, is_last=wait is None)


def _locked_webhook(delivery: WebhookDelivery) -> Webhook | None:
    """Lock in the order in which a deletion and a replay lock: the webhook, then the delivery."""
    locked = Webhook.objects.select_for_update(of=("self",)).select_related("organization")
    return locked.filter(deliveries=delivery.pk).first()


def _after_failure(webhook: Webhook, answer: sending.Answer, started_at: datetime, *, is_last: bool) -> str:
    """Note since when the webhook fails, and disable it when that is too long; return what to count."""
    webhook.failing_since = webhook.failing_since or started_at
    if answer.duration_ms >= SLOW_MS:
        webhook.paused_until = timezone.now() + PAUSE
    webhook.save(update_fields=["failing_since", "paused_until"])
    if answer.is_gone:
        _disable(webhook, "The receiver answered 410 Gone: it asks for no more messages")
        return "disabled"
    if not is_last:
        return "failed"
    return "disabled" if _disable_after_long(webhook, started_at, answer.error) else "exhausted"


def _disable_after_long(webhook: Webhook, now: datetime, error: str) -> bool:
    """Disable a webhook at which nothing arrived for DISABLE_AFTER; tell whether that is so."""
    since = webhook.failing_since
    if since is None or since > now - DISABLE_AFTER:
        return False
    _disable(webhook, f"No message arrived since {since:%Y-%m-%d %H:%M} UTC; the last error: {error}"[:255])
    return True


def _move_on(delivery: WebhookDelivery, answer: sending.Answer, tries: int, wait: float | None) -> bool:
    """Bring the row to its next state and enqueue the next attempt, if any; False when it is not ours."""
    now = timezone.now()
    changes: dict[str, Any] = {
        "attempts": delivery.attempts + 1,
        "tries": tries,
        "claimed_until": None,
        "last_status_code": answer.status_code,
        "last_error": answer.error[:500],
    }
    if wait is not None:
        due = now + timedelta(seconds=wait)
        changes |= {"next_attempt_at": due}
    else:
        status = WebhookDelivery.Status.DELIVERED if answer.is_success else WebhookDelivery.Status.FAILED
        changes |= {"status": status, "next_attempt_at": None, "completed_at": now}
    ours = WebhookDelivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts)
    if not ours.update(**changes):
        return False
    if wait is not None:
        deliver.using(run_after=due).enqueue(delivery.pk, delivery.attempts + 1)
    return True


def _disable(webhook: Webhook, reason: str) -> None:
    """Disable a webhook for the service's own reasons and have its owners told, once."""
    if not webhook.enabled:
        return
    webhook.enabled, webhook.disabled_reason = False, reason
    webhook.disabled_at = webhook.updated_at = timezone.now()
    webhook.save(update_fields=["enabled", "disabled_reason", "disabled_at", "updated_at"])
    logger.warning("Webhook %s was disabled", webhook.pk)
    audit.record(
        webhook.organization,
        SYSTEM,
        "webhook.disabled",
        object_type="webhook",
        object_id=webhook.pk,
        object_name=webhook.url,
        detail={"reason": reason},
    )
    tell_owners.enqueue(webhook.pk)
