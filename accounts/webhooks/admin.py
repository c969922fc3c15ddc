"""Webhooks and their deliveries in the admin: to look at. They are managed by API and dashboard."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import TabularInline
from unfold.decorators import display

from accounts.admin_pages import ReadOnlyAdmin, badge, badges, identifier, moment
from accounts.webhooks.models import Webhook, WebhookAttempt, WebhookDelivery


@admin.register(Webhook)
class WebhookAdmin(ReadOnlyAdmin):
    """Where organizations are told what happens, and whether it arrives."""

    list_display = ("header", "organization", "types", "state", "failing", "created")
    list_filter = ("enabled",)
    search_fields = ("=id", "url", "=organization__id", "organization__name")
    search_help_text = "Id, URL or organization"
    list_select_related = ("organization",)
    created = moment("created_at", "Created")
    failing = moment("failing_since", "Failing since")
    disabled = moment("disabled_at", "Disabled by the service")
    fieldsets = (
        (None, {"fields": ("url", "organization", "description", "types", "state")}),
        ("Health", {"fields": ("failing", "disabled", "disabled_reason")}),
        ("About", {"fields": ("shown_id", "secret", "created")}),
    )
    readonly_fields = ("types", "state", "failing", "disabled", "shown_id", "secret", "created")

    @display(description="Webhook", header=True, ordering="url")
    def header(self, webhook: Webhook) -> tuple[Any, ...]:
        """URL over id."""
        return webhook.url, identifier(webhook.pk)

    @display(description="Events")
    def types(self, webhook: Webhook) -> str:
        """The types that it wants."""
        return badges(webhook.event_types) if webhook.event_types else "all"

    @display(description="State", ordering="enabled")
    def state(self, webhook: Webhook) -> str:
        """Enabled or not, and whether the service or a person disabled it."""
        if webhook.enabled:
            return badge("failing" if webhook.failing_since else "enabled")
        return badge("disabled by the service" if webhook.disabled_at else "disabled")

    @display(description="Id")
    def shown_id(self, webhook: Webhook) -> str:
        """The id as code."""
        return identifier(webhook.pk)

    @display(description="Secret")
    def secret(self, webhook: Webhook) -> str:
        """Prefix and last four characters."""
        return identifier(webhook.masked_secret)


class AttemptInline(TabularInline):
    """Every attempt of a delivery, on its page."""

    model = WebhookAttempt
    extra = 0
    per_page = 20
    can_delete = False
    fields = ("number", "started", "duration_ms", "status_code", "error", "response")
    readonly_fields = fields
    verbose_name_plural = "attempts"
    started = moment("started_at", "Started")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody adds an attempt."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody edits an attempt."""
        return False


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(ReadOnlyAdmin):
    """The delivery log of all webhooks."""

    inlines = (AttemptInline,)
    list_display = ("header", "webhook", "shown_status", "attempts", "last_error", "created")
    list_filter = ("status",)
    search_fields = ("=id", "=event__id", "=webhook__id")
    search_help_text = "Id of the delivery, its event or its webhook"
    list_select_related = ("event", "webhook")
    ordering = ("-id",)
    created = moment("created_at", "Created")
    due = moment("next_attempt_at", "Next attempt")
    completed = moment("completed_at", "Completed")
    fieldsets = (
        (None, {"fields": ("webhook", "event_type", "event_id", "shown_status", "attempts")}),
        ("Times", {"fields": ("created", "due", "completed")}),
        ("Last attempt", {"fields": ("last_status_code", "last_error")}),
    )
    readonly_fields = ("event_type", "event_id", "shown_status", "created", "due", "completed")

    def get_queryset(self, request: HttpRequest) -> QuerySet[WebhookDelivery]:
        """Leave the bodies out: they are the organization's own affair."""
        deliveries: QuerySet[WebhookDelivery] = super().get_queryset(request)
        return deliveries.select_related("event", "webhook").defer("event__body")

    @display(description="Delivery", header=True, ordering="id")
    def header(self, delivery: WebhookDelivery) -> tuple[Any, ...]:
        """Type over id."""
        return delivery.event.type, identifier(delivery.pk)

    @display(description="Event")
    def event_type(self, delivery: WebhookDelivery) -> str:
        """What happened."""
        return delivery.event.type

    @display(description="Event id (webhook-id)")
    def event_id(self, delivery: WebhookDelivery) -> str:
        """The id of the message."""
        return identifier(delivery.event_id)

    @display(description="Status", ordering="status")
    def shown_status(self, delivery: WebhookDelivery) -> str:
        """The status as a badge."""
        return badge(delivery.status)
