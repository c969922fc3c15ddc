"""`reference`: the caller's own name for a document or a batch, told wherever they are and looked for."""

from __future__ import annotations

from typing import Any

import pytest

from rendering.models import BatchChunk
from rendering.payloads import pack, unpack
from tests.api.batches import accepted, documents_of, found, item, order
from tests.api.tools import errors_of
from tests.conftest import ApiClient
from tests.jobs import run_jobs

ORDER = "Order 4711 / Größe 🙂"


def listed(client: ApiClient, kind: str, **query: str) -> list[str]:
    """Return the references of a list."""
    address = "&".join(f"{name}={value}" for name, value in query.items())
    return [row["reference"] for row in client.get(f"/v1/{kind}?{address}").json()]


@pytest.mark.parametrize("prefer", ["", "respond-async"])
def test_a_document_keeps_it(prefer: str, secret: ApiClient) -> None:
    body = {"templateId": secret.published(), "data": {}, "reference": ORDER}
    answer = secret.post("/v1/render", body, prefer=prefer)
    assert answer.json()["reference"] == ORDER
    run_jobs()
    shown = secret.get(f"/v1/documents/{answer.json()['documentId']}").json()
    assert (shown["status"], shown["reference"]) == ("completed", ORDER)
    assert listed(secret, "documents") == [ORDER]


def test_without_one_it_is_null(secret: ApiClient) -> None:
    template_id = secret.published()
    assert secret.render(template_id).json()["reference"] is None
    assert secret.render(template_id, reference=None).json()["reference"] is None
    assert found(secret, accepted(secret, [item(1)]))["reference"] is None


def test_it_is_part_of_what_an_idempotency_key_stands_for(secret: ApiClient) -> None:
    body = {"templateId": secret.published(), "data": {}, "reference": ORDER}
    first = secret.post("/v1/render", body, idempotency_key="k")
    again = secret.post("/v1/render", body, idempotency_key="k")
    assert again.json()["documentId"] == first.json()["documentId"]
    assert again.json()["reference"] == ORDER
    assert secret.post("/v1/render", body | {"reference": "x"}, idempotency_key="k").status_code == 400


def test_a_batch_and_each_of_its_items_have_their_own(secret: ApiClient) -> None:
    items = [item(1, reference="one"), item(2), item("x", reference="three")]
    batch_id = accepted(secret, items, reference=ORDER)
    assert listed(secret, "batches") == [ORDER]
    run_jobs()
    assert found(secret, batch_id)["reference"] == ORDER
    references = {index: row["reference"] for index, row in documents_of(secret, batch_id).items()}
    assert references == {0: "one", 1: None, 2: "three"}


def test_items_that_wait_since_before_there_were_references(secret: ApiClient) -> None:
    batch_id = accepted(secret, [item(1), item(2)])
    for chunk in BatchChunk.objects.all():
        BatchChunk.objects.filter(pk=chunk.pk).update(
            payload=pack([each[:3] for each in unpack(chunk.payload)])
        )
    run_jobs()
    assert found(secret, batch_id)["items"]["completed"] == 2


def test_lists_are_filtered_by_it(secret: ApiClient, ann: ApiClient, globex: ApiClient) -> None:
    template_id = secret.published()
    for reference in ("a", "a", "b", None):
        secret.render(template_id, reference=reference)
        order(secret, [item(1)], reference=reference)
    ann.render(ann.published(), reference="a")
    assert listed(secret, "documents", reference="a") == ["a", "a", "a"]
    assert listed(secret, "documents", reference="a", templateId=template_id, limit="1") == ["a"]
    assert listed(secret, "documents", reference="b") == ["b"]
    assert listed(ann, "documents", reference="a") == ["a"]
    assert listed(ann, "documents", reference="b") == listed(globex, "documents", reference="a") == []
    assert listed(secret, "batches", reference="a") == ["a", "a"]
    assert listed(ann, "batches", reference="a") == []
    for nothing in ("", "A", "%00", "x" * 5000):
        assert listed(secret, "documents", reference=nothing) == []
        assert listed(secret, "batches", reference=nothing) == []


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("", "must not be empty"),
        ("x" * 256, "must have at most 255 characters"),
        ("a\nb", "must have printable characters only, not U+000A"),
        (4711, "must be a string"),
        ({"order": 4711}, "must be a string"),
    ],
)
def test_what_is_no_reference(value: Any, message: str, secret: ApiClient) -> None:
    answer = secret.post("/v1/render", {"templateId": "x", "data": {}, "reference": value})
    assert errors_of(answer) == {"reference": message}
    answer = order(secret, [item(1, reference=value)], reference=value, templateId="x")
    assert errors_of(answer) == {"items[0].reference": message, "reference": message}
