"""Packing slip of a shop: parcels with their contents to tick off, what follows later, a code for returns."""

from __future__ import annotations

from typing import Any, Final

from dashboard.demo.base import (
    box,
    column,
    columns,
    heading,
    image,
    required,
    space,
    table,
    text,
    variable,
    when,
)
from dashboard.starters.base import Starter, barcode, company_variable, label, logo_variable, svg

INK: Final = "#141414"
AMBER: Final = "#f2b61b"
MUTED: Final = "#6d6a64"
LATER: Final = "#b4561c"

_LOGO = svg(
    64,
    40,
    f'<path d="M2 38 22 6l10 16 7-11 23 27z" fill="{AMBER}"/><path d="M22 6l10 16-6 16H2z" fill="#ffffff"/>',
)

# parcel, bin, article, name, note, ordered, packed, weight in kg of one
LINES: Final = (
    (1, "A-04-2", "FW-TENT-2P-MS", "Ridgeline tent, 2 persons", "moss", 1, 1, 2.35),
    (1, "A-07-1", "FW-MAT-R3-L", "Sleeping mat R3", "long", 2, 2, 0.54),
    (2, "C-11-3", "FW-STV-DUO", "Duo stove", "with wind shield", 1, 1, 0.82),
    (2, "C-12-1", "FW-POT-15", "Cooking pot 1.5 l", "hard anodised", 2, 2, 0.31),
    (2, "C-15-2", "FW-MUG-EN-BL", "Enamel mug", "blue", 4, 3, 0.14),
    (2, "D-02-5", "FW-LAMP-90", "Head lamp 90", "rechargeable", 2, 2, 0.09),
    (3, "F-01-1", "FW-PACK-45-SL", "Trail pack 45 l", "slate", 1, 1, 1.48),
    (3, "F-03-2", "FW-COVER-45", "Rain cover 45 l", "signal yellow", 2, 0, 0.12),
)

_DATA: Final[dict[str, Any]] = {
    "logo": _LOGO,
    "company": {
        "name": "Fernway Outdoor",
        "address": "Unit 12, Quarry Park, Hartlow HL6 2RB",
        "email": "help@fernway.example",
    },
    "order_number": "FW-2025-30917",
    "shipped": "2025-10-06",
    "carrier": "Parcelway Couriers, Next Day",
    "tracking": "PW 8840 2213 7",
    "recipient": {
        "name": "Eleanor Whitcombe",
        "address": "Flat 3, 81 Millbrook Lane\nDunmere DM2 7HF\nUnited Kingdom",
    },
    "items": [
        {
            "parcel": parcel,
            "bin": place,
            "article": article,
            "name": name,
            "note": note,
            "ordered": ordered,
            "packed": packed,
            "unit_weight": weight,
        }
        for parcel, place, article, name, note, ordered, packed, weight in LINES
    ],
    "message": "Have a good first night out, and send us a picture from the ridge!",
    "return_link": "https://fernway.example/returns/FW-2025-30917",
}

_VARIABLES = [
    logo_variable(),
    company_variable("Shop", "email"),
    required("order_number", label="Order number"),
    required("shipped", "date", "Shipped on"),
    variable("carrier", label="Carrier"),
    variable("tracking", label="Tracking number"),
    required("recipient", "object", "Ship to", fields=[required("name"), required("address")]),
    required(
        "items",
        "list",
        "Items",
        fields=[
            variable("parcel", "number", default=1, format="integer"),
            variable("bin"),
            required("article"),
            required("name"),
            variable("note"),
            required("ordered", "number", format="integer"),
            required("packed", "number", format="integer"),
            variable("unit_weight", "number", default=0),
            variable("later", "number", value="ordered - packed", format="integer"),
            variable("weight", "number", value="packed * unit_weight", format="number:2"),
        ],
    ),
    variable("parcels", "number", "Parcels", value="max(items.parcel)", format="integer"),
    variable("message", label="Message to the customer"),
    variable("return_link", label="Address for returns"),
    variable("packed", "number", "Pieces packed", value="sum(items.packed)", format="integer"),
    variable("later", "number", "Pieces that follow", value="sum(items.later)", format="integer"),
    variable("weight", "number", "Weight in kg", value="sum(items.weight)", format="number:2"),
]


def _figure(name: str, value: str) -> list[dict[str, Any]]:
    return [label(name, MUTED), text(f"**{value}**", size=13)]


_HEAD = box(
    columns(
        [image("{{logo}}", width=19, alt="{{company.name}}", showIf=when("logo"))],
        [
            text("**{{company.name}}**", size=14, color="#ffffff"),
            text("{{company.address}}", size=8, color="#c9c5bb"),
        ],
        [text("**Packing slip**", size=20, color=AMBER, align="right")],
        widths=(22, "*", 60),
        gap=4,
    ),
    background=INK,
    padding=6,
)

