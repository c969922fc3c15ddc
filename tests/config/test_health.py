"""Probes: alive, ready, which part is down; cheap, quick and without secrets."""

from __future__ import annotations

import asyncio
import errno
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.files.storage import default_storage
from django.db import OperationalError, connection
from django.test import Client

from config import asgi, health
from tests.failures import raiser
from tests.parts.session import REAL

SECRET = "postgres://documents:hunter2@db.internal/documents"


@pytest.fixture(autouse=True)
def _ask_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Ask anew in each test, and wait: a busy machine may take seconds for its first look at a bucket."""
    monkeypatch.setattr(health, "DEADLINE", 30.0)
    for check in health.CHECKS:
        check._result = None
    yield
    for check in health.CHECKS:
        check._result = None


def get(path: str, **extra: Any) -> Any:
    return Client(raise_request_exception=False).get(path, **extra)


def test_alive_without_anything() -> None:
    """No mark for the database: a query would fail the test."""
    answer = get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
    assert answer["X-Request-Id"]
    assert answer["Cache-Control"] == "no-store"


def test_alive_while_every_request_waits_for_a_lost_part() -> None:
    goes_on = threading.Event()
    sent: list[dict[str, Any]] = []
    scope = {
        "type": "http", "method": "GET", "raw_path": b"/healthz", "query_string": b"", "scheme": "http",
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8000), "http_version": "1.1", "headers": [],
    }  # fmt: skip

    async def story() -> None:
        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await asyncio.wait_for(asgi.application(scope, asyncio.Event().wait, send), 60)  # type: ignore[arg-type]

    waiting = [asgi.threads.submit(goes_on.wait) for _ in range(settings.THREADS)]
    try:
        with ThreadPoolExecutor(1) as thread:  # a browser of other tests has a loop running in this one
            thread.submit(asyncio.run, story()).result()
    finally:
        goes_on.set()
    assert all(each.result() for each in waiting)
    assert sent[0]["status"] == 200


@pytest.mark.django_db
def test_ready_when_every_part_is() -> None:
    answer = get("/readyz")
    assert answer.status_code == 200, answer.content
    assert answer.json() == {
        "status": "ok",
        "checks": {name: {"status": "ok"} for name in ("database", "cache", "storage", "migrations")},
    }
    probes = default_storage.listdir("probes")[1] if default_storage.exists("probes") else []
    assert not [name for name in probes if name.startswith("ready")]


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_no_key_no_limit_and_any_host(path: str, settings: Any) -> None:
    settings.RATE_LIMIT, settings.METRICS_OPEN = "1/h", True
    statuses = {get(path, headers={"host": f"10.0.0.{n}:8000"}).status_code for n in range(5)}
    assert statuses == {200}
    assert Client().head(path).status_code == 200
    assert Client().post(path).status_code in {403, 404}


DOWN = [
    ("database", health, "check_database", raiser(OperationalError(SECRET)), "OperationalError"),
    ("cache", cache, "get", lambda *_: None, "does not keep what is written"),
    ("cache", cache, "set", raiser(ConnectionError(SECRET)), "ConnectionError"),
    (
        "storage",
        default_storage,
        "exists" if REAL else "save",
        raiser(OSError(errno.ENOSPC, SECRET)),
        "the disk is full",
    ),
    (
        "migrations",
        health,
        "missing_migrations",
        lambda: ["a", "b"],
        "2 are not applied: run manage.py migrate",
    ),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("part", "owner", "name", "replacement", "reason"), DOWN)
def test_the_part_that_is_down_is_named_without_its_secrets(
    monkeypatch: pytest.MonkeyPatch, part: str, owner: Any, name: str, replacement: Any, reason: str
) -> None:
    (check,) = [check for check in health.CHECKS if check.name == part]

    def while_down() -> None:
        with pytest.MonkeyPatch.context() as patch:  # the cache is a proxy that each thread has of its own
            patch.setattr(owner, name, replacement)
            getattr(health, f"check_{part}")()

    with monkeypatch.context() as patch:  # by itself: the longer deadline of these tests stays
        patch.setattr(check, "_function", while_down)
        answer = get("/readyz")
    body = answer.json()
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert body["message"] == f"Not ready: {part}"
    assert body["requestId"] == answer["X-Request-Id"]
    assert body["checks"][part] == {"status": "down", "reason": reason}
    assert [name for name, found in body["checks"].items() if found["status"] == "down"] == [part]
    assert "hunter2" not in answer.content.decode()
    check._result = None
    assert get("/readyz").status_code == 200


@pytest.mark.real  # PostgreSQL
@pytest.mark.django_db
def test_a_copy_that_takes_no_writes_is_not_ready() -> None:
    health.check_database()
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")
    with pytest.raises(health.NotReady, match="takes no writes"):
        health.check_database()


def test_a_part_that_hangs_is_asked_once_and_costs_one_thread() -> None:
    go_on, asked = threading.Event(), list[int]()

    def hang() -> None:
        asked.append(1)
        go_on.wait(120)

    check = health.Check("slow", hang, 60.0)
    for _ in range(5):
        check.start()
        assert check.reason(0.0) == "no answer in time"
    assert len(asked) == 1
    go_on.set()
    assert check._running is not None
    check._running.join(60)
    check.start()
    assert check.reason(0.0) is None
    assert len(asked) == 1


def test_what_is_lost_and_what_is_back_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    answers: list[Exception | None] = [None, OSError(errno.EIO, "Input/output error")]

    def look() -> None:
        if answers[-1]:
            raise answers[-1]

    check = health.Check("storage", look, fresh=0.0)

    def logged() -> list[str]:
        caplog.clear()
        check.start()
        check.reason(time.monotonic() + 30)
        return [record.getMessage() for record in caplog.records if record.name == "config.health"]

    assert logged() == ["Not ready: storage: storage, OSError: [Errno 5] Input/output error"]
    assert logged() == []
    answers.append(None)
    assert logged() == ["Ready again: storage"]
    assert logged() == []


def test_an_answer_is_kept_for_a_while_and_a_good_one_for_ever_where_it_may() -> None:
    asked: list[int] = []

    def count() -> None:
        asked.append(1)
        if len(asked) == 1:
            raise health.NotReady("not yet")

    for fresh, once, expected in [(60.0, False, 1), (0.0, False, 3), (0.0, True, 2)]:
        asked.clear()
        check = health.Check("x", count, fresh, once=once)
        for _ in range(3):
            check.start()
            if (running := check._running) is not None:
                running.join(60)
        assert len(asked) == expected, (fresh, once)
