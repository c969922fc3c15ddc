"""`Prefer: respond-async`: accepted at once, rendered by a job, once."""

from __future__ import annotations

import errno
import time
from datetime import timedelta
from typing import Any

import botocore.exceptions
import pytest
import redis.exceptions
from django.core.files.storage import default_storage
from django.db import OperationalError
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from accounts.models import Organization
from config.jobs import LONGEST_PAUSE, queue
from config.outages import lost_part
from rendering import background, services
from rendering.formats import RENDERERS
from rendering.leases import MAX_ATTEMPTS, PAUSES
from rendering.models import Document, RenderInput
from rendering.sweeping import sweep
from rendering.tasks import render_in_background
from tests.api.tools import LONG_AGO, assert_refused, content_of, counted, errors_of, stored, text_of
from tests.conftest import INVOICE_DATA, ApiClient
from tests.failures import raiser
from tests.jobs import run_jobs, run_task, waiting

ASYNC = {"prefer": "respond-async"}


def render_later(client: ApiClient, template_id: str, **fields: Any) -> Any:
    """Ask for a document without waiting for it."""
    body = {"templateId": template_id, "data": INVOICE_DATA} | fields
    return client.post("/v1/render", body, **ASYNC)


def found(client: ApiClient, document_id: str) -> Any:
    """Return the body of a document."""
    answer = client.get(f"/v1/documents/{document_id}")
    assert answer.status_code == 200
    return answer.json()


def test_accepted_then_rendered(secret: ApiClient) -> None:
    template_id = secret.published()
    answer = render_later(secret, template_id, filename="mine")
    assert (answer.status_code, answer["Preference-Applied"]) == (202, "respond-async")
    body = answer.json()
    assert answer["Location"] == f"http://testserver/v1/documents/{body['documentId']}"
    assert (body["status"], body["filename"], body["format"]) == ("processing", "mine.pdf", "pdf")
    empty = ("downloadUrl", "expiresAt", "fileSizeBytes", "renderTimeMs", "error", "completedAt")
    assert [body[name] for name in empty] == [None] * 6
    assert found(secret, body["documentId"]) == body
    assert_refused(secret.get(f"/v1/downloads/{body['documentId']}"), 404, "Document not found")
    assert counted() == 0
    assert run_jobs() == 1
    ready = secret.get(f"/v1/documents/{body['documentId']}")
    assert ready.json()["status"] == "completed"
    assert ready.json().keys() == body.keys()
    assert "Invoice 42" in text_of(ready)
    assert ready.json()["fileSizeBytes"] == len(content_of(ready))
    assert counted() == 1
    assert secret.get(f"/v1/downloads/{body['documentId']}").status_code == 302


def test_the_data_is_kept_only_until_it_is_rendered(secret: ApiClient) -> None:
    render_later(secret, secret.published())
    assert len(bytes(RenderInput.objects.get().payload)) < 200
    run_jobs()
    assert not RenderInput.objects.exists()
    assert not DBTaskResult.objects.exists()


def test_it_is_the_document_that_would_have_been_rendered_at_once(secret: ApiClient) -> None:
    template_id = secret.published()
    document_id = render_later(secret, template_id).json()["documentId"]
    secret.patch(f"/v1/templates/{template_id}", {"sections": [{"type": "text", "content": "Changed"}]})
    secret.delete(f"/v1/templates/{template_id}")
    run_jobs()
    ready = secret.get(f"/v1/documents/{document_id}")
    assert ready.json()["templateVersion"] == 1
    assert "Invoice 42" in text_of(ready)


@pytest.mark.parametrize(
    ("prefer", "status"),
    [
        ("respond-async", 202),
        ("Respond-Async", 202),
        ("respond-async; x=1, wait=10", 202),
        ("wait=10, respond-async", 202),
        ("return=minimal", 200),
        ("respond-asynchronously", 200),
        ("", 200),
    ],
)
def test_other_preferences_do_not_matter(prefer: str, status: int, secret: ApiClient) -> None:
    body = {"templateId": secret.published(), "data": INVOICE_DATA}
    answer = secret.post("/v1/render", body, prefer=prefer)
    assert answer.status_code == status
    assert ("Preference-Applied" in answer) == (status == 202)


def test_every_check_is_made_at_once(secret: ApiClient, ben: ApiClient) -> None:
    template_id = secret.published(variables=[{"name": "number", "type": "number", "required": True}])
    assert_refused(render_later(secret, "tpl_x"), 404, "Template not found")
    assert_refused(render_later(ben, template_id), 404, "Template not found")
    assert_refused(render_later(secret, secret.create()["id"]), 400, "Template is not published")
    assert "data.number" in errors_of(render_later(secret, template_id, data={"number": "x"}))
    assert "format" in errors_of(render_later(secret, template_id, format="docx"))
    assert not Document.objects.exists()
    assert not RenderInput.objects.exists()
    assert waiting() == 0


