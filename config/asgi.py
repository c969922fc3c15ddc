"""ASGI entry point: Django's WSGI application in threads, fed from the ASGI interface of granian.

Granian's own WSGI interface empties request headers that are not ASCII, and user ids may be any text.
A body is read before a thread is taken, and a file is sent without one: slow clients hold no thread. One
that sends next to nothing of its body is answered 408, since a worker has a limited number of connections,
and one that breaks off 400: it may be listening still, and granian would tell it of a fault of ours.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from tempfile import SpooledTemporaryFile
from typing import Any
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.http.response import HttpResponseBase

from config.api.middleware import PARTIAL_BODY
from config.observation import PROBES
from config.wsgi import application as django

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

MEMORY_BYTES = 2**20
BLOCK_BYTES = 2**16
FORM_BYTES = 2**20  # what a form may have around a file
BODY_SECONDS = 30.0  # in which a body must come,
BODY_RATE = 1000  # with a second more for so many bytes of it
LINGER_SECONDS = 5.0  # in which the rest of a refused body is thrown away,
LINGER_PAUSE = 1.0  # or until so long nothing comes
CONSTANTS = {"SCRIPT_NAME": "", "wsgi.version": (1, 0), "wsgi.errors": sys.stderr, "wsgi.run_once": False}
CONSTANTS |= {"wsgi.multithread": True, "wsgi.multiprocess": True}

threads = ThreadPoolExecutor(settings.THREADS, "request")
# While a part hangs every thread above waits for it. Whoever asks how the service is hears so even then, or
# it would be restarted for a part that others have lost.
probe_threads = ThreadPoolExecutor(3, "probe")


class Body(Enum):
    """What became of the body of a request: nothing more comes, or some of it is left."""

    WHOLE, LEFT = range(2)


class Answer:
    """The answer of Django; made, read and closed in threads."""

    def __init__(self, environ: dict[str, Any]) -> None:
        self.status, self.headers = 500, list[tuple[bytes, bytes]]()
        self.response: HttpResponseBase = django(environ, self._start)
        self._chunks = iter(() if environ["REQUEST_METHOD"] == "HEAD" else self.response)
        self.block, self.more = b"", True
        self.read()

    def _start(self, status: str, headers: list[tuple[str, str]], *_: Any) -> Any:
        self.status = int(status[:3])
        self.headers = [(k.lower().encode("latin-1"), v.encode("latin-1")) for k, v in headers]

    def read(self) -> None:
        """Put the next part of the body into `block`; close the answer when there is no more."""
        chunks, size, self.more = [], 0, False
        try:
            for chunk in self._chunks:
                chunks.append(chunk)
                size += len(chunk)
                if size >= BLOCK_BYTES and self.response.streaming:
                    self.more = True
                    break
            self.block = b"".join(chunks)
        finally:
            if not self.more:
                self.response.close()


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Answer one HTTP request; an answer that is complete goes out at once, a long file in blocks."""
    run = asyncio.get_running_loop().run_in_executor
    environ = environ_of(scope)
    with SpooledTemporaryFile(MEMORY_BYTES) as body:
        state = await read_body(environ, receive, body)
        pool = probe_threads if environ["PATH_INFO"] in PROBES else threads
        answer = await run(pool, Answer, environ | {"wsgi.input": body})
    try:
        await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
        while answer.more:
            await send({"type": "http.response.body", "body": answer.block, "more_body": True})
            await run(threads, answer.read)
        if state is Body.LEFT:
            await send({"type": "http.response.body", "body": answer.block, "more_body": True})
            await throw_away(receive)
            answer.block = b""
        await send({"type": "http.response.body", "body": answer.block})
    finally:
        if answer.more:  # the client has gone
            threads.submit(answer.response.close)


def environ_of(scope: dict[str, Any]) -> dict[str, Any]:
    """Return the WSGI environ of a request, without its body."""
    environ = CONSTANTS | {
        "REQUEST_METHOD": scope["method"],
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "REMOTE_ADDR": scope["client"][0],
        "SERVER_NAME": scope["server"][0],
        "SERVER_PORT": str(scope["server"][1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "wsgi.url_scheme": scope["scheme"],
    }
    for raw_name, raw_value in scope["headers"]:
        if b"_" in raw_name:  # it would pass for its namesake with a hyphen
            continue
        name, value = raw_name.decode("latin-1").upper().replace("-", "_"), raw_value.decode("latin-1")
        key = name if name in {"CONTENT_LENGTH", "CONTENT_TYPE"} else f"HTTP_{name}"
        joint = "; " if name == "COOKIE" else ","
        environ[key] = f"{environ[key]}{joint}{value}" if key in environ else value
    return environ


async def read_body(environ: dict[str, Any], receive: Receive, body: SpooledTemporaryFile[bytes]) -> Body:
    """Fill `body`, to just over what the path takes.

    The API refuses a body by its length, unread. A form cut off still holds a file over its limit. A body
    that comes too slowly or breaks off is marked in `environ`.
    """
    length, limit = environ.get("CONTENT_LENGTH", ""), settings.MAX_BODY_BYTES
    if not environ["PATH_INFO"].startswith("/v1/"):
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE + FORM_BYTES
    elif length.isdecimal() and int(length) > limit:
        return Body.LEFT
    if not length and "HTTP_TRANSFER_ENCODING" not in environ and environ["SERVER_PROTOCOL"] != "HTTP/2":
        return Body.WHOLE
    more, began = True, time.monotonic()
    while more and body.tell() <= limit:
        message = await within(began + BODY_SECONDS + body.tell() / BODY_RATE, receive)
        if message is None:
            environ[PARTIAL_BODY] = 408
            break
        if message["type"] == "http.disconnect":
            environ[PARTIAL_BODY] = 400
            break
        body.write(message.get("body", b""))
        more = message.get("more_body", False)
    environ["CONTENT_LENGTH"] = length or str(body.tell())
    body.seek(0)
    return Body.LEFT if more and PARTIAL_BODY not in environ else Body.WHOLE


async def throw_away(receive: Receive) -> None:
    """Take in what still comes of a body that is refused already, before the answer ends.

    A connection that is closed on unread bytes is reset, and the answer is lost on its way: proxies make it
    a 502.
    """
    last = time.monotonic() + LINGER_SECONDS
    while message := await within(min(last, time.monotonic() + LINGER_PAUSE), receive):
        if not message.get("more_body", False):
            break


async def within(deadline: float, receive: Receive) -> Message | None:
    """Return the next message, None when there is none at `deadline` (of the monotonic clock).

    Not `asyncio.timeout`: it cancels the task that it is called in, and granian's ignores that.
    """

    async def message() -> Message:
        return await receive()

    coming = asyncio.get_running_loop().create_task(message())
    await asyncio.wait({coming}, timeout=max(0.0, deadline - time.monotonic()))
    if coming.done():
        return coming.result()
    coming.cancel()
    return None
