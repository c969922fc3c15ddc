"""Receipt of a shop: a narrow slip on a tinted page, VAT included, change given, a code for the return."""

from __future__ import annotations

from typing import Any, Final

from dashboard.demo.base import (
    box,
    columns,
    heading,
    image,
    required,
    rule,
    space,
    text,
    variable,
    when,
)
from dashboard.starters.base import Starter, barcode, company_variable, group, logo_variable, page_svg, svg

GREEN: Final = "#2c4a3b"
MUTED: Final = "#74786f"
PAPER: Final = "#f1eee6"

_LOGO = svg(
    48,
    48,
    f'<circle cx="24" cy="24" r="23" fill="{GREEN}"/>'
    '<path d="M24 10C17 17 14 23 14 28a10 10 0 0 0 20 0c0-5-3-11-10-18z" fill="#f1eee6"/>'
    f'<path d="M24 18v19M24 30l5-5M24 27l-5-5" stroke="{GREEN}" stroke-width="1.6" stroke-linecap="round"/>',
)

_DATA: Final[dict[str, Any]] = {
    "logo": _LOGO,
    "company": {
        "name": "Juniper & Rye",
        "address": "14 Harbour Row, Bexcombe BX1 4QT",
        "phone": "01632 960 214",
        "vat_number": "GB 000 0000 00",
    },
    "number": "R-104 882",
    "sold_at": "2025-10-06T15:42:00",
    "till": "Till 2",
    "served_by": "Martha",
    "items": [
        {"name": "House espresso beans, 1 kg", "quantity": 2, "price": 21.50, "taxed": False},
        {"name": "Sourdough, rye and honey", "quantity": 1, "price": 4.80, "taxed": False},
        {"name": "Stoneware mug, moss", "quantity": 4, "price": 14.00, "taxed": True},
        {"name": "Paper filters, 100 pieces", "quantity": 3, "price": 3.95, "taxed": True},
        {"name": "Flat white, to stay", "quantity": 2, "price": 3.60, "taxed": True},
    ],
    "discount": 6.00,
    "discount_reason": "Loyalty card, tenth visit",
    "vat_rate": 0.2,
    "method": "Cash",
    "tendered": 120.00,
    "link": "https://juniperandrye.example/r/104882",
}

_VARIABLES = [
    logo_variable(),
    company_variable("Shop", "phone", "vat_number"),
    required("number", label="Receipt number"),
    required("sold_at", "datetime", "Sold at"),
    variable("till", label="Till"),
    variable("served_by", label="Served by"),
    required(
        "items",
        "list",
        "Items, prices with VAT",
        fields=[
            required("name"),
            required("quantity", "number"),
            required("price", "currency"),
            variable("taxed", "boolean", default=True),
            variable("amount", "currency", value="round(quantity * price, 2)"),
            variable("taxed_amount", "currency", value="if(taxed, amount, 0)"),
        ],
    ),
    variable("discount", "currency", "Discount", default=0),
    variable("discount_reason", label="Reason of the discount", default="Discount"),
    variable("vat_rate", "number", "VAT rate", default=0.2, format="percent"),
    required("method", label="Paid by"),
    variable("tendered", "currency", "Cash given"),
    variable("link", label="Address in the code"),
    variable("pieces", "number", "Pieces", value="sum(items.quantity)", format="integer"),
    variable("goods", "currency", "Sum of the items", value="sum(items.amount)"),
    variable("deducted", "currency", "Discount, as deducted", value="-discount"),
    variable("total", "currency", "Total", value="goods - discount"),
    variable("change", "currency", "Change", value="tendered - total"),
    # A discount is shared by what is taxed and what is not.
    variable("taxed", "currency", "Part with VAT", value="round(sum(items.taxed_amount) * total / goods, 2)"),
    variable("vat", "currency", "VAT included", value="round(taxed - taxed / (1 + vat_rate), 2)"),
    variable("untaxed", "currency", "Part without VAT", value="total - taxed"),
]


def _line(left: str, right: str, **more: Any) -> dict[str, Any]:
    show = {"showIf": more.pop("showIf")} if "showIf" in more else {}
    return columns([text(left, **more)], [text(right, align="right", **more)], widths=("*", 34), **show)


