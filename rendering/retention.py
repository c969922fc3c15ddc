"""Retention: what an organization no longer wants kept goes, counters stay.

A document older than `Organization.retention_days` goes as if somebody had deleted it: its file, then its row
with file name, end user and error text; the same for batches and the log of webhooks. Usage is counted apart
and keeps its numbers. Ids hold the time at which they were made, so the old documents of an organization are
one range of an index.

A kill at any point is harmless: documents are marked as deleted first, which empties them of personal data
and makes them invisible, then the file goes, then the row. With what is marked `sweep` goes on, with a batch
its job.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any, Final

from django.core.cache import cache
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.audit import purge_entries
from accounts.models import Organization
from accounts.webhooks.upkeep import purge_log
from config.api.ids import first_id
from config.housekeeping import IsOver, never, over_after
from rendering.deletion import FORGOTTEN, erase, sweep_each
from rendering.idempotency import KEPT
from rendering.models import Batch, Document
from rendering.tasks import delete_batch

logger = logging.getLogger(__name__)

BATCH: Final = 200
SCHEDULED_SECONDS: Final = 30.0  # that a scheduled run may take
_CURSOR: Final = "purge:cursor"
_WEEK: Final = 7 * 24 * 3600


@dataclass
class Purged:
    """What a run removed, or would remove."""

    documents: int = 0
    batches: int = 0
    webhook_events: int = 0
    idempotency_keys: int = 0
    audit_entries: int = 0
    organizations: list[str] = field(default_factory=list)


def purge(*, dry_run: bool = False, now: datetime | None = None) -> Purged:
    """Remove all that is over its time, with `dry_run` only count it."""
    now, done = now or timezone.now(), Purged()
    for organization in _with_retention():
        _purge_organization(organization, now, done, dry_run=dry_run)
    _purge_for_all(now, done, dry_run=dry_run)
    return done


def scheduled_purge() -> None:
    """Purge as housekeeping does: a while at a time, beginning behind the organization that was begun last.

    So one with much to delete, or whose deletion fails, does not keep the others waiting for good.
    """
    is_over = over_after(SCHEDULED_SECONDS)
    now, done = timezone.now(), Purged()
    for organization in _with_retention(after=cache.get(_CURSOR, "")):
        cache.set(_CURSOR, organization.pk, _WEEK)
        _purge_organization(organization, now, done, is_over=is_over)
        if is_over():
            break
    _purge_for_all(now, done, is_over=is_over)


def _purge_organization(
    organization: Organization,
    now: datetime,
    done: Purged,
    *,
    dry_run: bool = False,
    is_over: IsOver = never,
) -> None:
    """Remove what one organization no longer wants kept, until about the time that `is_over` tells."""
    cutoff = now - timedelta(days=organization.retention_days or 0)
    removed = _purge_documents(organization, cutoff, dry_run, is_over)
    done.batches += _purge_batches(organization, cutoff, dry_run, is_over)
    if removed:
        done.documents += removed
        done.organizations.append(organization.pk)
    if removed and not dry_run:
        logger.info("Purged %d documents of %s", removed, organization.pk)
    alone = Organization.objects.filter(pk=organization.pk)
    done.webhook_events += purge_log(cutoff, organizations=alone, dry_run=dry_run, is_over=is_over)


def _purge_for_all(now: datetime, done: Purged, *, dry_run: bool = False, is_over: IsOver = never) -> None:
    """Remove what nobody keeps longer, whatever an organization's retention."""
    done.idempotency_keys = _release_keys(now, dry_run, is_over)
    # A dry run has counted the events of the others.
    others = Organization.objects.filter(retention_days=None) if dry_run else None
    done.webhook_events += purge_log(organizations=others, dry_run=dry_run, is_over=is_over)
    done.audit_entries = purge_entries(now, dry_run=dry_run, is_over=is_over)


def _with_retention(after: str = "") -> Iterator[Organization]:
    """Yield the organizations with a retention in the order of their ids, those behind `after` first."""
    organizations = Organization.objects.filter(retention_days__isnull=False).order_by("pk")
    yield from organizations.filter(pk__gt=after).iterator()
    if after:
        yield from organizations.filter(pk__lte=after).iterator()


def _purge_documents(organization: Organization, cutoff: datetime, dry_run: bool, is_over: IsOver) -> int:
    """Delete the documents of an organization from before `cutoff`; what is being rendered stays."""
    old = Document.objects.filter(organization=organization, pk__lt=first_id("doc", cutoff)).exclude(
        status__in=(Document.Status.PROCESSING, Document.Status.DELETED)
    )
    if dry_run:
        return old.count()
    removed = 0
    while pks := list(old.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        removed += old.filter(pk__in=pks).update(lease_expires_at=timezone.now(), **FORGOTTEN)
        if not _erase(pks) or is_over():
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


def _purge_batches(organization: Organization, cutoff: datetime, dry_run: bool, is_over: IsOver) -> int:
    """Delete the batches from before `cutoff` that have ended and whose documents are gone."""
    old = Batch.objects.filter(organization=organization, pk__lt=first_id("bat", cutoff)).exclude(
        status__in=Batch.AT_WORK
    )
    documents = Document.objects.filter(batch=OuterRef("pk"))
    if dry_run:
        kept = Q(pk__gte=first_id("doc", cutoff)) | Q(status=Document.Status.PROCESSING)
        return old.filter(~Exists(documents.filter(kept))).count()
    removed, after = 0, ""
    while batches := list(old.filter(~Exists(documents), pk__gt=after).order_by("pk")[:BATCH]):
        after = batches[-1].pk  # which it has not any more when it is deleted
        in_time = takewhile(lambda _: not is_over(), batches)
        swept, all_tried = sweep_each(in_time, _purge_batch, _not_purged)
        removed += swept
        if not all_tried or is_over():
            break
    return removed


def _purge_batch(batch: Batch) -> None:
    with transaction.atomic():
        # The job goes on with it whatever becomes of us, and of the organization's retention.
        if (
            Batch.objects.filter(pk=batch.pk)
            .exclude(status=Batch.Status.DELETED)
            .update(status=Batch.Status.DELETED)
        ):
            delete_batch.enqueue(batch.pk)
    if batch.file:
        default_storage.delete(batch.file)
    batch.delete()


def _not_purged(batch: Batch, error: Exception) -> None:
    logger.warning("Batch %s could not be purged: %s", batch.pk, type(error).__name__)


def _release_keys(now: datetime, dry_run: bool, is_over: IsOver) -> int:
    """Forget the idempotency keys that are over their day; return how many."""
    return sum(_release_keys_of(model, now - KEPT, dry_run, is_over) for model in (Document, Batch))


def _release_keys_of(
    model: type[Document] | type[Batch], cutoff: datetime, dry_run: bool, is_over: IsOver
) -> int:
    rows: QuerySet[Any] = model._default_manager.all()
    old = rows.filter(idempotency_digest__isnull=False, created_at__lt=cutoff)
    if dry_run:
        return old.count()
    released = 0
    while pks := list(old.order_by("created_at").values_list("pk", flat=True)[: 5 * BATCH]):
        released += rows.filter(pk__in=pks).update(idempotency_digest=None, request_digest="")
        if is_over():
            break
    return released
