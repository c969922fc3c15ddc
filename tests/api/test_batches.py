"""`/v1/batches`: many documents of one template, rendered by jobs in chunks, each of them once."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO
from typing import Any

import pypdf
import pytest
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from rendering import batches
from rendering.models import Batch, BatchChunk
from tests.api.batches import CHECKED, accepted, documents_of, download, found, item, order
from tests.api.tools import assert_refused, counted, errors_of, walk
from tests.conftest import ApiClient
from tests.jobs import run_jobs, waiting


def test_every_item_becomes_a_document(secret: ApiClient) -> None:
    answer = order(secret, [item(n, filename=f"n{n}") for n in range(60)])
    body = answer.json()
    assert (answer.status_code, answer["Location"]) == (202, f"http://testserver/v1/batches/{body['id']}")
    assert (body["status"], body["output"], body["format"]) == ("queued", "files", "pdf")
    assert body["items"] == {"total": 60, "completed": 0, "failed": 0, "pending": 60, "cancelled": 0}
    assert BatchChunk.objects.count() == 3
    run_jobs()
    body = found(secret, body["id"])
    assert (body["status"], body["errors"], body["downloadUrl"]) == ("completed", [], None)
    assert body["items"] == {"total": 60, "completed": 60, "failed": 0, "pending": 0, "cancelled": 0}
    assert body["createdAt"] < body["completedAt"]
    documents = documents_of(secret, body["id"])
    assert documents.keys() == set(range(60))
    assert documents[7]["filename"] == "n7.pdf"
    text = pypdf.PdfReader(BytesIO(download(secret, documents[7]["documentId"]))).pages[0].extract_text()
    assert "Invoice 7" in text
    assert counted() == 60
    assert not BatchChunk.objects.exists()
    assert not DBTaskResult.objects.exists()


def test_items_that_do_not_fit_do_not_sink_the_rest(secret: ApiClient) -> None:
    batch_id = accepted(secret, [item(1), item("x"), item(3), {"data": {}}])
    run_jobs()
    body = found(secret, batch_id)
    assert (body["status"], body["items"]["completed"], body["items"]["failed"]) == ("completed", 2, 2)
    assert [(error["index"], error["message"]) for error in body["errors"]] == [
        (1, "data.number: must be a number"),
        (3, "data.number: required"),
    ]
    documents = documents_of(secret, batch_id)
    assert documents[1]["documentId"] == body["errors"][0]["documentId"]
    assert documents[1]["error"] == "data.number: must be a number"
    assert counted() == 2


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        ({"items": []}, {"items": "must not be empty"}),
        ({"items": None}, {"items": "must be a list"}),
        ({"items": [1, {}]}, {"items[0]": "must be an object", "items[1].data": "required"}),
        ({"items": [item(1, filename="a/b")]}, None),
        ({"items": [item(1, externalUserId="")]}, {"items[0].externalUserId": "must not be empty"}),
        ({"items": [item(1)] * 10_001}, {"items": "must have at most 10000 entries"}),
        ({"templateId": ""}, {"templateId": "required"}),
        ({"format": "docx"}, {"format": 'must be "pdf" or "xlsx"'}),
        ({"output": "tar"}, {"output": 'must be "files", "zip" or "merged"'}),
        (
            {"output": "merged", "format": "xlsx"},
            {"output": "cannot be merged: only pdf documents can"},
        ),
    ],
)
def test_a_wrong_body(fields: Any, errors: dict[str, str] | None, secret: ApiClient) -> None:
    body = {"templateId": secret.published(**CHECKED), "items": [item(1)]} | fields
    answer = secret.post("/v1/batches", body)
    assert errors is None or errors_of(answer) == errors
    assert answer.status_code == 400
    assert not Batch.objects.exists()
    assert waiting() == 0


def test_the_template_is_checked_as_for_a_render(secret: ApiClient, ben: ApiClient) -> None:
    assert_refused(order(ben, [item(1)], templateId=secret.published()), 404, "Template not found")
    assert_refused(
        order(secret, [item(1)], templateId=secret.create()["id"]), 400, "Template is not published"
    )
    text = secret.published(sections=[{"type": "text", "content": "x"}])
    assert_refused(order(secret, [item(1)], templateId=text, format="xlsx"), 400, "No table sections found")
    locked = secret.published(page={"protection": {"userPassword": "secret"}})
    assert errors_of(order(secret, [item(1)], templateId=locked, output="merged")) == {
        "output": "cannot be merged: the template protects its documents"
    }


def test_the_version_is_fixed_when_the_batch_is_accepted(secret: ApiClient) -> None:
    template_id = secret.published()
    batch_id = accepted(secret, [item(1)], templateId=template_id)
    secret.patch(f"/v1/templates/{template_id}", {"name": "Changed"})
    secret.delete(f"/v1/templates/{template_id}")
    run_jobs()
    assert documents_of(secret, batch_id)[0]["filename"] == "Invoice.pdf"
    assert found(secret, batch_id)["templateVersion"] == 1


def test_owners(secret: ApiClient, ann: ApiClient, ben: ApiClient, globex: ApiClient) -> None:
    batch_id = accepted(secret, [item(1), item(2, externalUserId="ann")])
    run_jobs()
    assert [row["batchIndex"] for row in ann.get("/v1/documents").json()] == [1]
    for client in (ann, ben, globex):
        assert_refused(client.get(f"/v1/batches/{batch_id}"), 404, "Batch not found")
        assert client.get("/v1/batches").json() == []
    hers = accepted(ann, [item(3, externalUserId="ben")])
    run_jobs()
    assert documents_of(ann, hers)[0]["externalUserId"] == "ann"
    assert [row["id"] for row in secret.get("/v1/batches").json()] == [hers, batch_id]
    assert [row["id"] for row in ann.get("/v1/batches").json()] == [hers]


def test_an_end_user_sees_no_batch_with_documents_of_others(secret: ApiClient, ann: ApiClient) -> None:
    template_id = secret.published(**CHECKED, externalUserId="ann")
    mixed = accepted(
        secret, [item(1), item(2, externalUserId="ben")], templateId=template_id, output="merged"
    )
    hers = accepted(secret, [item(3), item(4, externalUserId="ann")], templateId=template_id)
    run_jobs()
    owners = {index: row["externalUserId"] for index, row in documents_of(secret, mixed).items()}
    assert owners == {0: "ann", 1: "ben"}
    assert found(secret, mixed)["externalUserId"] is None
    assert_refused(ann.get(f"/v1/batches/{mixed}"), 404, "Batch not found")
    assert [row["id"] for row in ann.get("/v1/batches").json()] == [hers]


def test_pages_of_batches(secret: ApiClient) -> None:
    template_id = secret.published()
    ids = [accepted(secret, [item(n)], templateId=template_id) for n in range(3)]
    pages = walk(secret, "/v1/batches?limit=2")
    assert [[row["id"] for row in rows] for rows in pages] == [[ids[2], ids[1]], [ids[0]]]
    assert pages[0][0].keys() == found(secret, ids[0]).keys() - {"errors", "downloadUrl", "expiresAt"}


def test_an_idempotency_key_makes_one_batch(secret: ApiClient) -> None:
    template_id = secret.published()
    send = {"templateId": template_id, "headers": {"idempotency_key": "k"}}
    first, again = order(secret, [item(1)], **send), order(secret, [item(1)], **send)
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json() == again.json()
    assert again["Idempotent-Replayed"] == "true"
    assert_refused(
        order(secret, [item(2)], **send), 400, "Idempotency-Key was already used with another request body"
    )
    run_jobs()
    assert order(secret, [item(1)], **send).status_code == 200
    assert (Batch.objects.count(), counted()) == (1, 1)
    Batch.objects.update(created_at=timezone.now() - timedelta(hours=23, minutes=59))
    assert order(secret, [item(1)], **send).json()["id"] == first.json()["id"]
    Batch.objects.update(created_at=timezone.now() - timedelta(hours=24, minutes=1))
    fresh = order(secret, [item(2)], **send)
    assert (fresh.status_code, "Idempotent-Replayed" in fresh) == (202, False), "a key is kept for a day"
    assert fresh.json()["id"] != first.json()["id"]


def test_many_items_are_kept_in_few_rows(secret: ApiClient, django_assert_max_num_queries: Any) -> None:
    items = [item(n) for n in range(10_000)]
    template_id = secret.published()
    with django_assert_max_num_queries(20):
        batch_id = accepted(secret, items, templateId=template_id)
    assert BatchChunk.objects.count() == waiting() == 10_000 // batches.CHUNK_ITEMS
    assert found(secret, batch_id)["items"]["pending"] == 10_000


def test_an_organization_may_not_have_too_many_items_waiting(
    secret: ApiClient, ann: ApiClient, globex: ApiClient, settings: Any
) -> None:
    settings.MAX_UNFINISHED_ITEMS = 5
    template_id = secret.published(**CHECKED)
    first = accepted(secret, [item(1), item("x"), item(3)], templateId=template_id)
    refused = order(secret, [item(n) for n in range(3)], templateId=template_id)
    message = "Too many batch items are waiting: 3 of at most 5; try again when some are done"
    assert_refused(refused, 429, message)
    assert refused["Retry-After"] == "60"
    assert_refused(order(ann, [item(n) for n in range(3)]), 429, message)
    assert Batch.objects.count() == 1
    assert DBTaskResult.objects.count() == BatchChunk.objects.count() == 1
    accepted(globex, [item(n) for n in range(5)])
    second = accepted(secret, [item(1), item(2)], templateId=template_id)
    assert_refused(order(secret, [item(1)], templateId=template_id), 429, message.replace("3 of", "5 of"))
    assert secret.post(f"/v1/batches/{second}/cancel").status_code == 200
    run_jobs()
    assert found(secret, first)["status"] == "completed"
    accepted(secret, [item(n) for n in range(5)], templateId=template_id)


def test_a_refused_batch_leaves_its_idempotency_key(secret: ApiClient, settings: Any) -> None:
    settings.MAX_UNFINISHED_ITEMS = 2
    first = accepted(secret, [item(1)])
    send = {"templateId": secret.published(), "headers": {"idempotency_key": "k"}}
    assert order(secret, [item(1), item(2)], **send).status_code == 429
    assert secret.post(f"/v1/batches/{first}/cancel").status_code == 200
    assert order(secret, [item(1), item(2)], **send).status_code == 202


def test_a_batch_that_could_never_wait_is_refused_for_good(secret: ApiClient, settings: Any) -> None:
    settings.MAX_UNFINISHED_ITEMS = 2
    refused = order(secret, [item(n) for n in range(3)])
    assert_refused(refused, 400, "items: must have at most 2 entries")
    assert "Retry-After" not in refused
