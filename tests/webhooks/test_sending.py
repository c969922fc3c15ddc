"""One request: what is sent, where to, and what ends it."""

from __future__ import annotations

import datetime
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from accounts.webhooks import addresses, sending
from accounts.webhooks.sending import EXCERPT_BYTES, Answer, send
from tests.webhooks.receiver import Receiver, answer, closed_port, receiving

LOOPBACK = ["127.0.0.1"]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


def post(url: str, allowed: list[str] | None = None, body: bytes = b'{"a":1}') -> Answer:
    return send(
        url,
        body=body,
        headers={"webhook-id": "evt_1"},
        allowed_hosts=LOOPBACK if allowed is None else allowed,
    )


def read_request(connection: socket.socket) -> None:
    """Read all of it: closing before that would be a reset."""
    read = b""
    while not read.endswith(b'{"a":1}'):
        piece = connection.recv(65536)
        if not piece:
            raise ConnectionResetError("the caller has gone")
        read += piece


@contextmanager
def raw_server(talk: Callable[[socket.socket], None]) -> Iterator[int]:
    """Accept connections and let `talk` do with them what no web server does."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        done = threading.Event()

        def serve() -> None:
            while not done.is_set():
                try:
                    connection, _ = listener.accept()
                except TimeoutError:
                    continue
                with connection:
                    connection.settimeout(60)
                    try:
                        talk(connection)
                    except OSError:
                        continue

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            done.set()
            thread.join()


def test_what_is_sent(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    receiver.reply = lambda handler: answer(handler, 200, "grüße".encode(), content_type="text/plain")
    with closed_port() as port:
        for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{port}")
        got = post(receiver.url)
    assert (got.status_code, got.excerpt, got.error, got.is_success) == (200, "grüße", "", True)
    (message,) = receiver.messages
    assert (message.path, message.body) == ("/hook?from=us", b'{"a":1}')
    assert message.headers["host"] == f"127.0.0.1:{receiver.port}"
    assert message.headers["content-type"] == "application/json"
    assert message.headers["webhook-id"] == "evt_1"
    assert message.headers["user-agent"].startswith("Document-Rendering-Service")
    assert "x-api-key" not in message.headers


def test_the_connection_goes_to_the_address_that_was_checked(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def getaddrinfo(host: str, port: int, *args: Any, **kwargs: Any) -> list[Any]:
        asked.append(host)
        # Rebinding: the next answer would be another one.
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(addresses.socket, "getaddrinfo", getaddrinfo)
    assert post(f"http://intranet:{receiver.port}/", ["intranet"]).status_code == 204
    assert asked == ["intranet", "127.0.0.1"]  # the second one is no name any more
    assert receiver.messages[0].headers["host"] == f"intranet:{receiver.port}"


def test_a_private_address_is_never_connected_to(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", receiver.port))]
    monkeypatch.setattr(addresses.socket, "getaddrinfo", lambda *args, **kwargs: answers)
    got = post(f"https://rebound.example:{receiver.port}/", [])
    assert got.error == "Not sent: url the host rebound.example has no address, or one that is not public"
    assert (got.status_code, receiver.messages) == (None, [])


def test_another_address_is_tried_when_one_does_not_connect(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "_lookup", lambda host, port: ["127.0.0.2", "127.0.0.1"])
    assert post(f"http://intranet:{receiver.port}/", ["intranet"]).status_code == 204


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int, receiver: Receiver) -> None:
    receiver.reply = lambda handler: answer(handler, status, location=f"http://127.0.0.1:{receiver.port}/in")
    got = post(receiver.url)
    assert (got.status_code, got.is_success, len(receiver.messages)) == (status, False, 1)
    assert got.error == f"The receiver answered {status}: redirects are not followed, enter the final address"


@pytest.mark.parametrize("status", [400, 404, 410, 429, 500, 503])
def test_an_answer_that_is_no_success(status: int, receiver: Receiver) -> None:
    receiver.reply = lambda handler: answer(handler, status, b"no", retry_after="77")
    got = post(receiver.url)
    assert (got.status_code, got.is_success, got.is_gone, got.excerpt) == (status, False, status == 410, "no")
    assert got.retry_after == (77 if status in {429, 503} else None)


def test_of_a_huge_answer_the_beginning_is_read(receiver: Receiver) -> None:
    def reply(handler: Any) -> None:
        handler.send_response(200)
        handler.end_headers()
        for _ in range(1000):
            handler.wfile.write(b"\x00" * 65536)

    receiver.reply = reply
    got = post(receiver.url)
    assert (got.status_code, got.excerpt) == (200, "\N{REPLACEMENT CHARACTER}" * EXCERPT_BYTES)


def test_an_answer_that_breaks_off_still_counts(receiver: Receiver) -> None:
    def reply(handler: Any) -> None:
        handler.send_response(200)
        handler.send_header("content-length", "1000")
        handler.end_headers()
        handler.wfile.write(b"begun")

    receiver.reply = reply
    assert post(receiver.url).status_code == 200


@pytest.mark.parametrize(
    ("sent", "error"),
    [
        (b"", "The receiver closed the connection without an answer"),
        (b"220 mail.example ESMTP\r\n", "The answer could not be read (BadStatusLine)"),
        (b"HTTP/1.1 abc\r\n\r\n", "The answer could not be read (BadStatusLine)"),
        (b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 1000, "The answer could not be read (HTTPException)"),
        (b"HTTP/1.1 200 OK\r\nx: " + b"y" * 100_000, "The answer could not be read (LineTooLong)"),
    ],
    ids=["nothing", "mail", "no status", "many headers", "long header"],
)
def test_what_is_no_web_server(sent: bytes, error: str) -> None:
    def talk(connection: socket.socket) -> None:
        read_request(connection)
        connection.sendall(sent)

    with raw_server(talk) as port:
        assert post(f"http://127.0.0.1:{port}/").error == error


def test_nobody_listens() -> None:
    with closed_port() as port:
        assert post(f"http://127.0.0.1:{port}/").error == "Could not connect: Connection refused"


def test_a_receiver_may_take_longer_for_its_answer_than_for_its_connection(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "CONNECT_SECONDS", 0.2)

    def reply(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(0.6)
        answer(handler, 204)

    receiver.reply = reply
    assert post(receiver.url).is_success
    monkeypatch.setattr(sending, "TOTAL_SECONDS", 0.4)
    assert post(receiver.url).error == "Timed out: no answer within 0.4 seconds"


def test_a_handshake_that_hangs_is_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "CONNECT_SECONDS", 0.2)
    with raw_server(lambda connection: time.sleep(0.6)) as port:
        assert post(f"https://127.0.0.1:{port}/").error == "Timed out: no connection within 0.2 seconds"


@pytest.mark.parametrize(
    ("scheme", "drip"),
    [
        ("http", b""),
        ("http", b"HTTP/1.1 200 OK\r\n"),
        ("http", b"HTTP/1.1 100 Continue\r\n\r\n"),
        ("https", b"\x16\x03\x03\x3f\xff"),  # a record of the handshake that is never complete
    ],
)
def test_a_receiver_that_never_ends(scheme: str, drip: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes come in too often for the timeout of a socket, in the handshake and in the headers."""
    monkeypatch.setattr(sending, "TOTAL_SECONDS", 0.4)

    def talk(connection: socket.socket) -> None:
        connection.recv(65536)
        connection.sendall(drip)
        while True:
            connection.sendall(b"x")
            time.sleep(0.05)

    with raw_server(talk) as port:
        assert post(f"{scheme}://127.0.0.1:{port}/").error == "Timed out: no answer within 0.4 seconds"


