"""Texts of templates (specification section 7), each written once."""

from __future__ import annotations

from config.api.errors import ApiError
from templates_app.expressions.grammar import InvalidExpression


def template_not_found() -> ApiError:
    """Return the 404 for unknown, foreign-organization and foreign-user ids alike."""
    return ApiError(404, "Template not found")


def version_not_found() -> ApiError:
    """Return the 404 of a version that the template never had; section 7 has no text of its own for it."""
    return ApiError(404, "Template not found")


def template_is_archived() -> ApiError:
    """Return the 400 for changing or publishing an archived template."""
    return ApiError(400, "Template is archived")


def template_was_changed(version: int) -> ApiError:
    """Return the 409 of an editor whose template somebody else has saved since it was opened."""
    return ApiError(409, f"The template was changed meanwhile: it is at version {version}")


def template_has_other_status(status: str) -> ApiError:
    """Return the 409 of an editor whose template somebody else has published since it was opened."""
    return ApiError(409, f"The template was changed meanwhile: it is {status} now")


def if_match_failed(version: int, status: str) -> ApiError:
    """Return the 412 of a caller of the API who expects another state of the template."""
    return ApiError(412, f"If-Match is not the template's ETag: it is {status}, at version {version}")


def samples_were_changed() -> ApiError:
    """Return the 409 of an editor whose template's named samples somebody else has changed meanwhile."""
    return ApiError(409, "The named samples were changed meanwhile")


def invalid_section_expression(number: int, error: InvalidExpression) -> ApiError:
    """Return the 400 of a write: section `number` (from 1) holds a broken expression."""
    return ApiError(400, f"Section {number}: {error}")


def invalid_page_expression(place: str, error: InvalidExpression) -> ApiError:
    """Return the 400 of a write: the page's header or footer holds a broken expression."""
    return ApiError(400, f"Page {place}: {error}")
