"""Links of the bucket: right name and type, and nothing without a genuine signature that is still valid."""

from __future__ import annotations

import socket
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import override_settings

from config.backends import files
from config.bucket import BucketStorage
from config.files import presign
from config.outages import lost_part
from tests.conftest import ApiClient
from tests.factories import DocumentFactory
from tests.links import follow, kept
from tests.parts.session import parts

pytestmark = [pytest.mark.real, pytest.mark.django_db]


def bucket(**given: Any) -> BucketStorage:
    """Return a storage of this process's bucket, as the settings make it."""
    settings = {
        "S3_BUCKET": default_storage.bucket_name,
        "S3_ENDPOINT_URL": parts().s3_endpoint_url,
        "S3_PUBLIC_ENDPOINT_URL": "",
        "S3_REGION": "",
        "DOWNLOAD_URL_TTL": 3600,
    }
    return BucketStorage(**files(settings | given, Path())["OPTIONS"])


@pytest.fixture
def link(secret: ApiClient) -> str:
    """A link to a rendered PDF."""
    return secret.render(secret.published(), filename="Rechnung Ö").json()["downloadUrl"]


def altered(url: str, **changes: str | None) -> str:
    query = dict(parse_qsl(urlsplit(url).query))
    for name, value in changes.items():
        field = next(field for field in query if field.lower().replace("-", "_") == name.lower())
        if value is None:
            del query[field]
        else:
            query[field] = value
    return f"{url.split('?')[0]}?{urlencode(query)}"


def test_the_file_arrives_with_its_name_and_type(link: str) -> None:
    file = follow(link)
    assert (file.status_code, file.content[:5]) == (200, b"%PDF-")
    assert file.headers["Content-Type"] == "application/pdf"
    assert file.headers["Content-Disposition"] == (
        "attachment; filename=\"Rechnung O.pdf\"; filename*=UTF-8''Rechnung%20%C3%96.pdf"
    )
    assert "X-Amz-Algorithm=AWS4-HMAC-SHA256" in link
    assert "X-Amz-Expires=3600" in link


def test_a_genuine_link_survives_being_put_together_anew(link: str) -> None:
    assert follow(altered(link)).status_code == 200


TAMPERED: dict[str, Any] = {
    "unsigned": lambda url: url.split("?")[0],
    "signature": lambda url: altered(url, X_Amz_Signature="0" * 64),
    "signature cut": lambda url: url[:-1],
    "later expiry": lambda url: altered(url, X_Amz_Expires="7200"),
    "another date": lambda url: altered(url, X_Amz_Date="20260101T000000Z"),
    "another signer": lambda url: url.replace("test-access-key", "test-access-kez"),
    "type": lambda url: altered(url, response_content_type="text/html"),
    "no type": lambda url: altered(url, response_content_type=None),
    "disposition": lambda url: altered(url, response_content_disposition="inline"),
    "further parameter": lambda url: f"{url}&response-cache-control=no-cache",
    "another file": lambda url: url.replace(".pdf?", ".xlsx?"),
    "another bucket": lambda url: url.replace("/documents/", "/../ready/", 1),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_a_tampered_link_is_forbidden(how: str, link: str) -> None:
    url = TAMPERED[how](link)
    assert url != link
    answer = follow(url)
    assert answer.status_code == 403
    assert b"%PDF" not in answer.content


def test_the_link_of_one_document_opens_no_other(secret: ApiClient, link: str) -> None:
    other = DocumentFactory(completed=True)
    default_storage.save(other.file, ContentFile(b"other"))
    name = urlsplit(link).path.split("/", 2)[2]
    assert follow(link.replace(name, other.file)).status_code == 403


def test_links_expire(settings: Any) -> None:
    default_storage.save("expiring.pdf", ContentFile(b"content"))
    with override_settings(DOWNLOAD_URL_TTL=1):
        url = presign("expiring.pdf", filename="a.pdf", content_type="application/pdf", request_base_url="")
    assert "X-Amz-Expires=1&" in url
    time.sleep(2.1)
    assert follow(url).status_code == 403


def test_a_file_is_one_request_to_write_read_and_delete_and_none_to_sign() -> None:
    storage = bucket()
    requests: list[str] = []
    urlopen = storage._pool.urlopen
    storage._pool.urlopen = lambda method, *rest, **options: (  # type: ignore[method-assign]
        requests.append(method) or urlopen(method, *rest, **options)
    )
    assert storage.save("one/file.pdf", ContentFile(b"first")) == "one/file.pdf"
    storage.url("one/file.pdf")
    assert requests == ["PUT"]
    assert storage.save("one/file.pdf", ContentFile(b"second")) == "one/file.pdf"
    assert storage.open("one/file.pdf").read() == b"second"
    storage.delete("one/file.pdf")
    assert requests == ["PUT", "PUT", "GET", "DELETE"]
    storage.delete("one/file.pdf")
    with pytest.raises(FileNotFoundError):
        storage.open("one/file.pdf")
    assert kept("one") == []


def test_names_of_any_form_are_signed_as_they_are_sent() -> None:
    storage = bucket()
    for name in ("a b+c%20d/e~f.pdf", "größe/ü&?=#.pdf", "a-b_c.d!e'(f)*.pdf"):
        storage.save(name, ContentFile(b"content"))
        assert storage.open(name).read() == b"content"
        assert follow(storage.url(name, {"ResponseContentType": "text/plain; a=b+c"})).content == b"content"
        assert storage.exists(name)
        storage.delete(name)
        assert not storage.exists(name)


def test_a_bucket_that_does_not_answer_is_an_outage() -> None:
    for wrong in ({"S3_ENDPOINT_URL": "http://127.0.0.1:9"}, {"S3_BUCKET": "nowhere-at-all"}):
        with pytest.raises(Exception) as caught:  # noqa: PT011, B017 (the client's own)
            bucket(**wrong).open("a.pdf")
        assert lost_part(caught.value) == "storage"


def test_a_bucket_that_is_silent_is_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.bucket.READ_SECONDS", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(0.1)
        storage = bucket(S3_ENDPOINT_URL=f"http://127.0.0.1:{silent.getsockname()[1]}")
        for ask in (lambda: storage.open("a.pdf"), lambda: storage.save("a.pdf", ContentFile(b"content"))):
            with pytest.raises(Exception) as caught:  # noqa: PT011 (the client's own)
                ask()
            assert lost_part(caught.value) == "storage"
            silent.accept()[0].close()
            with pytest.raises(TimeoutError):
                silent.accept()


def test_a_large_file_goes_up_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.bucket.WHOLE_BYTES", 1000)
    content = b"%PDF-" + bytes(9 * 2**20)
    default_storage.save("large/file.pdf", ContentFile(content))
    assert default_storage.open("large/file.pdf").read() == content
    default_storage.delete("large/file.pdf")
    assert kept("large") == []


def test_links_carry_the_public_address() -> None:
    public = "https://files.example.org"
    storage = bucket(S3_PUBLIC_ENDPOINT_URL=public)
    assert storage.url("a.pdf").startswith(f"{public}/{default_storage.bucket_name}/a.pdf?")
    storage.save("public/a.pdf", ContentFile(b"content"))
    assert kept("public") == ["public/a.pdf"]
    storage.delete("public/a.pdf")
