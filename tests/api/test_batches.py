"""`/v1/batches`: many documents of one template, rendered by jobs in chunks, each of them once."""

from __future__ import annotations

import errno
import zipfile
from datetime import timedelta
from io import BytesIO
from typing import Any

import pypdf
import pytest
from django.core.files.storage import default_storage
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from config.jobs import Retry, queue
from rendering import assembly, batch_work, batches, merging, services
from rendering.leases import MAX_ATTEMPTS
from rendering.models import Batch, BatchChunk, Document
from rendering.services import sweep
from rendering.tasks import resume_given_up
from tests.api.test_documents import LONG_AGO, counted, raiser
from tests.api.test_pagination import walk
from tests.api.tools import assert_refused, errors_of, follow, stored
from tests.conftest import INVOICE, ApiClient
from tests.jobs import patience_ends, run_jobs, run_task, waiting

CHECKED = INVOICE | {"variables": [{"name": "number", "type": "number", "required": True}]}


def item(number: Any, **fields: Any) -> dict[str, Any]:
    """Return an item of the invoice template."""
    return {"data": {"number": number, "items": [{"name": "Pen", "price": number}]}} | fields


def order(client: ApiClient, items: Any, **fields: Any) -> Any:
    """Send a batch of a new template and return the answer."""
    template_id = fields.pop("templateId", None) or client.published(**CHECKED)
    headers = fields.pop("headers", {})
    return client.post("/v1/batches", {"templateId": template_id, "items": items} | fields, **headers)


def accepted(client: ApiClient, items: Any, **fields: Any) -> str:
    """Send a batch and return its id."""
    answer = order(client, items, **fields)
    assert answer.status_code == 202, answer.content
    return answer.json()["id"]


def found(client: ApiClient, batch_id: str) -> Any:
    """Return the body of a batch."""
    answer = client.get(f"/v1/batches/{batch_id}")
    assert answer.status_code == 200
    return answer.json()


def file_of(client: ApiClient, batch_id: str) -> BytesIO:
    """Return the zip or merged file of a batch."""
    answer = follow(found(client, batch_id)["downloadUrl"])
    assert answer.status_code == 200
    return BytesIO(answer.content)


def documents_of(client: ApiClient, batch_id: str) -> dict[int, Any]:
    """Return the documents of a batch by index."""
    rows = client.get(f"/v1/documents?batchId={batch_id}").json()
    return {row["batchIndex"]: row for row in rows}


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


def download(client: ApiClient, document_id: str) -> bytes:
    """Return the file of a document."""
    url = client.get(f"/v1/documents/{document_id}").json()["downloadUrl"]
    return follow(url).content


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


def test_a_zip(secret: ApiClient) -> None:
    items = [item(1, filename="a"), item(2, filename="A"), item("x"), item(4)]
    batch_id = accepted(secret, items, output="zip", filename="march", format="xlsx")
    assert found(secret, batch_id)["downloadUrl"] is None
    run_jobs()
    body = found(secret, batch_id)
    assert (body["status"], body["filename"]) == ("completed", "march.zip")
    archive = zipfile.ZipFile(file_of(secret, batch_id))
    assert archive.testzip() is None
    assert archive.namelist() == ["a.xlsx", "A (2).xlsx", "Invoice.xlsx"]
    assert body["fileSizeBytes"] == len(file_of(secret, batch_id).getvalue())
    documents = documents_of(secret, batch_id)
    assert archive.read("a.xlsx") == download(secret, documents[0]["documentId"])
    assert counted() == 3


