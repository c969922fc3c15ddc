"""Stored files, the same for the embedded storage and a bucket: presigned links and what a folder holds.

Rendering (documents) and assets (images) sign their links and look for files without an owner here.
"""

from __future__ import annotations

import unicodedata
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.core.files.storage import default_storage

DISPOSITIONS = frozenset({"attachment", "inline"})
MAX_FILENAME = 150
_FALLBACK_NAME = "download"
# What has a meaning inside a quoted header value, a path or an escape: never part of a name that we send.
_UNSAFE = str.maketrans(dict.fromkeys('"\\/%;:*?<>|', "_"))


def presign(
    name: str, *, filename: str, content_type: str, disposition: str = "attachment", request_base_url: str
) -> str:
    """Return an absolute URL that serves the stored file `name` for DOWNLOAD_URL_TTL seconds.

    The answer carries `content_type` and a Content-Disposition with `filename`. `request_base_url` (see
    `config.api.urls.base_url`) is put before the embedded storage's own paths; a bucket's URL is absolute.
    Specification section 8; raises ValueError for an unknown `disposition`.
    """
    storage: Any = default_storage
    url: str = storage.url(
        name,
        parameters={
            "ResponseContentType": content_type,
            "ResponseContentDisposition": content_disposition(filename, disposition),
        },
        expire=settings.DOWNLOAD_URL_TTL,
    )
    return f"{request_base_url}{url}" if url.startswith("/") else url


def list_folder(folder: str) -> tuple[list[str], list[str]]:
    """Return the names of the folders and files in a folder, none where there is no such folder."""
    try:
        folders, files = default_storage.listdir(folder)
    except FileNotFoundError:
        return [], []
    return [name for name in folders if name], files  # a bucket's folder may hold one without a name


def content_disposition(filename: str, disposition: str) -> str:
    """Return a Content-Disposition value after RFC 6266: an ASCII fallback, then `filename*` in UTF-8.

    No input can end the header or the quotes: control characters vanish and delimiters become `_`.
    Raises ValueError for a `disposition` other than `attachment` and `inline`.
    """
    if disposition not in DISPOSITIONS:
        raise ValueError(f"unknown disposition: {disposition!r}")
    name = safe_filename(filename)
    plain = (
        unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().translate(_UNSAFE).strip(" ._")
    )
    if not plain or plain == PurePosixPath(name).suffix.lstrip("."):
        # Nothing of the stem is ASCII: keep at least the extension that a client may go by.
        plain = _FALLBACK_NAME + PurePosixPath(name).suffix.encode("ascii", "ignore").decode()
    return f"{disposition}; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def safe_filename(filename: str) -> str:
    """Return `filename` without control, format and path characters, at most MAX_FILENAME long, never empty.

    Format characters go too: a right-to-left override makes `gpj.exe` look like `exe.jpg`.
    """
    printable = "".join(c for c in filename if c.isprintable()).translate(_UNSAFE).strip(" .")
    if len(printable) > MAX_FILENAME:
        suffix = PurePosixPath(printable).suffix[:16]
        printable = printable[: MAX_FILENAME - len(suffix)] + suffix
    return printable or _FALLBACK_NAME
