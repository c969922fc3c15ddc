"""One shape for every line, one line per request, and nothing secret in any of them."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import default_storage
from django.db import IntegrityError, OperationalError
from django.test import Client

from accounts.models import Organization
from config import health, logs
from tests.conftest import INVOICE, ApiClient, user_client
from tests.failures import raiser


class Written(io.StringIO):
    """What a log file would hold."""

    def lines(self, logger: str | None = None) -> list[dict[str, Any]]:
        found = [json.loads(line) for line in self.getvalue().splitlines()]
        return [line for line in found if logger in (None, line["logger"])]


@pytest.fixture
def log(request: pytest.FixtureRequest) -> Iterator[Written]:
    written = Written()
    handler = logging.StreamHandler(written)
    handler.setFormatter(logs.formatter(getattr(request, "param", "json")))
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    try:
        yield written
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


def test_one_line_per_request(secret: ApiClient, acme: Organization, log: Written) -> None:
    template_id = secret.create()["id"]
    answer = secret.get(f"/v1/templates/{template_id}?token=abc", x_request_id="mine-1")
    Client().get("/v1/nothing")
    first, second, third = log.lines("access")
    assert first["route"] == "/v1/templates"
    assert {
        name: second[name] for name in ("method", "route", "status", "bytes", "requestId", "organizationId")
    } == {
        "method": "GET",
        "route": "/v1/templates/{id}",
        "status": 200,
        "bytes": len(answer.content),
        "requestId": "mine-1",
        "organizationId": acme.pk,
    }
    assert second["milliseconds"] > 0
    assert second["level"] == "info"
    assert second["time"].endswith("Z")
    assert third["route"] == "unknown"
    assert "organizationId" not in third


def test_probes_are_no_news_unless_they_fail(log: Written) -> None:
    Client().get("/healthz")
    Client().get("/metrics", REMOTE_ADDR="10.0.0.7")
    assert [(line["route"], line["status"]) for line in log.lines("access")] == [("/metrics", 403)]


def test_a_lost_part_is_no_error_of_each_probe(log: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = health.Check("cache", raiser(ConnectionRefusedError()), 0.0)
    monkeypatch.setattr(health, "CHECKS", (lost,))
    assert [Client().get("/readyz").status_code for _ in range(3)] == [503] * 3
    assert [line["message"] for line in log.lines("config.health")] == [
        "Not ready: cache: ConnectionRefusedError"
    ]
    assert {(line["logger"], line["level"]) for line in log.lines()} == {
        ("config.health", "warning"),
        ("access", "info"),
    }


def test_a_host_that_is_not_ours_is_a_line_without_a_traceback(log: Written) -> None:
    """Scanners send thousands of them."""
    assert Client(HTTP_HOST="scanner.example").get("/login").status_code == 400
    (line,) = log.lines("django.security.DisallowedHost")
    assert "You may need to add 'scanner.example' to ALLOWED_HOSTS" in line["message"]
    assert "exception" not in line


QUOTED = "Ada Lovelace"


def crash(*_: Any, **__: Any) -> Any:
    raise ValueError(f"could not convert string to float: {QUOTED!r}")


@pytest.mark.parametrize("log", ["json", "text"], indirect=True)
def test_a_story_leaves_nothing_secret_in_the_log(
    secret: ApiClient, acme: Organization, log: Written, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.METRICS_TOKEN = "m3trics-t0ken"
    monkeypatch.setattr(logging.getLogger(), "level", logging.INFO)
    user = user_client(acme, "ann.of.acme@example.com")
    data = {"number": "NR-4711", "items": [{"name": "Confidential pen", "price": 1.5}]}
    template_id = secret.published(
        name="Secret plan", sections=[*INVOICE["sections"], {"type": "text", "content": "Top secret text"}]
    )
    links = [secret.render(template_id, data, filename="report-of-ada").json()["downloadUrl"]]
    document = secret.render(template_id, data, externalUserId="ann.of.acme@example.com").json()
    download = user.get(f"/v1/downloads/{document['documentId']}")
    links += [document["downloadUrl"], download["Location"]]
    for link in links:
        parts = urlsplit(link)
        if parts.path.startswith("/files/"):
            assert Client().get(f"{parts.path}?{parts.query}").status_code == 200
            assert Client().get(f"{parts.path}?{parts.query}0").status_code == 403
    user.get("/v1/usage?externalUserId=ann.of.acme@example.com", x_user_hash="0" * 64)
    secret.get("/v1/orgs", x_api_key="sk_live_" + "w" * 48)
    secret.render(template_id, {"number": 5, "items": [{"name": "Confidential ink", "price": "much"}]})
    with monkeypatch.context() as patch:
        patch.setattr(default_storage, "save", crash)
        assert secret.render(template_id, data).status_code == 500
    Client().get("/metrics", headers={"authorization": "Bearer m3trics-t0ken"})
    rotated = secret.post("/v1/auth/rotate-keys").json()
    logging.getLogger("other").warning("calling %s and %s", links[0], "redis://:hunter2@cache:6379/0")

    written = log.getvalue()
    assert "Unhandled error" in written
    assert "builtins.ValueError: (text withheld" in written
    credentials = acme.credentials
    secrets = [
        *(credentials.public_key, credentials.secret_key, credentials.signing_secret),
        *rotated.values(),
        *(acme.public_key_digest, acme.secret_key_digest, acme.signing_secret_encrypted),
        *(user.headers["x-user-hash"], "0" * 64, "w" * 48, "m3trics-t0ken", "hunter2"),
        *(value for link in links for value in parse_qs(urlsplit(link).query).get("Signature", [])),
        *(value for link in links for value in parse_qs(urlsplit(link).query).get("X-Amz-Signature", [])),
        *("ann.of.acme@example.com", "ann.of.acme%40example.com", "report-of-ada"),
        *("NR-4711", "Confidential", "Top secret", "Secret plan", QUOTED, "much"),
    ]
    assert len(secrets) > 20
    assert [value for value in secrets if value in written] == []


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("Ada"), logs.WITHHELD),
        (KeyError("Ada"), logs.WITHHELD),
        (IntegrityError("Key (external_user_id)=(ada) already exists"), logs.WITHHELD),
        (OperationalError("connection refused"), "connection refused"),
        (OSError(28, "No space left on device"), "[Errno 28] No space left on device"),
        (ImproperlyConfigured("no such setting"), "no such setting"),
    ],
    ids=repr,
)
def test_which_exceptions_may_speak(error: Exception, text: str) -> None:
    kind = type(error)
    assert logs.told(error).endswith(f"{kind.__module__}.{kind.__qualname__}: {text}")


def test_the_operator_may_ask_for_every_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.getLogger(), "level", logging.DEBUG)
    logging.getLogger().manager._clear_cache()  # type: ignore[attr-defined]
    assert logs.told(ValueError("Ada")).endswith("builtins.ValueError: Ada")
    monkeypatch.undo()
    logging.getLogger().manager._clear_cache()  # type: ignore[attr-defined]


def test_what_an_exception_was_raised_from_is_told_first(log: Written) -> None:
    try:
        try:
            raise OSError(5, "Input/output error")
        except OSError as error:
            raise RuntimeError("caller's words") from error
    except RuntimeError:
        logging.getLogger("x").exception("Broken")
    (line,) = log.lines("x")
    first, _, second = line["exception"].partition("-- then --")
    assert "Input/output error" in first
    assert "test_logs.py" in first
    assert "builtins.RuntimeError: (text withheld" in second


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("key sk_live_abcDEF0123 used", "key sk_live_*** used"),
        ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_***"),
        ("https://u:p@host/db", "https://***host/db"),
        ("to postgres://u:p@ss/w@rd@host/db failed", "to postgres://***host/db failed"),
        ('"smtp://u:p/w@h" and a@b', '"smtp://***h" and a@b'),
        ("/files/a.pdf?Expires=17&Signature=abc-_=&x=1", "/files/a.pdf?Expires=***&Signature=***&x=1"),
        ("?X-Amz-Credential=AK%2F1&X-Amz-Signature=0f", "?X-Amz-Credential=***&X-Amz-Signature=***"),
        ("Forbidden: /invitations/aB-3_x?y=1", "Forbidden: /invitations/***?y=1"),
        ('"/password/reset/MQ/c1-9f" crashed', '"/password/reset/MQ/***" crashed'),
        ("mail to ann@example.com", "mail to ann@example.com"),
        ("nothing", "nothing"),
    ],
)
def test_what_is_blotted_out(text: str, shown: str) -> None:
    assert logs.blotted(text) == shown


def test_a_long_line_of_addresses_is_read_once() -> None:
    """Whoever sends a host name has it logged."""
    line = "https://a:" * 100_000
    assert logs.blotted(f"{line} @") == f"{line} @"
    assert logs.blotted(f"{line}@b") == "https://***b"


def test_requests_of_clients_are_not_written_even_at_debug() -> None:
    loggers = logs.configuration("DEBUG", "json")["loggers"]
    assert {name for name in ("boto3", "botocore", "urllib3") if loggers[name]["level"] != "WARNING"} == set()


def test_tries_at_a_lost_bucket_are_no_lines() -> None:
    loggers = logs.configuration("INFO", "line")["loggers"]
    assert loggers["urllib3.connectionpool"]["level"] == "ERROR"
