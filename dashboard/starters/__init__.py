"""Ready templates to begin with: the gallery of “New template”.

Each comes with sample data, so that it is seen at once. `make starters` draws their pictures; a starter
without one is found by `tests/dashboard/test_starters.py`.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Final

from dashboard.demo import TEMPLATES, data_with_logo
from dashboard.starters import (
    catalogue,
    contract_letter,
    inventory,
    packing_slip,
    payslip,
    quote,
    receipt,
    timesheet,
)
from dashboard.starters.base import Starter

# Stands where an organization puts its own logo.
LOGO: Final = "data:image/svg+xml;base64," + base64.b64encode(
    Path(__file__).with_name("logo.svg").read_bytes()
).decode("ascii")

# Of the demo: what it is called here, and what it is for.
_DEMO: Final = {
    "invoice": ("Invoice", "In German: computed amounts, VAT, totals and a code to pay with."),
    "statement": ("Account statement", "Opening and closing balance, a chart, every movement."),
    "delivery_note": ("Delivery note", "In German: a bar code to scan, back orders, a receipt to sign."),
    "price_list": ("Price list", "In German: a workbook with categories, stock and prices; prints as well."),
    "certificate": ("Certificate", "Landscape, framed and signed."),
    "report": ("Quarterly report", "Cover, contents, numbered chapters, charts and tables."),
}


def _from_demo() -> dict[str, Starter]:
    found = {}
    for demo in TEMPLATES:
        slug = demo.slug.replace("-", "_")
        name, description = _DEMO[slug]
        body = data_with_logo({"sampleData": demo.data} | dict(demo.body), LOGO)
        found[slug] = Starter(slug, name, description, body | {"name": name, "description": ""})
    return found


_demo = _from_demo()

# As the gallery shows them: what is sold, what is sent, what people get, what is in stock.
STARTERS: Final[tuple[Starter, ...]] = (
    _demo["invoice"],
    quote.STARTER,
    receipt.STARTER,
    _demo["statement"],
    _demo["delivery_note"],
    packing_slip.STARTER,
    payslip.STARTER,
    timesheet.STARTER,
    contract_letter.STARTER,
    _demo["certificate"],
    _demo["report"],
    catalogue.STARTER,
    _demo["price_list"],
    inventory.STARTER,
)

__all__ = ["LOGO", "STARTERS", "Starter"]
