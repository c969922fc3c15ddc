"""How batches look on the wire."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from rest_framework import serializers

from rendering.models import Batch, Document
from rendering.serializers import timestamp

STATUSES = [status for status in Batch.Status if status != Batch.Status.DELETED]
SHOWN_ERRORS = 100


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
    items = BatchItemsSerializer()
    fileSizeBytes = serializers.IntegerField(
        allow_null=True, help_text="Size of the zip or merged file; null while there is none."
    )
    error = serializers.CharField(allow_null=True, help_text="Why the batch failed; null unless it has.")
    createdAt = serializers.DateTimeField()
    completedAt = serializers.DateTimeField(allow_null=True, help_text="When it ended, however it did.")


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
