"""Webhooks of an organization, the events they are told, and the log of every attempt."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Self

from cryptography.fernet import InvalidToken
from django.db import models
from django.utils import timezone

from accounts.credentials import decrypt, encrypt, hint, mask
from accounts.models import Organization
from accounts.webhooks.addresses import MAX_URL_LENGTH
from accounts.webhooks.signing import SECRET_PREFIX
from config.api.ids import ID_LENGTH, id_maker
from config.api.rows import ByIdQuerySet

MAX_EARLIER_SECRETS = 5


class WebhookQuerySet(ByIdQuerySet["Webhook"]):
    """Queries of webhooks. They belong to organizations, never to end users."""

    def of(self, organization_id: str) -> Self:
        """Return an organization's webhooks."""
        return self.filter(organization_id=organization_id)


class Webhook(models.Model):
    """An address that an organization wants to be told events at."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=id_maker("whk"), editable=False)
    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField("URL", max_length=MAX_URL_LENGTH)
    description = models.CharField(max_length=255, blank=True, default="")
    # Empty: all types, also those that come to be later.
    event_types = models.JSONField(default=list, blank=True)
    enabled = models.BooleanField(default=True)
    secret_encrypted = models.TextField(editable=False)
    secret_hint = models.CharField(max_length=4, editable=False)
    # Replaced secrets that still sign: [{"secret": <encrypted>, "until": <Unix seconds>}], newest first.
    earlier_secrets = models.JSONField(default=list, blank=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    updated_at = models.DateTimeField(default=timezone.now, editable=False)
    # Since when nothing arrived any more: the first failure after the last success.
    failing_since = models.DateTimeField(null=True, blank=True, editable=False)
    # The receiver did not answer: until then nothing is sent, and then one message at a time.
    paused_until = models.DateTimeField(null=True, blank=True, editable=False)
    # Set when the service itself disabled the webhook; a person who disables it leaves no reason.
    disabled_at = models.DateTimeField(null=True, blank=True, editable=False)
    disabled_reason = models.CharField(max_length=255, blank=True, default="", editable=False)

    objects = WebhookQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="webhook_secret_is_encrypted",
                condition=models.Q(secret_encrypted__startswith="gAAAAA"),  # noqa: S106 (a prefix)
            ),
        ]

    def __str__(self) -> str:
        return self.url

    @property
    def masked_secret(self) -> str:
        """The secret as it may be shown."""
        return mask(SECRET_PREFIX, self.secret_hint)

    def set_secret(self, secret: str, *, earlier_until: datetime | None = None) -> None:
        """Replace the secret on this object; the replaced one signs beside it until `earlier_until`.

        One that cannot be decrypted any more (its key is gone) signs nothing.
        """
        earlier = self._earlier()
        if earlier_until is not None:
            with suppress(InvalidToken):
                decrypt(self.secret_encrypted)
                earlier.insert(0, {"secret": self.secret_encrypted, "until": earlier_until.timestamp()})
        self.earlier_secrets = earlier[:MAX_EARLIER_SECRETS]
        self.secret_encrypted = encrypt(secret)
        self.secret_hint = hint(secret.rstrip("="))

    def signing_secrets(self) -> list[str]:
        """Return the secrets that sign now, the present one first; raises InvalidToken when that is lost."""
        secrets = [decrypt(self.secret_encrypted)]
        for entry in self._earlier():
            with suppress(InvalidToken):
                secrets.append(decrypt(entry["secret"]))
        return secrets

    @property
    def earlier_secret_until(self) -> datetime | None:
        """Until when a secret that was replaced signs beside the present one; None when none does."""
        until = [entry["until"] for entry in self._earlier()]
        return datetime.fromtimestamp(max(until), UTC) if until else None

    def _earlier(self) -> list[dict[str, Any]]:
        now = timezone.now().timestamp()
        return [entry for entry in self.earlier_secrets if entry["until"] > now]


class WebhookEvent(models.Model):
    """Something that happened, with the very bytes that every receiver is sent."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=id_maker("evt"), editable=False)
    organization = models.ForeignKey(
        Organization, on_delete=models.CASCADE, related_name="webhook_events", db_index=False
    )
    type = models.CharField(max_length=64)
    external_user_id = models.CharField(max_length=255, null=True, blank=True)  # noqa: DJ001 (null: the organization's own)
    # Text and not JSON: the signature counts bytes, and a retry must send the same ones.
    body = models.TextField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [
            models.Index(fields=["organization", "created_at"], name="webhook_event_by_organization"),
            models.Index(fields=["created_at"], name="webhook_event_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.pk}"


class WebhookDelivery(models.Model):
    """One event on its way to one webhook.

    `attempts` fences: an attempt is claimed by a conditional update that names how many there were, so a task
    that runs twice or late changes nothing (`accounts.webhooks.deliveries`).
    """

    class Status(models.TextChoices):
        """Where a delivery stands."""

        PENDING = "pending", "Pending"
        DELIVERED = "delivered", "Delivered"
        FAILED = "failed", "Failed"

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=id_maker("dlv"), editable=False)
    # Without a constraint: a webhook that is deleted while a render completes must not make the render fail.
    # The delivery is then found to lead nowhere, and deleted.
    webhook = models.ForeignKey(
        Webhook, on_delete=models.CASCADE, related_name="deliveries", db_index=False, db_constraint=False
    )
    event = models.ForeignKey(WebhookEvent, on_delete=models.CASCADE, related_name="deliveries")
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.PENDING)
    attempts = models.PositiveIntegerField(default=0)
    # Attempts since the event or its last replay: decides about the next delay.
    tries = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    # Since when it waits to be sent: its last replay; null while there was none, since it was created.
    waiting_since = models.DateTimeField(null=True, blank=True, editable=False)
    next_attempt_at = models.DateTimeField(null=True, blank=True)
    # A worker is sending until then, or was killed.
    claimed_until = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)
    # Of the last attempt, so that lists need not read them all.
    last_status_code = models.PositiveIntegerField(null=True, blank=True)
    last_error = models.CharField(max_length=500, blank=True, default="")

    objects = ByIdQuerySet["WebhookDelivery"].as_manager()

    class Meta:
        verbose_name_plural = "webhook deliveries"
        constraints = [
            models.UniqueConstraint(name="one_delivery_per_webhook", fields=["webhook", "event"]),
        ]
        indexes = [
            models.Index(fields=["webhook", "-id"], name="webhook_delivery_by_webhook"),
            models.Index(fields=["webhook", "status", "-id"], name="webhook_delivery_by_status"),
            models.Index(
                fields=["next_attempt_at"],
                name="webhook_delivery_pending",
                condition=models.Q(status="pending"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event_id} to {self.webhook_id}"

    @property
    def is_pending(self) -> bool:
        """Tell whether further attempts are to come."""
        return self.status == self.Status.PENDING


def unclaimed(now: datetime) -> models.Q:
    """Return the condition that no worker is sending a delivery now."""
    return models.Q(claimed_until=None) | models.Q(claimed_until__lt=now)


class WebhookAttempt(models.Model):
    """One request to a receiver and what came of it."""

    delivery = models.ForeignKey(WebhookDelivery, on_delete=models.CASCADE, related_name="log")
    number = models.PositiveIntegerField()
    started_at = models.DateTimeField()
    duration_ms = models.PositiveIntegerField()
    status_code = models.PositiveIntegerField(null=True, blank=True)
    error = models.CharField(max_length=500, blank=True, default="")
    response = models.TextField(blank=True, default="", help_text="The first 2 KB of the answer.")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"attempt {self.number}: {self.status_code or self.error}"
