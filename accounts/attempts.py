"""Who tries to log in, as django-axes counts it; named in the settings."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from accounts.models import User


def address_of(request: HttpRequest, credentials: dict[str, Any] | None = None) -> str:
    """Return the address of an attempt in the form in which accounts have it."""
    given = (credentials or {}).get("username") or request.POST.get("username", "")
    return User.objects.normalize_email(str(given))[:320]


def client_ip(request: HttpRequest) -> str | None:
    """Return where a request comes from: the connection, or what the proxy says when it is trusted.

    A proxy appends the address it saw, so the last one of X-Forwarded-For is its own word; the ones before
    are anybody's.
    """
    if settings.TRUST_PROXY_HEADERS:
        forwarded = request.headers.get("X-Forwarded-For", "").split(",")[-1].strip()
        if forwarded:
            return forwarded
    address: str | None = request.META.get("REMOTE_ADDR") or None
    return address
