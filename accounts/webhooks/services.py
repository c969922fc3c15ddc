"""What can be done to webhooks; the API and the dashboard run these same functions.

`actor` signs the change in the audit log: a person's e-mail address, or `Caller.author`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any, TypeVar

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from pydantic import AfterValidator, Field, ValidationError

from accounts import audit
from accounts.models import Organization
from accounts.webhooks import errors
from accounts.webhooks.addresses import BadAddress, check_url, parse_target
from accounts.webhooks.events import TEST_TYPE, EventType, emit_test
from accounts.webhooks.models import Webhook, WebhookDelivery
from accounts.webhooks.signing import make_secret
from accounts.webhooks.tasks import deliver
from config.api.bodies import BodyModel, PartialBody
from config.api.errors import from_pydantic, invalid

B = TypeVar("B", bound=BodyModel)

MAX_WEBHOOKS = 20
MAX_EVENT_TYPES = 100  # one that comes twice is no mistake
SECRET_OVERLAP = timedelta(hours=24)


def _one_line(text: str) -> str:
    if not text.isprintable():
        raise ValueError("must be one line of printable text")
    return text.strip()


Url = Annotated[
    str,
    Field(
        description="Where messages are sent by POST. `https://`, and a host with public addresses only.",
        examples=["https://hooks.example.com/documents"],
    ),
]
Description = Annotated[
    str, Field(max_length=255, description="For people: what receives here."), AfterValidator(_one_line)
]
EventTypes = Annotated[
    Annotated[list[EventType], Field(min_length=1, max_length=MAX_EVENT_TYPES)] | None,
    Field(description="The types of events to send; null sends all, also types that come to be later."),
]
Enabled = Annotated[bool, Field(description="A disabled webhook gets no messages.")]


class WebhookCreate(BodyModel):
    """A new webhook."""

    url: Url
    description: Description = ""
    event_types: EventTypes = None
    enabled: Enabled = True


class WebhookUpdate(PartialBody):
    """Changes to a webhook; fields that are not sent stay."""

    url: Url = ""
    description: Description = ""
    event_types: EventTypes = None
    enabled: Enabled = True


@dataclass(frozen=True)
class NewSecret:
    """A webhook with its secret in full, which is shown this once."""

    webhook: Webhook
    secret: str


def create_webhook(*, organization: Organization, body: Mapping[str, Any], actor: str) -> NewSecret:
    """Create a webhook from an API body (`url`, `description`, `eventTypes`, `enabled`).

    Raises ApiError 400 that names the wrong fields, or for one webhook too many.
    """
    fields = _parsed(WebhookCreate, body)
    _check_url(fields.url)
    secret = make_secret()
    now = timezone.now()
    webhook = Webhook(
        organization=organization,
        url=fields.url,
        description=fields.description,
        event_types=_stored_types(fields.event_types),
        enabled=fields.enabled,
        created_at=now,
        updated_at=now,
    )
    webhook.set_secret(secret)
    with transaction.atomic():
        # The lock keeps two requests at the same moment from passing the limit together.
        Organization.objects.locked(organization.pk)
        if Webhook.objects.of(organization.pk).count() >= MAX_WEBHOOKS:
            raise errors.too_many_webhooks(MAX_WEBHOOKS)
        webhook.save(force_insert=True)
        _audit(webhook, actor, "webhook.created")
    return NewSecret(webhook, secret)


def update_webhook(*, webhook: Webhook, body: Mapping[str, Any], actor: str) -> Webhook:
    """Change the fields that `body` gives and return the webhook as it is now.

    Enabling forgets why and since when it failed. Raises as `create_webhook` does, and ApiError 404 when the
    webhook is gone.
    """
    fields = _parsed(WebhookUpdate, body, known_url=webhook.url)
    changes = {name: getattr(fields, name) for name in fields.model_fields_set}
    if "url" in changes and changes["url"] != webhook.url:
        _check_url(changes["url"])
    if "event_types" in changes:
        changes["event_types"] = _stored_types(changes["event_types"])
    with transaction.atomic():
        current = _locked(webhook)
        changed = sorted(name for name, value in changes.items() if getattr(current, name) != value)
        if not changed:
            return current
        for name in changed:
            setattr(current, name, changes[name])
        if "enabled" in changed or "url" in changed:
            current.failing_since = current.paused_until = None
        if "enabled" in changed:
            current.disabled_at, current.disabled_reason = None, ""
        current.updated_at = timezone.now()
        current.save(
            update_fields=[
                *changed,
                "failing_since",
                "paused_until",
                "disabled_at",
                "disabled_reason",
                "updated_at",
            ]
        )
        _audit(current, actor, "webhook.updated", {"changed": changed})
    return current


def delete_webhook(*, webhook: Webhook, actor: str) -> None:
    """Delete a webhook with its log; what was not delivered is not sent any more. Raises ApiError 404."""
    with transaction.atomic():
        current = _locked(webhook)
        _audit(current, actor, "webhook.deleted")
        current.delete()


def rotate_secret(*, webhook: Webhook, actor: str) -> NewSecret:
    """Replace the secret; the old one signs beside the new one for SECRET_OVERLAP. Raises ApiError 404."""
    secret = make_secret()
    with transaction.atomic():
        current = _locked(webhook)
        current.set_secret(secret, earlier_until=timezone.now() + SECRET_OVERLAP)
        current.updated_at = timezone.now()
        current.save(update_fields=["secret_encrypted", "secret_hint", "earlier_secrets", "updated_at"])
        _audit(current, actor, "webhook.secret_rotated")
    return NewSecret(current, secret)


def send_test(*, webhook: Webhook) -> WebhookDelivery:
    """Send a `webhook.test` event, also to a disabled webhook; return its delivery, still pending.

    One at a time: tests ignore a slow receiver's pause, and many would keep all workers waiting for it.
    """
    with transaction.atomic():
        current = _locked(webhook)
        tests = deliveries_of(current, status=WebhookDelivery.Status.PENDING).filter(event__type=TEST_TYPE)
        waiting = tests.order_by("-id").first()
        return waiting or emit_test(current)


def deliveries_of(webhook: Webhook, *, status: str | None = None) -> QuerySet[WebhookDelivery]:
    """Return a webhook's deliveries with their events but without the bodies; `status` narrows them."""
    rows = WebhookDelivery.objects.filter(webhook=webhook).select_related("event").defer("event__body")
    return rows if status is None else rows.filter(status=status)


