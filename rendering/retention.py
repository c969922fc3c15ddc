"""Retention: what an organization no longer wants kept goes, counters stay.

A document older than `Organization.retention_days` goes as if somebody had deleted it: its file, then its row
with file name, end user and error text; the same for batches and the log of webhooks. Usage is counted apart
and keeps its numbers. Ids hold the time at which they were made, so the old documents of an organization are
one range of an index.

A kill at any point is harmless: documents are marked as deleted first, which empties them of personal data
and makes them invisible, then the file goes, then the row. With what is marked `sweep` goes on.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any, Final

from django.core.files.storage import default_storage
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts.models import Organization
from accounts.webhooks.upkeep import purge_log
from config.api.ids import first_id
from rendering.deletion import FORGOTTEN, erase, sweep_each
from rendering.idempotency import KEPT
from rendering.models import Batch, Document

logger = logging.getLogger(__name__)

BATCH: Final = 200
# How long the scheduled run may take: other housekeeping waits for it, and it comes again.
SCHEDULED_SECONDS: Final = 30.0


@dataclass
class Purged:
    """What a run removed, or would remove."""

    documents: int = 0
    batches: int = 0
    webhook_events: int = 0
    idempotency_keys: int = 0
    organizations: list[str] = field(default_factory=list)


def purge(*, dry_run: bool = False, seconds: float | None = None, now: datetime | None = None) -> Purged:
    """Remove what is over its time, for at most about `seconds`; a later run goes on where this one ended."""
    now = now or timezone.now()
    give_up = None if seconds is None else time.monotonic() + seconds
    done = Purged()
    for organization in _with_retention():
        cutoff = now - timedelta(days=organization.retention_days or 0)
        removed = _purge_documents(organization, cutoff, dry_run, give_up)
        done.batches += _purge_batches(organization, cutoff, dry_run, give_up)
        if removed:
            done.documents += removed
            done.organizations.append(organization.pk)
        if removed and not dry_run:
            logger.info(
                "Purged %d documents of %s%s", removed, organization.pk, " (dry run)" if dry_run else ""
            )
        if not dry_run:
            done.webhook_events += purge_log(cutoff, organization_id=organization.pk)
        if give_up is not None and time.monotonic() > give_up:
            break
    done.idempotency_keys = _release_keys(now, dry_run, give_up)
    if not dry_run:
        done.webhook_events += purge_log()
    return done


def scheduled_purge() -> None:
    """Purge as housekeeping does: a while at a time."""
    purge(seconds=SCHEDULED_SECONDS)


def _with_retention() -> Iterator[Organization]:
    return Organization.objects.filter(retention_days__isnull=False).order_by("pk").iterator()


def _purge_documents(
    organization: Organization, cutoff: datetime, dry_run: bool, give_up: float | None
) -> int:
    """Delete the documents of an organization from before `cutoff`; what is being rendered stays."""
    old = Document.objects.filter(organization=organization, pk__lt=first_id("doc", cutoff)).exclude(
        status__in=(Document.Status.PROCESSING, Document.Status.DELETED)
    )
    if dry_run:
        return old.count()
    removed = 0
    while pks := list(old.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        removed += old.filter(pk__in=pks).update(lease_expires_at=timezone.now(), **FORGOTTEN)
        if not _erase(pks) or (give_up is not None and time.monotonic() > give_up):
            break
    return removed


def _erase(pks: list[str]) -> bool:
    """Delete files and rows of marked documents; False when the storage is lost.

    What cannot be erased is left to `sweep`.
    """
    marked = Document.objects.filter(pk__in=pks, status=Document.Status.DELETED).select_related("batch")
    return sweep_each(marked, erase, _not_erased)[1]


def _not_erased(document: Document, error: Exception) -> None:
    logger.warning("Document %s could not be erased: it will be swept", document.pk, exc_info=error)


def _purge_batches(organization: Organization, cutoff: datetime, dry_run: bool, give_up: float | None) -> int:
    """Delete the batches from before `cutoff` that have ended and whose documents are gone."""
    working = (Batch.Status.QUEUED, Batch.Status.PROCESSING)
    old = Batch.objects.filter(organization=organization, pk__lt=first_id("bat", cutoff)).exclude(
        status__in=working
    )
    if dry_run:
        return old.count()
    empty = old.filter(~Exists(Document.objects.filter(batch=OuterRef("pk"))))
    batches = list(empty.order_by("pk")[: 5 * BATCH])
    in_time = takewhile(lambda _: give_up is None or time.monotonic() <= give_up, batches)
    return sweep_each(in_time, _purge_batch, _not_purged)[0]


def _purge_batch(batch: Batch) -> None:
    Batch.objects.filter(pk=batch.pk).update(status=Batch.Status.DELETED)
    if batch.file:
        default_storage.delete(batch.file)
    batch.delete()


def _not_purged(batch: Batch, error: Exception) -> None:
    logger.warning("Batch %s could not be purged: %s", batch.pk, type(error).__name__)


def _release_keys(now: datetime, dry_run: bool, give_up: float | None) -> int:
    """Forget the idempotency keys that are over their day; return how many."""
    return sum(_release_keys_of(model, now - KEPT, dry_run, give_up) for model in (Document, Batch))


def _release_keys_of(
    model: type[Document] | type[Batch], cutoff: datetime, dry_run: bool, give_up: float | None
) -> int:
    rows: QuerySet[Any] = model._default_manager.all()
    old = rows.filter(idempotency_digest__isnull=False, created_at__lt=cutoff)
    if dry_run:
        return old.count()
    released = 0
    while pks := list(old.order_by("created_at").values_list("pk", flat=True)[: 5 * BATCH]):
        released += rows.filter(pk__in=pks).update(idempotency_digest=None, request_digest="")
        if give_up is not None and time.monotonic() > give_up:
            break
    return released
