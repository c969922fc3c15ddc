"""How documents look on the wire."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.utils import timezone
from rest_framework import serializers

from rendering.models import Document


class DocumentSerializer(serializers.Serializer[Any]):
    """A rendered document with a fresh link."""

    documentId = serializers.CharField()
    status = serializers.ChoiceField(choices=Document.Status.choices)
    downloadUrl = serializers.URLField(help_text="Presigned; valid until `expiresAt`.")
    fileSizeBytes = serializers.IntegerField()
    renderTimeMs = serializers.IntegerField()
    format = serializers.CharField()
    templateId = serializers.CharField()
    templateVersion = serializers.IntegerField()
    filename = serializers.CharField()
    createdAt = serializers.DateTimeField()
    expiresAt = serializers.DateTimeField(
        help_text="When downloadUrl stops working; ask for a fresh one then."
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


def document_body(document: Document, download_url: str, expires_at: datetime) -> dict[str, Any]:
    """Return the answer to a render."""
    return {
        "documentId": document.pk,
        "status": document.status,
        "downloadUrl": download_url,
        "fileSizeBytes": document.file_size_bytes,
        "renderTimeMs": document.render_time_ms,
        "format": document.format,
        "templateId": document.template_id,
        "templateVersion": document.template_version,
        "filename": document.filename,
        "createdAt": timestamp(document.created_at),
        "expiresAt": timestamp(expires_at),
    }
