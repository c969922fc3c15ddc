"""The schema of batches."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from config.api.schema import shown_as
from rendering.answers import SHOWN_ERRORS
from rendering.models import Batch

STATUSES = [status for status in Batch.Status if status != Batch.Status.DELETED]

_SUMMARY = {
    "id": "bat_01k9xq3v7m2c8r5t0w4y6z1b3d",
    "status": "completed",
    "templateId": "tpl_01jd0000000000000000000000",
    "templateVersion": 3,
    "format": "pdf",
    "output": "merged",
    "filename": "invoices.pdf",
    "externalUserId": None,
    "reference": None,
    "items": {"total": 2, "completed": 1, "failed": 1, "pending": 0, "cancelled": 0},
    "fileSizeBytes": 71204,
    "error": None,
    "createdAt": "2026-11-02T08:15:30.123456Z",
    "completedAt": "2026-11-02T08:15:31.601533Z",
}
_RESULT = {
    "errors": [
        {
            "index": 1,
            "documentId": "doc_01k9xq3v7m2c8r5t0w4y6z1b3e",
            "message": "data.items[3].price: must be a number",
        }
    ],
    "downloadUrl": "https://documents.example.com/files/batches/org_01k8z4/bat_01k9xq.pdf"
    "?Expires=1793607330&Signature=...",
    "expiresAt": "2026-11-02T09:15:31.601533Z",
}
_ACCEPTED: dict[str, Any] = {
    "status": "queued",
    "items": {"total": 2, "completed": 0, "failed": 0, "pending": 2, "cancelled": 0},
    "fileSizeBytes": None,
    "completedAt": None,
    "errors": [],
    "downloadUrl": None,
    "expiresAt": None,
}


class BatchItemsSerializer(serializers.Serializer[Any]):
    """How far the items of a batch are; the numbers add up to `total`."""

    total = serializers.IntegerField()
    completed = serializers.IntegerField()
    failed = serializers.IntegerField()
    pending = serializers.IntegerField(help_text="Not rendered yet.")
    cancelled = serializers.IntegerField(help_text="Never rendered: the batch was cancelled before.")


class BatchErrorSerializer(serializers.Serializer[Any]):
    """Why an item failed."""

    index = serializers.IntegerField(help_text="Its place in `items`, from 0.")
    documentId = serializers.CharField()
    message = serializers.CharField()


@shown_as(_SUMMARY)
class BatchSummarySerializer(serializers.Serializer[Any]):
    """A batch, as lists and events have it."""

    id = serializers.CharField()
    status = serializers.ChoiceField(choices=STATUSES)
    templateId = serializers.CharField()
    templateVersion = serializers.IntegerField()
    format = serializers.CharField()
    output = serializers.ChoiceField(choices=Batch.Output.choices)
    filename = serializers.CharField()
    externalUserId = serializers.CharField(allow_null=True)
    reference = serializers.CharField(allow_null=True, help_text="Your own name for it, as it was sent.")
    items = BatchItemsSerializer()
    fileSizeBytes = serializers.IntegerField(
        allow_null=True, help_text="Size of the zip or merged file; null while there is none."
    )
    error = serializers.CharField(allow_null=True, help_text="Why the batch failed; null unless it has.")
    createdAt = serializers.DateTimeField()
    completedAt = serializers.DateTimeField(allow_null=True, help_text="When it ended, however it did.")


@shown_as(_SUMMARY | _RESULT, accepted=_SUMMARY | _ACCEPTED)
class BatchSerializer(BatchSummarySerializer):
    """A batch with what went wrong, and the link to its file."""

    errors = BatchErrorSerializer(  # type: ignore[assignment]  # shown, never validated
        many=True,
        help_text=(
            f"The first {SHOWN_ERRORS} items that failed; all of them are in "
            "`GET /v1/documents?batchId=...&status=failed`."
        ),
    )
    downloadUrl = serializers.URLField(
        allow_null=True, help_text="Presigned link to the zip or merged file; null while there is none."
    )
    expiresAt = serializers.DateTimeField(allow_null=True, help_text="When downloadUrl stops working.")
