"""`GET /v1/documents` with its filters, `GET` and `DELETE /v1/documents/:id`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from accounts.models import Organization
from config.api.ids import first_id, new_id
from rendering.models import Document
from rendering.sweeping import sweep
from tests.api.tools import LONG_AGO, assert_refused, counted, errors_of, follow, stored, walk
from tests.conftest import ApiClient
from tests.factories import DocumentFactory, TemplateFactory
from tests.failures import raiser

DATE = "must be a date such as 2026-11-21 or a time with its zone, such as 2026-11-21T09:30:00Z"


def listed(client: ApiClient, query: str = "") -> list[str]:
    """Return the ids of a list."""
    answer = client.get(f"/v1/documents{query}")
    assert answer.status_code == 200, answer.content
    return [row["documentId"] for row in answer.json()]


def made_at(moment: datetime, **fields: Any) -> str:
    """Store a document of a moment and return its id, which tells the same moment."""
    identity = first_id("doc", moment)[:14] + new_id("doc")[14:]
    return DocumentFactory(id=identity, created_at=moment, **fields).pk


def test_newest_first_in_any_status_without_links(secret: ApiClient, acme: Organization) -> None:
    template_id = secret.published()
    first = secret.render(template_id).json()
    second = secret.render(template_id, format="xlsx").json()
    failed = DocumentFactory(template_id=template_id, organization=acme, status="failed", error="Too long")
    waiting = DocumentFactory(template_id=template_id, organization=acme)
    rows = secret.get("/v1/documents").json()
    assert [row["documentId"] for row in rows] == [
        waiting.pk,
        failed.pk,
        second["documentId"],
        first["documentId"],
    ]
    assert [row["status"] for row in rows] == ["processing", "failed", "completed", "completed"]
    assert [row["error"] for row in rows] == [None, "Too long", None, None]
    assert rows[-1] == {name: first[name] for name in first.keys() - {"downloadUrl", "expiresAt"}}


def test_every_caller_sees_its_own(
    secret: ApiClient, ann: ApiClient, ben: ApiClient, globex: ApiClient, acme: Organization
) -> None:
    template = TemplateFactory(organization=acme)
    hers = DocumentFactory(template=template, external_user_id="ann").pk
    own = DocumentFactory(template=template).pk
    assert listed(secret) == [own, hers]
    assert listed(ann) == [hers]
    assert listed(ben) == listed(globex) == []
    assert listed(secret, "?externalUserId=ann") == [hers]
    assert listed(secret, "?externalUserId=") == []
    assert listed(ann, "?externalUserId=ben") == [hers]


def test_filters_add_up(secret: ApiClient, acme: Organization) -> None:
    one, two = TemplateFactory(organization=acme), TemplateFactory(organization=acme)
    a = DocumentFactory(template=one, completed=True).pk
    b = DocumentFactory(template=one, format="xlsx", status="failed").pk
    c = DocumentFactory(template=two, format="xlsx", completed=True).pk
    d = DocumentFactory(template=two).pk
    assert listed(secret, f"?templateId={one.pk}") == [b, a]
    assert listed(secret, "?format=xlsx") == [c, b]
    assert listed(secret, "?status=completed") == [c, a]
    assert listed(secret, "?status=processing") == [d]
    assert listed(secret, f"?templateId={two.pk}&format=xlsx&status=completed") == [c]
    assert listed(secret, f"?templateId={one.pk}&status=processing") == []


@pytest.mark.parametrize("value", ["tpl_unknown", "", "a b", "\x00", "日本", "x" * 5000])
def test_an_id_that_names_nothing_matches_nothing(value: str, secret: ApiClient, acme: Organization) -> None:
    DocumentFactory(template=TemplateFactory(organization=acme))
    for name in ("templateId", "batchId", "externalUserId"):
        assert listed(secret, f"?{name}={quote(value)}") == []


@pytest.mark.parametrize(
    ("query", "days"),
    [
        ("createdFrom=2026-03-02", [4, 3, 2]),
        ("createdTo=2026-03-02", [2, 1]),
        ("createdFrom=2026-03-02&createdTo=2026-03-03", [3, 2]),
        ("createdFrom=2026-03-02T12:00:00Z", [4, 3, 2]),
        ("createdFrom=2026-03-02T12:00:00.001Z", [4, 3]),
        ("createdTo=2026-03-02T12:00:00Z", [1]),
        ("createdTo=2026-03-02T12:00:00.001Z", [2, 1]),
        ("createdFrom=2026-03-02T14:00:00%2B02:00&createdTo=2026-03-02T14:30:00+02:00", [2]),
        ("createdFrom=2026-03-05", []),
        ("createdFrom=2026-03-03&createdTo=2026-03-01", []),
        ("createdFrom=0001-01-01&createdTo=9999-12-31", [4, 3, 2, 1]),
        ("createdFrom=0001-01-01T00:00:00%2B14:00&createdTo=9999-12-31T23:59:59-12:00", [4, 3, 2, 1]),
        ("createdFrom=9999-12-31", []),
        ("createdTo=0001-01-01", []),
    ],
)
def test_spans_of_time(query: str, days: list[int], secret: ApiClient, acme: Organization) -> None:
    template = TemplateFactory(organization=acme)
    ids = {day: made_at(datetime(2026, 3, day, 12, tzinfo=UTC), template=template) for day in range(1, 5)}
    assert listed(secret, f"?{query}") == [ids[day] for day in days]


@pytest.mark.parametrize(
    ("query", "errors"),
    [
        ("status=done", {"status": 'must be "processing", "completed" or "failed"'}),
        ("status=deleted", {"status": 'must be "processing", "completed" or "failed"'}),
        ("status=", {"status": 'must be "processing", "completed" or "failed"'}),
        ("format=docx", {"format": 'must be "pdf" or "xlsx"'}),
        ("createdFrom=yesterday", {"createdFrom": DATE}),
        ("createdFrom=2026-02-30", {"createdFrom": DATE}),
        ("createdTo=2026-02-03T10:00:00", {"createdTo": DATE}),
        ("createdTo=10000-01-01", {"createdTo": DATE}),
        ("createdTo=0000-01-01", {"createdTo": DATE}),
        ("createdTo=%00", {"createdTo": DATE}),
        ("limit=0", {"limit": "must be a whole number from 1 to 1000"}),
        ("cursor=x", {"cursor": "is not a cursor of this list"}),
        (
            "status=x&format=x&createdFrom=x",
            {
                "createdFrom": DATE,
                "format": 'must be "pdf" or "xlsx"',
                "status": 'must be "processing", "completed" or "failed"',
            },
        ),
        (
            "format=x&limit=0&cursor=x",
            {
                "cursor": "is not a cursor of this list",
                "format": 'must be "pdf" or "xlsx"',
                "limit": "must be a whole number from 1 to 1000",
            },
        ),
    ],
)
def test_a_wrong_filter_is_named(query: str, errors: dict[str, str], secret: ApiClient) -> None:
    assert errors_of(secret.get(f"/v1/documents?{query}")) == errors


def test_pages_keep_their_filters(secret: ApiClient, acme: Organization) -> None:
    template = TemplateFactory(organization=acme)
    kept = [DocumentFactory(template=template, completed=True).pk for _ in range(5)]
    for _ in range(3):
        DocumentFactory(template=template)
    pages = walk(secret, "/v1/documents?limit=2&status=completed")
    assert [len(rows) for rows in pages] == [2, 2, 1]
    assert [row["documentId"] for rows in pages for row in rows] == sorted(kept, reverse=True)


def test_a_document_has_a_fresh_link(secret: ApiClient) -> None:
    rendered = secret.render(secret.published()).json()
    body = secret.get(f"/v1/documents/{rendered['documentId']}").json()
    assert body.keys() == rendered.keys()
    same = rendered.keys() - {"downloadUrl", "expiresAt"}
    assert {name: body[name] for name in same} == {name: rendered[name] for name in same}
    assert follow(body["downloadUrl"]).status_code == 200


def test_a_failed_document_says_why(secret: ApiClient, acme: Organization) -> None:
    document = DocumentFactory(template=TemplateFactory(organization=acme), status="failed", error="No luck")
    body = secret.get(f"/v1/documents/{document.pk}").json()
    assert (body["status"], body["error"], body["downloadUrl"], body["expiresAt"]) == (
        "failed",
        "No luck",
        None,
        None,
    )


def test_deleting_removes_file_and_links_but_not_usage(secret: ApiClient) -> None:
    rendered = secret.render(secret.published()).json()
    document = Document.objects.get()
    path = f"/v1/documents/{document.pk}"
    answer = secret.delete(path)
    assert (answer.status_code, answer.content) == (204, b"")
    assert not stored(document)
    assert follow(rendered["downloadUrl"]).status_code == 404
    for refused in (secret.get(path), secret.delete(path), secret.get(f"/v1/downloads/{document.pk}")):
        assert_refused(refused, 404, "Document not found")
    assert listed(secret) == []
    assert secret.get("/v1/usage").json()["total"] == counted() == 1
    assert not Document.objects.exists()


def test_deleting_frees_the_idempotency_key(secret: ApiClient) -> None:
    body = {"templateId": secret.published(), "data": {}}
    first = secret.post("/v1/render", body, idempotency_key="k").json()["documentId"]
    assert secret.delete(f"/v1/documents/{first}").status_code == 204
    second = secret.post("/v1/render", body, idempotency_key="k").json()["documentId"]
    assert first != second


def test_others_cannot_delete_it(ann: ApiClient, ben: ApiClient, globex: ApiClient) -> None:
    document_id = ann.render(ann.published()).json()["documentId"]
    for client in (ben, globex):
        assert_refused(client.delete(f"/v1/documents/{document_id}"), 404, "Document not found")
    assert ann.delete(f"/v1/documents/{document_id}").status_code == 204


def test_a_file_that_cannot_be_deleted_now_is_deleted_later(
    secret: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret.render(secret.published())
    document = Document.objects.get()
    with monkeypatch.context() as patch:
        patch.setattr(default_storage, "delete", raiser(OSError("away")))
        assert secret.delete(f"/v1/documents/{document.pk}").status_code == 204
    assert_refused(secret.get(f"/v1/documents/{document.pk}"), 404, "Document not found")
    assert listed(secret) == []
    assert stored(document)
    assert sweep() == 1
    assert not stored(document)
    assert not Document.objects.exists()


def test_the_row_of_a_running_render_stays_until_nobody_can_write_its_file(
    secret: ApiClient, acme: Organization
) -> None:
    document = DocumentFactory(
        template=TemplateFactory(organization=acme), lease_expires_at=timezone.now() + timedelta(minutes=1)
    )
    assert secret.delete(f"/v1/documents/{document.pk}").status_code == 204
    assert_refused(secret.get(f"/v1/documents/{document.pk}"), 404, "Document not found")
    assert sweep() == 0
    Document.objects.update(lease_expires_at=timezone.now() - LONG_AGO)
    assert sweep() == 1
    assert not Document.objects.exists()


def test_a_failed_document_can_be_deleted(secret: ApiClient, acme: Organization) -> None:
    document = DocumentFactory(template=TemplateFactory(organization=acme), status="failed", file="")
    assert secret.delete(f"/v1/documents/{document.pk}").status_code == 204
    assert not Document.objects.exists()
