"""`Idempotency-Key`: a retry returns the first result, never a second document."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import connections
from django.utils import timezone

from accounts.models import Organization
from rendering import idempotency
from rendering.formats import RENDERERS
from rendering.models import Document
from rendering.sweeping import sweep
from tests.api.tools import assert_refused
from tests.conftest import ApiClient
from tests.factories import DocumentFactory
from tests.links import kept

OTHER_BODY = "Idempotency-Key was already used with another request body"


@pytest.fixture
def body(secret: ApiClient) -> dict[str, Any]:
    """A render of the organization."""
    return {"templateId": secret.published(), "data": {"number": "1", "items": []}}


def render(client: ApiClient, body: dict[str, Any], key: str = "k-1") -> Any:
    return client.post("/v1/render", body, idempotency_key=key)


def test_the_same_request_again_is_the_first_document(secret: ApiClient, body: dict[str, Any]) -> None:
    first, second = render(secret, body), render(secret, body)
    assert first.status_code == second.status_code == 200
    assert "Idempotent-Replayed" not in first
    assert second["Idempotent-Replayed"] == "true"
    same = {"documentId", "status", "fileSizeBytes", "renderTimeMs", "createdAt", "filename"}
    assert {name: first.json()[name] for name in same} == {name: second.json()[name] for name in same}
    assert Document.objects.count() == 1
    assert secret.get("/v1/usage").json()["total"] == 1


def test_the_order_of_fields_makes_no_other_body(secret: ApiClient, body: dict[str, Any]) -> None:
    render(secret, body)
    assert render(secret, dict(reversed(body.items())))["Idempotent-Replayed"] == "true"


def test_another_key_or_none_is_another_document(secret: ApiClient, body: dict[str, Any]) -> None:
    ids = {render(secret, body, key).json()["documentId"] for key in ("a", "b")}
    ids |= {secret.post("/v1/render", body).json()["documentId"] for _ in range(2)}
    assert len(ids) == 4


@pytest.mark.parametrize("change", [{"data": {"number": "2", "items": []}}, {"format": "xlsx"}, {"other": 1}])
def test_the_same_key_with_another_body_is_a_400(
    change: dict[str, Any], secret: ApiClient, body: dict[str, Any]
) -> None:
    render(secret, body)
    assert_refused(render(secret, body | change), 400, OTHER_BODY)
    assert Document.objects.count() == 1


def test_keys_belong_to_their_caller(secret: ApiClient, ann: ApiClient, ben: ApiClient) -> None:
    ids = set()
    for client in (secret, ann, ben):
        body = {"templateId": client.published(), "data": {}}
        ids.add(render(client, body).json()["documentId"])
    assert len(ids) == 3


def test_a_rotation_keeps_the_key(secret: ApiClient, body: dict[str, Any]) -> None:
    first = render(secret, body)
    secret.headers["x-api-key"] = secret.post("/v1/auth/rotate-keys").json()["secretKey"]
    assert render(secret, body).json()["documentId"] == first.json()["documentId"]


def test_a_retry_is_answered_whatever_became_of_the_template(secret: ApiClient, body: dict[str, Any]) -> None:
    first = render(secret, body)
    secret.delete(f"/v1/templates/{body['templateId']}")
    assert render(secret, body).json()["documentId"] == first.json()["documentId"]


def test_a_failed_render_releases_its_key(
    secret: ApiClient, body: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: Any) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(RENDERERS["pdf"], "render", fail)
        assert render(secret, body).status_code == 500
    again = render(secret, body)
    assert (again.status_code, "Idempotent-Replayed" in again) == (200, False)


def test_a_refused_render_takes_no_key(secret: ApiClient, body: dict[str, Any]) -> None:
    assert render(secret, body | {"data": {"items": 5}}).status_code == 400
    assert render(secret, body).status_code == 200


def test_a_key_is_kept_for_a_day(secret: ApiClient, body: dict[str, Any]) -> None:
    first = render(secret, body).json()["documentId"]
    Document.objects.update(created_at=timezone.now() - timedelta(hours=23, minutes=59))
    assert render(secret, body).json()["documentId"] == first
    Document.objects.update(created_at=timezone.now() - timedelta(hours=24, minutes=1))
    second = render(secret, body | {"data": {}}).json()["documentId"]
    assert second != first
    assert secret.get(f"/v1/downloads/{first}").status_code == 302


def test_a_killed_render_gives_its_key_back(secret: ApiClient, body: dict[str, Any]) -> None:
    first = render(secret, body).json()["documentId"]
    other = secret.post("/v1/render", body, idempotency_key="another one").json()["documentId"]
    Document.objects.update(status="processing", lease_expires_at=timezone.now() - timedelta(seconds=1))
    begun = Document.objects.get(pk=other)
    assert render(secret, body).json()["documentId"] != first
    left = Document.objects.get(pk=other)
    assert (left.idempotency_digest, left.attempt) == (begun.idempotency_digest, begun.attempt)


def test_a_render_taken_for_killed_cannot_complete_beside_its_retry(
    acme: Organization, secret: ApiClient, body: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its process was paused for longer than its lease, and goes on when the retry has made the document."""
    retried: list[Any] = []
    save = default_storage.save

    def slow(*args: Any) -> str:
        if not retried:
            retried.append(None)
            Document.objects.update(lease_expires_at=timezone.now() - timedelta(seconds=1))
            retried[0] = render(secret, body)
        return save(*args)

    monkeypatch.setattr(default_storage, "save", slow)
    assert render(secret, body).status_code >= 500
    assert retried[0].status_code == 200
    assert sweep() == 1
    assert Document.objects.get(status="completed").pk == retried[0].json()["documentId"]
    assert secret.get("/v1/usage").json()["total"] == 1
    assert kept(f"documents/{acme.pk}") == [Document.objects.get(status="completed").file]


