"""What only a real connection shows: bytes in headers, bodies of all forms, clients that dawdle or leave."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import socket
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from tests.conftest import INVOICE
from tests.live import plain
from tests.live.service import Account, Api, Service, wait_for

pytestmark = [pytest.mark.embedded, pytest.mark.live]

SIZE = 20_000_000
STORE = f"""
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
print(default_storage.url(default_storage.save("large.bin", ContentFile(bytes({SIZE})))))
"""


def browser(
    account: Account, user_id: bytes, signed: str, origin: bytes = b"http://localhost"
) -> httpx.Headers:
    """Return the headers of an end user with `user_id` as these very bytes."""
    user_hash = hmac.new(account.signing_secret.encode(), signed.encode(), hashlib.sha256).hexdigest()
    return httpx.Headers(
        [
            (b"x-api-key", account.public_key.encode()),
            (b"origin", origin),
            (b"x-user-id", user_id),
            (b"x-user-hash", user_hash.encode()),
        ]
    )


@pytest.mark.parametrize(
    ("sent", "signed"),
    [
        (b"ann", "ann"),
        ("Zoë Łukasz 李".encode(), "Zoë Łukasz 李"),
        ("voilà".encode(), "voilà"),
        ("José".encode("latin-1"), "José"),
    ],
)
def test_a_user_id_may_be_any_text(service: Service, account: Account, sent: bytes, signed: str) -> None:
    templates, user = f"{service.url}/v1/templates", browser(account, sent, signed)
    created = plain.post(templates, headers=user, json=INVOICE)
    assert created.status_code == 201, created.text
    assert [entry["id"] for entry in plain.get(templates, headers=user).json()] == [created.json()["id"]]
    refused = plain.get(templates, headers=browser(account, sent + "é".encode(), signed))
    assert (refused.status_code, refused.json()["message"]) == (401, "Invalid x-user-hash")


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_an_origin_that_is_not_ascii_is_named_in_ascii(
    service: Service, account: Account, encoding: str
) -> None:
    origin = "https://bücher.example".encode(encoding)
    answer = plain.get(f"{service.url}/v1/templates", headers=browser(account, b"ann", "ann", origin))
    assert answer.status_code == 401
    assert answer.json()["message"] == "Domain xn--bcher-kva.example is not in allowedDomains"


def test_an_origin_that_is_not_ascii_is_allowed(service: Service) -> None:
    account = service.create_account("Bücher", "bücher.example")
    origin = "https://shop.bücher.example".encode()
    answer = plain.get(f"{service.url}/v1/templates", headers=browser(account, b"ann", "ann", origin))
    assert answer.status_code == 200, answer.text


def test_a_header_name_with_an_underscore_does_not_count(api: Api, account: Account) -> None:
    answer = plain.get(f"{api.http.base_url}/v1/orgs", headers={"x_api_key": account.secret_key})
    assert answer.json()["message"] == "Missing x-api-key header"


def test_a_body_may_come_in_chunks(api: Api) -> None:
    body = json.dumps(INVOICE).encode()
    chunks = (body[start : start + 50] for start in range(0, len(body), 50))
    answer = api.http.post("/v1/templates", content=chunks, headers={"content-type": "application/json"})
    assert answer.status_code == 201, answer.text


def test_bodies_of_every_size_arrive_whole(api: Api) -> None:
    for size in (10, 100_000, 3_000_000):
        answer = api.http.post("/v1/templates", json=INVOICE | {"name": "x" * size})
        assert (answer.status_code, "name" in answer.text) == ((201, True) if size == 10 else (400, True))


@pytest.mark.parametrize("framing", [b"content-length: 100000000", b"transfer-encoding: chunked"])
def test_a_body_over_the_limit_is_refused_before_its_end(
    service: Service, account: Account, framing: bytes
) -> None:
    """The answer comes although the body never ends: the rest of it is not waited for."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=60) as client:
        client.sendall(
            b"POST /v1/templates HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            b"x-api-key: " + account.secret_key.encode() + b"\r\n" + framing + b"\r\n\r\n"
        )
        if b"chunked" in framing:
            # One chunk, a single byte over 32 MiB.
            client.sendall(b"%x\r\n" % (2**25 + 1) + b" " * (2**25 + 1))
        assert client.recv(4096).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize(
    "rest",
    [b'content-length: 50\r\n\r\n{"templateId":', b"transfer-encoding: chunked\r\n\r\n1\r\n{\r\nzz\r\n"],
)
def test_a_body_that_breaks_off_is_no_fault_of_ours(service: Service, account: Account, rest: bytes) -> None:
    with socket.create_connection(("127.0.0.1", service.port), timeout=60) as client:
        client.sendall(
            b"POST /v1/render HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            b"x-api-key: " + account.secret_key.encode() + b"\r\n" + rest
        )
        client.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: client.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b'{"message":"Request body ended before it was complete","requestId":"' in answer


def test_head_has_the_headers_of_get_and_no_body(api: Api) -> None:
    head, get = api.http.head("/v1/orgs"), api.http.get("/v1/orgs")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == get.headers["content-length"] == str(len(get.content))


@pytest.fixture(scope="module")
def large_file(service: Service) -> str:
    """A signed path to a file that fits no buffer."""
    return service.manage("shell", "--no-imports", "-c", STORE).strip()


def test_a_large_file_arrives_whole(service: Service, large_file: str) -> None:
    answer = plain.get(service.url + large_file)
    assert (answer.status_code, answer.headers["content-length"]) == (200, str(SIZE))
    assert answer.content == bytes(SIZE)
    head = plain.head(service.url + large_file)
    assert (head.status_code, head.headers["content-length"]) == (200, str(SIZE))


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="reads /proc")
def test_slow_clients_hold_no_thread(service: Service, api: Api, large_file: str) -> None:
    download = f"GET {large_file} HTTP/1.1\r\nhost: localhost\r\n\r\n".encode()
    upload = b"POST /v1/templates HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n{"
    with ExitStack() as stack:
        for _ in range(20):
            # The upload first: it has arrived when the download behind it has begun.
            for request in (upload, download):
                client = socket.create_connection(("127.0.0.1", service.port), timeout=20)
                stack.enter_context(client)
                client.sendall(request)
        wait_for(lambda: open_files(service) == 20, 60, "downloads that have begun")
        for _ in range(10):
            assert api.http.get("/v1/orgs").status_code == 200
    wait_for(lambda: open_files(service) == 0, 60, "the end of abandoned downloads")
    assert api.http.get("/v1/orgs").status_code == 200
    assert "Traceback" not in service.log.read_text()


def open_files(service: Service) -> int:
    """Return how often the workers have the large file open."""
    links = (link for pid in service.workers() for link in Path(f"/proc/{pid}/fd").iterdir())
    return sum(target(link).endswith("large.bin") for link in links)


def target(link: Path) -> str:
    """Return where a link leads; nowhere, when the file was closed since it was listed."""
    try:
        return os.readlink(link)
    except OSError:
        return ""
