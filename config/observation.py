"""The outermost middleware: probes, and what is counted, logged and traced about every request."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve

from config import metrics, tracing
from config.api.request_id import current_request_id, start_request
from config.health import healthz, readyz
from config.metrics_page import metrics_page

access = logging.getLogger("access")

# Answered before everything else: they need no key, no session and no particular Host header, and a database
# that is down must not keep the service from saying so.
PROBES: Final[dict[str, Callable[[HttpRequest], HttpResponseBase]]] = {
    "/healthz": healthz,
    "/readyz": readyz,
    "/metrics": metrics_page,
}
UNKNOWN: Final = "unknown"
CATCH_ALLS: Final = (".*$", "(?P<url>.*)$")
# A parameter of `re_path` (brackets nest at most once) or of `path`.
PARAMETER: Final = re.compile(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)|<(?:\w+:)?(\w+)>")
ACCESS_LINE: Final = "%(method)s %(route)s %(status)s in %(milliseconds)s ms, %(bytes)s bytes"


class ObservationMiddleware:
    """Measure each request once and tell it to the log, the metrics and the trace."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer `request`."""
        if not tracing.is_on():
            return self._observed(request, None)
        with tracing.request_span(_method(request), request.headers) as span:
            return self._observed(request, span)

    def _observed(self, request: HttpRequest, span: Any) -> HttpResponseBase:
        started = time.perf_counter()
        probe = PROBES.get(request.path_info)
        if probe is not None and request.method in {"GET", "HEAD"}:
            request_id = start_request(request.headers.get("X-Request-Id"))
            response = probe(request)
            response["X-Request-Id"] = request_id
            route = request.path_info
        else:
            response = self.get_response(request)
            route = route_of(request)
        _tell(request, response, route, time.perf_counter() - started, span)
        return response


def route_of(request: HttpRequest) -> str:
    """Return the URL pattern of a request; one word for every path that has none."""
    match = request.resolver_match
    if match is None:  # refused or served before any view was looked for
        try:
            match = resolve(request.path_info)
        except Resolver404:
            return UNKNOWN
    return shown_pattern(match.route)


@lru_cache(maxsize=1024)
def shown_pattern(route: str) -> str:
    """Return a pattern of the URL configuration as it is shown, e.g. `/v1/templates/{id}`."""
    if route.endswith(CATCH_ALLS):
        return UNKNOWN
    return "/" + PARAMETER.sub(lambda m: f"{{{m[1] or m[2]}}}", route).replace("^", "").removesuffix("$")


def _tell(request: HttpRequest, response: HttpResponseBase, route: str, seconds: float, span: Any) -> None:
    """Count, log and trace one answer: its route and numbers, and who asked, but nothing of what was sent."""
    fields: dict[str, Any] = {
        "method": _method(request),
        "route": route,
        "status": response.status_code,
        "milliseconds": round(seconds * 1000, 1),
        "bytes": size_of(response),
    }
    metrics.observe_request(route, fields["method"], response.status_code, seconds)
    if organization_id := organization_of(request):
        fields["organizationId"] = organization_id
    if span is not None:
        fields["traceId"] = tracing.finish_request(
            span,
            method=fields["method"],
            route=route,
            status=response.status_code,
            request_id=current_request_id(),
            organization_id=organization_id,
        )
    # Probes come every few seconds; they are news only when something is wrong.
    level = logging.DEBUG if route in PROBES and response.status_code < 400 else logging.INFO
    access.log(level, ACCESS_LINE, fields, extra={"fields": fields})


def organization_of(request: HttpRequest) -> str:
    """Return the id of the organization that a request is made for, empty where there is none.

    The API keeps the caller in `request.auth`, pages of the dashboard put `request.organization`.
    """
    caller = getattr(request, "auth", None) or request
    organization_id: str = getattr(getattr(caller, "organization", None), "pk", "")
    return organization_id


def size_of(response: HttpResponseBase) -> int | None:
    """Return the length of an answer's body in bytes, None where only its end will tell."""
    if isinstance(response, HttpResponse):
        return len(response.content)
    length = response.get("Content-Length", "")
    return int(length) if length.isdecimal() else None


def _method(request: HttpRequest) -> str:
    method = request.method or ""
    return method if method in metrics.METHODS else "other"