_SECTIONS = [
    _HEAD,
    space(3),
    columns(
        [
            label("SHIP TO", MUTED),
            text("**{{recipient.name}}**", size=17),
            text("{{recipient.address}}", size=12),
        ],
        [
            barcode("{{order_number}}", symbology="code128", width=76, height=17, align="right", text=False),
            text("Order **{{order_number}}**", align="right", size=10),
            text(
                "shipped {{shipped|date:long}}",
                align="right",
                size=8,
                color=MUTED,
            ),
        ],
        widths=("*", 82),
        gap=8,
    ),
    space(3),
    box(
        columns(
            _figure("PARCELS", "{{parcels}}"),
            _figure("PIECES", "{{packed}}"),
            _figure("WEIGHT", "{{weight}} kg"),
            [
                label("CARRIER", MUTED, showIf=when("carrier")),
                text("{{carrier}}\n{{tracking}}", size=9, showIf=when("carrier")),
            ],
            widths=("*", "*", "*", "2*"),
            gap=6,
        ),
        border=1.2,
        borderColor=INK,
        padding=4,
    ),
    space(3),
    table(
        "items",
        [
            {"header": "", "content": "☐", "width": 9, "align": "center"},
            column("bin", "Bin", 17, bold=True),
            {
                "header": "Item",
                "content": f"**{{{{item.name}}}}**, {{{{item.note}}}}\n[{{{{item.article}}}}]{{{MUTED}}}",
                "width": "*",
            },
            column("ordered", "Ordered", 18, total="sum"),
            column("packed", "Packed", 18, total="sum", bold=True),
            column(
                "later",
                "Follows",
                18,
                total="sum",
                styles=[{"when": when("later", "equals", value=0), "color": "#c3bfb6"}],
            ),
            column("weight", "kg", 18, total="sum"),
        ],
        size=9,
        padding=0.5,
        zebra=False,
        groupBy=[
            {
                "key": "parcel",
                "title": "Parcel {{group.value}} of {{parcels}}",
                "label": "In parcel {{group.value}}",
            }
        ],
        styles=[{"when": when("later", "greater", value=0), "background": "#fdf3d3", "color": LATER}],
        totalsLabel="Whole delivery",
        minRows=3,
    ),
    space(2),
    columns(
        [
            box(
                text(
                    "**{{later}} {{later|plural:piece,pieces}} to follow later.** They go out free of charge "
                    "as soon as they are back in stock; you need not do anything.",
                    size=9,
                ),
                background="#fdf3d3",
                accent=AMBER,
                padding=4,
                showIf=when("later", "greater", value=0),
            ),
            text("{{message}}", size=11, italic=True, showIf=when("message")),
            text(
                "Something missing or broken? Write to [{{company.email}}](mailto:{{company.email}}) within "
                "14 days and keep the parcel's wrapping.",
                size=8.5,
                color=MUTED,
                showIf=when("company.email"),
            ),
        ],
        [
            barcode("{{return_link}}", width=26, height=26, align="center", showIf=when("return_link")),
            text("Scan to return", size=8, align="center", color=MUTED, showIf=when("return_link")),
        ],
        [
            heading("Packed by", 4),
            space(9),
            {"type": "divider", "color": INK, "thickness": 0.6},
            text("Initials, date", size=7.5, color=MUTED),
        ],
        widths=("*", 32, 34),
        gap=6,
    ),
]

STARTER: Final = Starter(
    slug="packing_slip",
    name="Packing slip",
    description="What is in which parcel, boxes to tick, what follows later, a code for returns.",
    body={
        "name": "Packing slip",
        "description": "",
        "formats": ["pdf"],
        "variables": _VARIABLES,
        "sections": _SECTIONS,
        "page": {
            "size": "A4",
            "margins": {"top": 14, "right": 16, "bottom": 16, "left": 16},
            "firstHeader": None,
            "header": {"left": "{{company.name}}", "right": "Order {{order_number}}"},
            "footer": {
                "left": "No prices on this slip: it may be a gift.",
                "right": "Page {{page.number}} of {{page.count}}",
            },
            "theme": {
                "size": 9.5,
                "spacing": 0.6,
                "colors": {
                    "ink": INK,
                    "muted": MUTED,
                    "accent": LATER,
                    "rule": "#dedad1",
                    "ruleStrong": INK,
                    "tint": "#f4f1ea",
                },
                "headings": {"4": {"size": 9.5, "color": INK, "before": 0, "after": 0}},
            },
            "title": "Packing slip {{order_number}}",
            "author": "{{company.name}}",
            "locale": "en-GB",
            "timezone": "Europe/London",
            "currency": "GBP",
        },
        "sampleData": _DATA,
    },
)
