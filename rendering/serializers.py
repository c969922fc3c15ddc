"""The schema of documents."""

from __future__ import annotations

from typing import Any

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
