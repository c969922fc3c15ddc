"""What an organization has after some months: documents, a batch, usage and an asset."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import cache
from io import BytesIO

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone
from PIL import Image, ImageDraw

from accounts.models import Organization
from assets.services import upload_asset
from config.api.ids import new_id
from rendering.models import Batch, Document
from rendering.preview import preview
from templates_app.models import Template
from tests.factories import BatchFactory, DocumentFactory
from usage.models import MonthlyCount

COUNTS = (0, 38, 112, 96, 171, 204)


@cache
def picture() -> bytes:
    """Return a logo as PNG, transparent around."""
    image = Image.new("RGBA", (240, 160))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((40, 30, 200, 130), 24, fill="#4a48d4")
    draw.ellipse((95, 55, 145, 105), fill="#ffffff")
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def make_records(organization: Organization, template: Template) -> dict[str, str]:
    """Create them in the database and return the ids that paths name."""
    waiting, _ = DocumentFactory.create_batch(
        2, template=template, filename="invoice-2026-0043.pdf", attempt=1
    )
    document = _completed(
        organization,
        template,
        "invoice-2026-0042.pdf",
        external_user_id="customer-17",
        reference="order-4711",
        created_by="ada@acme.example",
    )
    DocumentFactory(
        template=template,
        filename="invoice-2026-0041.xlsx",
        format="xlsx",
        status=Document.Status.FAILED,
        error="data.items[3].price: must be a number",
    )
    batch = BatchFactory(
        template=template,
        status=Batch.Status.PROCESSING,
        total=40,
        completed=1,
        failed=1,
        filename="November",
    )
    _completed(organization, template, "november-1.pdf", batch=batch, batch_index=0)
    DocumentFactory(
        template=template,
        filename="november-2.pdf",
        status=Document.Status.FAILED,
        error="data.total: required",
        batch=batch,
        batch_index=1,
    )
    asset = upload_asset(organization=organization, name="Acme logo.png", content=picture(), actor="system")
    _count(organization, template)
    return {"document": document.pk, "waiting": waiting.pk, "batch": batch.pk, "asset": asset.pk}


def _completed(organization: Organization, template: Template, filename: str, **fields: object) -> Document:
    made = DocumentFactory(
        template=template,
        filename=filename,
        file=f"documents/{organization.pk}/{new_id('doc')}.pdf",
        completed=True,
        file_size_bytes=len(_pdf()),
        render_time_ms=83,
        **fields,
    )
    default_storage.save(made.file, ContentFile(_pdf()))
    return made


@cache
def _pdf() -> bytes:
    body = {
        "name": "Invoice",
        "formats": ["pdf"],
        "sections": [
            {"type": "heading", "content": "Invoice 2026-0042"},
            {"type": "text", "content": "Thank you for your order."},
        ],
    }
    now = datetime(2026, 11, 21, tzinfo=UTC)
    return preview(organization=Organization(), body=body, data={}, now=now).file


def _count(organization: Organization, template: Template) -> None:
    today = timezone.now().date().replace(day=1)
    rows = []
    for back, documents in enumerate(reversed(COUNTS)):
        month = _earlier(today, back)
        for share, format, user in ((2, "pdf", ""), (3, "pdf", "customer-17"), (6, "xlsx", "customer-9")):
            rows.append(
                MonthlyCount(
                    organization=organization,
                    month=month,
                    template_id=template.pk,
                    format=format,
                    external_user_id=user,
                    documents=documents // share,
                )
            )
    MonthlyCount.objects.bulk_create(rows)


def _earlier(month: date, months: int) -> date:
    for _ in range(months):
        month = (month - timedelta(days=1)).replace(day=1)
    return month
