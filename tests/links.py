"""What is behind a presigned link, and what is kept, on either stack."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx
from django.core.files.storage import default_storage
from django.test import Client

from tests.parts.session import REAL, parts

PAGE = "https://app.example.com"


def follow(url: str) -> httpx.Response:
    """Fetch a link, or a path of the service, as a page in a browser would: without a key, with an Origin."""
    address = urlsplit(urljoin("http://testserver", url))
    origin = f"{address.scheme}://{address.netloc}"
    if REAL:
        assert origin == parts().s3_endpoint_url
        return httpx.get(url, headers={"Origin": PAGE}, timeout=20, verify=False)
    assert origin == "http://testserver"
    answer = Client(raise_request_exception=False).get(
        f"{address.path}?{address.query}", headers={"Origin": PAGE}
    )
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return httpx.Response(answer.status_code, headers=list(answer.items()), content=content)


def kept(folder: str = "") -> list[str]:
    """Return the name of every file stored below `folder`, half-written ones included."""
    storage: Any = default_storage
    if hasattr(storage, "client"):
        pages = storage.client.get_paginator("list_objects_v2").paginate(
            Bucket=storage.bucket_name, Prefix=folder and f"{folder}/"
        )
        return sorted(entry["Key"] for page in pages for entry in page.get("Contents", ()))
    root = Path(storage.location)
    return sorted(str(path.relative_to(root)) for path in (root / folder).rglob("*") if path.is_file())


def kept_of(organization_id: str) -> list[str]:
    """Return the name of every file stored for an organization: each kind of files has a folder for each."""
    kinds, _ = default_storage.listdir("")
    return [name for kind in sorted(kinds) for name in kept(f"{kind}/{organization_id}")]
