"""The storage, as the service and as a browser with a link see it."""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from urllib3.exceptions import HTTPError

from config.doctor.clocks import check_skew
from config.doctor.findings import ADVICE, Wrong

CONTENT: Final = b"a probe of the document rendering service"
CONTENT_TYPE: Final = "application/pdf"


def check_storage() -> str:
    """Write a file, read it, look it up by its link as a browser would, and delete it."""
    name = f"probes/doctor-{secrets.token_hex(8)}.pdf"
    try:
        default_storage.save(name, ContentFile(CONTENT))
        with default_storage.open(name) as file:
            if file.read() != CONTENT:
                raise Wrong("a file came back changed", ADVICE["storage"])
        said = _try_link(name)
    finally:
        with suppress(Exception):
            default_storage.delete(name)
    if default_storage.exists(name):
        raise Wrong("a file cannot be deleted", "Allow the service to delete objects (s3:DeleteObject).")
    return f"a file was written, read and deleted; {said}"


def _try_link(name: str) -> str:
    storage: Any = default_storage
    parameters = {
        "ResponseContentType": CONTENT_TYPE,
        "ResponseContentDisposition": 'attachment; filename="doctor.pdf"',
    }
    url: str = storage.url(name, parameters=parameters, expire=60)
    if url.startswith("/"):
        return _try_own_link(url)
    try:
        status, headers, body = _fetch(url)
    except HTTPError as error:
        address = url.partition(name)[0].rstrip("/")
        raise Wrong(
            f"nothing answers at {address}, where links lead: {type(error).__name__}",
            "Look at S3_PUBLIC_ENDPOINT_URL, or S3_ENDPOINT_URL without it: who follows links must reach it, "
            "and this machine too. Is its certificate in SSL_CERT_FILE?",
        ) from None
    _check_skew_of(headers)
    if status != 200 or body != CONTENT:
        raise Wrong(
            f"a presigned link gave {status}",
            "Check the credentials, S3_REGION and S3_ENDPOINT_URL; behind a proxy the Host header must "
            "arrive unchanged, since it is signed. S3_PUBLIC_ENDPOINT_URL must be reachable from here too.",
        )
    names_file = "doctor.pdf" in headers.get("Content-Disposition", "")
    if headers.get("Content-Type") != CONTENT_TYPE or not names_file:
        raise Wrong(
            "a presigned link does not set the type and name of the file",
            "The bucket's service must honour response-content-type and response-content-disposition.",
        )
    if _fetch(url.partition("?")[0])[0] == 200:
        raise Wrong(
            "everybody can read the bucket: a link without signature gave the file",
            "Make the bucket private (block public access).",
        )
    if _fetch(url[:-1] + ("0" if url[-1] != "0" else "1"))[0] == 200:
        raise Wrong("the bucket's service accepts a forged signature", "Use another one.")
    return "its link works, and only when signed"


def _try_own_link(url: str) -> str:
    """Try a link of the embedded storage; the service need not be running."""
    host = settings.HOST if settings.HOST not in {"", "0.0.0.0", "::"} else "127.0.0.1"  # noqa: S104 (compared)
    base = settings.BASE_URL or f"http://{f'[{host}]' if ':' in host else host}:{settings.PORT}"
    try:
        status, _, body = _fetch(base + url)
    except Exception:
        raise Wrong(
            f"nothing answers at {base}, so that no link could be tried",
            "Start the service and ask again; when it runs, BASE_URL is wrong.",
            "warning",
        ) from None
    if status != 200 or body != CONTENT:
        raise Wrong(
            f"a link to a file gave {status} at {base}",
            "Something else answers there, or it runs with another SECRET_KEY or DATA_DIR.",
        )
    return "its link works"


def _fetch(url: str) -> tuple[int, Any, bytes]:
    import urllib3

    answer = urllib3.request("GET", url, timeout=5, retries=False, redirect=False)
    return answer.status, answer.headers, answer.data


def _check_skew_of(headers: Any) -> None:
    with suppress(TypeError, ValueError):
        check_skew("bucket", datetime.now(UTC) - parsedate_to_datetime(headers.get("Date")))
