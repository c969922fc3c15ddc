"""One HTTP request to a receiver, with a hard end. Knows no database.

The connection goes to an address that was checked (`accounts.webhooks.addresses`), with the Host header and
the TLS name of the URL. Proxies of the environment are not asked: they would resolve the name a second time.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError

from accounts.webhooks.addresses import BadAddress, Target, addresses_of, parse_target
from accounts.webhooks.backoff import parse_retry_after

CONNECT_SECONDS = 5.0
TOTAL_SECONDS = 15.0
EXCERPT_BYTES = 2048
MAX_TRIED_ADDRESSES = 4
USER_AGENT = "Document-Rendering-Service-Webhooks/1"


@dataclass(frozen=True)
class Answer:
    """What came of one attempt: a status, or an error text when there was none.

    `error` also explains a status that is no success; empty for a success.
    """

    status_code: int | None = None
    excerpt: str = ""
    error: str = ""
    retry_after: float | None = None
    duration_ms: int = 0

    @property
    def is_success(self) -> bool:
        """Tell whether the receiver took the message."""
        return self.status_code is not None and 200 <= self.status_code < 300

    @property
    def is_gone(self) -> bool:
        """Tell whether the receiver asks never to be called again."""
        return self.status_code == 410


def send(url: str, *, body: bytes, headers: Mapping[str, str], allowed_hosts: Collection[str]) -> Answer:
    """POST `body` and return what came of it within TOTAL_SECONDS; raises nothing for a receiver's fault."""
    started = time.monotonic()
    try:
        target = parse_target(url, allowed_hosts)
        status, reply_headers, excerpt = _post(target, addresses_of(target), body, headers, started)
    except BadAddress as error:
        return Answer(error=f"Not sent: url {error}", duration_ms=_since(started))
    except (HTTPError, http.client.HTTPException, OSError, ValueError) as error:
        return Answer(error=_explain(error, started), duration_ms=_since(started))
    return Answer(
        status_code=status,
        excerpt=excerpt.decode("utf-8", "replace").replace("\x00", "\N{REPLACEMENT CHARACTER}"),
        error=_refusal(status),
        retry_after=parse_retry_after(reply_headers.get("Retry-After"), datetime.now(UTC))
        if status in {429, 503}
        else None,
        duration_ms=_since(started),
    )


def _post(
    target: Target, addresses: list[str], body: bytes, headers: Mapping[str, str], started: float
) -> tuple[int, Mapping[str, str], bytes]:
    """Send to the first address that accepts a connection; return status, headers and excerpt."""
    tried = addresses[:MAX_TRIED_ADDRESSES]
    for number, address in enumerate(tried, start=1):
        left = started + TOTAL_SECONDS - time.monotonic()
        connection = _connection(target, address, max(0.1, min(CONNECT_SECONDS, left)))
        with _deadline(connection, started + TOTAL_SECONDS):
            try:
                connection.connect()
            except (ConnectTimeoutError, NewConnectionError):
                if number == len(tried):
                    raise
                continue
            except TimeoutError as error:  # of the TLS handshake
                raise ConnectTimeoutError(connection, str(error)) from error
            return _exchange(connection, target, body, headers)
    raise OSError("no address")


def _exchange(
    connection: Any, target: Target, body: bytes, headers: Mapping[str, str]
) -> tuple[int, Mapping[str, str], bytes]:
    connection.timeout = TOTAL_SECONDS  # of the socket as well, once urllib3 sends and reads
    sent = {
        "Host": target.host_header,
        "User-Agent": USER_AGENT,
        "Content-Type": "application/json",
        "Accept": "*/*",
        "Accept-Encoding": "identity",
        "Connection": "close",
    }
    connection.request("POST", target.path, body=body, headers=sent | dict(headers), preload_content=False)
    response = connection.getresponse()
    if connection.was_shut_down:  # headers that break off look as if they were complete
        raise TimeoutError
    excerpt = b""
    # The status is what counts: a body that breaks off is still an answer.
    with contextlib.suppress(HTTPError, http.client.HTTPException, OSError):
        while len(excerpt) < EXCERPT_BYTES:
            piece = response.read(EXCERPT_BYTES - len(excerpt), decode_content=False)
            if not piece:
                break
            excerpt += piece
    return response.status, response.headers, excerpt


