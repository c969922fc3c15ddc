"""The refusals of the webhook endpoints, each text written once."""

from __future__ import annotations

from config.api.errors import ApiError, invalid

SECRET_KEY_REQUIRED = "Secret key required to manage webhooks"  # noqa: S105 (a text)
NOT_FOUND = "Webhook not found"
DELIVERY_NOT_FOUND = "Webhook delivery not found"
DISABLED = "Webhook is disabled: enable it before you replay deliveries"


def secret_key_required() -> ApiError:
    """Return the 403 of a public key: webhooks are the organization's own affair."""
    return ApiError(403, SECRET_KEY_REQUIRED)


def webhook_not_found() -> ApiError:
    """Return the 404 for unknown and foreign ids alike."""
    return ApiError(404, NOT_FOUND)


def delivery_not_found() -> ApiError:
    """Return the 404 of a delivery that is unknown, another webhook's, or older than the log."""
    return ApiError(404, DELIVERY_NOT_FOUND)


def webhook_is_disabled() -> ApiError:
    """Return the 400 of a replay to a webhook that gets no messages."""
    return ApiError(400, DISABLED)


def too_many_webhooks(limit: int) -> ApiError:
    """Return the 400 of one webhook too many."""
    return ApiError(400, f"An organization can have at most {limit} webhooks")


def bad_url(reason: str) -> ApiError:
    """Return the 400 of an address that no webhook is sent to."""
    return invalid({"url": reason})
