"""Pages for what went wrong, in the look of the dashboard."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.defaults import page_not_found

from dashboard.pages import whole_page


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer that nothing is here; a part of a page has the whole page asked for again, which says so.

    Otherwise a part that asks again and again would do so for ever, after what it tells of was deleted.
    """
    if request.method == "GET" and "HX-Request" in request.headers:
        return whole_page()
    return page_not_found(request, exception)


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form that another site sent, or that was open for too long (settings.CSRF_FAILURE_VIEW)."""
    return render(request, "403_csrf.html", status=403)
