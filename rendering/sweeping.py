"""What was killed is ended: renders, clean-ups and deletions whose lease is over."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from rendering.deletion import erase, sweep_each
from rendering.leases import JOB_LEASE
from rendering.models import BatchChunk, Document, RenderInput
from rendering.services import discard_file, mark_failed
from rendering.tasks import render_chunk, render_in_background

logger = logging.getLogger(__name__)

_SWEPT_AT_ONCE = 500
_SWEPT_AGAIN = timedelta(minutes=10)


def sweep() -> int:
    """Finish what was killed: renders, clean-ups, deletions; return how many documents there were.

    A render within a request fails, one of a job goes back into the queue. A document whose file cannot be
    deleted is swept later (see `sweep_each`).
    """
    swept, _ = sweep_each(_interrupted(), _finish, _put_off)
    if swept:
        logger.warning("Swept %d interrupted renders", swept)
    return swept


def _interrupted() -> Iterator[Document]:
    """Yield what is to be swept, as long as there is some: each must have been swept or put off."""
    while documents := list(Document.objects.interrupted()[:_SWEPT_AT_ONCE]):
        yield from documents


def _put_off(document: Document, error: Exception) -> None:
    """Let a document that cannot be swept now be swept later."""
    logger.warning("Document %s cannot be swept: %s", document.pk, type(error).__name__)
    Document.objects.filter(pk=document.pk, status=document.status).update(
        lease_expires_at=timezone.now() + _SWEPT_AGAIN
    )


def _finish(document: Document) -> None:
    if document.status == Document.Status.DELETED:
        erase(document)
    elif document.status == Document.Status.FAILED or not _resume(document):
        mark_failed(document, "Rendering was interrupted")
        discard_file(document)


def _resume(document: Document) -> bool:
    """Enqueue the job of a document once more, if it has one that was lost; tell whether it has."""
    chunk = BatchChunk.objects.filter(batch=document.batch_id, first_index__lte=document.batch_index or 0)
    with transaction.atomic():
        if RenderInput.objects.filter(pk=document.pk).exists():
            render_in_background.enqueue(document.pk)
        elif document.batch_id and (
            pk := chunk.order_by("-first_index").values_list("pk", flat=True).first()
        ):
            render_chunk.enqueue(str(pk))
        else:
            return False
        Document.objects.filter(pk=document.pk).update(lease_expires_at=timezone.now() + JOB_LEASE)
    return True
