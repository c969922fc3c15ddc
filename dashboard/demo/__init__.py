"""The demo templates: what a business would really send, with data that stays the same at each seeding."""

from __future__ import annotations

from typing import Final

from dashboard.demo import certificate, delivery_note, invoice, price_list, report, statement
from dashboard.demo.base import DemoTemplate, data_with_logo, logo_bytes

TEMPLATES: Final[tuple[DemoTemplate, ...]] = (
    invoice.TEMPLATE,
    statement.TEMPLATE,
    delivery_note.TEMPLATE,
    price_list.TEMPLATE,
    certificate.TEMPLATE,
    report.TEMPLATE,
)

__all__ = ["TEMPLATES", "DemoTemplate", "data_with_logo", "logo_bytes"]
