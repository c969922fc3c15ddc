"""Documents, batches of them, and the data of what is still to be rendered."""

from __future__ import annotations

from typing import Self, TypeVar

from django.db import models

from accounts.caller import Caller
from accounts.models import Organization
from accounts.scoping import OwnedQuerySet
from config.api.ids import ID_LENGTH, id_maker
from config.clocks import shared_now
from templates_app.models import UNSEEN_COLUMNS, Template

M = TypeVar("M", bound=models.Model)


def _asker() -> models.CharField[str, str]:
    """Return the field for who asked, as `Caller.author` signs it; empty before that was kept.

    For the organization's members alone: end users see documents too, and members' addresses are not theirs.
    """
    return models.CharField(max_length=320, blank=True, default="", db_default="")


def _reference() -> models.CharField[str | None, str | None]:
    """Return the field for the caller's own name of a row, whose meaning nobody else knows; null for none."""
    return models.CharField(max_length=255, null=True, blank=True)


class OfTemplates(OwnedQuerySet[M]):
    """Queries of rows that have a `template`."""

    def with_templates(self) -> Self:
        """Read the templates along, without what pages with many rows do not show."""
        return self.select_related("template").defer(*(f"template__{name}" for name in UNSEEN_COLUMNS))


class BatchQuerySet(OfTemplates["Batch"]):
    """Queries of batches."""

    def visible_to(self, caller: Caller) -> BatchQuerySet:
        """Return the caller's batches; what is being deleted is gone already."""
        return super().visible_to(caller).exclude(status=Batch.Status.DELETED)


