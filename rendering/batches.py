"""Batches: accepting, cancelling and deleting them. What jobs do for them is in `rendering/batch_work.py`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Sum
from django.utils import timezone

from accounts.caller import Caller
from accounts.models import Organization
from config.jobs.queue import enqueue_many
from rendering.batch_requests import BatchItem, BatchRequest, parse_batch_request
from rendering.engine import check_stored
from rendering.errors import cannot_merge, too_many_items
from rendering.idempotency import Claim, claim_for, first_batch
from rendering.leases import render_lease
from rendering.models import Batch, BatchChunk, Document
from rendering.payloads import pack
from rendering.preconditions import find_source
from rendering.services import filename_for
from rendering.tasks import delete_batch, render_chunk
from templates_app.content import Content

# What one job is given at a time; it goes back into the queue after a second whatever is left of it.
CHUNK_ITEMS = 25
CHUNK_BYTES = 2**18
_INSERTED_AT_ONCE = 200
EXTENSIONS = {Batch.Output.ZIP: "zip", Batch.Output.MERGED: "pdf"}


def create_batch(
    *, caller: Caller, body: Mapping[str, Any], idempotency_key: str | None = None
) -> tuple[Batch, bool]:
    """Accept many documents of one template; True beside the batch when an earlier request had made it.

    Raises ApiError: for the shape of every item, then for the template, in the order of a render, then for
    more items than may wait (MAX_UNFINISHED_ITEMS). Whether the data of an item fits is found when it is
    rendered.
    """
    request = parse_batch_request(body, is_public=caller.is_public)
    claim = claim_for(caller, idempotency_key, body)
    while True:
        if batch := first_batch(claim):
            return batch, True
        batch, owner = _planned(caller, request, claim)
        try:
            _store(batch, request.items, owner)
        except IntegrityError:
            if claim.digest is None:
                raise
            continue  # the same key arrived twice at this moment, and the other request was first
        return batch, False


def _planned(caller: Caller, request: BatchRequest, claim: Claim) -> tuple[Batch, str | None]:
    """Return the batch, and who owns the items that name nobody."""
    source = find_source(
        caller=caller,
        template_id=request.template_id,
        version=request.template_version,
        format=request.format,
    )
    check_stored(source.content)
    if request.output == Batch.Output.MERGED:
        _check_merging(source.renderer.name, source.content)
    now = timezone.now()
    owner = caller.user_id if caller.is_public else source.template.external_user_id
    # A batch shows every item, in its file and in its errors: with others' among them it is no end user's.
    is_mixed = any((item.external_user_id or owner) != owner for item in request.items)
    batch = Batch(
        organization=caller.organization,
        external_user_id=None if is_mixed else owner,
        template=source.template,
        template_version=source.version,
        format=source.renderer.name,
        output=request.output,
        total=len(request.items),
        reference=request.reference,
        created_by=caller.author,
        created_at=now,
        idempotency_digest=claim.digest,
        request_digest=claim.request_digest,
    )
    extension = EXTENSIONS.get(Batch.Output(request.output))
    name = request.filename or source.content.name
    batch.filename = filename_for(name, extension) if extension else name
    if extension:
        batch.file = f"batches/{batch.organization_id}/{now:%Y/%m/%d}/{batch.pk}.{extension}"
    return batch, owner


def _check_merging(format: str, content: Content) -> None:
    if format != "pdf":
        raise cannot_merge("only pdf documents can")
    if content.typed_page.protection is not None:
        raise cannot_merge("the template protects its documents")


def _store(batch: Batch, items: Sequence[BatchItem], owner: str | None) -> None:
    chunks = list(_chunks(batch, items, owner))  # packed before the write lock of SQLite is taken
    with transaction.atomic():
        _check_room(batch)
        batch.save(force_insert=True)
        BatchChunk.objects.bulk_create(chunks, batch_size=_INSERTED_AT_ONCE)
        enqueue_many(render_chunk, [str(chunk.pk) for chunk in chunks])


def _check_room(batch: Batch) -> None:
    """Refuse a batch with which more items of its organization would wait than may.

    Within the transaction that stores it. The lock keeps two requests at the same moment from passing
    together.
    """
    Organization.objects.locked(batch.organization_id)
    left = F("total") - F("completed") - F("failed")
    at_work = Batch.objects.filter(organization=batch.organization_id, status__in=Batch.AT_WORK)
    unfinished = at_work.aggregate(items=Sum(left))["items"] or 0
    if unfinished + batch.total > settings.MAX_UNFINISHED_ITEMS:
        raise too_many_items(settings.MAX_UNFINISHED_ITEMS, unfinished)


def _chunks(batch: Batch, items: Sequence[BatchItem], owner: str | None) -> Iterator[BatchChunk]:
    first, waiting, size = 0, list[list[Any]](), 0
    for index, item in enumerate(items):
        named = [item.reference] if item.reference else []
        waiting.append([item.data, item.filename, item.external_user_id or owner, *named])
        size += len(pack(item.data))
        if len(waiting) == CHUNK_ITEMS or size >= CHUNK_BYTES or index == len(items) - 1:
            yield BatchChunk(batch=batch, first_index=first, payload=pack(waiting))
            first, waiting, size = index + 1, [], 0


def cancel_batch(batch: Batch) -> Batch | None:
    """Stop a batch: what is done stays, what has not begun never does. One that has ended stays as it is.

    Returns it as it is now, None where somebody has deleted it meanwhile.
    """
    with transaction.atomic():
        row = _locked(batch)
        if row is None or row.has_ended:
            return row
        _end(row, Batch.Status.CANCELLED)
    _hasten_sweep(row)
    return row


def remove_batch(batch: Batch) -> None:
    """Delete a batch, its documents and its file; it is invisible when this returns, a job does the rest."""
    with transaction.atomic():
        row = _locked(batch)
        if row is None:
            return
        row.idempotency_digest = None
        _end(row, Batch.Status.DELETED)
        delete_batch.enqueue(row.pk)
    _hasten_sweep(row)


def _locked(batch: Batch) -> Batch | None:
    """Return the row as it is now, under its lock; None for one that is deleted or being so."""
    return Batch.objects.select_for_update().exclude(status=Batch.Status.DELETED).filter(pk=batch.pk).first()


def _end(batch: Batch, status: Batch.Status) -> None:
    batch.status, batch.completed_at = status, batch.completed_at or timezone.now()
    batch.save(update_fields=["status", "completed_at", "idempotency_digest"])
    batch.chunks.all().delete()


def _hasten_sweep(batch: Batch) -> None:
    """Have items of an ended batch swept soon: one may still complete, but nobody takes it up again.

    Apart from `_end`: whoever completes a document locks it before the batch, so we must not do it the other
    way round.
    """
    processing = Document.objects.filter(batch=batch, status=Document.Status.PROCESSING)
    processing.update(lease_expires_at=timezone.now() + render_lease() + timedelta(seconds=1))
