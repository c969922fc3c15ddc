"""Links of the embedded storage: what we signed works until it expires, anything else is a 403."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

import pytest
from django.core.exceptions import SuspiciousFileOperation
from django.core.files.base import ContentFile, File
from django.core.files.storage import default_storage
from django.test import RequestFactory

from config.files import content_disposition, presign, safe_filename
from config.storage import LONGEST_WRITE, SignedFileStorage, serve_signed_file, sweep_drafts

PARAMETERS = {
    "ResponseContentType": "application/pdf",
    "ResponseContentDisposition": 'attachment; filename="a:b.pdf"',
}


@pytest.fixture
def storage(tmp_path: Path, settings) -> SignedFileStorage:
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {
            "BACKEND": "config.storage.SignedFileStorage",
            "OPTIONS": {"location": str(tmp_path / "files"), "base_url": "/files/"},
        },
    }
    default_storage.save("documents/org/one.pdf", ContentFile(b"content"))
    default_storage.save("documents/org/two.pdf", ContentFile(b"other"))
    return default_storage


def fetch(url: str, method: str = "get", **headers: str) -> tuple[int, bytes, dict[str, str]]:
    parts = urlsplit(url)
    sent = {f"HTTP_{name.upper()}": value for name, value in headers.items()}
    request = getattr(RequestFactory(), method)("/", QUERY_STRING=parts.query, **sent)
    response = serve_signed_file(request, unquote(parts.path).removeprefix("/files/"))
    body = b"".join(response.streaming_content) if response.streaming else response.content
    for close in response._resource_closers:  # not `close()`, which ends the request for the database too
        close()
    return response.status_code, body, dict(response.items())


def altered(url: str, **changes: str | None) -> str:
    query = dict(parse_qsl(urlsplit(url).query, keep_blank_values=True))
    for field, value in changes.items():
        if value is None:
            query.pop(field, None)
        else:
            query[field] = value
    return f"{urlsplit(url).path}?{urlencode(query)}"


def test_a_signed_link_serves_the_file_with_its_headers(storage) -> None:
    status, body, headers = fetch(storage.url("documents/org/one.pdf", PARAMETERS))
    assert (status, body) == (200, b"content")
    assert headers["Content-Type"] == "application/pdf"
    assert headers["Content-Disposition"] == PARAMETERS["ResponseContentDisposition"]
    assert headers["Content-Length"] == "7"


def test_head_and_post(storage) -> None:
    url = storage.url("documents/org/one.pdf", PARAMETERS)
    assert fetch(url, "head")[0] == 200
    assert fetch(url, "post")[0] == 405


@pytest.mark.parametrize(
    ("asked", "status", "body", "described"),
    [
        ("bytes=0-2", 206, b"con", "bytes 0-2/7"),
        ("bytes=2-2", 206, b"n", "bytes 2-2/7"),
        ("bytes=3-", 206, b"tent", "bytes 3-6/7"),
        ("bytes=3-99", 206, b"tent", "bytes 3-6/7"),
        ("bytes=-2", 206, b"nt", "bytes 5-6/7"),
        ("bytes=-99", 206, b"content", "bytes 0-6/7"),
        ("bytes=7-", 416, b"", "bytes */7"),
        ("bytes=-0", 416, b"", "bytes */7"),
        ("bytes=5-2", 200, b"content", None),
        ("bytes=0-1,3-4", 200, b"content", None),
        ("lines=0-1", 200, b"content", None),
        ("bytes=a-b", 200, b"content", None),
    ],
)
def test_a_part_of_a_file_is_served_as_a_bucket_does(
    storage, asked: str, status: int, body: bytes, described: str | None
) -> None:
    url = storage.url("documents/org/one.pdf", PARAMETERS)
    found, content, headers = fetch(url, range=asked)
    assert (found, content, headers.get("Content-Range")) == (status, body, described)
    if status != 416:
        assert headers["Content-Length"] == str(len(body))
        assert headers["Content-Type"] == "application/pdf"
        assert headers["Content-Disposition"] == PARAMETERS["ResponseContentDisposition"]
        assert headers["Accept-Ranges"] == "bytes"


def test_who_goes_on_with_a_certain_state_or_only_asks_gets_the_whole(storage) -> None:
    url = storage.url("documents/org/one.pdf", PARAMETERS)
    assert fetch(url, range="bytes=0-2", if_range='"etag"')[:2] == (200, b"content")
    assert fetch(url, "head", range="bytes=0-2")[0] == 200
    assert fetch(altered(url, Signature="x"), range="bytes=0-2")[:2] == (403, b"Forbidden")


@pytest.mark.parametrize("name", ["ETag", "Last-Modified"])
def test_a_broken_download_goes_on_while_the_file_is_the_same(storage, name: str) -> None:
    """Browsers go on with a download only when they were told the state of the file."""
    url = storage.url("documents/org/one.pdf", PARAMETERS)
    state = fetch(url)[2][name]
    assert fetch(url, range="bytes=3-", if_range=state)[:2] == (206, b"tent")
    storage.delete("documents/org/one.pdf")
    storage.save("documents/org/one.pdf", ContentFile(b"another"))
    os.utime(storage.path("documents/org/one.pdf"), (1_700_000_000, 1_700_000_000))
    assert fetch(url, range="bytes=3-", if_range=state)[:2] == (200, b"another")


def test_who_has_the_file_is_told_so(storage) -> None:
    url = storage.url("documents/org/one.pdf", PARAMETERS)
    etag = fetch(url)[2]["ETag"]
    status, body, headers = fetch(url, if_none_match=etag)
    assert (status, body, headers["ETag"]) == (304, b"", etag)
    assert fetch(url, if_none_match='"other"')[:2] == (200, b"content")
    assert fetch(altered(url, Signature="x"), if_none_match=etag)[:2] == (403, b"Forbidden")


def test_without_parameters_nothing_is_shown_inline(storage) -> None:
    _, _, headers = fetch(storage.url("documents/org/one.pdf"))
    assert headers["Content-Type"] == "application/octet-stream"
    assert headers["Content-Disposition"] == "attachment"


def _url(storage: SignedFileStorage) -> str:
    return storage.url("documents/org/one.pdf", PARAMETERS)


def _signature(url: str) -> str:
    return dict(parse_qsl(urlsplit(url).query))["Signature"]


TAMPERED: dict[str, Callable[[str], str]] = {
    "name": lambda url: url.replace("one.pdf", "two.pdf"),
    "name in other letters": lambda url: url.replace("one.pdf", "One.pdf"),
    "a folder before the name": lambda url: url.replace("documents/", "documents/../documents/"),
    "later expiry": lambda url: altered(url, Expires=str(int(time.time()) + 10**6)),
    "no expiry": lambda url: altered(url, Expires=None),
    "expiry that is no number": lambda url: altered(url, Expires="never"),
    "endless expiry": lambda url: altered(url, Expires="9" * 5000),
    "type": lambda url: altered(url, ResponseContentType="text/html"),
    "no type": lambda url: altered(url, ResponseContentType=None),
    "disposition": lambda url: altered(url, ResponseContentDisposition="inline"),
    "no disposition": lambda url: altered(url, ResponseContentDisposition=None),
    "disposition moved into the signature": lambda url: altered(
        url, ResponseContentDisposition='attachment; filename="a', Signature='b.pdf":' + _signature(url)
    ),
    "disposition moved into the type": lambda url: altered(
        url,
        ResponseContentType="application/pdf\nResponseContentDisposition="
        + PARAMETERS["ResponseContentDisposition"],
        ResponseContentDisposition=None,
    ),
    "signature": lambda url: altered(url, Signature="A" * 43),
    "signature cut": lambda url: altered(url, Signature=_signature(url)[:-1]),
    "signature of strange letters": lambda url: altered(url, Signature="é\x00ü"),
    "empty signature": lambda url: altered(url, Signature=""),
    "no signature": lambda url: altered(url, Signature=None),
    "nothing but the path": lambda url: urlsplit(url).path,
    "further parameter": lambda url: altered(url, versionId="1"),
    "parameter twice": lambda url: f"{url}&ResponseContentType=text/html",
    "NUL in the name": lambda url: url.replace("one.pdf", "one.pdf%00"),
    "line break in the name": lambda url: url.replace("one.pdf", "one.pdf%0AExpires=1"),
    "path traversal": lambda url: url.replace("documents/org/one.pdf", "../../secret_key"),
    "absolute path": lambda url: url.replace("documents/org/one.pdf", "/etc/passwd"),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_a_tampered_link_is_forbidden_and_says_nothing_else(how: str, storage) -> None:
    url = TAMPERED[how](_url(storage))
    assert url != _url(storage)
    assert fetch(url)[:2] == (403, b"Forbidden")


def test_a_link_expires(storage, monkeypatch: pytest.MonkeyPatch) -> None:
    url = storage.url("documents/org/one.pdf", PARAMETERS, expire=60)
    now = time.time()
    monkeypatch.setattr("config.storage.time.time", lambda: now + 58)
    assert fetch(url)[0] == 200
    monkeypatch.setattr("config.storage.time.time", lambda: now + 62)
    assert fetch(url)[:2] == (403, b"Forbidden")


def test_a_link_may_be_made_to_expire_at_once(storage, monkeypatch: pytest.MonkeyPatch) -> None:
    url = storage.url("documents/org/one.pdf", expire=0)
    now = time.time()
    monkeypatch.setattr("config.storage.time.time", lambda: now + 2)
    assert fetch(url)[0] == 403


def test_the_default_lifetime_is_the_setting(storage, settings) -> None:
    settings.DOWNLOAD_URL_TTL = 100
    begun = time.time()
    query = dict(parse_qsl(urlsplit(storage.url("documents/org/one.pdf")).query))
    assert int(begun) + 100 <= int(query["Expires"]) <= time.time() + 100


def test_links_outlive_a_rotation_of_the_secret_key(storage, settings) -> None:
    old = settings.SECRET_KEY
    url = _url(storage)
    settings.SECRET_KEY = "another" * 10
    assert fetch(url)[0] == 403
    settings.SECRET_KEY_FALLBACKS = [old]
    assert fetch(url)[0] == 200
    assert fetch(altered(url, ResponseContentType="text/html"))[0] == 403


@pytest.mark.parametrize("name", ["documents/org/gone.pdf", "documents/org", "documents/org/one.pdf/x"])
def test_a_genuine_link_to_nothing_is_a_404(name: str, storage) -> None:
    assert fetch(storage.url(name))[0] == 404


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd", "a/../../outside"])
def test_even_a_signed_name_cannot_leave_the_folder(name: str, storage) -> None:
    assert fetch(storage.url(name))[0] == 404
    with pytest.raises(SuspiciousFileOperation):
        storage.path(name)


def test_names_with_special_characters_survive_the_link(storage) -> None:
    name = "documents/org/ä b?c#d%2F&e=f.pdf"
    storage.save(name, ContentFile(b"odd"))
    url = storage.url(name)
    assert quote("ä b?c#d%2F&e=f.pdf") in url
    assert fetch(url)[1] == b"odd"


class Breaking(File):
    """Content that ends with an error after its first chunk."""

    def __init__(self, during: Callable[[], None]) -> None:
        super().__init__(None, name="broken")
        self.during = during

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        yield b"half"
        self.during()
        raise OSError("disk full")


def files_of(storage: SignedFileStorage) -> list[str]:
    """Return all files of the storage, drafts first."""
    root = Path(storage.location)
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def drafts_of(storage: SignedFileStorage) -> set[str]:
    return {name for name in files_of(storage) if name.startswith(".drafts/")}


def kill_a_write(storage: SignedFileStorage, name: str) -> str:
    """Leave what a writer leaves that is killed with half a file, and return its name."""
    before, during = drafts_of(storage), list[str]()
    with pytest.raises(OSError, match="disk full"):
        storage.save(name, Breaking(lambda: during.extend(drafts_of(storage) - before)))
    (draft,) = during
    (Path(storage.location) / draft).write_bytes(b"half")
    return draft


def test_half_a_file_is_never_visible(storage) -> None:
    seen: list[bool] = []
    with pytest.raises(OSError, match="disk full"):
        storage.save(
            "documents/org/new.pdf", Breaking(lambda: seen.append(storage.exists("documents/org/new.pdf")))
        )
    assert seen == [False]
    assert files_of(storage) == ["documents/org/one.pdf", "documents/org/two.pdf"]


def test_a_failed_write_keeps_what_was_there(storage) -> None:
    with pytest.raises(OSError, match="disk full"):
        storage.save("documents/org/one.pdf", Breaking(lambda: None))
    assert storage.open("documents/org/one.pdf").read() == b"content"


def test_writing_again_replaces(storage) -> None:
    assert storage.save("documents/org/one.pdf", ContentFile(b"second")) == "documents/org/one.pdf"
    assert storage.open("documents/org/one.pdf").read() == b"second"


def test_a_killed_write_is_swept_after_a_day_even_of_a_file_that_is_there(storage) -> None:
    old = kill_a_write(storage, "documents/org/one.pdf")
    young = kill_a_write(storage, "probes/nobody-deletes-me")
    long_ago = time.time() - LONGEST_WRITE - 60
    os.utime(Path(storage.location) / old, (long_ago, long_ago))
    sweep_drafts()
    assert files_of(storage) == [young, "documents/org/one.pdf", "documents/org/two.pdf"]


def test_two_writers_of_one_name_do_not_disturb_each_other(storage) -> None:
    def write_the_other() -> None:
        storage.save("documents/org/one.pdf", ContentFile(b"of the second"))

    with pytest.raises(OSError, match="disk full"):
        storage.save("documents/org/one.pdf", Breaking(write_the_other))
    assert storage.open("documents/org/one.pdf").read() == b"of the second"
    assert files_of(storage) == ["documents/org/one.pdf", "documents/org/two.pdf"]


def test_deleting_looks_at_no_other_file_of_the_folder(storage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder holds all documents of a day."""
    listed: list[str] = []
    for module, name in ((os, "listdir"), (os, "scandir")):
        look = getattr(module, name)

        def looking(path: object, look: Callable[[object], object] = look) -> object:
            listed.append(str(path))
            return look(path)

        monkeypatch.setattr(module, name, looking)
    storage.delete("documents/org/one.pdf")
    assert [path for path in listed if path.endswith("org")] == []
    assert len(listed) <= 1


