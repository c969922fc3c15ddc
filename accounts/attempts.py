"""Where requests come from and how often something was tried: what limits log-in, invitations, previews."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django_ratelimit.core import get_usage

from accounts.models import User


@dataclass(frozen=True)
class Tries:
    """How often something was tried in the present window: `count` of `limit`, for `seconds_left` more."""

    count: int
    limit: int
    seconds_left: int

    @property
    def are_used_up(self) -> bool:
        """Tell whether the next one is too many."""
        return self.count >= self.limit

    @property
    def are_exceeded(self) -> bool:
        """Tell whether the last one was too many."""
        return self.count > self.limit or not self.limit


def tries(group: str, who: str, rate: str, *, add: bool = False) -> Tries:
    """Return how often `who` tried what `group` names, within a rate such as `30/15m`; `add` counts one more.

    Exact across processes. A counter that cannot be read is used up and exceeded.
    """
    usage = get_usage(None, group=group, key=lambda group, request: who, rate=rate, increment=add)
    if usage is None:  # RATELIMIT_ENABLE is off
        return Tries(0, 1, 0)
    return Tries(usage["count"], usage["limit"], seconds_left(usage))


def seconds_left(usage: Mapping[str, int]) -> int:
    """Return the whole seconds after which the window of a `get_usage` is over for sure, at least 1.

    django-ratelimit counts up to the window's last second, which belongs to the window itself: who comes back
    at its beginning is still refused.
    """
    return max(1, usage["time_left"] + 1)


def address_of(request: HttpRequest, credentials: dict[str, Any] | None = None) -> str:
    """Return the address of an attempt in the form in which accounts have it; named in the settings."""
    given = (credentials or {}).get("username") or request.POST.get("username", "")
    return User.objects.normalize_email(str(given))[:320]


def client_ip(request: HttpRequest) -> str | None:
    """Return where a request comes from: the connection, or what the proxy says when it is trusted.

    A proxy appends the address it saw, so the last one of X-Forwarded-For is its own word; the ones before
    are anybody's. That it is an address at all is not looked at.
    """
    given: str = request.META.get("REMOTE_ADDR", "")
    if settings.TRUST_PROXY_HEADERS:
        given = request.headers.get("X-Forwarded-For", "").split(",")[-1].strip() or given
    return _without_port(given) or None


def _without_port(given: str) -> str:
    """Return an address without the port that some proxies add: another one for each connection."""
    if given.startswith("["):
        return given[1:].partition("]")[0]
    return given.partition(":")[0] if given.count(":") == 1 else given


def place_of(request: HttpRequest) -> str:
    """Return the place that attempts are counted by: the IP address, of version 6 its network.

    One connection has all 2^64 addresses of an IPv6 network to itself. Named in the settings.
    """
    given = client_ip(request) or ""
    try:
        address = ipaddress.ip_address(given)
    except ValueError:
        return given[:64]
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address.packed, 64), strict=False))
