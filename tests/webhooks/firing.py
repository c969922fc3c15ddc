"""Something that happens, and its delivery."""

from __future__ import annotations

from accounts.models import Organization
from accounts.webhooks.events import emit
from accounts.webhooks.models import WebhookDelivery

DATA = {"id": "doc_1", "filename": "Größe 日本 🙂.pdf"}


def fire(acme: Organization) -> WebhookDelivery:
    """Let something happen and return its delivery to the only webhook."""
    event = emit(acme.pk, "document.completed", DATA)
    assert event is not None
    return event.deliveries.get()