def test_who_waits_too_long_is_told_so(secret: ApiClient, body: dict[str, Any], settings: Any) -> None:
    render(secret, body)
    Document.objects.update(status="processing", lease_expires_at=timezone.now() + timedelta(minutes=1))
    settings.RENDER_TIMEOUT = 0
    answer = render(secret, body)
    assert_refused(answer, 409, "The first request with this Idempotency-Key is still being processed")
    assert answer["Retry-After"] == "5"


@pytest.mark.parametrize("key", ["x" * 256, "ä", "\t", ""])
def test_a_key_that_is_none_is_named(key: str, secret: ApiClient, body: dict[str, Any]) -> None:
    answer = render(secret, body, key)
    assert_refused(answer, 400, "Idempotency-Key: must have 1 to 255 printable ASCII characters")


def test_whoever_loses_the_race_gets_the_winners_document(
    secret: ApiClient, body: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key arrives again between the look-up and the row: the unique constraint decides."""
    from rendering import services

    winners: list[str] = []
    begin = services._begin

    def beaten(*args: Any, **options: Any) -> Document:
        if not winners:
            winners.append("")
            winners[0] = render(secret, body).json()["documentId"]
        return begin(*args, **options)

    monkeypatch.setattr(services, "_begin", beaten)
    answer = render(secret, body)
    assert (answer.status_code, answer.json()["documentId"]) == (200, winners[0])
    assert answer["Idempotent-Replayed"] == "true"
    assert Document.objects.count() == 1


@pytest.mark.django_db
def test_released_keys_are_free() -> None:
    document = DocumentFactory(idempotency_digest="d" * 64)
    idempotency.release(document)
    assert not Document.objects.filter(idempotency_digest="d" * 64).exists()


@pytest.fixture
def in_threads() -> Any:
    """Run a function in several threads at the same moment and return what each gave."""

    def run(function: Any, threads: int) -> list[Any]:
        barrier, results = threading.Barrier(threads), []

        def work() -> None:
            try:
                barrier.wait(60)
                results.append(function())
            finally:
                connections.close_all()

        workers = [threading.Thread(target=work) for _ in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(180)
        return results

    return run


@pytest.mark.django_db(transaction=True)
def test_the_same_key_at_the_same_moment(secret: ApiClient, body: dict[str, Any], in_threads: Any) -> None:
    answers = in_threads(lambda: render(secret, body), 4)
    assert [answer.status_code for answer in answers] == [200] * 4
    assert len({answer.json()["documentId"] for answer in answers}) == 1
    assert sum("Idempotent-Replayed" in answer for answer in answers) == 3
    assert Document.objects.count() == 1
    assert secret.get("/v1/usage").json()["total"] == 1


@pytest.mark.django_db(transaction=True)
def test_renders_at_the_same_moment_lose_no_count(
    secret: ApiClient, body: dict[str, Any], in_threads: Any
) -> None:
    answers = in_threads(lambda: secret.post("/v1/render", body), 6)
    assert [answer.status_code for answer in answers] == [200] * 6
    assert secret.get("/v1/usage").json()["total"] == Document.objects.filter(status="completed").count() == 6


@pytest.mark.django_db(transaction=True)
def test_updates_at_the_same_moment_lose_no_version(
    secret: ApiClient, body: dict[str, Any], in_threads: Any
) -> None:
    path = f"/v1/templates/{body['templateId']}"
    answers = in_threads(lambda: secret.patch(path, {"name": "x"}), 4)
    assert sorted(answer.json()["version"] for answer in answers) == [2, 3, 4, 5]
    assert [entry["version"] for entry in secret.get(f"{path}/versions").json()] == [4, 3, 2, 1]