def test_a_users_document_is_the_users(ann: ApiClient, ben: ApiClient, secret: ApiClient) -> None:
    document_id = render_later(ann, ann.published()).json()["documentId"]
    run_jobs()
    assert found(ann, document_id)["externalUserId"] == "ann"
    assert found(secret, document_id)["status"] == "completed"
    assert_refused(ben.get(f"/v1/documents/{document_id}"), 404, "Document not found")


def test_an_idempotency_key_finds_the_first_document(secret: ApiClient) -> None:
    body = {"templateId": secret.published(), "data": INVOICE_DATA}
    first = secret.post("/v1/render", body, idempotency_key="k", **ASYNC)
    again = secret.post("/v1/render", body, idempotency_key="k", **ASYNC)
    assert (first.status_code, again.status_code) == (202, 202)
    assert again["Idempotent-Replayed"] == "true"
    assert again.json() == first.json()
    assert_refused(
        secret.post("/v1/render", body | {"filename": "x"}, idempotency_key="k", **ASYNC),
        400,
        "Idempotency-Key was already used with another request body",
    )
    assert run_jobs() == 1
    ready = secret.post("/v1/render", body, idempotency_key="k", **ASYNC)
    assert (ready.status_code, ready.json()["status"]) == (200, "completed")
    waited = secret.post("/v1/render", body, idempotency_key="k")
    assert waited.json()["documentId"] == first.json()["documentId"]
    assert (Document.objects.count(), counted()) == (1, 1)


