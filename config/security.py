"""Which pages may load what: one strict Content-Security-Policy, and its two exceptions by path."""

from __future__ import annotations

from typing import Any

from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

# Neither page uses camera, microphone and the like; say so, so that nothing embedded could either.
PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


class SecurityHeaders(CSPMiddleware):
    """django-csp with the policy of the path: the admin and the API reference bring inline scripts along.

    Answers under `/v1` are JSON and get none.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Add the headers of pages."""
        if request.path_info.startswith("/v1/"):
            return response
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        return super().process_response(request, response)

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponse | HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        """Return the policy for a path."""
        if report_only:
            return PolicyParts()
        return PolicyParts(config=directives(request.path_info))


def directives(path: str) -> dict[str, Any]:
    """Return the directives that hold for a path."""
    strict: dict[str, Any] = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    if path == "/admin" or path.startswith("/admin/"):
        return strict | settings.CSP_OF_ADMIN
    if path == "/api/v1":
        return strict | settings.CSP_OF_REFERENCE
    return strict
