"""What every answer under the API carries, whoever made it: request id, CORS, JSON errors, a body limit."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from http import HTTPStatus
from io import BytesIO
from urllib.parse import quote

import orjson
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from config.api.errors import error_body
from config.api.request_id import start_request

logger = logging.getLogger(__name__)

# Signed file links are fetched by the same programs and browsers that call the API.
FILES = "/files/"
CORS_PREFIXES = (FILES, "/api/v1")
# What we read, for browsers that know no `*`; `authorization` is not part of it. Anything else is allowed as
# well: a browser that may not send it tells its page nothing, where our answer says what is wrong.
REQUEST_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
REQUEST_HEADERS = (
    "*, authorization, content-type, idempotency-key, if-match, prefer, range, traceparent, tracestate, "
    "x-api-key, x-request-id, x-user-hash, x-user-id"
)
# In a request's META when its body did not come whole (config.asgi), with the status that it is refused with:
# what is there of it is no request.
PARTIAL_BODY = "documents.partial_body"
TOO_SLOW = "The request body came too slowly: it has half a minute, and a second more for each KB"
CUT_SHORT = "Request body ended before it was complete"
PARTIAL_BODIES = {408: TOO_SLOW, 400: CUT_SHORT}
EXPOSED_HEADERS = (
    "RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, "
    "Retry-After, X-Request-Id, ETag, Link, Location, Allow, Preference-Applied, Idempotent-Replayed, "
    "Accept-Ranges, Content-Disposition, Content-Range"
)
# What stays of a refusal that some layer below made in another shape.
KEPT_HEADERS = ("Retry-After", "Allow", "Content-Range", "ETag", "Last-Modified")


class ApiMiddleware:
    """Outermost middleware: nothing it wraps can refuse in HTML under `/v1` and `/files`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer `request` with the contract's headers and error shape."""
        request_id = start_request(request.headers.get("X-Request-Id"))
        # A base address with a slash at its end makes `//v1/...`, whose refusal is as much the API's.
        path = "/" + request.path_info.lstrip("/")
        under_api = path == "/v1" or path.startswith("/v1/")
        speaks_json = under_api or request.path_info.startswith(FILES)
        with_cors = under_api or request.path_info.startswith(CORS_PREFIXES)
        if speaks_json:
            # No cookie counts here: the layers of the pages would answer a broken one with another.
            request.META.pop("HTTP_COOKIE", None)
        if with_cors and is_preflight(request):
            response: HttpResponseBase = preflight_answer()
        else:
            refusal = refuse_partial_body(request) or (refuse_body(request) if under_api else None)
            response = refusal or self.get_response(request)
            if speaks_json and response.status_code >= 400 and not is_json(response):
                response = in_our_shape(response, request)
        response["X-Request-Id"] = request_id
        if with_cors:
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
        return response


def is_preflight(request: HttpRequest) -> bool:
    """Tell a CORS preflight from an OPTIONS request of a client."""
    return request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers


def preflight_answer() -> HttpResponse:
    """Allow every request, so that its answer can be read; no key is asked for and nothing is counted."""
    response = HttpResponse(status=204)
    del response["Content-Type"]  # Django's default is HTML, and nothing here is
    response["Access-Control-Allow-Methods"] = REQUEST_METHODS
    response["Access-Control-Allow-Headers"] = REQUEST_HEADERS
    response["Access-Control-Max-Age"] = "7200"
    return response


def refuse_partial_body(request: HttpRequest) -> HttpResponse | None:
    """Refuse a request whose body did not come whole: half a form may look like a whole one."""
    status = request.META.get(PARTIAL_BODY)
    if status is None:
        return None
    return HttpResponse(f"{PARTIAL_BODIES[status]}.\n", status=status, content_type="text/plain")


def refuse_body(request: HttpRequest) -> HttpResponse | None:
    """Refuse a body over MAX_BODY_BYTES before it is read; buffer a chunked one up to that size."""
    limit = settings.MAX_BODY_BYTES
    length = request.META.get("CONTENT_LENGTH") or ""
    if re.fullmatch(r"[0-9]{1,18}", length):
        size = int(length)
    elif "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower():
        # Django reads exactly Content-Length bytes; a chunked body has none until it is here.
        body = request.META["wsgi.input"].read(limit + 1)
        size = len(body)
        request.META["CONTENT_LENGTH"] = str(size)
        request._stream = BytesIO(body)
    else:
        size = 0
    if size <= limit:
        return None
    return json_error(413, f"Request body is too large: the limit is {limit} bytes (MAX_BODY_BYTES)")


def is_json(response: HttpResponseBase) -> bool:
    """Tell whether an answer is already in our shape."""
    return response.get("Content-Type", "").startswith("application/json")


def in_our_shape(refused: HttpResponseBase, request: HttpRequest) -> HttpResponse:
    """Return a refusal that some layer below made as text or HTML with the body of all errors."""
    response = json_error(refused.status_code, reason(refused, request))
    for name in KEPT_HEADERS:
        if name in refused:
            response[name] = refused[name]
    return response


def reason(response: HttpResponseBase, request: HttpRequest) -> str:
    """Return a message for an answer that some layer below made without one."""
    if (status := request.META.get(PARTIAL_BODY)) is not None:
        return PARTIAL_BODIES[status]
    if response.status_code == 503:
        return "A part of the service is unavailable; try again"
    if response.status_code >= 500:
        return "Internal server error"
    if response.status_code == 404 and not request.path_info.startswith(FILES):
        return f"No such endpoint: {request.method} {quote(request.path_info)}"
    if response.status_code == 400:
        return "Bad request: is the host name in ALLOWED_HOSTS?"
    return HTTPStatus(response.status_code).phrase


def json_error(status: int, message: str) -> HttpResponse:
    """Return the error body outside of DRF."""
    return HttpResponse(orjson.dumps(error_body(message)), status=status, content_type="application/json")