def test_what_the_data_makes_impossible_fails_with_its_reason(
    secret: ApiClient, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    document_id = render_later(secret, secret.published()).json()["documentId"]
    settings.MAX_PAGES = 0
    assert run_jobs() == 1
    body = found(secret, document_id)
    assert (body["status"], body["downloadUrl"]) == ("failed", None)
    assert "MAX_PAGES" in body["error"]
    assert waiting() == counted() == 0
    assert not RenderInput.objects.exists()
    assert not stored(Document.objects.get())


def away(error: Exception) -> pytest.MonkeyPatch:
    """Have the storage refuse what is written, until `undo`."""
    patch = pytest.MonkeyPatch()
    patch.setattr(default_storage, "save", raiser(error))
    return patch


OUTAGES = [
    OSError(errno.ENOSPC, "full"),
    OSError(errno.EIO, "away"),
    botocore.exceptions.EndpointConnectionError(endpoint_url="http://bucket"),
    redis.exceptions.ConnectionError("away"),
    OperationalError("away"),
]


@pytest.mark.parametrize("error", OUTAGES, ids=repr)
def test_a_lost_part_is_waited_for(
    error: Exception, secret: ApiClient, caplog: pytest.LogCaptureFixture
) -> None:
    """However often it is met, the document has used up no attempt, and completes when the part is back."""
    document_id = render_later(secret, secret.published()).json()["documentId"]
    patch = away(error)
    for _ in range(3 * MAX_ATTEMPTS):
        assert run_jobs() == 1
        assert (found(secret, document_id)["status"], Document.objects.get().attempt) == ("processing", 0)
        DBTaskResult.objects.update(run_after=timezone.now())
    patch.undo()
    assert f"waits for a lost part: {lost_part(error)}, {type(error).__name__}: {error}" in caplog.text
    assert run_jobs() == 1
    assert found(secret, document_id)["status"] == "completed"
    assert counted() == 1
    assert not DBTaskResult.objects.exists()


def test_a_part_that_is_lost_for_a_day_is_given_up(secret: ApiClient) -> None:
    document_id = render_later(secret, secret.published()).json()["documentId"]
    patch = away(OSError(errno.ENOSPC, "full"))
    run_jobs()
    last = time.time() - 50
    DBTaskResult.objects.update(worker_ids=[f"away:{last - 86_000:.0f}-{last:.0f}"], run_after=timezone.now())
    assert run_jobs() == 1
    assert found(secret, document_id)["status"] == "processing"
    pause = (DBTaskResult.objects.get().run_after - timezone.now()).total_seconds()
    assert LONGEST_PAUSE / 2 < pause < 2 * LONGEST_PAUSE
    DBTaskResult.objects.update(worker_ids=[f"away:{last - 86_400:.0f}-{last:.0f}"], run_after=timezone.now())
    assert run_jobs() == 1
    patch.undo()
    body = found(secret, document_id)
    assert (body["status"], body["error"]) == ("failed", "Storage is full; the document was not kept")
    assert waiting() == counted() == 0
    assert not RenderInput.objects.exists()


def test_outages_far_apart_do_not_add_up(secret: ApiClient) -> None:
    document_id = render_later(secret, secret.published()).json()["documentId"]
    last = time.time() - 7200
    DBTaskResult.objects.update(worker_ids=[f"away:{last - 86_400:.0f}-{last:.0f}"])
    patch = away(OSError(errno.EIO, "away"))
    run_jobs()
    patch.undo()
    assert found(secret, document_id)["status"] == "processing"
    assert run_jobs(later=True) == 1
    assert found(secret, document_id)["status"] == "completed"


def test_a_fault_of_ours_is_tried_again(secret: ApiClient) -> None:
    document_id = render_later(secret, secret.published()).json()["documentId"]
    patch = away(ZeroDivisionError("a detail"))
    begun = timezone.now()
    assert run_jobs() == 1
    ended = timezone.now()
    patch.undo()
    assert found(secret, document_id)["status"] == "processing"
    task = DBTaskResult.objects.get()
    assert begun <= task.run_after - timedelta(seconds=PAUSES[0]) <= ended
    assert run_jobs(later=True) == 1
    assert found(secret, document_id)["status"] == "completed"
    assert counted() == 1


def test_but_not_for_ever(secret: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    document_id = render_later(secret, secret.published()).json()["documentId"]
    monkeypatch.setattr(default_storage, "save", raiser(ZeroDivisionError("a detail")))
    assert run_jobs(later=True) == MAX_ATTEMPTS
    body = found(secret, document_id)
    assert (body["status"], body["error"]) == ("failed", "Internal server error")
    assert waiting() == counted() == 0
    assert not RenderInput.objects.exists()


def test_one_that_kills_its_workers_fails_with_a_reason(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    document_id = render_later(secret, secret.published()).json()["documentId"]
    monkeypatch.setattr(RENDERERS["pdf"], "render", raiser(SystemExit()))
    for _ in range(MAX_ATTEMPTS):
        task = queue.claim("killed", "default")
        assert task is not None
        with pytest.raises(SystemExit):
            run_task(task)
        assert found(secret, document_id)["status"] == "processing"
        assert queue.reap(20) == 1
    assert run_jobs() == 1
    body = found(secret, document_id)
    assert (body["status"], body["error"]) == ("failed", "Rendering was interrupted again and again")


def test_a_worker_that_was_taken_for_dead_completes_nothing(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is paused after it has drawn; another one renders the document; then it goes on."""
    document_id = render_later(secret, secret.published()).json()["documentId"]
    draw = services.draw

    def paused(*args: Any) -> None:
        monkeypatch.setattr(services, "draw", draw)
        background.render(document_id)
        draw(*args)

    monkeypatch.setattr(services, "draw", paused)
    run_jobs()
    assert found(secret, document_id)["status"] == "completed"
    assert Document.objects.get().attempt == 2
    assert counted() == 1
    assert stored(Document.objects.get())


def test_a_job_that_runs_twice_renders_once(secret: ApiClient) -> None:
    document_id = render_later(secret, secret.published()).json()["documentId"]
    render_in_background.enqueue(document_id)
    assert run_jobs() == 2
    assert (Document.objects.get().attempt, counted()) == (1, 1)


def test_a_lost_job_is_enqueued_again(secret: ApiClient) -> None:
    document_id = render_later(secret, secret.published()).json()["documentId"]
    DBTaskResult.objects.all().delete()
    assert sweep() == 0
    Document.objects.update(lease_expires_at=timezone.now() - LONG_AGO)
    assert sweep() == 1
    assert sweep() == 0
    assert found(secret, document_id)["status"] == "processing"
    assert run_jobs() == 1
    assert found(secret, document_id)["status"] == "completed"


def test_one_deleted_before_its_job_is_never_rendered(secret: ApiClient, acme: Organization) -> None:
    document_id = render_later(secret, secret.published()).json()["documentId"]
    assert secret.delete(f"/v1/documents/{document_id}").status_code == 204
    assert not RenderInput.objects.exists()
    assert run_jobs() == 1
    assert counted() == 0
    assert_refused(secret.get(f"/v1/documents/{document_id}"), 404, "Document not found")


def test_one_deleted_while_it_is_drawn_leaves_no_file(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    document_id = render_later(secret, secret.published()).json()["documentId"]
    draw = services.draw

    def deleted(*args: Any) -> None:
        assert secret.delete(f"/v1/documents/{document_id}").status_code == 204
        draw(*args)

    monkeypatch.setattr(services, "draw", deleted)
    assert run_jobs() == 1
    document = Document.objects.get()
    assert document.status == "deleted"
    assert not stored(document)
    assert counted() == 0
    Document.objects.update(lease_expires_at=timezone.now() - LONG_AGO)
    assert sweep() == 1
    assert not Document.objects.exists()