class _Guarded:
    """A connection whose socket can be shut down from another thread in any phase.

    TLS detaches the socket while it shakes hands, so the guard is a second descriptor of the same connection.
    """

    guard: socket.socket | None = None
    was_shut_down = False

    def _new_conn(self) -> socket.socket:
        connected: socket.socket = super()._new_conn()  # type: ignore[misc]
        self.guard = connected.dup()
        return connected

    def shut_down(self) -> None:
        """End the connection: whoever reads or writes it gets an error or an end now."""
        self.was_shut_down = True
        if self.guard is not None:
            with contextlib.suppress(OSError):
                self.guard.shutdown(socket.SHUT_RDWR)

    def release(self) -> None:
        """Close both descriptors."""
        self.close()  # type: ignore[attr-defined]
        if self.guard is not None:
            self.guard.close()


class _GuardedHttp(_Guarded, HTTPConnection):
    """Plain HTTP, for allowed hosts only."""


class _GuardedHttps(_Guarded, HTTPSConnection):
    """HTTPS to a pinned address under the name of the URL."""


def _connection(target: Target, address: str, timeout: float) -> Any:
    if target.scheme == "http":
        return _GuardedHttp(address, target.port, timeout=timeout)
    return _GuardedHttps(
        address,
        target.port,
        timeout=timeout,
        server_hostname=target.host,
        ssl_context=_tls(),
    )


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    """Return the settings of TLS: the system's authorities, or those of SSL_CERT_FILE."""
    return ssl.create_default_context()


@contextlib.contextmanager
def _deadline(connection: Any, end: float) -> Iterator[None]:
    """Shut `connection` down at `end` (monotonic seconds), whatever it is doing; close it at the end.

    Timeouts of sockets count from byte to byte: a receiver that drips one now and then would never meet them.
    """
    timer = threading.Timer(max(0.0, end - time.monotonic()), connection.shut_down)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        connection.release()


def _since(started: float) -> int:
    return round((time.monotonic() - started) * 1000)


def _refusal(status: int) -> str:
    if 200 <= status < 300:
        return ""
    if 300 <= status < 400:
        return f"The receiver answered {status}: redirects are not followed, enter the final address"
    if status == 410:
        return "The receiver answered 410: it asks for no more messages"
    return f"The receiver answered {status}"


def _explain(error: Exception, started: float) -> str:
    """Return a text for the delivery log, without addresses of our own network."""
    if time.monotonic() - started >= TOTAL_SECONDS:
        return f"Timed out: no answer within {TOTAL_SECONDS:g} seconds"
    cause = error.__cause__ or error
    if isinstance(error, NewConnectionError):  # before the other one, of which it is a kind
        reason = cause.strerror if isinstance(cause, OSError) and cause.strerror else "the network failed"
        return f"Could not connect: {reason}"
    if isinstance(error, ConnectTimeoutError):
        return f"Timed out: no connection within {CONNECT_SECONDS:g} seconds"
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"TLS: the certificate is not valid: {cause.verify_message}"
    if isinstance(cause, ssl.SSLError):
        return f"TLS failed: {cause.reason or 'the connection was closed'}"
    if isinstance(cause, TimeoutError):
        return f"Timed out: no answer within {TOTAL_SECONDS:g} seconds"
    if isinstance(cause, http.client.RemoteDisconnected | ConnectionError):
        return "The receiver closed the connection without an answer"
    return f"The answer could not be read ({type(cause).__name__})"
