"""Documents as two-step writes: a row that is processing, the file, then completion and count together."""

from __future__ import annotations

import errno
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.utils import timezone

from accounts.models import Organization
from rendering import services
from rendering.formats import RENDERERS
from rendering.models import Document
from rendering.sweeping import sweep
from tests.api.tools import LONG_AGO, assert_refused, counted, stored
from tests.config.test_storage import kill_a_write
from tests.conftest import ApiClient
from tests.factories import DocumentFactory, TemplateFactory
from tests.failures import raiser
from tests.parts.session import REAL
from usage.models import MonthlyCount


def test_a_render_leaves_row_file_and_count(secret: ApiClient) -> None:
    template_id = secret.published()
    document_id = secret.render(template_id).json()["documentId"]
    document = Document.objects.get()
    assert (document.pk, document.status, document.error) == (document_id, "completed", "")
    assert stored(document)
    assert document.completed_at is not None
    assert str(document) == "Invoice.pdf"
    row = MonthlyCount.objects.get()
    assert (row.template_id, row.format, row.external_user_id, row.documents) == (template_id, "pdf", "", 1)
    assert template_id in str(row)


def test_the_row_is_processing_while_it_draws(secret: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, bool]] = []
    draw = RENDERERS["pdf"].render

    def watch(*args: Any) -> None:
        document = Document.objects.get()
        seen.append((document.status, stored(document)))
        seen.append((str(secret.get(f"/v1/downloads/{document.pk}").status_code), counted() > 0))
        draw(*args)

    monkeypatch.setattr(RENDERERS["pdf"], "render", watch)
    assert secret.render(secret.published()).status_code == 200
    assert seen == [("processing", False), ("404", False)]


