"""Cancelling and deleting batches: what is done stays, what is counted too, and nothing is left behind."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from config.jobs import queue
from rendering import batch_views, batches, deletion, services
from rendering.models import Batch, BatchChunk, Document
from rendering.sweeping import sweep
from tests.api.batches import accepted, documents_of, found, item
from tests.api.tools import LONG_AGO, assert_refused, counted, stored
from tests.conftest import ApiClient
from tests.failures import raiser
from tests.jobs import run_jobs, run_task


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


@pytest.mark.parametrize("is_gone", [False, True])
def test_ending_one_that_somebody_else_deletes_at_that_moment(
    is_gone: bool, secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether its rows are still there or not, it is not seen any more, least of all as `deleted`."""

    def beaten(batch: Batch) -> Any:
        batches.remove_batch(batch)
        if is_gone:
            run_jobs()
            assert not Batch.objects.exists()
        return cancel(batch)

    cancel = batches.cancel_batch
    monkeypatch.setattr(batch_views, "cancel_batch", beaten)
    batch_id = accepted(secret, [item(1)])
    batch = Batch.objects.get()
    answer = secret.post(f"/v1/batches/{batch_id}/cancel")
    assert (answer.status_code, answer.json()["message"]) == (404, "Batch not found")
    batches.remove_batch(batch)
    run_jobs()
    assert not Batch.objects.exists()


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


def test_deleting_waits_for_an_item_that_may_still_be_written(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepted(secret, [item(1)])

    def deleted_meanwhile(*args: Any) -> None:
        batches.remove_batch(Batch.objects.get())
        raise SystemExit

    monkeypatch.setattr(services, "draw", deleted_meanwhile)
    task = queue.claim("killed", "default")
    assert task is not None
    with pytest.raises(SystemExit):
        run_task(task)
    run_jobs()
    assert (secret.get("/v1/batches").json(), Batch.objects.count(), Document.objects.count()) == ([], 1, 1)
    waiting = DBTaskResult.objects.get(status="READY")
    assert waiting.exception_class_path == "", "it has not failed"
    assert waiting.run_after > Document.objects.get().lease_expires_at - timedelta(seconds=5)
    Document.objects.update(lease_expires_at=timezone.now() - LONG_AGO)
    sweep()
    run_jobs(later=True)
    assert (Batch.objects.count(), Document.objects.count()) == (0, 0)


def test_deleting_a_large_batch_lets_other_jobs_go_between(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch_id = accepted(secret, [item(n) for n in range(3)])
    run_jobs()
    secret.delete(f"/v1/batches/{batch_id}")
    monkeypatch.setattr(deletion, "_SLICE_SECONDS", -1.0)
    assert run_jobs() == 4, "one for each document, and one for the batch"
    assert not Batch.objects.exists()
    assert not Document.objects.exists()


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
