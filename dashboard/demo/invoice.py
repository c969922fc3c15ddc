"""Invoice of a US company: logo, parties, line items, sales tax, totals, terms, bank details."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from dashboard.demo.base import (
    LOGO_PLACEHOLDER,
    DemoTemplate,
    cents,
    column,
    heading,
    image,
    logo_variable,
    money,
    pairs,
    required,
    rule,
    table,
    text,
    variable,
)

TAX_RATE: Final = Decimal("0.0825")

# description, SKU, quantity, unit, unit price
LINES: Final[tuple[tuple[str, str, int, str, str], ...]] = (
    ("Height-adjustable desk Arden 160, oak veneer", "FM-AR-160-OAK", 18, "pcs", "689.00"),
    (
        "Height-adjustable desk Arden 180, oak, corner left",
        "FM-AR-180-OCL",
        4,
        "pcs",
        "784.00",
    ),
    ("Task chair Lund, mesh back, graphite", "FM-LU-MB-GR", 22, "pcs", "329.50"),
    ("Conference table Sorrel 320 with channel", "FM-SO-320-CC", 1, "pc", "2,480.00"),
    ("Conference chair Lund C, moss green", "FM-LU-C-MG", 10, "pcs", "274.00"),
    ("Pendant light Halo 90, dimmable, 3000 K", "FM-HA-90-30", 6, "pcs", "412.75"),
    ("Desk lamp Beam, clamp mount", "FM-BE-CL", 22, "pcs", "118.90"),
    ("Acoustic screen Felt 160 x 45, warm gray", "FM-FE-160-WG", 20, "pcs", "146.25"),
    ("Mobile pedestal Box 3, lockable", "FM-BX-3-L", 22, "pcs", "212.00"),
    ("Cable tray with 4 outlets and 2 USB-C ports", "FM-CT-4U2", 22, "pcs", "64.80"),
    ("Delivery and assembly on site, second floor", "SV-ASSEMBLY", 34, "hrs", "78.00"),
    ("Removal and recycling of existing furniture", "SV-REMOVAL", 1, "lot", "950.00"),
)


def _lines() -> tuple[list[dict[str, Any]], Decimal]:
    """Return the line items and their sum."""
    rows, total = [], Decimal(0)
    for position, (description, sku, quantity, unit, price) in enumerate(LINES, start=1):
        unit_price = Decimal(price.replace(",", ""))
        amount = cents(unit_price * quantity)
        total += amount
        rows.append(
            {
                "position": position,
                "description": description,
                "sku": sku,
                "quantity": quantity,
                "unit": unit,
                "unit_price": money(unit_price),
                "amount": money(amount),
            }
        )
    return rows, total


def _data() -> dict[str, Any]:
    rows, subtotal = _lines()
    discount = cents(subtotal * Decimal("0.05"))
    taxable = subtotal - discount
    tax = cents(taxable * TAX_RATE)
    deposit = Decimal("12000.00")
    return {
        "logo": LOGO_PLACEHOLDER,
        "invoice_number": "INV-2025-01847",
        "issued": "2025-10-06",
        "due": "2025-11-05",
        "order_number": "SO-48213",
        "customer_reference": "PO 7731-B, Ms. Whitaker",
        "customer_number": "C-20914",
        "customer": {
            "name": "Brightwater Dental Group, LLC",
            "contact": "Accounts Payable, attn. Joanne Whitaker",
            "street": "2140 Cedar Hollow Road, Suite 310",
            "city": "Fairhaven, OR 97299",
        },
        "ship_to": {
            "name": "Brightwater Dental Group, LLC",
            "contact": "Riverside Clinic, attn. Marcus Odell",
            "street": "88 Quayside Drive, 2nd floor",
            "city": "Fairhaven, OR 97298",
        },
        "items": rows,
        "subtotal": money(subtotal),
        "discount_rate": 0.05,
        "discount": money(-discount),
        "tax_rate": float(TAX_RATE),
        "tax": money(tax),
        "total": money(taxable + tax),
        "deposit": money(-deposit),
        "balance_due": money(taxable + tax - deposit),
        "early_payment_until": "2025-10-16",
        "early_payment_discount": money(cents((taxable + tax) * Decimal("0.02"))),
        "note": "Delivered and assembled on October 1 and 2, 2025. Thank you for your order.",
    }


def _party(name: str, label: str) -> dict[str, Any]:
    fields = [required("name"), variable("contact"), required("street"), required("city")]
    return required(name, "object", label, fields=fields)


_VARIABLES = [
    logo_variable(),
    required("invoice_number", label="Invoice number"),
    required("issued", "date", "Invoice date"),
    required("due", "date", "Due date"),
    variable("order_number", label="Our order"),
    variable("customer_reference", label="Your reference"),
    variable("customer_number", label="Customer number"),
    _party("customer", "Bill to"),
    _party("ship_to", "Ship to"),
    required(
        "items",
        "list",
        "Line items",
        fields=[
            required("position", "number", format="integer"),
            required("description"),
            variable("sku"),
            required("quantity", "number"),
            variable("unit", default="pcs"),
            required("unit_price", "currency"),
            required("amount", "currency"),
        ],
    ),
    required("subtotal", "currency", "Subtotal"),
    variable("discount_rate", "number", "Discount rate", format="percent"),
    variable("discount", "currency", "Discount", default=0),
    required("tax_rate", "number", "Sales tax rate", format="percent:2"),
    required("tax", "currency", "Sales tax"),
    required("total", "currency", "Total"),
    variable("deposit", "currency", "Deposit received", default=0),
    required("balance_due", "currency", "Balance due"),
    variable("early_payment_until", "date", "Early payment until"),
    variable("early_payment_discount", "currency", "Early payment discount"),
    variable("note", label="Note"),
]

_SECTIONS = [
    image("{{logo}}", width=44, alt="Fennmark"),
    text(
        "Fennmark Inc. · 415 Timber Row · Fairhaven, OR 97201 · billing@fennmark.example",
        size=8,
        color="#5c6776",
    ),
    heading("Invoice {{invoice_number}}"),
    pairs(
        [
            ("Invoice date", "{{issued|date:long}}"),
            ("Due date", "{{due|date:long}}"),
            ("Customer number", "{{customer_number}}"),
            ("Our order", "{{order_number}}"),
            ("Your reference", "{{customer_reference}}"),
            ("Currency", "US dollars"),
        ],
        columns=2,
    ),
    rule(),
    pairs(
        [
            ("Bill to", "{{customer.name}}\n{{customer.contact}}\n{{customer.street}}\n{{customer.city}}"),
            ("Ship to", "{{ship_to.name}}\n{{ship_to.contact}}\n{{ship_to.street}}\n{{ship_to.city}}"),
        ],
        columns=2,
    ),
    table(
        "items",
        [
            column("position", "#", 8, align="right"),
            column("description", "Description"),
            column("sku", "SKU", 28),
            column("quantity", "Qty", 13),
            column("unit", "Unit", 12),
            column("unit_price", "Unit price", 22),
            column("amount", "Amount", 24),
        ],
        size=8.5,
    ),
    pairs(
        [
            ("Subtotal", "{{subtotal}}"),
            ("Project discount {{discount_rate}}", "{{discount}}"),
            ("Sales tax {{tax_rate}}", "{{tax}}"),
            ("Total", "{{total}}"),
            ("Deposit received, thank you", "{{deposit}}"),
            ("Balance due", "{{balance_due}}"),
        ],
        strong=("Balance due",),
        align="right",
    ),
    heading("Payment terms", 4),
    text(
        "Please pay the balance of {{balance_due}} by {{due|date:long}} and quote {{invoice_number}} with "
        "your transfer. Pay by {{early_payment_until|date:long}} and deduct 2% of the total "
        "({{early_payment_discount}}). Past-due balances bear interest of 1% per month.\n\n{{note}}",
        size=9,
    ),
]

TEMPLATE: Final = DemoTemplate(
    slug="invoice",
    body={
        "name": "Invoice",
        "description": "Invoice with logo, parties, line items, sales tax, totals and payment terms.",
        "formats": ["pdf"],
        "variables": _VARIABLES,
        "sections": _SECTIONS,
        "page": {
            "size": "Letter",
            "margins": {"top": 11, "right": 18, "bottom": 15, "left": 18},
            "footer": {
                "left": "Tillbrook Bank · Routing 123456780 · Account 004 551 209 · SWIFT TLBKUS66",
                "right": "Page {{page.number}} of {{page.count}}",
            },
            "locale": "en-US",
            "timezone": "America/Los_Angeles",
            "currency": "USD",
        },
        "sampleData": _data(),
    },
    data=_data(),
)
