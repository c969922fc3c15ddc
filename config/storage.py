"""Embedded storage: local files behind links that are signed and expire like a bucket's.

The call is the bucket storage's: `url(name, parameters={...}, expire=seconds)`, with the S3 names
`ResponseContentType` and `ResponseContentDisposition`. Nothing else reads DATA_DIR/files.
"""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote, urlencode

from django.conf import settings
from django.core.exceptions import SuspiciousFileOperation
from django.core.files.base import File
from django.core.files.storage import FileSystemStorage, default_storage
from django.core.signing import Signer
from django.http import FileResponse, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.crypto import constant_time_compare
from django.utils.http import http_date
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from config.ranges import in_part

logger = logging.getLogger(__name__)

FIELDS = ("ResponseContentType", "ResponseContentDisposition")
SIGNED = ("Expires", *FIELDS)
# A draft that nobody has written to for so many seconds is nobody's.
LONGEST_WRITE = 24 * 3600


class SignedFileStorage(FileSystemStorage):
    """Local files whose links carry an expiry and a signature over name, expiry and headers."""

    def url(
        self, name: str | None, parameters: Mapping[str, str] | None = None, expire: int | None = None
    ) -> str:
        """Return a path under `/files/` that is valid for `expire` seconds (default DOWNLOAD_URL_TTL)."""
        expires = int(time.time()) + (settings.DOWNLOAD_URL_TTL if expire is None else expire)
        query = {"Expires": str(expires)}
        query |= {field: value for field, value in (parameters or {}).items() if field in FIELDS}
        signer = _signer()
        query["Signature"] = signer.signature(_signed_text(str(name), query), signer.key)
        return f"{self.base_url}{quote(str(name))}?{urlencode(query)}"

    def _save(self, name: str, content: File[Any]) -> str:
        """Write a draft and move it into place: a reader never meets half a file.

        Each writer has a draft of its own, so that two of one name do not disturb each other.
        """
        target = Path(self.path(name))
        draft = self._drafts / f"{_digest(name)}.{secrets.token_hex(4)}"
        for folder in (target.parent, draft.parent):
            if not folder.is_dir():
                folder.mkdir(parents=True, exist_ok=True)
        try:
            with draft.open("wb") as file:
                for chunk in content.chunks():
                    file.write(chunk)
            os.replace(draft, target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        return name

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """Keep the name: callers make unique ones, and a retried write replaces its own."""
        return name

    def delete(self, name: str) -> None:
        """Delete a file and what a killed write left beside it."""
        super().delete(name)
        mine = f"{_digest(name)}."
        for draft in self._all_drafts():
            if draft.name.startswith(mine):
                draft.unlink(missing_ok=True)

    def sweep_drafts(self) -> int:
        """Delete the drafts of writers that were killed, however their files are called; return how many."""
        swept = 0
        for draft in self._all_drafts():
            with suppress(FileNotFoundError):  # its writer has just ended
                if time.time() - draft.stat().st_mtime > LONGEST_WRITE:
                    draft.unlink()
                    swept += 1
        return swept

    @property
    def _drafts(self) -> Path:
        """One folder for all: it holds what is being written now, however many files there are."""
        return Path(self.location) / ".drafts"

    def _all_drafts(self) -> list[Path]:
        try:
            return list(self._drafts.iterdir())
        except FileNotFoundError:
            return []


def sweep_drafts() -> None:
    """Delete what killed writers have left; housekeeping."""
    if isinstance(default_storage, SignedFileStorage) and (swept := default_storage.sweep_drafts()):
        logger.warning("Swept %d drafts of files", swept)


def intended_name(name: str) -> str:
    """Return the name that a stored file has or, where its writing was killed, would have got.

    Versions before wrote their drafts beside the files.
    """
    is_draft = name.startswith(".") and name.endswith(".part")
    return name[1:].rsplit(".", 2)[0] if is_draft else name


def _digest(name: str) -> str:
    return hashlib.blake2b(name.encode(), digest_size=16).hexdigest()


def _signer() -> Signer:
    return Signer(salt="config.storage")


def _signed_text(name: str, query: Mapping[str, str]) -> str:
    """Return what is signed: percent-encoded, so that no value can pass for two or for a name."""
    return (
        f"{quote(name, safe='')}?{urlencode([(field, query[field]) for field in SIGNED if field in query])}"
    )


def _genuine_query(name: str, given: QueryDict) -> dict[str, str] | None:
    """Return the parameters of a link that we signed and that has not expired, else None.

    A parameter that we do not know or that comes twice was not there when the link was signed.
    """
    query = {field: values[0] for field, values in given.lists() if len(values) == 1}
    if len(query) != len(given) or not query.keys() <= {*SIGNED, "Signature"}:
        return None
    signer, text, signature = _signer(), _signed_text(name, query), query.get("Signature", "")
    keys = [signer.key, *signer.fallback_keys]
    if not any(constant_time_compare(signature, signer.signature(text, key)) for key in keys):
        return None
    return query if int(query["Expires"]) >= time.time() else None


@csrf_exempt
@require_safe
def serve_signed_file(request: HttpRequest, name: str) -> HttpResponseBase:
    """Serve a file of the embedded storage; anything but a genuine, unexpired link gives 403."""
    storage = default_storage
    query = None if "\x00" in name else _genuine_query(name, request.GET)
    if query is None or not isinstance(storage, SignedFileStorage):
        return HttpResponse("Forbidden", status=403, content_type="text/plain")
    try:
        file: IO[bytes] = storage.open(name, "rb")
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError, SuspiciousFileOperation):
        return HttpResponse("Not found", status=404, content_type="text/plain")
    response = FileResponse(file, content_type=query.get("ResponseContentType", "application/octet-stream"))
    response["Content-Disposition"] = query.get("ResponseContentDisposition", "attachment")
    response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    response["Cache-Control"] = "private, max-age=300"
    # The state of the file, which browsers want to know before they go on with a download.
    state = os.fstat(file.fileno())
    etag, changed = f'"{state.st_size:x}-{state.st_mtime_ns:x}"', int(state.st_mtime)
    response["ETag"], response["Last-Modified"] = etag, http_date(changed)
    known = get_conditional_response(request, etag, changed)
    if known is None:
        return in_part(request, response)
    file.close()
    for name in ("ETag", "Last-Modified", "Cache-Control"):
        known[name] = response[name]
    return known
