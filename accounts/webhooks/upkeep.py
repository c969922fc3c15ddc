"""What is done for webhooks now and then: take up what was lost, and forget what is old.

Apart from `deliveries`, which brings the whole of HTTP with it: every process registers this at its start.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts.models import Organization
from accounts.webhooks.models import WebhookDelivery, WebhookEvent, unclaimed
from accounts.webhooks.tasks import deliver
from config.housekeeping import IsOver, never
from config.jobs import queue

OVERDUE = timedelta(minutes=10)
LOG_RETENTION = timedelta(days=30)
_CHUNK = 500


def resume_overdue() -> int:
    """Enqueue deliveries again whose task was lost, e.g. with a crashed worker; return how many.

    One whose task is only late, since the queue is behind, keeps that one: it is looked at again later.
    """
    now = timezone.now()
    overdue = (
        WebhookDelivery.objects.filter(unclaimed(now))
        .filter(status=WebhookDelivery.Status.PENDING, next_attempt_at__lt=now - OVERDUE)
        .order_by("next_attempt_at")
    )
    resumed = 0
    found = list(overdue.values_list("pk", "attempts")[:_CHUNK])
    late = queue.awaited(deliver, [pk for pk, _ in found])
    for pk, attempts in found:
        with transaction.atomic():
            # Whoever moves the time enqueues: of two services that do this at once, one.
            moved = overdue.filter(pk=pk, attempts=attempts).order_by().update(next_attempt_at=now)
            if moved and pk not in late:
                deliver.enqueue(pk, attempts)
                resumed += 1
    return resumed


def purge_log(
    before: datetime | None = None,
    *,
    organizations: QuerySet[Organization] | None = None,
    dry_run: bool = False,
    is_over: IsOver = never,
) -> int:
    """Delete events with their deliveries and attempts from before a time, LOG_RETENTION ago at the latest.

    Those of some organizations, else of all. What is still pending stays. Returns the number of events, with
    `dry_run` of those that would go; deletes them in small transactions, until `is_over` says that the time
    for it is.
    """
    cutoff = timezone.now() - LOG_RETENTION
    if before is not None:
        cutoff = max(cutoff, before)
    pending = WebhookDelivery.objects.filter(event=OuterRef("pk"), status=WebhookDelivery.Status.PENDING)
    old = WebhookEvent.objects.filter(~Exists(pending), created_at__lt=cutoff).order_by("created_at")
    if organizations is not None:
        old = old.filter(organization__in=organizations)
    if dry_run:
        return old.count()
    deleted = 0
    while chunk := list(old.values_list("pk", flat=True)[:_CHUNK]):
        WebhookEvent.objects.filter(pk__in=chunk).delete()
        deleted += len(chunk)
        if is_over():
            break
    return deleted
