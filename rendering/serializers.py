"""The schema of documents."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from config.api.schema import shown_as
from rendering.models import Document

# `deleted` is never seen.
STATUSES = (Document.Status.PROCESSING, Document.Status.COMPLETED, Document.Status.FAILED)

_SUMMARY = {
    "documentId": "doc_01k9xq3v7m2c8r5t0w4y6z1b3d",
    "status": "completed",
    "fileSizeBytes": 69988,
    "renderTimeMs": 14,
    "format": "pdf",
    "templateId": "tpl_01jd0000000000000000000000",
    "templateVersion": 3,
    "filename": "invoice-2026-0042.pdf",
    "externalUserId": None,
    "reference": "order-4711",
    "batchId": None,
    "batchIndex": None,
    "error": None,
    "createdAt": "2026-11-02T08:15:30.123456Z",
    "completedAt": "2026-11-02T08:15:30.141209Z",
}
_LINK = {
    "downloadUrl": "https://documents.example.com/files/documents/org_01k8z4/doc_01k9xq.pdf"
    "?Expires=1793607330&Signature=...",
    "expiresAt": "2026-11-02T09:15:30.141209Z",
}
_NOT_YET = dict.fromkeys(("fileSizeBytes", "renderTimeMs", "completedAt", *_LINK))


@shown_as(_SUMMARY)
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
    reference = serializers.CharField(allow_null=True, help_text="Your own name for it, as it was sent.")
    batchId = serializers.CharField(allow_null=True, help_text="The batch that it is an item of.")
    batchIndex = serializers.IntegerField(allow_null=True, help_text="Its place in `items` of the batch.")
    error = serializers.CharField(allow_null=True, help_text="Why it failed; null unless it has.")
    createdAt = serializers.DateTimeField()
    completedAt = serializers.DateTimeField(allow_null=True)


@shown_as(_SUMMARY | _LINK, accepted=_SUMMARY | _NOT_YET | {"status": "processing"})
class DocumentSerializer(DocumentSummarySerializer):
    """A document with a fresh link."""

    downloadUrl = serializers.URLField(
        allow_null=True, help_text="Presigned; valid until `expiresAt`. null unless completed."
    )
    expiresAt = serializers.DateTimeField(
        allow_null=True, help_text="When downloadUrl stops working; ask for a fresh one then."
    )


@shown_as({"documentId": _SUMMARY["documentId"]} | _LINK)
class DownloadSerializer(serializers.Serializer[Any]):
    """A fresh link in a body, for browsers that cannot follow the redirect."""

    documentId = serializers.CharField()
    downloadUrl = serializers.URLField()
    expiresAt = serializers.DateTimeField()