def test_one_merged_pdf_with_a_bookmark_for_each(secret: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "GROUP_DOCUMENTS", 4)
    items = [item(n, filename=f"n{n}") for n in range(10)]
    items[3]["data"]["items"] *= 100
    batch_id = accepted(secret, items, output="merged")
    run_jobs()
    reader = pypdf.PdfReader(file_of(secret, batch_id))
    marks, below = reader.outline[::2], reader.outline[1::2]
    assert [mark.title for mark in marks] == [f"n{n}" for n in range(10)]
    assert [[mark.title for mark in own] for own in below] == [[f"Invoice {n}"] for n in range(10)]
    for number, (mark, own) in enumerate(zip(marks, below, strict=True)):
        page = reader.get_destination_page_number(mark)
        assert reader.get_destination_page_number(own[0]) == page
        assert f"Invoice {number}" in reader.pages[page].extract_text()
    assert len(reader.pages) > 11
    assert counted() == 10


def test_a_merged_pdf_keeps_the_links_of_its_documents(secret: ApiClient) -> None:
    template_id = secret.published(
        sections=[
            {"type": "table_of_contents"},
            {"type": "page_break"},
            {"type": "heading", "content": "Chapter {{number}}"},
            {"type": "page_break"},
            {"type": "heading", "content": "Appendix {{number}}"},
        ],
        formats=["pdf"],
        variables=[{"name": "number", "type": "number"}],
    )
    items = [{"data": {"number": n}} for n in range(3)]
    batch_id = accepted(secret, items, templateId=template_id, output="merged")
    run_jobs()
    reader = pypdf.PdfReader(file_of(secret, batch_id))
    led = [
        reader.get_page_number(note.get_object()["/Dest"][0].get_object())
        for page in reader.pages
        for note in page.get("/Annots", ())
    ]
    assert led == [1, 2, 4, 5, 7, 8]
    assert [[mark.title for mark in own] for own in reader.outline[1::2]] == [
        [f"Chapter {n}", f"Appendix {n}"] for n in range(3)
    ]


