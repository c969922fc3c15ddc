"""What jobs do for batches: render items, conclude, make the zip or merged file. All of it may be repeated.

An item is done when its document is no longer processing; the chunk that holds its data is deleted when all
of its items are done, and whoever deletes the last chunk concludes the batch, in one transaction.
"""

from __future__ import annotations

import logging
import tempfile
import time
from contextlib import nullcontext
from functools import partial
from typing import Any

from django.core.files.storage import default_storage
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts.webhooks.events import emit
from config.jobs import Outage, Retry, give_connection_back, may_wait, stopping
from rendering.answers import batch_summary
from rendering.assembly import store, write_merged, write_zip
from rendering.background import attempt, begin_attempt, is_final, is_outage
from rendering.errors import render_kept_failing
from rendering.formats import RENDERERS
from rendering.leases import JOB_LEASE, MAX_ATTEMPTS, PAUSES
from rendering.models import Batch, BatchChunk, Document
from rendering.payloads import unpack
from rendering.preconditions import Source, accepted_content
from rendering.services import as_refusal, new_document
from rendering.tasks import assemble_batch

logger = logging.getLogger(__name__)

# A batch must not keep single renders waiting: after so long its job goes behind them.
SLICE_SECONDS = 1.0


def render_items(chunk_id: int) -> None:
    """Render what is left of a chunk, for about a second; raises Retry when some of it is still left."""
    chunks = BatchChunk.objects.select_related("batch__template", "batch__organization")
    chunk = chunks.filter(pk=chunk_id, batch__status__in=Batch.AT_WORK).first()
    if chunk is None:
        return
    batch = chunk.batch
    if batch.status == Batch.Status.QUEUED:
        Batch.objects.filter(pk=batch.pk, status=Batch.Status.QUEUED).update(status=Batch.Status.PROCESSING)
    items = unpack(chunk.payload)
    begun = _begun(batch, chunk.first_index, len(items))
    content = accepted_content(batch.template, batch.template_version)
    source = Source(batch.template, batch.template_version, content, RENDERERS[batch.format])
    started = time.monotonic()
    for index, item in enumerate(items, chunk.first_index):
        document = begun.get(index)
        if document is not None and document.status != Document.Status.PROCESSING:
            continue
        if stopping() or time.monotonic() - started > SLICE_SECONDS:
            raise Retry(0)
        if document is None and not chunks.filter(pk=chunk.pk).exists():
            return  # cancelled or deleted meanwhile: what has not begun never does
        _render_item(batch, document, index, item, source)
    _end_chunk(chunk, len(items))


def _begun(batch: Batch, first: int, count: int) -> dict[int, Document]:
    """Return the documents of some items, by index; items that nobody has begun have none."""
    documents = Document.objects.filter(batch=batch, batch_index__gte=first, batch_index__lt=first + count)
    begun = {}
    for document in documents:
        document.batch, document.organization, document.template = batch, batch.organization, batch.template
        begun[document.batch_index or 0] = document
    return begun


def _render_item(
    batch: Batch, document: Document | None, index: int, item: list[Any], source: Source
) -> None:
    data, filename, owner, *named = item
    if document is None:
        document = new_document(
            batch.organization,
            source,
            owner=owner or batch.external_user_id,
            filename=filename,
            reference=named[0] if named else None,
            created_by=batch.created_by,
            batch=batch,
            batch_index=index,
            attempt=1,
        )
        document.lease_expires_at = document.created_at + JOB_LEASE
        try:
            with transaction.atomic() if connection.in_atomic_block else nullcontext():
                document.save(force_insert=True)
        except IntegrityError:
            # Another worker is at the same chunk: it took us for dead, or we it.
            raise Retry(PAUSES[0]) from None
    elif not begin_attempt(document):
        return
    attempt(document, data, source.content)