def test_delete_takes_the_drafts_of_a_killed_write_along(storage) -> None:
    kill_a_write(storage, "documents/org/one.pdf")
    other = kill_a_write(storage, "documents/org/two.pdf")
    storage.delete("documents/org/one.pdf")
    assert files_of(storage) == [other, "documents/org/two.pdf"]
    assert storage.open("documents/org/two.pdf").read() == b"other"
    storage.delete("documents/org/one.pdf")
    storage.delete("documents/nowhere/one.pdf")


def test_a_bucket_leaves_the_embedded_links_closed(storage, settings) -> None:
    url = _url(storage)
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    }
    assert fetch(url)[:2] == (403, b"Forbidden")


def test_presign_gives_an_absolute_link_that_works(storage) -> None:
    url = presign(
        "documents/org/one.pdf",
        filename="Rechnung № 7.pdf",
        content_type="application/pdf",
        request_base_url="https://api.example.com",
    )
    assert url.startswith("https://api.example.com/files/documents/org/one.pdf?")
    status, _, headers = fetch(url)
    assert status == 200
    assert headers["Content-Disposition"] == content_disposition("Rechnung № 7.pdf", "attachment")


@pytest.mark.parametrize(
    ("filename", "plain", "encoded"),
    [
        ("invoice.pdf", "invoice.pdf", "invoice.pdf"),
        ("Müller & Söhne.pdf", "Muller & Sohne.pdf", "M%C3%BCller%20%26%20S%C3%B6hne.pdf"),
        ("請求書.pdf", "download.pdf", "%E8%AB%8B%E6%B1%82%E6%9B%B8.pdf"),
        ('a".pdf', "a_.pdf", "a_.pdf"),
        ("a\r\nSet-Cookie: x=1.pdf", "aSet-Cookie_ x=1.pdf", "aSet-Cookie_%20x%3D1.pdf"),
        ("../../etc/passwd", "etc_passwd", "_.._etc_passwd"),
        ("a\\b.pdf", "a_b.pdf", "a_b.pdf"),
        ("a;b%41.pdf", "a_b_41.pdf", "a_b_41.pdf"),
        ("photo\u202egpj.exe", "photogpj.exe", "photogpj.exe"),
        ("a\ud800\x00.pdf", "a.pdf", "a.pdf"),
        ("", "download", "download"),
        (" .. ", "download", "download"),
    ],
)
def test_content_disposition(filename: str, plain: str, encoded: str) -> None:
    for disposition in ("attachment", "inline"):
        value = content_disposition(filename, disposition)
        assert value == f"{disposition}; filename=\"{plain}\"; filename*=UTF-8''{encoded}"


def test_no_character_can_break_the_header() -> None:
    for code in (*range(0x3000), 0xD800, 0xFEFF, 0x1F600):
        value = content_disposition(f"a{chr(code)}b.pdf", "inline")
        assert value.isascii()
        assert value.isprintable()
        assert value.count('"') == 2
        assert value.count(";") == 2


def test_long_names_keep_their_extension() -> None:
    assert safe_filename("x" * 1000 + ".xlsx") == "x" * 145 + ".xlsx"


def test_unknown_disposition() -> None:
    with pytest.raises(ValueError, match="unknown disposition"):
        content_disposition("a.pdf", "attachment; x")
