"""Bodies that hardly come or break off are answered, so that their connections are free again."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from config import asgi
from config.api.middleware import CUT_SHORT, TOO_SLOW

HEADERS = [(b"host", b"localhost"), (b"content-type", b"application/x-www-form-urlencoded")]


def run(story: Coroutine[Any, Any, None]) -> None:
    """Run a story in a loop of its own thread: a browser of other tests has one running in this."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, story).result()


def answer_to(
    path: str,
    *parts: bytes,
    length: int | None,
    ends: bool = False,
    breaks: bool = False,
    taken: list[bytes] | None = None,
) -> tuple[int, Any, bytes]:
    """Return status, headers and body of the answer to a POST of which only `parts` arrive, then nothing.

    Without a length it comes in chunks; one that `breaks` off is followed by the end of the connection.
    `taken` is filled with the parts that were asked for.
    """
    framing = (b"transfer-encoding", b"chunked") if length is None else (b"content-length", b"%d" % length)
    sent: list[dict[str, Any]] = []
    scope = {
        "type": "http", "method": "POST", "raw_path": path.encode(), "query_string": b"", "scheme": "http",
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8000), "http_version": "1.1",
        "headers": [*HEADERS, framing],
    }  # fmt: skip

    async def story() -> None:
        messages: list[dict[str, Any]] = [
            {"type": "http.request", "body": part, "more_body": True} for part in parts
        ]
        if ends:
            messages[-1]["more_body"] = False
        if breaks:
            messages.append({"type": "http.disconnect"})

        async def receive() -> dict[str, Any]:
            if not messages:
                await asyncio.Event().wait()
            if taken is not None:
                taken.append(messages[0].get("body", b""))
            return messages.pop(0)

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await asgi.application(scope, receive, send)

    run(story())
    start, *blocks = sent
    return start["status"], dict(start["headers"]), b"".join(block["body"] for block in blocks)


@pytest.fixture
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not there is not waited for."""
    monkeypatch.setattr(asgi, "BODY_SECONDS", 0.0)


@pytest.mark.usefixtures("hurry")
@pytest.mark.parametrize("parts", [(), (b'{"templateId": ',), (b"{", b"}", b" ")])
def test_the_api_refuses_one_in_its_own_shape(parts: tuple[bytes, ...]) -> None:
    status, headers, body = answer_to("/v1/render", *parts, length=1000)
    assert (status, json.loads(body)["message"]) == (408, TOO_SLOW)
    assert json.loads(body)["requestId"].encode() == headers[b"x-request-id"]
    assert headers[b"access-control-allow-origin"] == b"*"


@pytest.mark.usefixtures("hurry")
def test_a_page_takes_no_half_form_for_a_whole_one() -> None:
    status, headers, body = answer_to("/account/theme", b"theme=dark&next=/login", length=60)
    assert (status, body) == (408, f"{TOO_SLOW}.\n".encode())
    assert b"set-cookie" not in headers


@pytest.mark.parametrize("length", [1000, None])
@pytest.mark.parametrize("parts", [(), (b'{"templateId": ',), (b'{"templateId":"x","data":{}}',)])
def test_one_that_breaks_off_is_a_fault_of_the_request(parts: tuple[bytes, ...], length: int | None) -> None:
    """A client that has closed only its own side, or counted its chunks wrongly, hears what is wrong."""
    status, headers, body = answer_to("/v1/render", *parts, length=length, breaks=True)
    assert (status, json.loads(body)["message"]) == (400, CUT_SHORT)
    assert json.loads(body)["requestId"].encode() == headers[b"x-request-id"]
    status, _, body = answer_to("/account/theme", *parts, length=length, breaks=True)
    assert (status, body) == (400, f"{CUT_SHORT}.\n".encode())


def test_one_that_comes_in_many_parts_is_taken() -> None:
    status, _, body = answer_to("/v1/render", *[b" "] * 100, length=100, ends=True)
    assert (status, json.loads(body)["message"]) == (401, "Missing x-api-key header")


def test_what_has_come_gives_time_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the length of a body counts but how it goes on."""
    monkeypatch.setattr(asgi, "BODY_SECONDS", 0.0)
    monkeypatch.setattr(asgi, "BODY_RATE", 1 / 3600)
    taken: list[int] = []
    late: list[bool] = []

    async def receive() -> dict[str, Any]:
        if taken:
            await asyncio.sleep(0.01)
        taken.append(1)
        return {"type": "http.request", "body": b" ", "more_body": len(taken) < 3}

    async def story() -> None:
        environ: dict[str, Any] = {
            "PATH_INFO": "/v1/render",
            "CONTENT_LENGTH": "3",
            "SERVER_PROTOCOL": "HTTP/1.1",
        }
        with asgi.SpooledTemporaryFile(10) as body:
            assert await asgi.read_body(environ, receive, body) is asgi.Body.WHOLE
            late.append(asgi.PARTIAL_BODY in environ)
            assert len(body.read()) == 3

    run(story())
    assert late == [False]


def test_what_is_left_of_a_refused_body_is_taken_in(settings: Any) -> None:
    """A connection that is closed on unread bytes is reset, and a proxy has a 502 instead of the answer."""
    settings.MAX_BODY_BYTES = 1024
    for length in (4096, None):
        taken: list[bytes] = []
        status, headers, body = answer_to(
            "/v1/render", *[b" " * 1024] * 4, length=length, ends=True, taken=taken
        )
        assert (status, json.loads(body)["message"][:25]) == (413, "Request body is too large")
        assert len(taken) == 4
