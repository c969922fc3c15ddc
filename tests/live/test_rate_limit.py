"""Specification section 8: exactly the promised number of requests, whichever process answers them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice

import httpx
import pytest

from tests.live.service import Account, Api, Service

pytestmark = [pytest.mark.live, pytest.mark.xdist_group("live")]

ENDPOINTS = ("/v1/orgs", "/v1/templates", "/v1/usage", "/v1/usage/trend", "/v1/assets", "/v1/templates/none")


def api_with_fresh_window(service: Service) -> Api:
    """Return a caller whose window has begun, by one request, and lasts a while.

    Windows are fixed and begin at another second for each key: taking another key beats waiting.
    """
    for account in service.create_accounts(20):
        api = Api(service.url, {"x-api-key": account.secret_key})
        answer = api.http.get("/v1/orgs")
        assert answer.headers["RateLimit-Remaining"] == "99"
        if int(answer.headers["RateLimit-Reset"]) >= 20:
            return api
        api.close()
    raise AssertionError("no key with a window that has just begun")


def test_exactly_one_hundred_of_three_hundred_concurrent_requests(
    start_service: Callable[..., Service],
) -> None:
    service = start_service(WORKERS=4, RATE_LIMIT="100/m")
    assert len(service.workers()) == 4
    with api_with_fresh_window(service) as api, ThreadPoolExecutor(30) as pool:
        # One request was made to see the window.
        answers = list(pool.map(lambda path: api.http.get(path), islice(cycle(ENDPOINTS), 299)))
    refused = [answer for answer in answers if answer.status_code == 429]
    assert (len(answers) - len(refused), len(refused)) == (99, 200)
    assert {a.status_code for a in answers if a not in refused} == {200, 404}
    remaining = sorted(int(a.headers["RateLimit-Remaining"]) for a in answers if a not in refused)
    assert remaining == list(range(99))
    for answer in refused:
        assert answer.headers["RateLimit-Remaining"] == "0"
        assert answer.headers["RateLimit-Limit"] == "100"
        assert 1 <= int(answer.headers["Retry-After"]) <= 60
        assert answer.headers["Retry-After"] == answer.headers["RateLimit-Reset"]
        assert answer.json()["message"].startswith("Rate limit exceeded")


def test_rotation_takes_effect_at_once_in_every_process(service: Service, account: Account) -> None:
    """No request that begins after the answer of the rotation gets through with the old key."""
    seen: list[tuple[float, int]] = []
    with Api(service.url, {"x-api-key": account.secret_key}) as old, ThreadPoolExecutor(8) as pool:
        stop_at = time.monotonic() + 20
        rotated_at = 0.0

        def hammer() -> None:
            while time.monotonic() < stop_at and (not rotated_at or time.monotonic() < rotated_at + 2):
                begun = time.monotonic()
                seen.append((begun, old.http.get("/v1/orgs").status_code))

        workers = [pool.submit(hammer) for _ in range(8)]
        time.sleep(0.5)
        answer = old.http.post("/v1/auth/rotate-keys")
        assert answer.status_code == 200, answer.text
        rotated_at = time.monotonic()
        for worker in workers:
            worker.result(timeout=30)
    before = Counter(status for begun, status in seen if begun <= rotated_at)
    after = Counter(status for begun, status in seen if begun > rotated_at)
    assert before[200] > 0
    assert set(after) == {401}
    assert after[401] > 100
    with Api(service.url, {"x-api-key": answer.json()["secretKey"]}) as new:
        assert {new.http.get("/v1/orgs").status_code for _ in range(20)} == {200}


def test_rotation_invalidates_the_user_hashes(service: Service, account: Account) -> None:
    old = account.user_headers("ann", "http://localhost")
    assert httpx.get(f"{service.url}/v1/templates", headers=old).status_code == 200
    rotated = httpx.post(
        f"{service.url}/v1/auth/rotate-keys", headers={"x-api-key": account.secret_key}
    ).json()
    for _ in range(12):
        answer = httpx.get(f"{service.url}/v1/templates", headers=old)
        assert (answer.status_code, answer.json()["message"]) == (401, "Invalid API key")
        answer = httpx.get(f"{service.url}/v1/templates", headers=old | {"x-api-key": rotated["publicKey"]})
        assert (answer.status_code, answer.json()["message"]) == (401, "Invalid x-user-hash")