def test_assembling_ends_when_its_worker_is_asked_to_and_begins_anew(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At any of its steps, the storing of the file included; no attempt is used up."""
    batch_id = accepted(secret, [item(n) for n in range(3)], output="merged")
    while queue_has("default"):
        run_one()
    asked, last = [0], 1
    check = assembly.check_stop

    def counting() -> None:
        asked[0] += 1
        if asked[0] == last:
            raise Retry(0)

    monkeypatch.setattr(assembly, "check_stop", counting)
    for last in (1, 3, 5, 50, 2**30):
        asked[0] = 0
        assert run_one("assembly") == "assemble_batch"
        often = asked[0]
        assert often <= last, "it went on"
    assert found(secret, batch_id)["status"] == "completed"
    assert Batch.objects.get().attempt == 1
    batch_id = accepted(secret, [item(n) for n in range(3)], output="merged")
    while queue_has("default"):
        run_one()
    last, asked[0] = often, 0  # the very last step: the file is being stored
    assert run_one("assembly") == "assemble_batch"
    body = found(secret, batch_id)
    assert (body["status"], body["downloadUrl"]) == ("processing", None)
    assert not default_storage.exists(Batch.objects.get(pk=batch_id).file)
    monkeypatch.setattr(assembly, "check_stop", check)
    run_jobs()
    assert found(secret, batch_id)["status"] == "completed"
    assert DBTaskResult.objects.count() == 0


def test_assembling_keeps_no_render_waiting(secret: ApiClient) -> None:
    """It has a thread of its own in every worker: the queue of renders does not know of it."""
    batch_id = accepted(secret, [item(1)], output="zip")
    assert run_one() == "render_chunk"
    assert not queue_has("default")
    assert run_one("assembly") == "assemble_batch"
    assert found(secret, batch_id)["status"] == "completed"


def queue_has(name: str) -> bool:
    """Tell whether a queue has jobs."""
    return DBTaskResult.objects.filter(queue_name=name, status="READY").exists()


def test_where_nothing_was_completed_there_is_no_file(secret: ApiClient) -> None:
    batch_id = accepted(secret, [item("x")], output="zip")
    run_jobs()
    body = found(secret, batch_id)
    assert (body["status"], body["downloadUrl"], body["fileSizeBytes"]) == ("completed", None, None)


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


def test_cancelling_keeps_what_is_done(secret: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "CHUNK_ITEMS", 2)
    batch_id = accepted(secret, [item(n) for n in range(6)], output="zip")
    task = queue.claim("worker", "default")
    assert task is not None
    run_task(task)
    answer = secret.post(f"/v1/batches/{batch_id}/cancel")
    assert answer.status_code == 200
    assert answer.json()["status"] == "cancelled"
    run_jobs()
    body = found(secret, batch_id)
    assert body["status"] == "cancelled"
    assert body["items"] == {"total": 6, "completed": 2, "failed": 0, "pending": 0, "cancelled": 4}
    assert (body["downloadUrl"], counted()) == (None, 2)
    assert documents_of(secret, batch_id).keys() == {0, 1}
    assert not BatchChunk.objects.exists()
    assert secret.post(f"/v1/batches/{batch_id}/cancel").json() == body


def test_cancelling_ends_a_chunk_that_is_being_rendered(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch_id = accepted(secret, [item(n) for n in range(6)])
    draw = services.draw

    def cancelled_meanwhile(*args: Any) -> None:
        draw(*args)
        batches.cancel_batch(Batch.objects.get())

    monkeypatch.setattr(services, "draw", cancelled_meanwhile)
    run_jobs()
    assert found(secret, batch_id)["items"] == {
        "total": 6, "completed": 1, "failed": 0, "pending": 0, "cancelled": 5,
    }  # fmt: skip


@pytest.mark.parametrize("end", [batches.cancel_batch, batches.remove_batch])
def test_ending_a_batch_locks_no_document_after_it(end: Any, secret: ApiClient) -> None:
    """Whoever completes a document locks it first, then the batch: the other way round is a deadlock."""
    accepted(secret, [item(1)])
    with CaptureQueriesContext(connection) as captured:
        end(Batch.objects.get())
    sent = [query["sql"] for query in captured]
    freed = max(index for index, sql in enumerate(sent) if sql.startswith("RELEASE SAVEPOINT"))
    touched = [index for index, sql in enumerate(sent) if sql.startswith('UPDATE "rendering_document"')]
    assert touched
    assert min(touched) > freed


def test_cancelling_one_that_has_ended_changes_nothing(secret: ApiClient) -> None:
    batch_id = accepted(secret, [item(1)])
    run_jobs()
    before = found(secret, batch_id)
    assert secret.post(f"/v1/batches/{batch_id}/cancel").json() == before


def test_deleting_removes_documents_and_file_but_not_usage(secret: ApiClient) -> None:
    batch_id = accepted(secret, [item(n) for n in range(3)], output="zip")
    run_jobs()
    documents = list(Document.objects.all())
    archive = Batch.objects.get().file
    answer = secret.delete(f"/v1/batches/{batch_id}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert_refused(secret.get(f"/v1/batches/{batch_id}"), 404, "Batch not found")
    assert_refused(secret.delete(f"/v1/batches/{batch_id}"), 404, "Batch not found")
    assert secret.get("/v1/batches").json() == []
    run_jobs()
    assert not Batch.objects.exists()
    assert not Document.objects.exists()
    assert not any(stored(document) for document in documents)
    assert not default_storage.exists(archive)
    assert counted() == 3


def test_a_single_render_does_not_wait_for_a_batch(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a second of a chunk its job goes back into the queue, behind what is more urgent."""
    monkeypatch.setattr(batch_work, "SLICE_SECONDS", 0)
    template_id = secret.published()
    batch_id = accepted(secret, [item(n) for n in range(3)], templateId=template_id)
    assert run_one() == "render_chunk"
    body = {"templateId": template_id, "data": {}}
    single = secret.post("/v1/render", body, prefer="respond-async").json()["documentId"]
    assert run_one() == "render_in_background"
    assert secret.get(f"/v1/documents/{single}").json()["status"] == "completed"
    monkeypatch.setattr(batch_work, "SLICE_SECONDS", 10)
    run_jobs()
    assert found(secret, batch_id)["status"] == "completed"
    assert counted() == 4


def run_one(name: str = "default") -> str:
    """Run the next job of a queue and return its name."""
    task = queue.claim("worker", name)
    assert task is not None
    run_task(task)
    return task.task_path.rpartition(".")[2]


def test_a_killed_worker_repeats_nothing(secret: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    batch_id = accepted(secret, [item(n) for n in range(5)])
    produce, left = services.draw, [3]

    def killed(*args: Any) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise SystemExit
        produce(*args)

    monkeypatch.setattr(services, "draw", killed)
    task = queue.claim("killed", "default")
    assert task is not None
    with pytest.raises(SystemExit):
        run_task(task)
    assert found(secret, batch_id)["items"]["completed"] == counted() == 2
    assert queue.reap(20) == 1
    run_jobs()
    body = found(secret, batch_id)
    assert (body["status"], body["items"]["completed"], counted()) == ("completed", 5, 5)
    attempts = Document.objects.order_by("batch_index").values_list("attempt", flat=True)
    assert list(attempts) == [1, 1, 2, 1, 1]


def test_two_workers_at_one_chunk_make_each_document_once(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One is paused in the middle of an item, the other does the whole chunk, then the first goes on."""
    batch_id = accepted(secret, [item(n) for n in range(4)], output="zip")
    chunk = BatchChunk.objects.get()
    draw = services.draw

    def paused(*args: Any) -> None:
        monkeypatch.setattr(services, "draw", draw)
        batch_work.render_items(chunk.pk)
        draw(*args)

    monkeypatch.setattr(services, "draw", paused)
    run_jobs(later=True)
    body = found(secret, batch_id)
    assert (body["status"], body["items"]["completed"], counted()) == ("completed", 4, 4)
    assert Document.objects.count() == 4
    assert len(zipfile.ZipFile(file_of(secret, batch_id)).namelist()) == 4


def test_a_deleted_item_is_not_rendered_again(secret: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_work, "SLICE_SECONDS", 0)
    batch_id = accepted(secret, [item(n) for n in range(3)], output="zip")
    monkeypatch.setattr(batch_work, "SLICE_SECONDS", 10)
    draw = services.draw

    def deleting(*args: Any) -> None:
        draw(*args)
        first = Document.objects.filter(batch_index=0, status="completed").first()
        if first:
            assert secret.delete(f"/v1/documents/{first.pk}").status_code == 204

    monkeypatch.setattr(services, "draw", deleting)
    run_jobs()
    body = found(secret, batch_id)
    assert (body["status"], body["items"]["completed"], counted()) == ("completed", 3, 3)
    assert len(zipfile.ZipFile(file_of(secret, batch_id)).namelist()) == 2
    Document.objects.filter(status="deleted").update(lease_expires_at=timezone.now() - LONG_AGO)
    sweep()
    assert Document.objects.count() == 2


def test_a_bucket_that_stays_away_ends_every_item(secret: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither what it drew is stored nor can it be deleted: the items fail, and the batch ends."""
    batch_id = accepted(secret, [item(n) for n in range(7)])
    away = raiser(OSError(errno.EIO, "away"))
    with monkeypatch.context() as patched:
        patched.setattr(default_storage, "save", away)
        patched.setattr(default_storage, "delete", away)
        run_jobs()
        assert found(secret, batch_id)["items"]["failed"] == 0
        patience_ends(patched)
        run_jobs(later=True)
    body = found(secret, batch_id)
    assert (body["status"], body["items"]["failed"]) == ("completed", 7)
    assert not DBTaskResult.objects.exists()
    assert sweep() == 7
    assert not Document.objects.exclude(file="").exists()


@pytest.mark.parametrize("way", ["render", "delete"])
def test_a_job_that_was_given_up_is_taken_up_later(
    way: str, secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch_id = accepted(secret, [item(1)], output="zip")
    if way == "delete":
        run_jobs()
        secret.delete(f"/v1/batches/{batch_id}")
    with monkeypatch.context() as patched:
        patched.setattr(batch_work, "unpack", raiser(ZeroDivisionError()))
        patched.setattr(default_storage, "delete", raiser(OSError(errno.EIO, "away")))
        patience_ends(patched)
        run_jobs(later=True)
    assert DBTaskResult.objects.get().status == "FAILED"
    assert resume_given_up() == 0
    DBTaskResult.objects.update(finished_at=timezone.now() - timedelta(hours=2))
    assert resume_given_up() == 1
    sweep()
    run_jobs(later=True)
    assert not DBTaskResult.objects.exists()
    if way == "render":
        assert found(secret, batch_id)["status"] == "completed"
    else:
        assert not Batch.objects.exists()


def test_a_file_that_cannot_be_made_fails_the_batch_in_the_end(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch_id = accepted(secret, [item(1)], output="zip")
    monkeypatch.setattr(batch_work, "write_zip", raiser(OSError(errno.ENOSPC, "full")))
    for _ in range(2 * MAX_ATTEMPTS):
        run_jobs()
        assert (found(secret, batch_id)["status"], Batch.objects.get().attempt) == ("processing", 0)
        DBTaskResult.objects.update(run_after=timezone.now())
    patience_ends(monkeypatch)
    run_jobs(later=True)
    body = found(secret, batch_id)
    assert (body["status"], body["error"]) == ("failed", "Storage is full; the document was not kept")
    assert documents_of(secret, batch_id)[0]["status"] == "completed"


def test_a_database_lost_at_the_end_of_a_file_costs_no_attempt(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch_id = accepted(secret, [item(1)], output="zip")
    with monkeypatch.context() as patched:
        patched.setattr(batch_work, "_tell", raiser(OperationalError("away")))
        run_jobs()
        assert (found(secret, batch_id)["status"], Batch.objects.get().attempt) == ("processing", 0)
    run_jobs(later=True)
    assert found(secret, batch_id)["status"] == "completed"
    assert zipfile.ZipFile(file_of(secret, batch_id)).testzip() is None


def test_a_file_is_made_once_by_two_workers(secret: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    batch_id = accepted(secret, [item(1)], output="zip")
    write = assembly.write_zip

    def paused(*args: Any, **options: Any) -> None:
        monkeypatch.setattr(batch_work, "write_zip", write)
        batch_work.assemble(batch_id)
        write(*args, **options)

    monkeypatch.setattr(batch_work, "write_zip", paused)
    run_jobs()
    assert found(secret, batch_id)["status"] == "completed"
    assert zipfile.ZipFile(file_of(secret, batch_id)).testzip() is None


def test_cancelled_while_its_file_is_made(secret: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    batch_id = accepted(secret, [item(1)], output="zip")
    write = assembly.write_zip

    def cancelling(*args: Any, **options: Any) -> None:
        assert secret.post(f"/v1/batches/{batch_id}/cancel").json()["status"] == "cancelled"
        write(*args, **options)

    monkeypatch.setattr(batch_work, "write_zip", cancelling)
    run_jobs()
    body = found(secret, batch_id)
    assert (body["status"], body["downloadUrl"]) == ("cancelled", None)
    assert not default_storage.exists(Batch.objects.get().file)


def test_a_document_left_by_a_cancelled_batch_is_swept(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch_id = accepted(secret, [item(1), item(2)])
    monkeypatch.setattr(services, "draw", raiser(SystemExit()))
    task = queue.claim("killed", "default")
    assert task is not None
    with pytest.raises(SystemExit):
        run_task(task)
    Document.objects.update(lease_expires_at=timezone.now() - LONG_AGO)
    assert sweep() == 1  # its job is lost: it is enqueued again
    assert Document.objects.get().status == "processing"
    secret.post(f"/v1/batches/{batch_id}/cancel")
    run_jobs()
    Document.objects.update(lease_expires_at=timezone.now() - LONG_AGO)
    assert sweep() == 1
    body = found(secret, batch_id)
    assert body["items"] == {"total": 2, "completed": 0, "failed": 1, "pending": 0, "cancelled": 1}


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
