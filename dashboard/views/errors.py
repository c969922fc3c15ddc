"""Pages for what went wrong, in the look of the dashboard."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form that another site sent, or that was open for too long (settings.CSRF_FAILURE_VIEW)."""
    return render(request, "403_csrf.html", status=403)
