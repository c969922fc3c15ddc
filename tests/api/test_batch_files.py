"""The one file of a batch, zip or merged PDF: what is in it, and that it is made once and whole."""

from __future__ import annotations

import errno
import zipfile
from typing import Any

import pypdf
import pytest
from django.core.files.storage import default_storage
from django.db import OperationalError
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from config.jobs import Retry
from rendering import assembly, batch_work, merging
from rendering.leases import MAX_ATTEMPTS
from rendering.models import Batch
from tests.api.batches import accepted, documents_of, download, file_of, found, item, queue_has, run_one
from tests.api.tools import counted
from tests.conftest import ApiClient
from tests.failures import raiser
from tests.jobs import patience_ends, run_jobs


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


def test_where_nothing_was_completed_there_is_no_file(secret: ApiClient) -> None:
    batch_id = accepted(secret, [item("x")], output="zip")
    run_jobs()
    body = found(secret, batch_id)
    assert (body["status"], body["downloadUrl"], body["fileSizeBytes"]) == ("completed", None, None)


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