def _end_chunk(chunk: BatchChunk, count: int) -> None:
    """Delete a chunk whose items are done, and conclude the batch with the last one."""
    with transaction.atomic():
        # The lock lets one of two last chunks be the last.
        batch = Batch.objects.select_for_update().get(pk=chunk.batch_id)
        begun = _begun(batch, chunk.first_index, count).values()
        if sum(document.status != Document.Status.PROCESSING for document in begun) < count:
            raise Retry(PAUSES[1])  # the rest is in another worker's hands, or it died
        deleted, _ = BatchChunk.objects.filter(pk=chunk.pk).delete()
        if deleted and batch.status == Batch.Status.PROCESSING and not batch.chunks.exists():
            _conclude(batch)


def _conclude(batch: Batch) -> None:
    """End a batch whose items are all done, or have its file made first."""
    if batch.output != Batch.Output.FILES and batch.completed:
        assemble_batch.enqueue(batch.pk)
        return
    batch.status, batch.completed_at, batch.file = Batch.Status.COMPLETED, timezone.now(), ""
    batch.save(update_fields=["status", "completed_at", "file"])
    _tell(batch)


def _tell(batch: Batch) -> None:
    emit(
        batch.organization_id,
        "batch.completed",
        lambda: batch_summary(batch),
        external_user_id=batch.external_user_id,
    )


def assemble(batch_id: str) -> None:
    """Make the file of a batch whose items are all done; raises Retry after a failure that may pass.

    Raises Outage when a part is lost, as `rendering.background.attempt` does.
    """
    batch = Batch.objects.filter(pk=batch_id, status=Batch.Status.PROCESSING, chunks=None).first()
    if batch is None:
        return
    mine = Batch.objects.filter(pk=batch.pk, status=Batch.Status.PROCESSING, attempt=batch.attempt)
    if not mine.update(attempt=batch.attempt + 1):
        return
    batch.attempt += 1
    if batch.attempt > MAX_ATTEMPTS:
        _finish(batch, Batch.Status.FAILED, error=render_kept_failing().message)
        return
    try:
        size = _make_file(batch)
        _finish(batch, Batch.Status.COMPLETED, file_size_bytes=size)
    except Retry:
        _take_back(batch)
        raise
    except Exception as error:
        refusal = as_refusal(error)
        if is_outage(error) and may_wait():
            raise Outage(partial(_take_back, batch)) from error
        if not (is_final(refusal) or is_outage(error)) and batch.attempt < MAX_ATTEMPTS:
            logger.warning("Batch %s is assembled again: %s", batch.pk, type(error).__name__)
            raise Retry(PAUSES[batch.attempt - 1]) from error
        logger.exception("Batch %s cannot be assembled", batch.pk)
        _finish(batch, Batch.Status.FAILED, error=refusal.message if refusal else "Internal server error")


def _take_back(batch: Batch) -> None:
    """Forget the attempt at the file that has just ended, unless another one has begun since."""
    mine = Batch.objects.filter(pk=batch.pk, status=Batch.Status.PROCESSING, attempt=batch.attempt)
    mine.update(attempt=batch.attempt - 1)


def _make_file(batch: Batch) -> int:
    """Write the file of a batch to the storage, by way of a file of this machine, and return its size."""
    documents = Document.objects.filter(batch=batch, status=Document.Status.COMPLETED).order_by("batch_index")
    names = list(documents.values_list("file", "filename"))
    give_connection_back()
    with tempfile.TemporaryFile() as out:
        if batch.output == Batch.Output.ZIP:
            write_zip(names, out, made_at=batch.created_at)
        else:
            write_merged(names, out, title=batch.filename)
        size = out.seek(0, 2)
        out.seek(0)
        store(batch.file, out)
    return size


def _finish(batch: Batch, status: Batch.Status, **changes: Any) -> None:
    """End a batch if this attempt still may; else, or without success, see that no file is left."""
    with transaction.atomic():
        ended = Batch.objects.filter(
            pk=batch.pk, status=Batch.Status.PROCESSING, attempt=batch.attempt
        ).update(status=status, completed_at=timezone.now(), **changes)
        if ended:
            batch.refresh_from_db()
            _tell(batch)
    living = (Batch.Status.PROCESSING, Batch.Status.COMPLETED)
    if not Batch.objects.filter(pk=batch.pk, status__in=living).exists():
        default_storage.delete(batch.file)
