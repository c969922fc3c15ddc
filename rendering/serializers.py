"""How documents look on the wire."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone
from rest_framework import serializers

from rendering.models import Document

# `deleted` is never seen.
STATUSES = (Document.Status.PROCESSING, Document.Status.COMPLETED, Document.Status.FAILED)


class DocumentSummarySerializer(serializers.Serializer[Any]):
    """A document without a link, as lists and events have it."""

    documentId = serializers.CharField()
    status = serializers.ChoiceField(choices=STATUSES)
    fileSizeBytes = serializers.IntegerField(allow_null=True, help_text="null unless completed.")
    renderTimeMs = serializers.IntegerField(allow_null=True, help_text="null unless completed.")
    format = serializers.CharField()
    templateId = serializers.CharField()
    templateVersion = serializers.IntegerField()
    filename = serializers.CharField()
    externalUserId = serializers.CharField(
        allow_null=True, help_text="End user who owns it; null is the organization itself."
    )
    batchId = serializers.CharField(allow_null=True, help_text="The batch that it is an item of.")
    batchIndex = serializers.IntegerField(allow_null=True, help_text="Its place in `items` of the batch.")
    error = serializers.CharField(allow_null=True, help_text="Why it failed; null unless it has.")
    createdAt = serializers.DateTimeField()
    completedAt = serializers.DateTimeField(allow_null=True)


class DocumentSerializer(DocumentSummarySerializer):
    """A document with a fresh link."""

    downloadUrl = serializers.URLField(
        allow_null=True, help_text="Presigned; valid until `expiresAt`. null unless completed."
    )
    expiresAt = serializers.DateTimeField(
        allow_null=True, help_text="When downloadUrl stops working; ask for a fresh one then."
    )


class DownloadSerializer(serializers.Serializer[Any]):
    """A fresh link in a body, for browsers that cannot follow the redirect."""

    documentId = serializers.CharField()
    downloadUrl = serializers.URLField()
    expiresAt = serializers.DateTimeField()


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
