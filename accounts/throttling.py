"""Requests per key and window (specification section 8), exact across worker processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django_ratelimit.core import get_usage
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts import errors
from accounts.attempts import seconds_left
from accounts.caller import Caller
from config import metrics

if TYPE_CHECKING:  # DRF imports this module while it is still loading its views
    from rest_framework.views import APIView

GROUP = "api"


class KeyRateThrottle(BaseThrottle):
    """Count each authenticated request in the bucket of its key and leave the rate headers on it."""

    seconds_left = 1

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count the request and tell whether its key is within RATE_LIMIT; without a caller, always.

        Sets `request.rate_limit_headers`, which ApiViewSet adds to the answer. A counter that cannot be
        read refuses, since the limit is promised to be exact: ApiError 503, or the cache's own exception,
        which `config.outages` makes a 503 as well.
        """
        caller = request.auth
        if not isinstance(caller, Caller):
            return True
        usage = get_usage(
            request,
            group=GROUP,
            key=lambda group, request: caller.credential,
            rate=settings.RATE_LIMIT,
            increment=True,
        )
        if usage is None:  # RATELIMIT_ENABLE is off
            return True
        if not usage["limit"]:  # how django-ratelimit says that its cache did not count
            raise errors.rate_limit_unavailable()
        self.seconds_left = seconds_left(usage)
        request.rate_limit_headers = {  # type: ignore[attr-defined]
            "RateLimit-Limit": str(usage["limit"]),
            "RateLimit-Remaining": str(max(0, usage["limit"] - usage["count"])),
            "RateLimit-Reset": str(self.seconds_left),
        }
        if usage["should_limit"]:
            metrics.count_refusal()
            return False
        return True

    def wait(self) -> float:
        """Return the seconds until the window ends, for Retry-After."""
        return self.seconds_left
