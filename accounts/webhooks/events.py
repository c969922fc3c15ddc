"""The events of the service, and `emit`, which tells an organization's webhooks one.

`emit` belongs into the transaction of the change: event, deliveries and tasks are rows of the same database,
so either all of it happened or nothing. Where nobody listens it costs one indexed query.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Literal, get_args

import orjson
from django.db import connection, transaction
from django.utils import timezone

from accounts.webhooks.models import Webhook, WebhookDelivery, WebhookEvent
from accounts.webhooks.tasks import deliver
from config.jobs.queue import enqueue_many

EventType = Literal[
    "document.completed",
    "document.failed",
    "batch.completed",
    "template.published",
    "template.archived",
    "credentials.rotated",
]
EVENT_TYPES: tuple[str, ...] = get_args(EventType)
# What messages tell: an event, or the test that is sent on demand, to one webhook, whatever types it wants.
MessageType = Literal[EventType, "webhook.test"]
MESSAGE_TYPES: tuple[str, ...] = get_args(MessageType)
TEST_TYPE: Literal["webhook.test"] = "webhook.test"
Data = Mapping[str, Any]
_LISTENING = "SELECT id, event_types FROM webhooks_webhook WHERE organization_id = %s AND enabled"


def emit(
    organization_id: str,
    type: EventType,
    data: Data | Callable[[], Data],
    *,
    external_user_id: str | None = None,
) -> WebhookEvent | None:
    """Tell an organization's webhooks what happened; None when none of them wants to know.

    `data` is in wire shape, or a function that makes it once somebody listens: JSON values, never keys or
    caller data. `external_user_id` is the end user whom it concerns. Raises ValueError for a type that is not
    in EVENT_TYPES.
    """
    if type not in EVENT_TYPES:
        raise ValueError(f"{type} is no type of event")
    wanting = [pk for pk, types in _listening(organization_id) if not types or type in types]
    if not wanting:
        return None
    known = data() if callable(data) else data
    event, _ = _send(organization_id, type, known, wanting, external_user_id)
    return event


def emit_test(webhook: Webhook) -> WebhookDelivery:
    """Send one webhook an event that means nothing, and return its delivery. It is not repeated."""
    data = {"webhookId": webhook.pk, "message": "This is a test."}
    _, (delivery,) = _send(webhook.organization_id, TEST_TYPE, data, [webhook.pk], None)
    return delivery


def event_body(type: str, data: Data, now: datetime) -> bytes:
    """Return the body of a message: type, timestamp and data, in this order."""
    return orjson.dumps({"type": type, "timestamp": now, "data": data}, option=orjson.OPT_UTC_Z)


def _listening(organization_id: str) -> list[tuple[str, list[str]]]:
    """Return id and wanted types of the enabled webhooks.

    Written in SQL: this is on the way of every render, and composing the same query takes ten times as long
    as asking it.
    """
    with connection.cursor() as cursor:
        cursor.execute(_LISTENING, [organization_id])
        return [(pk, orjson.loads(types)) for pk, types in cursor.fetchall()]


def _send(
    organization_id: str,
    type: str,
    data: Data,
    webhook_ids: list[str],
    external_user_id: str | None,
) -> tuple[WebhookEvent, list[WebhookDelivery]]:
    now = timezone.now()
    with transaction.atomic(savepoint=False):
        event = WebhookEvent.objects.create(
            organization_id=organization_id,
            type=type,
            external_user_id=external_user_id,
            body=event_body(type, data, now).decode(),
            created_at=now,
        )
        deliveries = WebhookDelivery.objects.bulk_create(
            WebhookDelivery(webhook_id=pk, event=event, created_at=now, next_attempt_at=now)
            for pk in webhook_ids
        )
        enqueue_many(deliver, [delivery.pk for delivery in deliveries])
    return event, deliveries
