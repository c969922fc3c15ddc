"""Whatever is raised under the API, as the answer it gets.

MethodNotAllowed, UnsupportedMediaType, Throttled, ... of DRF are translated, not subclassed.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from typing import Any, Final

from django.core.exceptions import PermissionDenied, RequestDataTooBig, TooManyFieldsSent
from django.http import Http404, UnreadablePostError
from pydantic import ValidationError
from rest_framework import exceptions
from rest_framework.response import Response

from config.api.errors import ApiError, error_body, from_pydantic, invalid
from config.api.middleware import CUT_SHORT
from config.outages import as_outage

logger = logging.getLogger(__name__)

# What needs no more than its name; the first kind that fits counts.
_REFUSED: Final[Mapping[type[Exception], tuple[int, str]]] = {
    RequestDataTooBig: (413, "Request body is too large"),
    TooManyFieldsSent: (400, "Malformed query: too many parameters"),
    UnreadablePostError: (400, CUT_SHORT),
    Http404: (404, "Not found"),
    PermissionDenied: (403, "Forbidden"),
    RecursionError: (400, "Malformed JSON: nested too deep"),
}


def handle_exception(error: Exception, context: Mapping[str, Any]) -> Response:
    """DRF's exception handler: every way to fail ends in `error_body`."""
    refusal = as_api_error(error) or as_outage(error)
    if refusal is not None and refusal.status == 503:
        # Whoever met the loss may have made the refusal of it: what was met is the cause then.
        # One that nothing caused says all that there is to say.
        met = error.__cause__ or (None if isinstance(error, ApiError) else error)
        logger.warning("Unavailable: %s", refusal.message, exc_info=met)
    if refusal is None:
        logger.error("Unhandled error", exc_info=error)
        refusal = ApiError(500, "Internal server error")
    headers = dict(refusal.headers)
    if isinstance(error, exceptions.AuthenticationFailed) or refusal.status == 401:
        headers.setdefault("WWW-Authenticate", 'ApiKey realm="api"')
    return Response(error_body(refusal.message, refusal.errors), status=refusal.status, headers=headers)


def as_api_error(error: Exception) -> ApiError | None:
    """Translate what the framework raises; None for a crash."""
    match error:
        case ApiError():
            return error
        case ValidationError():
            return invalid(from_pydantic(error))
        case exceptions.UnsupportedMediaType():
            return ApiError(415, "Unsupported content type: send the body as application/json")
        case exceptions.MethodNotAllowed():
            return ApiError(405, str(error.detail))
        case exceptions.Throttled():
            wait = max(1, math.ceil(getattr(error, "wait", None) or 1))
            return ApiError(
                429,
                f"Rate limit exceeded: try again in {wait} {'second' if wait == 1 else 'seconds'}",
                headers={"Retry-After": str(wait)},
            )
        case exceptions.APIException():
            return ApiError(error.status_code, str(error.detail))
    refused = (refusal for kind, refusal in _REFUSED.items() if isinstance(error, kind))
    found = next(refused, None)
    return None if found is None else ApiError(*found)