def find_delivery(webhook: Webhook, delivery_id: str) -> WebhookDelivery:
    """Return a delivery of this webhook with its event; raises ApiError 404."""
    rows = WebhookDelivery.objects.select_related("event").filter(webhook=webhook)
    delivery = rows.by_id(delivery_id)
    if delivery is None:
        raise errors.delivery_not_found()
    return delivery


def replay_delivery(*, delivery: WebhookDelivery, actor: str) -> WebhookDelivery:
    """Send a delivery again now, under the same event id, with the whole schedule of retries before it.

    Replaying one that waits for its next attempt brings that forward; one that is being sent at this moment
    stays as it is. Raises ApiError 400 when its webhook is disabled, 404 when it is gone.
    """
    now = timezone.now()
    with transaction.atomic():
        webhook = _locked(delivery.webhook)
        current = WebhookDelivery.objects.select_for_update(of=("self",)).select_related("event")
        row = current.filter(pk=delivery.pk).first()
        if row is None:
            raise errors.delivery_not_found()
        if not webhook.enabled:
            raise errors.webhook_is_disabled()
        if row.is_pending and row.claimed_until is not None and row.claimed_until > now:
            return row
        row.status = WebhookDelivery.Status.PENDING
        row.tries = 0
        row.next_attempt_at = row.waiting_since = now
        row.completed_at = row.claimed_until = None
        row.save(
            update_fields=[
                "status", "tries", "next_attempt_at", "waiting_since", "completed_at", "claimed_until",
            ]
        )  # fmt: skip
        if webhook.paused_until is not None:  # a person knows better whether the receiver is back
            webhook.paused_until = None
            webhook.save(update_fields=["paused_until"])
        deliver.enqueue(row.pk, row.attempts)
        _audit(webhook, actor, "webhook.replayed", {"delivery": row.pk})
    return row


def _parsed(model: type[B], body: Mapping[str, Any], known_url: str = "") -> B:
    """Return the typed body; raises ApiError 400 that names every wrong field, also a URL of a wrong form."""
    try:
        return model.model_validate(dict(body))
    except ValidationError as error:
        wrong = from_pydantic(error)
        url = body.get("url")
        if isinstance(url, str) and url != known_url:
            try:
                parse_target(url, settings.WEBHOOK_ALLOWED_HOSTS)
            except BadAddress as bad:
                wrong["url"] = str(bad)
        raise invalid(wrong) from None


def _check_url(url: str) -> None:
    try:
        check_url(url, settings.WEBHOOK_ALLOWED_HOSTS)
    except BadAddress as error:
        raise errors.bad_url(str(error)) from None


def _stored_types(types: list[EventType] | None) -> list[str]:
    return sorted(set(types or ()))


def _locked(webhook: Webhook) -> Webhook:
    """Return the row as it is now, locked; raises ApiError 404 when it was deleted."""
    current = Webhook.objects.select_for_update(of=("self",)).select_related("organization")
    row = current.filter(pk=webhook.pk).first()
    if row is None:
        raise errors.webhook_not_found()
    return row


def _audit(webhook: Webhook, actor: str, action: str, detail: Mapping[str, Any] | None = None) -> None:
    audit.record(
        webhook.organization,
        actor,
        action,
        object_type="webhook",
        object_id=webhook.pk,
        object_name=webhook.url,
        detail=detail,
    )