def test_a_failure_in_drawing_leaves_a_failed_row_and_nothing_else(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    template_id = secret.published()
    monkeypatch.setattr(RENDERERS["pdf"], "render", raiser(ZeroDivisionError("a detail")))
    assert_refused(secret.render(template_id), 500, "Internal server error")
    document = Document.objects.get()
    assert (document.status, document.error) == ("failed", "Internal server error")
    assert not stored(document)
    assert counted() == 0
    assert_refused(secret.get(f"/v1/downloads/{document.pk}"), 404, "Document not found")


def test_a_limit_that_is_exceeded_leaves_a_failed_row(secret: ApiClient, settings: Any) -> None:
    template_id = secret.published()
    settings.MAX_PAGES = 0
    message = "Document has more than 0 pages (MAX_PAGES)"
    assert_refused(secret.render(template_id), 400, message)
    document = Document.objects.get()
    assert (document.status, document.error, stored(document), counted()) == ("failed", message, False, 0)


def test_a_failure_of_the_storage(secret: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    template_id = secret.published()
    monkeypatch.setattr(default_storage, "save", raiser(ConnectionError("bucket")))
    assert_refused(secret.render(template_id), 500, "Internal server error")
    document = Document.objects.get()
    assert (document.status, stored(document), counted()) == ("failed", False, 0)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_storage_says_so(number: int, secret: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    template_id = secret.published()
    monkeypatch.setattr(default_storage, "save", raiser(OSError(number, "full")))
    answer = secret.render(template_id)
    assert_refused(answer, 503, "Storage is full; the document was not kept")
    assert int(answer["Retry-After"]) > 0
    assert Document.objects.get().status == "failed"


def test_a_failure_to_count_keeps_no_document(secret: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Completion and count are one transaction: neither is there without the other."""
    template_id = secret.published()
    monkeypatch.setattr(services, "count_document", raiser(RuntimeError("no count")))
    assert secret.render(template_id).status_code == 500
    document = Document.objects.get()
    assert (document.status, document.completed_at, stored(document), counted()) == ("failed", None, False, 0)


def test_a_render_that_outlived_its_lease_does_not_complete(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    template_id = secret.published()
    draw = RENDERERS["pdf"].render

    def swept_meanwhile(*args: Any) -> None:
        draw(*args)
        Document.objects.update(lease_expires_at=timezone.now() - LONG_AGO)
        assert sweep() == 1

    monkeypatch.setattr(RENDERERS["pdf"], "render", swept_meanwhile)
    answer = secret.render(template_id)
    assert_refused(answer, 503, "Rendering was interrupted; try again")
    assert answer["Retry-After"] == "1"
    document = Document.objects.get()
    assert (document.status, stored(document), counted()) == ("failed", False, 0)


@pytest.mark.django_db
def test_the_sweep_fails_what_was_killed_and_removes_half_a_file() -> None:
    document = DocumentFactory(lease_expires_at=timezone.now() - LONG_AGO, idempotency_digest="x" * 64)
    default_storage.save(document.file, ContentFile(b"half"))
    draft = "" if REAL else kill_a_write(default_storage, document.file)
    assert sweep() == 1
    assert REAL or not default_storage.exists(draft)
    document.refresh_from_db()
    assert (document.status, document.error) == ("failed", "Rendering was interrupted")
    assert document.idempotency_digest is None
    assert not stored(document)
    assert counted() == 0
    assert sweep() == 0


@pytest.mark.django_db
def test_the_sweep_finishes_what_was_killed_while_cleaning_up() -> None:
    """A failed row that still names its file was killed between the row and the file."""
    document = DocumentFactory(
        status="failed", error="its reason", lease_expires_at=timezone.now() - LONG_AGO
    )
    default_storage.save(document.file, ContentFile(b"half"))
    assert sweep() == 1
    document.refresh_from_db()
    assert (document.status, document.error, document.file) == ("failed", "its reason", "")
    assert not stored(document)
    assert sweep() == 0


@pytest.mark.django_db
def test_the_sweep_removes_a_row_without_a_file_too(capsys: pytest.CaptureFixture[str]) -> None:
    DocumentFactory(lease_expires_at=timezone.now() - LONG_AGO)
    call_command("sweep")
    assert capsys.readouterr().out == "1 interrupted renders swept\n"
    assert Document.objects.get().status == "failed"


@pytest.mark.django_db
def test_the_sweep_leaves_alone_what_still_renders() -> None:
    document = DocumentFactory(lease_expires_at=timezone.now() + LONG_AGO)
    default_storage.save(document.file, ContentFile(b"half"))
    assert sweep() == 0
    document.refresh_from_db()
    assert document.status == "processing"
    assert stored(document)


def test_the_sweep_never_touches_what_is_completed(secret: ApiClient) -> None:
    secret.render(secret.published())
    Document.objects.update(lease_expires_at=timezone.now() - LONG_AGO)
    assert sweep() == 0
    document = Document.objects.get()
    assert document.status == "completed"
    assert stored(document)


@pytest.mark.django_db
def test_a_completed_document_survives_a_late_failure() -> None:
    """Whoever fails a document after somebody else completed it deletes nothing."""
    document = DocumentFactory(completed=True)
    default_storage.save(document.file, ContentFile(b"whole"))
    services.fail(document, None)
    assert stored(document)
    assert Document.objects.get().status == "completed"


def test_a_refused_render_leaves_no_row(acme: Organization, secret: ApiClient) -> None:
    secret.render(TemplateFactory(organization=acme).pk)
    secret.render(secret.published(variables=[{"name": "x", "required": True}]), {})
    assert not Document.objects.exists()


def test_documents_outlive_their_template(secret: ApiClient) -> None:
    template_id = secret.published()
    document_id = secret.render(template_id).json()["documentId"]
    secret.delete(f"/v1/templates/{template_id}")
    assert secret.get(f"/v1/downloads/{document_id}").status_code == 302


def test_every_render_is_a_document_and_a_count(secret: ApiClient) -> None:
    template_id = secret.published()
    ids = {secret.render(template_id, format=name).json()["documentId"] for name in ("pdf", "xlsx", "pdf")}
    assert len(ids) == Document.objects.filter(status="completed").count() == counted() == 3
