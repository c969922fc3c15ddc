"""Absolute addresses."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request


def base_url(request: Request | HttpRequest) -> str:
    """Return the public address of the service without a trailing slash."""
    return settings.BASE_URL or f"{request.scheme}://{request.get_host()}"
