"""Webhooks, deliveries and attempts on the wire."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from accounts.webhooks.events import MESSAGE_TYPES, EventType
from accounts.webhooks.models import Webhook, WebhookDelivery
from accounts.webhooks.schema import ATTEMPTS, DELIVERY, PENDING
from config.api.schema import shown_as


class WebhookSerializer(serializers.Serializer[Any]):
    """An address that events are sent to; its secret is masked."""

    id = serializers.CharField(read_only=True)
    url = serializers.CharField(read_only=True)
    description = serializers.CharField(read_only=True)
    eventTypes = serializers.SerializerMethodField(
        method_name="types", help_text="The types of events that are sent; null is all of them."
    )
    enabled = serializers.BooleanField(read_only=True, help_text="A disabled webhook gets no messages.")
    secret = serializers.CharField(
        source="masked_secret",
        read_only=True,
        help_text="Signs the messages. In full (`whsec_...`) only in the answers of creation and rotation.",
    )
    failingSince = serializers.DateTimeField(
        source="failing_since",
        read_only=True,
        allow_null=True,
        help_text="The first failure after the last success; null while messages arrive.",
    )
    disabledAt = serializers.DateTimeField(
        source="disabled_at",
        read_only=True,
        allow_null=True,
        help_text="When the service disabled the webhook because of its failures.",
    )
    disabledReason = serializers.CharField(
        source="disabled_reason", read_only=True, help_text="Why it did; empty otherwise."
    )
    createdAt = serializers.DateTimeField(source="created_at", read_only=True)
    updatedAt = serializers.DateTimeField(source="updated_at", read_only=True)

    def types(self, webhook: Webhook) -> list[EventType] | None:
        """Return the types, null for all."""
        return webhook.event_types or None


class WebhookWithSecretSerializer(WebhookSerializer):
    """A webhook with its secret in full, shown this once."""

    secret = serializers.CharField(read_only=True, help_text="Keep it where your receiver verifies messages.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the fields of a `services.NewSecret`: the webhook's, with the new secret among them."""
        return WebhookSerializer(instance.webhook).data | {"secret": instance.secret}


class WebhookAttemptSerializer(serializers.Serializer[Any]):
    """One request to the receiver and what came of it."""

    number = serializers.IntegerField(read_only=True)
    startedAt = serializers.DateTimeField(source="started_at", read_only=True)
    durationMs = serializers.IntegerField(source="duration_ms", read_only=True)
    statusCode = serializers.IntegerField(
        source="status_code", read_only=True, allow_null=True, help_text="Null when there was no answer."
    )
    error = serializers.CharField(read_only=True, help_text="What was wrong; empty for a success.")
    response = serializers.CharField(read_only=True, help_text="The first 2 KB of the answer's body.")


@shown_as(DELIVERY)
class WebhookDeliverySummarySerializer(serializers.Serializer[Any]):
    """One event on its way to one webhook."""

    id = serializers.CharField(read_only=True)
    eventId = serializers.CharField(
        source="event_id", read_only=True, help_text="The `webhook-id` of the message, over all attempts."
    )
    eventType = serializers.ChoiceField(source="event.type", choices=MESSAGE_TYPES, read_only=True)
    status = serializers.ChoiceField(choices=WebhookDelivery.Status.choices, read_only=True)
    attempts = serializers.IntegerField(read_only=True, help_text="How many there were.")
    lastStatusCode = serializers.IntegerField(source="last_status_code", read_only=True, allow_null=True)
    lastError = serializers.CharField(source="last_error", read_only=True, help_text="Empty after a success.")
    createdAt = serializers.DateTimeField(source="created_at", read_only=True)
    nextAttemptAt = serializers.DateTimeField(
        source="next_attempt_at", read_only=True, allow_null=True, help_text="Null when none is to come."
    )
    completedAt = serializers.DateTimeField(
        source="completed_at", read_only=True, allow_null=True, help_text="When it arrived or was given up."
    )


@shown_as(DELIVERY | ATTEMPTS, accepted=DELIVERY | ATTEMPTS | PENDING)
class WebhookDeliverySerializer(WebhookDeliverySummarySerializer):
    """A delivery with its message and every attempt."""

    body = serializers.CharField(
        source="event.body", read_only=True, help_text="The body that is sent, byte for byte."
    )
    log = WebhookAttemptSerializer(many=True, read_only=True, help_text="The attempts, oldest first.")