class Batch(models.Model):
    """Many documents of one template: `queued`, `processing`, then `completed`, `failed` or `cancelled`.

    Every item is a document of its own (`Document.batch_index`) from the moment it is taken up; until then
    its data waits in a BatchChunk.
    """

    class Status(models.TextChoices):
        QUEUED = "queued"
        PROCESSING = "processing"
        COMPLETED = "completed"
        FAILED = "failed"
        CANCELLED = "cancelled"
        DELETED = "deleted"  # invisible; gone once its documents and its file are

    AT_WORK = (Status.QUEUED, Status.PROCESSING)

    class Output(models.TextChoices):
        FILES = "files"
        ZIP = "zip"
        MERGED = "merged"

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=id_maker("bat"), editable=False)
    organization = models.ForeignKey(
        Organization, on_delete=models.PROTECT, related_name="batches", db_index=False
    )
    external_user_id = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001 (null: the organization's own)
    template = models.ForeignKey(Template, on_delete=models.PROTECT, related_name="+")
    template_version = models.PositiveIntegerField()
    format = models.CharField(max_length=20)
    output = models.CharField(max_length=20, choices=Output.choices)
    status = models.CharField(max_length=20, choices=Status.choices, default=Status.QUEUED)
    total = models.PositiveIntegerField()
    # Changed in the transactions that end a document.
    completed = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    filename = models.CharField(max_length=255)
    # Storage name of the zip or merged file; empty for `files` and where no item was completed.
    file = models.CharField(max_length=255, blank=True)
    file_size_bytes = models.PositiveBigIntegerField(null=True)
    error = models.TextField(blank=True, default="")
    reference = _reference()
    created_by = _asker()
    # Grows each time its file is begun; only the latest one may complete it.
    attempt = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()
    completed_at = models.DateTimeField(null=True)
    idempotency_digest = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 (null: no key)
    request_digest = models.CharField(max_length=64, default="", blank=True)

    objects = BatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "batches"
        indexes = [
            models.Index(fields=["organization", "-id"], name="batch_by_organization"),
            models.Index(fields=["organization", "external_user_id", "-id"], name="batch_by_user"),
            # Few: their items are counted for every new batch.
            models.Index(
                fields=["organization"],
                condition=models.Q(status="queued") | models.Q(status="processing"),
                name="batch_at_work",
            ),
            models.Index(
                fields=["created_at"],
                condition=models.Q(idempotency_digest__isnull=False),
                name="batch_with_key",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.filename} ({self.total})"

    @property
    def done(self) -> int:
        """How many of its documents have ended, well or not."""
        return self.completed + self.failed

    @property
    def has_ended(self) -> bool:
        """Tell whether nothing more is done for it."""
        return self.status not in Batch.AT_WORK


class BatchChunk(models.Model):
    """Some successive items of a batch that are still to be rendered; deleted when they are."""

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="chunks")
    first_index = models.PositiveIntegerField()
    # `rendering.payloads`: a list of data, file name and end user, and the reference where there is one.
    payload = models.BinaryField()

    def __str__(self) -> str:
        return f"{self.batch_id} from {self.first_index}"


class DocumentQuerySet(OfTemplates["Document"]):
    """Queries of documents."""

    def visible_to(self, caller: Caller) -> DocumentQuerySet:
        """Return the caller's documents; what is being deleted is gone already."""
        return super().visible_to(caller).exclude(status=Document.Status.DELETED)

    def completed(self) -> DocumentQuerySet:
        """Return the documents that can be downloaded."""
        return self.filter(status=Document.Status.COMPLETED)

    def interrupted(self) -> DocumentQuerySet:
        """Return the documents whose render, clean-up or deletion was killed; oldest first."""
        now = shared_now()
        killed = models.Q(status=Document.Status.PROCESSING, lease_expires_at__lt=now)
        untidy = models.Q(status=Document.Status.FAILED, lease_expires_at__lt=now) & ~models.Q(file="")
        deleted = models.Q(status=Document.Status.DELETED, lease_expires_at__lt=now)
        return self.filter(killed | untidy | deleted).order_by("lease_expires_at")


class Document(models.Model):
    """The result of a render: `processing` first, then `completed` with a file or `failed` without one."""

    class Status(models.TextChoices):
        PROCESSING = "processing"
        COMPLETED = "completed"
        FAILED = "failed"
        DELETED = "deleted"  # invisible; gone once its file is, and nobody can write that any more

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=id_maker("doc"), editable=False)
    # The foreign keys' own indexes would be prefixes of those below.
    organization = models.ForeignKey(
        Organization, on_delete=models.PROTECT, related_name="documents", db_index=False
    )
    external_user_id = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001 (null: the organization's own)
    template = models.ForeignKey(Template, on_delete=models.PROTECT, related_name="documents", db_index=False)
    template_version = models.PositiveIntegerField()
    format = models.CharField(max_length=20)
    batch = models.ForeignKey(
        Batch, on_delete=models.PROTECT, related_name="documents", null=True, blank=True, db_index=False
    )
    batch_index = models.PositiveIntegerField(null=True, blank=True)
    status = models.CharField(max_length=20, choices=Status.choices, default=Status.PROCESSING)
    filename = models.CharField(max_length=255)
    # Storage name, known before the file exists: whoever finds the row can clean up after a killed render.
    # Emptied once a failed render is cleaned up.
    file = models.CharField(max_length=255, blank=True)
    file_size_bytes = models.PositiveBigIntegerField(null=True)
    render_time_ms = models.PositiveIntegerField(null=True)
    error = models.TextField(blank=True, default="")
    reference = _reference()
    created_by = _asker()
    created_at = models.DateTimeField()
    completed_at = models.DateTimeField(null=True)
    # 0: rendered within its request. Else the times a job has begun; only the latest one may end it.
    attempt = models.PositiveSmallIntegerField(default=0, db_default=0)
    # A render still `processing` after this moment was killed, or its job was lost.
    lease_expires_at = models.DateTimeField()
    # Digest of caller and Idempotency-Key, released when the render fails or after a day.
    idempotency_digest = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 (null: no key)
    request_digest = models.CharField(max_length=64, default="", blank=True)

    objects = DocumentQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["organization", "-id"], name="document_by_organization"),
            # With the format behind the id: rows of the other one are passed over unseen.
            models.Index(
                fields=["organization", "external_user_id", "-id", "format"],
                name="document_by_user_and_format",
            ),
            models.Index(fields=["organization", "format", "-id"], name="document_by_format"),
            models.Index(fields=["template", "-id"], name="document_by_template"),
            models.Index(
                fields=["organization", "reference", "-id"],
                condition=models.Q(reference__isnull=False),
                name="document_by_reference",
            ),
            # Few, and looked for among many completed ones.
            models.Index(
                fields=["organization", "status", "-id"],
                condition=models.Q(status="processing") | models.Q(status="failed"),
                name="document_not_completed",
            ),
            models.Index(
                fields=["lease_expires_at"],
                condition=models.Q(status="processing")
                | models.Q(status="failed") & ~models.Q(file="")
                | models.Q(status="deleted"),
                name="document_to_tidy",
            ),
            # Few: `rendering.retention` releases them after a day.
            models.Index(
                fields=["created_at"],
                condition=models.Q(idempotency_digest__isnull=False),
                name="document_with_key",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["batch", "batch_index"],
                condition=models.Q(batch__isnull=False),
                name="one_document_per_item",
            ),
            models.CheckConstraint(
                condition=~models.Q(status="completed")
                | models.Q(
                    file_size_bytes__isnull=False, render_time_ms__isnull=False, completed_at__isnull=False
                ),
                name="completed_document_is_complete",
            ),
        ]

    def __str__(self) -> str:
        return self.filename


class RenderInput(models.Model):
    """The data of a document that a job will render: personal data, deleted when it has."""

    document = models.OneToOneField(
        Document, primary_key=True, on_delete=models.CASCADE, related_name="render_input"
    )
    payload = models.BinaryField()  # `rendering.payloads`

    def __str__(self) -> str:
        return self.document_id
