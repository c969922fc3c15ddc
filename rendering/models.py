"""Documents."""

from __future__ import annotations

from datetime import datetime

from django.db import models

from accounts.models import Organization
from accounts.scoping import OwnedQuerySet
from config.api.ids import ID_LENGTH, id_maker
from templates_app.models import Template


class DocumentQuerySet(OwnedQuerySet["Document"]):
    """Queries of documents."""

    def completed(self) -> DocumentQuerySet:
        """Return the documents that can be downloaded."""
        return self.filter(status=Document.Status.COMPLETED)

    def interrupted(self, now: datetime) -> DocumentQuerySet:
        """Return the documents whose render, or whose clean-up after a failure, was killed; oldest first."""
        killed = models.Q(status=Document.Status.PROCESSING, lease_expires_at__lt=now)
        untidy = models.Q(status=Document.Status.FAILED, lease_expires_at__lt=now) & ~models.Q(file="")
        return self.filter(killed | untidy).order_by("lease_expires_at")


class Document(models.Model):
    """The result of a render: `processing` first, then `completed` with a file or `failed` without one."""

    class Status(models.TextChoices):
        PROCESSING = "processing"
        COMPLETED = "completed"
        FAILED = "failed"

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=id_maker("doc"), editable=False)
    organization = models.ForeignKey(Organization, on_delete=models.PROTECT, related_name="documents")
    external_user_id = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001 (null: the organization's own)
    template = models.ForeignKey(Template, on_delete=models.PROTECT, related_name="documents")
    template_version = models.PositiveIntegerField()
    format = models.CharField(max_length=20)
    status = models.CharField(max_length=20, choices=Status.choices, default=Status.PROCESSING)
    filename = models.CharField(max_length=255)
    # Storage name, known before the file exists: whoever finds the row can clean up after a killed render.
    # Emptied once a failed render is cleaned up.
    file = models.CharField(max_length=255, blank=True)
    file_size_bytes = models.PositiveBigIntegerField(null=True)
    render_time_ms = models.PositiveIntegerField(null=True)
    error = models.TextField(blank=True, default="")
    created_at = models.DateTimeField()
    completed_at = models.DateTimeField(null=True)
    # A render still `processing` after this moment was killed.
    lease_expires_at = models.DateTimeField()
    # Digest of caller and Idempotency-Key, released when the render fails or after a day.
    idempotency_digest = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 (null: no key)
    request_digest = models.CharField(max_length=64, default="", blank=True)

    objects = DocumentQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["organization", "-id"], name="document_by_organization"),
            models.Index(fields=["organization", "external_user_id", "-id"], name="document_by_user"),
            models.Index(
                fields=["lease_expires_at"],
                condition=models.Q(status="processing") | models.Q(status="failed") & ~models.Q(file=""),
                name="document_to_sweep",
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(status="completed")
                | models.Q(
                    file_size_bytes__isnull=False, render_time_ms__isnull=False, completed_at__isnull=False
                ),
                name="completed_document_is_complete",
            )
        ]

    def __str__(self) -> str:
        return self.filename
