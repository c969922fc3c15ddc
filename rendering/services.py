"""Rendering: check, resolve, draw, store, count.

A document is written in two steps. A `processing` row that names its file comes first; then the file; then
one transaction completes the row and counts it. Whatever is killed in between, `rendering/sweeping.py` finds
the row. Where a job renders (`rendering/background.py`, `rendering/batch_work.py`), each attempt has a
number, and only the latest one may end the document: a worker that was taken for dead cannot end it again.
"""

from __future__ import annotations

import logging
import tempfile
import time
from collections.abc import Mapping
from contextlib import nullcontext
from datetime import datetime
from typing import IO, Any, Literal

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import IntegrityError, connection, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.caller import Caller
from accounts.models import Organization
from accounts.webhooks.events import emit
from config import metrics, tracing
from config.api.errors import ApiError
from config.outages import Unavailable, as_outage, lost_part
from config.statements import Insert
from rendering import engine
from rendering.answers import document_summary
from rendering.errors import Abandoned, render_was_abandoned, storage_is_full
from rendering.idempotency import Claim, claim_for, first_result
from rendering.images import font_loader, image_loader
from rendering.leases import JOB_LEASE, render_lease
from rendering.models import Batch, Document, RenderInput
from rendering.payloads import pack
from rendering.preconditions import RenderPlan, Source, plan_render
from rendering.requests import RenderRequest, parse_render_request
from rendering.tasks import render_in_background
from usage.services import count_document

logger = logging.getLogger(__name__)

LIVING = (Document.Status.PROCESSING, Document.Status.COMPLETED)
_IN_MEMORY = 8 * 2**20
_insert = Insert(Document)
_COMPLETE = (
    "UPDATE rendering_document SET status = %s, file_size_bytes = %s, render_time_ms = %s, completed_at = %s"
    " WHERE id = %s AND status = %s AND attempt = %s"
)


def render_document(
    *, caller: Caller, body: Mapping[str, Any], idempotency_key: str | None = None
) -> tuple[Document, bool]:
    """Render an API body into a completed document; True beside it when an earlier request had made it.

    Raises ApiError; the order of the checks is the contract's.
    """
    document, plan = _accept(caller, body, idempotency_key, in_background=False)
    if plan is None:
        return document, True
    _carry_out(document, plan)
    return document, False


def accept_render(
    *, caller: Caller, body: Mapping[str, Any], idempotency_key: str | None = None
) -> tuple[Document, bool]:
    """Have a job render an API body; return the document, whatever became of it since an earlier request.

    Makes the checks of `render_document`, at once and in its order. Raises ApiError.
    """
    document, plan = _accept(caller, body, idempotency_key, in_background=True)
    return document, plan is None


def _accept(
    caller: Caller, body: Mapping[str, Any], idempotency_key: str | None, *, in_background: bool
) -> tuple[Document, RenderPlan | None]:
    """Return a new document and its plan, or the document of an earlier request without one."""
    request = parse_render_request(body, is_public=caller.is_public)
    claim = claim_for(caller, idempotency_key, body)
    while True:
        if document := first_result(claim, wait=not in_background):
            return document, None
        with tracing.span("render.check"):
            plan = plan_render(caller=caller, request=request)
        try:
            return _begin(caller, request, plan, claim, in_background=in_background), plan
        except IntegrityError:
            if claim.digest is None:
                raise
            # The same key arrived twice at this moment, and the other request was first.


def _begin(
    caller: Caller, request: RenderRequest, plan: RenderPlan, claim: Claim, *, in_background: bool = False
) -> Document:
    document = new_document(
        caller.organization,
        plan,
        owner=caller.user_id if caller.is_public else request.external_user_id,
        filename=request.filename,
        reference=request.reference,
        created_by=caller.author,
        idempotency_digest=claim.digest,
        request_digest=claim.request_digest,
    )
    if not in_background:
        # One statement is its own transaction; within one (in tests) a refused row must not end it.
        with transaction.atomic() if connection.in_atomic_block else nullcontext():
            _insert(document)
        return document
    document.lease_expires_at = document.created_at + JOB_LEASE
    payload = pack(request.data)  # not while the write lock of SQLite is held
    with transaction.atomic():
        _insert(document)
        RenderInput.objects.create(document=document, payload=payload)
        render_in_background.enqueue(document.pk)
    return document


def new_document(
    organization: Organization, source: Source, *, owner: str | None, filename: str | None, **fields: Any
) -> Document:
    """Return an unsaved document that is to be rendered; without an owner it is the template's."""
    now = timezone.now()
    document = Document(
        organization=organization,
        external_user_id=owner or source.template.external_user_id,
        template=source.template,
        template_version=source.version,
        format=source.renderer.name,
        filename=filename_for(filename or source.content.name, source.renderer.extension),
        created_at=now,
        lease_expires_at=now + render_lease(),
        **fields,
    )
    document.file = (
        f"documents/{document.organization_id}/{now:%Y/%m/%d}/{document.pk}.{source.renderer.extension}"
    )
    return document


def _carry_out(document: Document, plan: RenderPlan) -> None:
    """Draw, store and complete `document`; on any failure leave it `failed` and without a file."""
    try:
        produce(document, plan)
    except BaseException as error:
        refusal = as_refusal(error)
        try:
            if isinstance(error, Abandoned):
                # Cancelled or taken up by a retry: it is not this attempt that ends it.
                discard(document)
            else:
                fail(document, refusal)
        except Exception:  # the part that is lost may be the one that this needs
            logger.warning("Document %s could not be marked as failed: it will be swept", document.pk)
        if refusal:
            raise refusal from error
        raise