_SLIP = [
    image("{{logo}}", width=16, align="center", alt="{{company.name}}", showIf=when("logo")),
    text("**{{company.name}}**", size=15, align="center", color=GREEN),
    text("{{company.address}}\n{{company.phone}}", size=8, align="center", color=MUTED),
    space(3),
    text("TOTAL PAID", size=7.5, bold=True, align="center", color=MUTED),
    text("**{{total}}**", size=34, align="center", color=GREEN),
    text("{{sold_at|date:full}}, {{sold_at|time:short}}", size=9, align="center", color=MUTED),
    space(3),
    rule(color=GREEN, thickness=1),
    group(
        "items",
        "item",
        [
            _line(
                f"**{{{{item.name}}}}**\n[{{{{item.quantity}}}} × {{{{item.price}}}}]{{{MUTED}}}",
                "{{item.amount}}",
                size=9.5,
            ),
        ],
        gap=1,
        keepTogether=True,
    ),
    rule(color="#d9d5c9"),
    _line("{{pieces}} {{pieces|plural:piece,pieces}}", "{{goods}}", size=9.5),
    _line(
        "{{discount_reason}}",
        "{{deducted}}",
        size=9.5,
        color="#a4502a",
        showIf=when("discount", "greater", value=0),
    ),
    _line("**Total**", "**{{total}}**", size=13, color=GREEN),
    rule(color=GREEN, thickness=1),
    _line("{{method}}", "{{tendered}}", size=9.5, showIf=when("tendered")),
    _line("Change", "{{change}}", size=9.5, showIf=when("tendered")),
    _line("Paid by {{method}}", "{{total}}", size=9.5, showIf=when("tendered", "empty")),
    space(2),
    box(
        _line("Goods at {{vat_rate}} VAT", "{{taxed}}", size=8, color=MUTED),
        _line("of which VAT", "{{vat}}", size=8, color=MUTED),
        _line("Goods at 0% VAT", "{{untaxed}}", size=8, color=MUTED),
        background="#f8f6f0",
        padding=3,
        radius=1,
    ),
    space(3),
    columns(
        [barcode("{{link}}", width=24, height=24, showIf=when("link"))],
        [
            heading("Thank you for coming in.", 4),
            text(
                "Bring this receipt within 30 days to return or exchange unopened goods. "
                "Scan the code to keep a copy on your phone.",
                size=8,
                color=MUTED,
            ),
        ],
        widths=(28, "*"),
        gap=3,
    ),
]

STARTER: Final = Starter(
    slug="receipt",
    name="Receipt",
    description="Slip of a shop with discount, included VAT, change given and a code to keep a copy.",
    body={
        "name": "Receipt",
        "description": "",
        "formats": ["pdf"],
        "variables": _VARIABLES,
        "sections": [
            box(*_SLIP, background="#ffffff", padding=11, radius=2.5),
            *(
                text(content, size=7.5, align="center", color=MUTED, **more)
                for content, more in (
                    ("Receipt {{number}}", {}),
                    (
                        "{{till}} · served by {{served_by}}",
                        {"showIf": {"all": [when("till"), when("served_by")]}},
                    ),
                    ("VAT no. {{company.vat_number}}", {"showIf": when("company.vat_number")}),
                )
            ),
        ],
        "page": {
            "size": "A4",
            "margins": {"top": 18, "right": 45, "bottom": 18, "left": 45},
            "background": page_svg(f'<rect width="210" height="297" fill="{PAPER}"/>'),
            "footer": {"center": "Page {{page.number}} of {{page.count}}"},
            "theme": {
                "size": 9.5,
                "spacing": 0.55,
                "colors": {"ink": "#22271f", "muted": MUTED, "accent": GREEN, "rule": "#d9d5c9"},
                "headings": {"4": {"size": 11, "color": GREEN, "before": 0, "after": 2}},
            },
            "title": "Receipt {{number}}",
            "author": "{{company.name}}",
            "locale": "en-GB",
            "timezone": "Europe/London",
            "currency": "GBP",
        },
        "sampleData": _DATA,
    },
)
