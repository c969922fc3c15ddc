"""New keys count in every process at the request after the rotation."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor, wait

import pytest

from tests.live import plain
from tests.live.service import Account, Api, Service, wait_for

pytestmark = [pytest.mark.live]


def test_rotation_takes_effect_at_once_in_every_process(service: Service, account: Account) -> None:
    """No request that begins after the answer of the rotation gets through with the old key."""
    before: list[int] = []
    after: list[int] = []
    rotated, give_up = threading.Event(), threading.Event()
    with Api(service.url, {"x-api-key": account.secret_key}) as old, ThreadPoolExecutor(8) as pool:

        def hammer() -> None:
            while len(after) < 200 and not give_up.is_set():
                seen = after if rotated.is_set() else before
                seen.append(old.http.get("/v1/orgs").status_code)

        workers = [pool.submit(hammer) for _ in range(8)]
        try:
            wait_for(lambda: before.count(200) >= 8, 60, "answers before the rotation")
            answer = old.http.post("/v1/auth/rotate-keys")
            assert answer.status_code == 200, answer.text
            rotated.set()
            wait(workers, 180)
        finally:
            give_up.set()
    assert len(after) >= 200
    assert set(after) == {401}
    with Api(service.url, {"x-api-key": answer.json()["secretKey"]}) as new:
        assert {new.http.get("/v1/orgs").status_code for _ in range(20)} == {200}


def test_rotation_invalidates_the_user_hashes(service: Service, account: Account) -> None:
    old = account.user_headers("ann", "http://localhost")
    assert plain.get(f"{service.url}/v1/templates", headers=old).status_code == 200
    rotated = plain.post(
        f"{service.url}/v1/auth/rotate-keys", headers={"x-api-key": account.secret_key}
    ).json()
    for _ in range(12):
        answer = plain.get(f"{service.url}/v1/templates", headers=old)
        assert (answer.status_code, answer.json()["message"]) == (401, "Invalid API key")
        answer = plain.get(f"{service.url}/v1/templates", headers=old | {"x-api-key": rotated["publicKey"]})
        assert (answer.status_code, answer.json()["message"]) == (401, "Invalid x-user-hash")
