"""Callers whose minute of the rate limit has just begun."""

from __future__ import annotations

from tests.live import plain
from tests.live.service import Account, Service

_SECONDS_LEFT = 45


def account_with_fresh_window(service: Service) -> Account:
    """Return an organization whose window has begun, by one request, and lasts a while.

    Windows are fixed and begin at another second for each key: taking another key beats waiting.
    """
    for _ in range(60):
        account = service.create_account()
        answer = plain.get(f"{service.url}/v1/orgs", headers={"x-api-key": account.secret_key})
        assert answer.headers["RateLimit-Remaining"] == "99"
        if int(answer.headers["RateLimit-Reset"]) >= _SECONDS_LEFT:
            return account
    raise AssertionError("no key with a window that has just begun")
