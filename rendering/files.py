"""Links to the files of documents and batches, for the API, the dashboard and the admin."""

from __future__ import annotations

from typing import Final

from config.files import presign
from rendering.formats import RENDERERS
from rendering.models import Batch, Document

_BATCH_TYPES: Final = {Batch.Output.ZIP: "application/zip", Batch.Output.MERGED: "application/pdf"}


def link_of(document: Document, base: str) -> str:
    """Return a fresh presigned link to a completed document.

    `base` is the address of the service, for the embedded storage; empty for a link on the page's own host.
    """
    renderer = RENDERERS.get(document.format)
    return presign(
        document.file,
        filename=document.filename,
        content_type=renderer.content_type if renderer else "application/octet-stream",
        request_base_url=base,
    )


def link_of_batch(batch: Batch, base: str) -> str | None:
    """Return a fresh presigned link to a batch's zip or merged file, None while or where it has none."""
    if batch.status != Batch.Status.COMPLETED or not batch.file:
        return None
    return presign(
        batch.file,
        filename=batch.filename,
        content_type=_BATCH_TYPES[Batch.Output(batch.output)],
        request_base_url=base,
    )
