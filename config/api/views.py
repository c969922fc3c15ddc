"""What every endpoint shares: who calls, bodies, rate-limit headers, JSON for unknown paths."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from config.api.errors import ApiError, invalid
from config.api.middleware import json_error


class ApiViewSet(ViewSet):
    """Base of all endpoints under `/v1`."""

    # Preflights are answered before; any other OPTIONS is a 405, so `Allow` does not offer it.
    http_method_names = [name for name in ViewSet.http_method_names if name != "options"]

    @property
    def default_response_headers(self) -> dict[str, str]:
        """Return no headers: DRF's `Allow` says something where a method was refused, and only there."""
        return {}

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Add the rate-limit headers that the throttle left on the request."""
        response = super().finalize_response(request, response, *args, **kwargs)
        for name, value in getattr(request, "rate_limit_headers", {}).items():
            response[name] = value
        if response.status_code == 405:
            response["Allow"] = ", ".join(self.allowed_methods)
        response["Cache-Control"] = "no-store"
        return response

    def http_method_not_allowed(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        """Refuse a method; behind an id with a slash, which none has, it is the path: `.../publish/`."""
        if "/" in str(kwargs.get("id", "")):
            raise ApiError(404, _unknown(request))
        return super().http_method_not_allowed(request, *args, **kwargs)

    def json_object(self, request: Request, *, may_be_empty: bool = True) -> dict[str, Any]:
        """Return the body; raises ApiError 400 when there is none but one is needed."""
        if not may_be_empty and request.META.get("CONTENT_LENGTH") in {None, "", "0"}:
            raise invalid({"body": "required"})
        data = request.data
        return data if isinstance(data, dict) else {}


@csrf_exempt  # no cookie counts under /v1, and a POST to a wrong path is a 404, not a 403
def no_such_endpoint(request: HttpRequest) -> HttpResponse:
    """Answer any other path under `/v1`."""
    return json_error(404, _unknown(request))


def _unknown(request: HttpRequest | Request) -> str:
    return f"No such endpoint: {request.method} {quote(request.path_info)}"
