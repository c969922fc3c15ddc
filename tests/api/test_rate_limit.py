"""How many requests a key may make, and how an answer says it."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse

from tests.api.tools import RATE, assert_refused, crash
from tests.conftest import INVOICE, ApiClient


def test_every_authenticated_answer_has_the_rate_headers(
    secret: ApiClient, ann: ApiClient, nobody: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("usage.views.trend", crash)
    template_id = secret.published()
    document_id = secret.render(template_id).json()["documentId"]
    secret.post("/v1/templates", INVOICE)
    answers = [
        (200, secret.get("/v1/orgs")),
        (201, secret.post("/v1/templates", INVOICE)),
        (202, secret.post("/v1/render", {"templateId": template_id, "data": {}}, prefer="respond-async")),
        (302, secret.get(f"/v1/downloads/{document_id}")),
        (400, secret.post("/v1/render", b"{")),
        (400, secret.post("/v1/render", {})),
        (403, ann.post("/v1/auth/rotate-keys")),
        (403, ann.get("/v1/webhooks")),
        (404, secret.get("/v1/templates/x")),
        (405, secret.request("PUT", "/v1/templates")),
        (415, secret.post("/v1/render", b"x", content_type="text/plain")),
        (500, secret.get("/v1/usage/trend")),
        (204, secret.delete(f"/v1/documents/{document_id}")),
    ]
    for status, answer in answers:
        assert answer.status_code == status
        assert answer["RateLimit-Limit"] == "100"
        assert 0 <= int(answer["RateLimit-Remaining"]) < 100
        assert 1 <= int(answer["RateLimit-Reset"]) <= 60
        assert answer["X-Request-Id"]
    refused = nobody.get("/v1/orgs")
    assert not any(name in refused for name in RATE)


def test_the_rate_limit(settings: Any, secret: ApiClient, ann: ApiClient, globex: ApiClient) -> None:
    settings.RATE_LIMIT = "3/d"
    remaining = [secret.get("/v1/orgs")["RateLimit-Remaining"] for _ in range(3)]
    assert remaining == ["2", "1", "0"]
    answer = secret.get("/v1/orgs")
    wait = answer["Retry-After"]
    assert_refused(answer, 429, f"Rate limit exceeded: try again in {wait} seconds")
    assert (answer["RateLimit-Limit"], answer["RateLimit-Remaining"]) == ("3", "0")
    assert answer["RateLimit-Reset"] == wait
    assert secret.post("/v1/auth/rotate-keys").status_code == 429
    assert ann.get("/v1/orgs").status_code == globex.get("/v1/orgs").status_code == 200


def test_the_default_is_a_hundred_a_minute(secret: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django_ratelimit.core.time.time", lambda: 1_800_000_000)
    statuses = [secret.get("/v1/orgs").status_code for _ in range(101)]
    assert statuses == [200] * 100 + [429]


@pytest.mark.parametrize("second", [*range(60), 0.9, 30.5])
def test_who_waits_as_told_is_answered(
    settings: Any, secret: ApiClient, monkeypatch: pytest.MonkeyPatch, second: float
) -> None:
    def at(moment: float) -> HttpResponse:
        monkeypatch.setattr("django_ratelimit.core.time.time", lambda: moment)
        return secret.get("/v1/orgs")

    settings.RATE_LIMIT = "1/m"
    first = 1_800_000_000 + second
    reset = int(at(first)["RateLimit-Reset"])
    refused = at(first)
    assert (refused.status_code, int(refused["Retry-After"])) == (429, reset)
    assert at(int(first) + reset - 0.1).status_code == 429
    assert at(first + reset).status_code == 200


def test_users_of_one_public_key_share_its_limit(settings: Any, ann: ApiClient, ben: ApiClient) -> None:
    settings.RATE_LIMIT = "1/d"
    assert ann.get("/v1/orgs").status_code == 200
    assert ben.get("/v1/orgs").status_code == 429


def test_refused_requests_count_refused_keys_do_not(settings: Any, secret: ApiClient, ann: ApiClient) -> None:
    settings.RATE_LIMIT = "2/d"
    for _ in range(3):
        assert ann.get("/v1/orgs", x_user_hash="0").status_code == 401
    assert ann.get("/v1/orgs").status_code == 200
    assert secret.get("/v1/templates/x").status_code == 404
    assert secret.post("/v1/render", b"{").status_code == 400
    assert secret.get("/v1/orgs").status_code == 429


def test_the_limit_can_be_switched_off(settings: Any, secret: ApiClient) -> None:
    settings.RATELIMIT_ENABLE = False
    answer = secret.get("/v1/orgs")
    assert (answer.status_code, "RateLimit-Limit" in answer) == (200, False)