def produce(document: Document, plan: RenderPlan) -> None:
    """Draw, store and complete `document`; raises whatever goes wrong, and leaves it as it is then."""
    started = time.perf_counter()
    with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as out:
        draw(plan, document, out)
        size = out.tell()
        out.seek(0)
        with tracing.span("render.store"):
            default_storage.save(document.file, File(out))
    seconds = time.perf_counter() - started
    with tracing.span("render.count"):
        _complete(document, size, max(1, round(seconds * 1000)))
    metrics.observe_render(document.format, seconds, size)


def fail(document: Document, refusal: ApiError | None) -> None:
    """Leave `document` `failed` and without a file; a file that cannot be deleted now is swept.

    A storage that has just been given up is not waited for once more.
    """
    metrics.count_render_failure(document.format, failure_kind(refusal))
    mark_failed(document, refusal.message if refusal else "Internal server error")
    if not (isinstance(refusal, Unavailable) and refusal.part == "storage"):
        discard(document)


def draw(plan: RenderPlan, document: Document, out: IO[bytes]) -> None:
    """Resolve and write one document into `out`; raises ResolveError or RenderError."""
    engine.write(
        plan.content,
        plan.values,
        plan.renderer,
        plan.limits,
        out,  # type: ignore[arg-type]
        load_image=image_loader(document.organization),
        load_font=font_loader(document.organization),
        created_at=document.created_at,
    )
    out.seek(0, 2)


def as_refusal(error: BaseException) -> ApiError | None:
    """Return the answer to a failure that the caller or the operator can act on, None for a fault of ours."""
    if isinstance(error, OSError) and lost_part(error) == "disk":
        return storage_is_full()
    return engine.as_refusal(error) or as_outage(error)


def failure_kind(refusal: ApiError | None) -> str:
    """Return how a failure is counted: `refused` by its data, `unavailable` for a lost part, else `fault`."""
    if refusal is None:
        return "fault"
    return "unavailable" if refusal.status >= 500 else "refused"


def _complete(document: Document, size: int, milliseconds: int) -> None:
    now = timezone.now()
    with transaction.atomic():
        completed = _update_completed(document, now, size, milliseconds)
        if not completed:
            raise render_was_abandoned()
        document.status = Document.Status.COMPLETED
        document.file_size_bytes, document.render_time_ms, document.completed_at = size, milliseconds, now
        count_document(
            organization_id=document.organization_id,
            template_id=document.template_id,
            format=document.format,
            external_user_id=document.external_user_id,
            completed_at=now,
        )
        _ended(document, "document.completed")


def _update_completed(document: Document, now: datetime, size: int, milliseconds: int) -> int:
    """Complete the row where `_mine` finds it, and return how many there were; in SQL for speed."""
    ended: Any = connection.ops.adapt_datetimefield_value(now)
    completed = (Document.Status.COMPLETED.value, size, milliseconds, ended)
    row = (document.pk, Document.Status.PROCESSING.value, document.attempt)
    with connection.cursor() as cursor:
        cursor.execute(_COMPLETE, (*completed, *row))
        return cursor.rowcount


def mark_failed(document: Document, message: str) -> None:
    """Mark a processing document as failed; one that completed stays so. From now on it may be swept."""
    with transaction.atomic():
        if _mine(document).update(
            status=Document.Status.FAILED,
            error=message,
            idempotency_digest=None,
            lease_expires_at=timezone.now(),
        ):
            document.status, document.error = Document.Status.FAILED, message
            _ended(document, "document.failed")


def _mine(document: Document) -> QuerySet[Document]:
    """Return the row that this attempt may end: still processing, and begun by nobody since."""
    return Document.objects.filter(
        pk=document.pk, status=Document.Status.PROCESSING, attempt=document.attempt
    )


def _ended(document: Document, event: Literal["document.completed", "document.failed"]) -> None:
    """Note the end of a document where it was asked for; part of the transaction that ends it."""
    if document.attempt:
        RenderInput.objects.filter(pk=document.pk).delete()
    if document.batch_id is not None:
        counter = "completed" if document.status == Document.Status.COMPLETED else "failed"
        Batch.objects.filter(pk=document.batch_id).update(**{counter: F(counter) + 1})
        if document.batch is None or document.batch.output != Batch.Output.FILES:
            return  # of these the batch tells, once
    emit(
        document.organization_id,
        event,
        lambda: document_summary(document),
        external_user_id=document.external_user_id,
    )


def discard(document: Document) -> None:
    """Delete the file of a document that did not complete; where the storage is lost, sweeping does it.

    A job must not fail by this: its document has ended, and the rest of its batch is still to be done.
    """
    try:
        discard_file(document)
    except Exception as error:
        logger.warning("The file of document %s is not deleted yet: %s", document.pk, type(error).__name__)


def discard_file(document: Document) -> None:
    """Delete the file of a document that did not complete, unless another attempt is at it."""
    if Document.objects.filter(pk=document.pk, status__in=LIVING).exists():
        return
    default_storage.delete(document.file)
    # Last of all: a failed row that still names its file was killed before this line, and is swept again.
    Document.objects.filter(pk=document.pk, status=Document.Status.FAILED).update(file="")


def filename_for(name: str, extension: str) -> str:
    """Return a file name with its extension, without what file systems or headers refuse."""
    stem = "".join(
        "-" if character in '/\\:*?"<>|' or not character.isprintable() else character for character in name
    )
    stem = stem.strip(" .")[:200] or "document"
    return stem if stem.lower().endswith(f".{extension}") else f"{stem}.{extension}"
