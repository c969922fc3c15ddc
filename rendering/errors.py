"""Texts of rendering and downloads (specification section 7), each written once."""

from __future__ import annotations

from config.api.errors import ApiError, invalid


def template_is_not_published() -> ApiError:
    """Return the 400 for rendering a draft or an archived template."""
    return ApiError(400, "Template is not published")


def document_not_found() -> ApiError:
    """Return the 404 for unknown, foreign and never completed documents alike."""
    return ApiError(404, "Document not found")


def format_not_enabled(enabled: list[str]) -> ApiError:
    """Return the 400 for a format that the template does not have."""
    return invalid({"format": f"is not enabled in this template; enabled: {', '.join(enabled)}"})


def no_such_version() -> ApiError:
    """Return the 400 for a templateVersion that the template never had."""
    return invalid({"templateVersion": "is not a version of this template"})


def invalid_stored_expression(expression: str, place: str) -> ApiError:
    """Return the 400 for a template stored before expressions were checked."""
    return ApiError(400, f'Template contains an invalid {{{{...}}}} expression ({place}: "{expression}")')


def idempotency_key_reused() -> ApiError:
    """Return the 400 for one Idempotency-Key with two bodies."""
    return ApiError(400, "Idempotency-Key was already used with another request body")


def idempotency_key_malformed() -> ApiError:
    """Return the 400 for a header that is no key."""
    return invalid({"Idempotency-Key": "must have 1 to 255 printable ASCII characters"})


def still_processing() -> ApiError:
    """Return the 409 when the first request of an Idempotency-Key takes too long to wait for."""
    return ApiError(
        409,
        "The first request with this Idempotency-Key is still being processed",
        headers={"Retry-After": "5"},
    )


class Abandoned(ApiError):
    """The document of a render is no longer its own: swept, deleted, or taken over by another attempt."""


def render_was_abandoned() -> Abandoned:
    """Return the 503 when a render ended after its document had been given up."""
    return Abandoned(503, "Rendering was interrupted; try again", headers={"Retry-After": "1"})


def render_kept_failing() -> ApiError:
    """Return why a document failed that every one of its workers died with."""
    return ApiError(503, "Rendering was interrupted again and again")


def batch_not_found() -> ApiError:
    """Return the 404 for unknown and foreign batches alike."""
    return ApiError(404, "Batch not found")


def too_many_items(limit: int, unfinished: int) -> ApiError:
    """Return the 429 of a batch for which an organization has too much waiting already."""
    return ApiError(
        429,
        f"Too many batch items are waiting: {unfinished} of at most {limit}; try again when some are done",
        headers={"Retry-After": "60"},
    )


def cannot_merge(reason: str) -> ApiError:
    """Return the 400 for an output that the format or the template does not allow."""
    return invalid({"output": f"cannot be merged: {reason}"})


def storage_is_full() -> ApiError:
    """Return the 503 for a full disk."""
    return ApiError(503, "Storage is full; the document was not kept", headers={"Retry-After": "60"})
