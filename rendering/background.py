"""Renders that no request waits for: done by jobs, taken up again after a crash, ended once."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from config import tracing
from config.api.errors import ApiError
from config.jobs import Outage, Retry, may_wait
from config.outages import as_outage
from rendering.errors import Abandoned, render_kept_failing
from rendering.leases import MAX_ATTEMPTS, PAUSES
from rendering.models import Document, RenderInput
from rendering.payloads import unpack
from rendering.preconditions import plan_accepted
from rendering.services import as_refusal, discard, fail, produce
from templates_app.content import Content

logger = logging.getLogger(__name__)


def render(document_id: str) -> None:
    """Render an accepted document unless that has been done; the task of one document.

    Raises Outage when a part is lost, such as a bucket that does not answer, and Retry after another failure
    that may pass.
    """
    documents = Document.objects.select_related("organization", "template")
    document = documents.filter(pk=document_id, status=Document.Status.PROCESSING).first()
    waiting = RenderInput.objects.filter(pk=document_id).first()
    if document is None or waiting is None or not begin_attempt(document):
        return
    with tracing.span("render.job"):
        attempt(document, unpack(waiting.payload))


def begin_attempt(document: Document) -> bool:
    """Take the document over from every earlier attempt; False when another one was faster or it has ended.

    One that has been begun too often fails: it is likely what its workers died of.
    """
    taken = Document.objects.filter(
        pk=document.pk, status=Document.Status.PROCESSING, attempt=document.attempt
    ).update(attempt=document.attempt + 1)
    if not taken:
        return False
    document.attempt += 1
    if document.attempt > MAX_ATTEMPTS:
        fail(document, render_kept_failing())
        return False
    return True


def attempt(document: Document, data: dict[str, Any], content: Content | None = None) -> None:
    """Render a document whose attempt has begun, and end it; raises Retry when it is worth another attempt.

    Raises Outage when a part is lost: that was no attempt, and the document waits for the part as long as its
    task does. `content` is that of the document's template version, where the caller has it.
    """
    try:
        produce(document, plan_accepted(document, data, content))
    except Exception as error:
        refusal = as_refusal(error)
        if isinstance(error, Abandoned):
            # If the document was deleted or swept, what has just been stored is nobody's.
            discard(document)
        elif is_final(refusal):
            fail(document, refusal)
        elif is_outage(error) and may_wait():
            raise Outage(partial(take_back, document)) from error
        elif is_outage(error) or document.attempt >= MAX_ATTEMPTS:
            if refusal is None:
                logger.exception("Document %s cannot be rendered", document.pk)
            fail(document, refusal)
        else:
            logger.warning("Document %s is tried again: %s", document.pk, type(error).__name__)
            raise Retry(PAUSES[document.attempt - 1]) from error


def take_back(document: Document) -> None:
    """Forget the attempt that has just ended, unless another one has begun since.

    Attempts stay different: whoever still works at the document has a smaller number than this one had.
    """
    Document.objects.filter(
        pk=document.pk, status=Document.Status.PROCESSING, attempt=document.attempt
    ).update(attempt=document.attempt - 1)


def is_outage(error: BaseException) -> bool:
    """Tell whether a part is lost: the database, the cache, the storage, room on a disk."""
    return as_outage(error) is not None


def is_final(refusal: ApiError | None) -> bool:
    """Tell a refusal for what the template and the data are from a failure that may pass."""
    return refusal is not None and refusal.status < 500
