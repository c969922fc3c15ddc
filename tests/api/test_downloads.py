"""Downloads: a fresh presigned link on each call, and the links themselves."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone

from rendering.models import Document
from tests.api.tools import assert_refused
from tests.conftest import ApiClient
from tests.factories import DocumentFactory
from tests.links import PAGE, follow
from tests.parts.session import REAL


@pytest.fixture
def document_id(secret: ApiClient) -> str:
    """A completed document of the organization."""
    return secret.render(secret.published(), filename="Rechnung Ö").json()["documentId"]


def test_the_redirect(secret: ApiClient, document_id: str) -> None:
    answer = secret.get(f"/v1/downloads/{document_id}")
    assert answer.status_code == 302
    assert answer.content == b""
    assert REAL or answer["Location"].startswith("http://testserver/files/")
    assert answer["Cache-Control"] == "no-store"
    assert answer["RateLimit-Limit"]
    file = follow(answer["Location"])
    assert file.status_code == 200
    assert file.headers["Content-Type"] == "application/pdf"
    assert "attachment; " in file.headers["Content-Disposition"]
    assert "filename*=UTF-8''Rechnung%20%C3%96.pdf" in file.headers["Content-Disposition"]
    assert file.headers["Access-Control-Allow-Origin"] in {"*", PAGE}
    assert file.content.startswith(b"%PDF-")


def test_a_workbook_has_its_own_type(secret: ApiClient) -> None:
    answer = secret.render(secret.published(), format="xlsx")
    file = follow(answer.json()["downloadUrl"])
    assert file.headers["Content-Type"] == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    assert 'filename="Invoice.xlsx"' in file.headers["Content-Disposition"]


@pytest.mark.embedded
def test_each_call_gives_a_fresh_link(
    secret: ApiClient, document_id: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def expires() -> int:
        location = secret.get(f"/v1/downloads/{document_id}")["Location"]
        return int(parse_qs(urlsplit(location).query)["Expires"][0])

    first = expires()
    assert 3590 <= first - timezone.now().timestamp() <= 3601
    settings.DOWNLOAD_URL_TTL = 60
    assert expires() < first
    later = datetime.now().timestamp() + 7200
    monkeypatch.setattr("config.storage.time.time", lambda: later)
    assert expires() == int(later) + 60


def test_without_a_redirect(secret: ApiClient, document_id: str) -> None:
    answer = secret.get(f"/v1/downloads/{document_id}?redirect=false")
    assert answer.status_code == 200
    body = answer.json()
    assert body.keys() == {"documentId", "downloadUrl", "expiresAt"}
    assert body["documentId"] == document_id
    left = datetime.fromisoformat(body["expiresAt"]) - timezone.now()
    assert timedelta(minutes=59) < left <= timedelta(hours=1)
    assert body["expiresAt"].endswith("Z")
    file = follow(body["downloadUrl"])
    assert file.status_code == 200


def test_a_wrong_redirect_is_named(secret: ApiClient, document_id: str) -> None:
    assert secret.get(f"/v1/downloads/{document_id}?redirect=true").status_code == 302
    assert secret.get(f"/v1/downloads/{document_id}?redirect=True").status_code == 302
    assert secret.get(f"/v1/downloads/{document_id}?redirect=False").status_code == 200
    for wrong in ("no", "", "0"):
        answer = secret.get(f"/v1/downloads/{document_id}?redirect={wrong}")
        assert_refused(answer, 400, "redirect: must be true or false")


@pytest.mark.embedded
def test_a_tampered_link_gives_403_and_nothing_else(secret: ApiClient, document_id: str) -> None:
    url = secret.get(f"/v1/downloads/{document_id}")["Location"]
    path, query = url.split("?")
    other = DocumentFactory(completed=True).file
    tampered = [
        path,
        url[:-1],
        url + "x",
        url + "&Expires=9999999999",
        url + "&extra=1",
        url.replace("Expires=", "Expires=9"),
        url.replace("application%2Fpdf", "text%2Fhtml"),
        f"http://testserver/files/{other}?{query}",
        f"{path[:-3]}xlsx?{query}",
    ]
    for link in tampered:
        answer = follow(link)
        assert answer.status_code == 403, link
        request_id = answer.headers["X-Request-Id"]
        assert answer.json() == {"message": "Forbidden", "requestId": request_id}, link


@pytest.mark.embedded
@pytest.mark.parametrize(
    ("method", "headers", "status", "kept"),
    [
        ("POST", {}, 405, {"Allow": "GET, HEAD"}),
        ("DELETE", {}, 405, {"Allow": "GET, HEAD"}),
        ("OPTIONS", {}, 405, {"Allow": "GET, HEAD"}),
        ("GET", {"range": "bytes=99999999-"}, 416, {"Content-Range": "bytes */{size}"}),
        ("GET", {"if_match": '"another"'}, 412, {"ETag": "{etag}"}),
        ("GET", {"if_unmodified_since": "Mon, 01 Jan 2001 00:00:00 GMT"}, 412, {"ETag": "{etag}"}),
        ("GET", {"host": "evil.test"}, 400, {}),
    ],
)
def test_a_link_that_is_used_wrongly_is_refused_as_all_of_the_api_is(
    method: str,
    headers: dict[str, str],
    status: int,
    kept: dict[str, str],
    secret: ApiClient,
    nobody: ApiClient,
    document_id: str,
) -> None:
    url = secret.get(f"/v1/downloads/{document_id}")["Location"]
    whole = follow(url).headers
    answer = nobody.request(method, url, **headers)
    assert_refused(answer, status, answer.json()["message"])
    for name, value in kept.items():
        assert answer[name] == value.format(size=whole["Content-Length"], etag=whole["ETag"])


@pytest.mark.embedded
def test_a_file_that_is_gone_is_refused_as_all_of_the_api_is(
    secret: ApiClient, nobody: ApiClient, document_id: str
) -> None:
    url = secret.get(f"/v1/downloads/{document_id}")["Location"]
    secret.request("DELETE", f"/v1/documents/{document_id}")
    assert_refused(nobody.get(url), 404, "Not Found")
    assert_refused(nobody.get("/files/"), 404, "Not Found")


@pytest.mark.embedded
def test_an_expired_link_gives_403(
    secret: ApiClient, document_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = secret.get(f"/v1/downloads/{document_id}")["Location"]
    later = datetime.now().timestamp() + 3602
    monkeypatch.setattr("config.storage.time.time", lambda: later)
    assert follow(url).status_code == 403


@pytest.mark.parametrize("status", ["processing", "failed"])
def test_a_document_that_never_completed_is_not_found(
    status: str, secret: ApiClient, document_id: str
) -> None:
    Document.objects.update(status=status)
    assert_refused(secret.get(f"/v1/downloads/{document_id}"), 404, "Document not found")


def test_foreign_documents_are_not_found(
    secret: ApiClient, ann: ApiClient, ben: ApiClient, globex: ApiClient
) -> None:
    template_id = ann.published()
    document_id = ann.render(template_id).json()["documentId"]
    assert ann.get(f"/v1/downloads/{document_id}").status_code == 302
    assert secret.get(f"/v1/downloads/{document_id}").status_code == 302
    for client in (ben, globex):
        assert_refused(client.get(f"/v1/downloads/{document_id}"), 404, "Document not found")
        answer = client.get(f"/v1/downloads/{document_id}?redirect=false")
        assert_refused(answer, 404, "Document not found")


def test_the_head_of_a_download(secret: ApiClient, document_id: str) -> None:
    assert secret.request("HEAD", f"/v1/downloads/{document_id}").status_code == 302
