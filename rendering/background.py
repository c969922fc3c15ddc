"""Renders that no request waits for: done by jobs, taken up again after a crash, ended once."""

from __future__ import annotations

import logging
from typing import Any

from config import tracing
from config.api.errors import ApiError
from config.jobs import Retry
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

    Raises Retry after a failure that may pass, such as a bucket that does not answer.
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

    `content` is that of the document's template version, where the caller has it.
    """
    try:
        produce(document, plan_accepted(document, data, content))
    except Exception as error:
        refusal = as_refusal(error)
        if isinstance(error, Abandoned):
            # If the document was deleted or swept, what has just been stored is nobody's.
            discard(document)
        elif is_final(refusal) or document.attempt >= MAX_ATTEMPTS:
            if refusal is None:
                logger.exception("Document %s cannot be rendered", document.pk)
            fail(document, refusal)
        else:
            logger.warning("Document %s is tried again: %s", document.pk, type(error).__name__)
            raise Retry(PAUSES[document.attempt - 1]) from error


def is_final(refusal: ApiError | None) -> bool:
    """Tell a refusal for what the template and the data are from a failure that may pass."""
    return refusal is not None and refusal.status < 500
