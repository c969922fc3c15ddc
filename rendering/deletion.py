"""Deleting documents and batches: the file, the link and the data go, usage stays.

A document is first marked as deleted, which makes it invisible; its row goes last, when its file is gone and
nobody can write it any more. Whatever is killed in between, `rendering.sweeping.sweep` goes on with it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, Final, TypeVar

from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from config.jobs import Retry, stopping
from rendering.leases import render_lease
from rendering.models import Batch, Document, RenderInput

logger = logging.getLogger(__name__)

T = TypeVar("T")

# So many files in a row that cannot be deleted mean that the storage is lost, and not that they are odd.
MOST_FAILURES = 10
# What a document forgets when it is marked as deleted: personal data goes now, whenever the row does.
FORGOTTEN: Final[dict[str, Any]] = {
    "status": Document.Status.DELETED,
    "filename": "",
    "external_user_id": None,
    "reference": None,
    "created_by": "",
    "error": "",
    "idempotency_digest": None,
    "request_digest": "",
}
_SLICE_SECONDS = 1.0
# The row of an item stays while its batch is at work: it says that the item is done.
_WHILE_BATCH_WORKS = timedelta(minutes=10)


def delete_document(document: Document) -> None:
    """Delete a document; one that is processing is cancelled. It is invisible when this returns."""
    now = timezone.now()
    row = Document.objects.filter(pk=document.pk)
    with transaction.atomic():
        # A render that is running may write its file even now: the row stays until it cannot any more.
        until = now + render_lease()
        if row.filter(status=Document.Status.PROCESSING).update(lease_expires_at=until, **FORGOTTEN):
            RenderInput.objects.filter(pk=document.pk).delete()
            Batch.objects.filter(pk=document.batch_id).update(failed=F("failed") + 1)
        else:
            until = now
            row.exclude(status=Document.Status.DELETED).update(lease_expires_at=now, **FORGOTTEN)
    document.status, document.lease_expires_at = Document.Status.DELETED, until
    try:
        erase(document)
    except Exception as error:
        logger.warning("Document %s is not erased yet: %s", document.pk, type(error).__name__)


def erase(document: Document) -> None:
    """Delete the file of a deleted document, and its row as soon as nobody needs that."""
    if document.file:
        default_storage.delete(document.file)
    row = Document.objects.filter(pk=document.pk, status=Document.Status.DELETED)
    now = timezone.now()
    if document.lease_expires_at > now:
        return
    if document.batch is not None and not document.batch.has_ended:
        row.update(lease_expires_at=now + _WHILE_BATCH_WORKS)
        return
    row.delete()


def sweep_each(
    items: Iterable[T], sweep: Callable[[T], None], put_off: Callable[[T, Exception], None]
) -> tuple[int, bool]:
    """Sweep each item, put off the ones that fail; return how many were swept, and whether all were tried.

    One that fails keeps no other from being swept; when many fail in a row, the storage is lost, and the
    rest is left to a later run.
    """
    swept = failures = 0
    for item in items:
        try:
            sweep(item)
        except Exception as error:
            put_off(item, error)
            failures += 1
            if failures == MOST_FAILURES:
                return swept, False
        else:
            swept, failures = swept + 1, 0
    return swept, True


def delete_contents(batch_id: str) -> None:
    """Delete the documents and the file of a deleted batch, then the batch; a job, in slices of a second."""
    batch = Batch.objects.filter(pk=batch_id, status=Batch.Status.DELETED).first()
    if batch is None:
        return
    started = time.monotonic()
    for document in batch.documents.exclude(status=Document.Status.DELETED).iterator(chunk_size=100):
        delete_document(document)
        if stopping() or time.monotonic() - started > _SLICE_SECONDS:
            raise Retry(0)
    if batch.file:
        default_storage.delete(batch.file)
    if batch.documents.exists():
        raise Retry(render_lease().total_seconds())
    batch.delete()
