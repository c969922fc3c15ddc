"""Nothing is lost or doubled when many requests arrive at once at several processes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.conftest import INVOICE, INVOICE_DATA
from tests.live import plain
from tests.live.service import Api

pytestmark = [pytest.mark.live]


def test_two_hundred_concurrent_renders(api: Api) -> None:
    template_id = api.published(**INVOICE)

    def render(number: int) -> httpx.Response:
        return api.render(
            template_id, INVOICE_DATA | {"number": str(number)}, format=("pdf", "xlsx")[number % 2]
        )

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(render, range(200)))
        assert {answer.status_code for answer in answers} == {200}
        documents = [answer.json() for answer in answers]
        files = list(pool.map(lambda document: plain.get(document["downloadUrl"], timeout=30), documents))
        redirected = list(
            pool.map(lambda document: api.http.get(f"/v1/downloads/{document['documentId']}"), documents[:40])
        )
    assert len({document["documentId"] for document in documents}) == 200
    for document, file in zip(documents, files, strict=True):
        assert file.status_code == 200
        assert len(file.content) == document["fileSizeBytes"]
        assert file.content.startswith(b"%PDF-" if document["format"] == "pdf" else b"PK")
    assert {answer.status_code for answer in redirected} == {302}
    usage = api.http.get("/v1/usage").json()
    assert usage["total"] == 200
    assert {row["format"]: row["documents"] for row in usage["usage"]} == {"pdf": 100, "xlsx": 100}
    assert api.http.get("/v1/usage/trend").json()[-1]["documents"] == 200


def test_one_document_for_one_idempotency_key(api: Api) -> None:
    template_id = api.published(**INVOICE)
    with ThreadPoolExecutor(20) as pool:
        answers = list(
            pool.map(
                lambda _: api.render(template_id, INVOICE_DATA, headers={"Idempotency-Key": "order-42"}),
                range(20),
            )
        )
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["documentId"] for answer in answers}) == 1
    assert sum(answer.headers.get("Idempotent-Replayed") == "true" for answer in answers) == 19
    assert api.http.get("/v1/usage").json()["total"] == 1
    other = api.render(template_id, INVOICE_DATA | {"number": "43"}, headers={"Idempotency-Key": "order-42"})
    assert other.status_code == 400


def test_every_concurrent_update_gets_its_version(api: Api) -> None:
    template_id = api.published(**INVOICE)
    names = [f"Invoice {number}" for number in range(20)]
    with ThreadPoolExecutor(20) as pool:
        answers = list(
            pool.map(lambda name: api.http.patch(f"/v1/templates/{template_id}", json={"name": name}), names)
        )
    assert {answer.status_code for answer in answers} == {200}
    assert sorted(answer.json()["version"] for answer in answers) == list(range(2, 22))
    entries = api.http.get(f"/v1/templates/{template_id}/versions").json()
    current = api.http.get(f"/v1/templates/{template_id}").json()
    assert current["version"] == 21
    assert [entry["version"] for entry in entries] == list(range(20, 0, -1))
    history = [entry["name"] for entry in reversed(entries)] + [current["name"]]
    assert history[0] == "Invoice"
    assert sorted(history[1:]) == sorted(names)
