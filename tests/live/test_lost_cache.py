"""A real Redis dies and comes back while the service goes on asking it."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accounts.models import Organization
from config import backends, health
from tests.conftest import ApiClient
from tests.live.service import reserve_port, wait_for
from tests.parts.process import Server
from tests.parts.redis import start_redis

pytestmark = [pytest.mark.embedded, pytest.mark.live]


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


@pytest.fixture
def start(tmp_path: Path, settings: Any) -> Any:
    """Start Redis on a port that stays the same; the service counts there."""
    reserved, servers = reserve_port(), list[Server]()
    port = int(reserved.getsockname()[1])
    settings.CACHES = {"default": backends.cache({"REDIS_URL": f"redis://127.0.0.1:{port}/0"}, tmp_path)}

    def start() -> Server:
        servers.append(start_redis(tmp_path / f"redis{len(servers)}", port))
        wait_for(lambda: answers(port), 60, "Redis")
        return servers[-1]

    yield start
    for server in servers:
        server.process.kill()
        server.process.wait()
    reserved.close()


def test_the_limit_fails_closed_and_comes_back_by_itself(
    secret: ApiClient, acme: Organization, start: Callable[[], Server], settings: Any
) -> None:
    settings.RATE_LIMIT = "100/h"
    server = start()
    assert secret.get("/v1/orgs")["RateLimit-Remaining"] == "99"
    health.check_cache()
    server.process.kill()
    server.process.wait()
    lost = secret.get("/v1/orgs")
    assert lost.status_code == 503
    assert lost.json() == {
        "message": "The rate limit cannot be checked; try again",
        "requestId": lost["X-Request-Id"],
    }
    assert lost["Retry-After"] == "5"
    with pytest.raises(Exception, match=r"refused|closed|reset"):
        health.check_cache()
    start()
    assert secret.get("/v1/orgs")["RateLimit-Remaining"] == "99"
    health.check_cache()
