"""Rendering: check, resolve, draw, store, count.

A document is written in two steps. A `processing` row that names its file comes first; then the file; then
one transaction completes the row and counts it. Whatever is killed in between, `sweep` finds the row.
"""

from __future__ import annotations

import errno
import logging
import tempfile
import time
from collections.abc import Mapping
from datetime import timedelta
from typing import IO, Any

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.caller import Caller
from config.api.errors import ApiError, invalid
from rendering.errors import render_was_abandoned, storage_is_full
from rendering.formats.base import RenderError
from rendering.idempotency import Claim, claim_for, first_result
from rendering.images import font_loader, image_loader
from rendering.models import Document
from rendering.preconditions import RenderPlan, plan_render
from rendering.requests import RenderRequest, parse_render_request
from rendering.resolve import resolve
from templates_app.scope import ResolveError
from usage.services import count_document

logger = logging.getLogger(__name__)

# A render checks its deadline as it goes; storing and completing take their time after it.
LEASE_GRACE = timedelta(seconds=30)
_IN_MEMORY = 8 * 2**20
_SWEPT_AT_ONCE = 500


def render_document(
    *, caller: Caller, body: Mapping[str, Any], idempotency_key: str | None = None
) -> tuple[Document, bool]:
    """Render an API body into a completed document; True beside it when an earlier request had made it.

    Raises ApiError; the order of the checks is the contract's.
    """
    request = parse_render_request(body, is_public=caller.is_public)
    claim = claim_for(caller, idempotency_key, body)
    while True:
        if document := first_result(claim):
            return document, True
        plan = plan_render(caller=caller, request=request)
        try:
            document = _begin(caller, request, plan, claim)
        except IntegrityError:
            if claim.digest is None:
                raise
            # The same key arrived twice at this moment, and the other request was first.
            continue
        _carry_out(document, plan)
        return document, False


def _begin(caller: Caller, request: RenderRequest, plan: RenderPlan, claim: Claim) -> Document:
    now = timezone.now()
    owner = caller.user_id if caller.is_public else request.external_user_id or plan.template.external_user_id
    document = Document(
        organization=caller.organization,
        external_user_id=owner,
        template=plan.template,
        template_version=plan.version,
        format=plan.renderer.name,
        filename=filename_for(request.filename or plan.content.name, plan.renderer.extension),
        created_at=now,
        lease_expires_at=now + timedelta(seconds=settings.RENDER_TIMEOUT) + LEASE_GRACE,
        idempotency_digest=claim.digest,
        request_digest=claim.request_digest,
    )
    document.file = (
        f"documents/{document.organization_id}/{now:%Y/%m/%d}/{document.pk}.{plan.renderer.extension}"
    )
    with transaction.atomic():
        document.save(force_insert=True)
    return document


def _carry_out(document: Document, plan: RenderPlan) -> None:
    """Draw, store and complete `document`; on any failure leave it `failed` and without a file."""
    try:
        started = time.perf_counter()
        with tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY) as out:
            draw(plan, document, out)
            size = out.tell()
            out.seek(0)
            default_storage.save(document.file, File(out))
        _complete(document, size, max(1, round((time.perf_counter() - started) * 1000)))
    except BaseException as error:
        refusal = as_refusal(error)
        _fail(document, refusal.message if refusal else "Internal server error")
        if refusal:
            raise refusal from error
        raise


def draw(plan: RenderPlan, document: Document, out: IO[bytes]) -> None:
    """Resolve and write one document into `out`; raises ResolveError or RenderError."""
    limits = plan.limits
    resolved = resolve(
        plan.content,
        plan.values,
        load_image=image_loader(document.organization),
        load_font=font_loader(document.organization),
        check_time=limits.check_time,
        created_at=document.created_at,
    )
    limits.check_time()
    plan.renderer.render(resolved, out, limits)  # type: ignore[arg-type]
    out.seek(0, 2)


def as_refusal(error: BaseException) -> ApiError | None:
    """Return the answer to a failure that the caller or the operator can act on, None for a fault of ours."""
    match error:
        case ApiError():
            return error
        case ResolveError():
            return invalid(error.errors)
        case RenderError():
            return ApiError(400, str(error))
        case OSError(errno=errno.ENOSPC | errno.EDQUOT):
            return storage_is_full()
    return None


def _complete(document: Document, size: int, milliseconds: int) -> None:
    now = timezone.now()
    document.status = Document.Status.COMPLETED
    document.file_size_bytes, document.render_time_ms, document.completed_at = size, milliseconds, now
    with transaction.atomic():
        completed = Document.objects.filter(pk=document.pk, status=Document.Status.PROCESSING).update(
            status=document.status, file_size_bytes=size, render_time_ms=milliseconds, completed_at=now
        )
        if not completed:
            raise render_was_abandoned()
        count_document(
            organization_id=document.organization_id,
            template_id=document.template_id,
            format=document.format,
            external_user_id=document.external_user_id,
            completed_at=now,
        )


def _fail(document: Document, message: str) -> None:
    """Mark a processing document as failed, then delete its file; one that completed keeps both."""
    Document.objects.filter(pk=document.pk, status=Document.Status.PROCESSING).update(
        status=Document.Status.FAILED, error=message, idempotency_digest=None
    )
    if Document.objects.filter(pk=document.pk, status=Document.Status.COMPLETED).exists():
        return
    document.status = Document.Status.FAILED
    default_storage.delete(document.file)
    # Last of all: a failed row that still names its file was killed before this line, and is swept again.
    Document.objects.filter(pk=document.pk).update(file="")


def sweep() -> int:
    """Fail the documents whose render was killed, remove what it left, and return how many there were."""
    swept = 0
    while interrupted := list(Document.objects.interrupted(timezone.now())[:_SWEPT_AT_ONCE]):
        for document in interrupted:
            _fail(document, document.error or "Rendering was interrupted")
        swept += len(interrupted)
    if swept:
        logger.warning("Swept %d interrupted renders", swept)
    return swept


def filename_for(name: str, extension: str) -> str:
    """Return a file name with its extension, without what file systems or headers refuse."""
    stem = "".join(
        "-" if character in '/\\:*?"<>|' or not character.isprintable() else character for character in name
    )
    stem = stem.strip(" .")[:200] or "document"
    return stem if stem.lower().endswith(f".{extension}") else f"{stem}.{extension}"
