"""What answers and events say of documents and batches, as plain JSON; the schema is in the serializers.

Job workers say it too, and need no framework of the API for it: loading that is a third of their start.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.utils import timezone

from rendering.models import Batch, Document

SHOWN_ERRORS: Final = 100  # failed items that a batch names


def link_expiry() -> datetime:
    """Return when a link made now stops working."""
    return timezone.now() + timedelta(seconds=settings.DOWNLOAD_URL_TTL)


def timestamp(moment: datetime) -> str:
    """Return ISO 8601 in UTC with `Z`."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def document_summary(document: Document) -> dict[str, Any]:
    """Return a document without a link."""
    return {
        "documentId": document.pk,
        "status": document.status,
        "fileSizeBytes": document.file_size_bytes,
        "renderTimeMs": document.render_time_ms,
        "format": document.format,
        "templateId": document.template_id,
        "templateVersion": document.template_version,
        "filename": document.filename,
        "externalUserId": document.external_user_id,
        "reference": document.reference,
        "batchId": document.batch_id,
        "batchIndex": document.batch_index,
        "error": document.error or None,
        "createdAt": timestamp(document.created_at),
        "completedAt": timestamp(document.completed_at) if document.completed_at else None,
    }


def document_body(document: Document, download_url: str | None, expires_at: datetime) -> dict[str, Any]:
    """Return a document with its link, which only a completed one has."""
    return document_summary(document) | {
        "downloadUrl": download_url,
        "expiresAt": None if download_url is None else timestamp(expires_at),
    }


def batch_summary(batch: Batch) -> dict[str, Any]:
    """Return a batch without what has to be looked up."""
    left = max(0, batch.total - batch.completed - batch.failed)
    cancelled = batch.status == Batch.Status.CANCELLED
    return {
        "id": batch.pk,
        "status": batch.status,
        "templateId": batch.template_id,
        "templateVersion": batch.template_version,
        "format": batch.format,
        "output": batch.output,
        "filename": batch.filename,
        "externalUserId": batch.external_user_id,
        "reference": batch.reference,
        "items": {
            "total": batch.total,
            "completed": batch.completed,
            "failed": batch.failed,
            "pending": 0 if cancelled else left,
            "cancelled": left if cancelled else 0,
        },
        "fileSizeBytes": batch.file_size_bytes,
        "error": batch.error or None,
        "createdAt": timestamp(batch.created_at),
        "completedAt": timestamp(batch.completed_at) if batch.completed_at else None,
    }


def batch_body(batch: Batch, download_url: str | None, expires_at: datetime) -> dict[str, Any]:
    """Return a batch with its first errors and its link; one query when something has failed."""
    return batch_summary(batch) | {
        "errors": _errors(batch) if batch.failed else [],
        "downloadUrl": download_url,
        "expiresAt": None if download_url is None else timestamp(expires_at),
    }


def _errors(batch: Batch) -> list[dict[str, Any]]:
    failed = Document.objects.filter(batch=batch, status=Document.Status.FAILED).order_by("batch_index")
    return [
        {"index": index, "documentId": pk, "message": error}
        for index, pk, error in failed.values_list("batch_index", "pk", "error")[:SHOWN_ERRORS]
    ]
