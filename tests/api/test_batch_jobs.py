"""The jobs of a batch: killed, doubled, given up or without storage, each item is made and counted once."""

from __future__ import annotations

import errno
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from config.jobs import queue
from rendering import batch_work, services
from rendering.models import Batch, BatchChunk, Document
from rendering.sweeping import sweep
from rendering.tasks import resume_given_up
from tests.api.batches import accepted, file_of, found, item, run_one
from tests.api.tools import LONG_AGO, counted
from tests.conftest import ApiClient
from tests.failures import raiser
from tests.jobs import patience_ends, run_jobs, run_task


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