@contextmanager
def certified(folder: Path, name: str) -> Iterator[tuple[int, ssl.SSLContext, list[str | None]]]:
    """A TLS server whose certificate is for `name`; yields port, client settings, and the names asked for."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Test")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName(
                [x509.DNSName(name) if name[0].isalpha() else x509.IPAddress(ipaddress.ip_address(name))]
            ),
            critical=False,
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = folder / "server.pem"
    pem.write_bytes(
        certificate.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(pem)
    asked: list[str | None] = []
    server.sni_callback = lambda connection, name, context: asked.append(name)

    def talk(connection: socket.socket) -> None:
        with server.wrap_socket(connection, server_side=True) as tls:
            read_request(tls)
            tls.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")

    with raw_server(talk) as port:
        yield port, ssl.create_default_context(cafile=str(pem)), asked


def test_tls_is_for_the_name_of_the_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_lookup", lambda host, port: ["127.0.0.1"])
    with certified(tmp_path, "hooks.example.com") as (port, trusting, asked):
        monkeypatch.setattr(sending, "_tls", lambda: trusting)
        got = post(f"https://hooks.example.com:{port}/", ["hooks.example.com"])
        assert (got.status_code, got.excerpt, asked) == (200, "ok", ["hooks.example.com"])
        got = post(f"https://other.example.com:{port}/", ["other.example.com"])
        assert got.status_code is None
        assert got.error.startswith("TLS: the certificate is not valid: Hostname mismatch")


def test_tls_of_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with certified(tmp_path, "127.0.0.1") as (port, trusting, _):
        monkeypatch.setattr(sending, "_tls", lambda: trusting)
        assert post(f"https://127.0.0.1:{port}/").status_code == 200


def test_a_certificate_that_nobody_vouches_for(tmp_path: Path) -> None:
    with certified(tmp_path, "127.0.0.1") as (port, _, _):
        error = post(f"https://127.0.0.1:{port}/").error
    assert error.startswith("TLS: the certificate is not valid: self-signed certificate")


def test_tls_to_a_server_without(receiver: Receiver) -> None:
    assert post(receiver.url.replace("http:", "https:")).error.startswith("TLS failed: ")
