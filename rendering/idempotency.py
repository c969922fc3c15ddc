"""`Idempotency-Key`: a retry finds the first result, never makes a second document or batch."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import orjson
from django.conf import settings
from django.utils import timezone

from accounts.caller import Caller
from config.value import dataclass
from rendering.errors import idempotency_key_malformed, idempotency_key_reused, still_processing
from rendering.models import Batch, Document

KEPT = timedelta(hours=24)
_POLL_SECONDS = 0.05


@dataclass(frozen=True)
class Claim:
    """Digests that go into a document or a batch: who sent which key (None: no key) with which body."""

    digest: str | None
    request_digest: str


def claim_for(caller: Caller, key: str | None, body: Mapping[str, Any]) -> Claim:
    """Return the claim of a request; raises ApiError 400 for a header that is no key."""
    if key is None:
        return Claim(None, "")
    if not (1 <= len(key) <= 255 and key.isascii() and key.isprintable() and key.strip()):
        raise idempotency_key_malformed()
    digest = hashlib.sha256(f"{caller.idempotency_scope}\n{key}".encode()).hexdigest()
    canonical = orjson.dumps(body, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
    return Claim(digest, hashlib.sha256(canonical).hexdigest())


def first_result(claim: Claim, *, wait: bool = True) -> Document | None:
    """Return the completed document of an earlier request, waiting for one that is still rendering.

    Without `wait` one that is still rendering is returned as well. None when the caller should render: no
    such request, or it failed. Raises ApiError 400 for another body.
    """
    if claim.digest is None:
        return None
    give_up = time.monotonic() + settings.RENDER_TIMEOUT
    while True:
        document = Document.objects.filter(idempotency_digest=claim.digest).first()
        if document is None:
            return None
        if _is_abandoned(document):
            if _take_from(document):
                return None
            continue  # it has ended at this very moment
        if not _holds(document, claim):
            release(document)
            return None
        if document.status == Document.Status.COMPLETED or not wait:
            return document
        if time.monotonic() > give_up:
            raise still_processing()
        time.sleep(_POLL_SECONDS)


def _is_abandoned(document: Document) -> bool:
    return document.status == Document.Status.PROCESSING and document.lease_expires_at < timezone.now()


def _take_from(document: Document) -> bool:
    """Take the key of a render that was killed, and see that it does not complete: it may only be late.

    False when it has ended. The row is left to `rendering.sweeping.sweep`.
    """
    begun = Document.objects.filter(
        pk=document.pk, status=Document.Status.PROCESSING, attempt=document.attempt
    )
    return begun.update(idempotency_digest=None, attempt=document.attempt + 1) == 1


def first_batch(claim: Claim) -> Batch | None:
    """Return the batch of an earlier request, None where is none. Raises ApiError 400 for another body."""
    if claim.digest is None:
        return None
    batch = Batch.objects.filter(idempotency_digest=claim.digest).first()
    if batch is None:
        return None
    if not _holds(batch, claim):
        release(batch)
        return None
    return batch


def _holds(row: Document | Batch, claim: Claim) -> bool:
    """Tell whether the row still keeps its key; raises ApiError 400 where it came with another body."""
    if row.created_at < timezone.now() - KEPT:
        return False
    if row.request_digest != claim.request_digest:
        raise idempotency_key_reused()
    return True


def release(row: Document | Batch) -> None:
    """Let the row's key be used again."""
    type(row)._default_manager.filter(pk=row.pk).update(idempotency_digest=None)
