"""Inventory of a wholesaler: a workbook with stock, what to order and its value; prints as well."""

from __future__ import annotations

from typing import Any, Final

from dashboard.demo.base import (
    box,
    column,
    columns,
    heading,
    image,
    page_break,
    required,
    space,
    table,
    text,
    variable,
    when,
)
from dashboard.starters.base import Starter, company_variable, label, logo_variable, svg

SLATE: Final = "#22313f"
BLUE: Final = "#2767a8"
MUTED: Final = "#66727e"
PALE: Final = "#eff3f7"
RED: Final = "#b3261e"
ORANGE: Final = "#9a5b00"

_LOGO = svg(
    56,
    56,
    f'<path d="M28 4 50 16v24L28 52 6 40V16z" fill="{BLUE}"/><path d="M28 28v24L6 40V16z" fill="{SLATE}"/>'
    '<path d="M17 10l22 12v9" stroke="#ffffff" stroke-width="3"/>',
)

# warehouse, category, day of the count, and of each line: article, name, bin, unit, on hand, reserved, level
# below which to order, level to order up to, cost of one
STOCK: Final = (
    ("Auckland", "Fasteners", "2025-09-29", (
        ("FA-1008", "Coach screw M8 × 60, zinc", "A1-04", "box", 184, 20, 80, 240, 18.40),
        ("FA-1012", "Coach screw M10 × 80, zinc", "A1-05", "box", 62, 14, 60, 180, 23.90),
        ("FA-1120", "Decking screw 65 mm, stainless", "A1-09", "box", 310, 45, 120, 400, 41.25),
        ("FA-1302", "Washer M10, stainless", "A2-01", "bag", 540, 0, 200, 600, 6.15),
    )),
    ("Auckland", "Power tools", "2025-09-30", (
        ("PT-2001", "Drill driver 18 V", "B4-02", "pc", 26, 8, 15, 40, 189.00),
        ("PT-2007", "Impact driver 18 V", "B4-03", "pc", 9, 6, 12, 36, 214.50),
        ("PT-2015", "Circular saw 190 mm", "B4-07", "pc", 14, 2, 8, 20, 265.00),
        ("PT-2090", "Battery 18 V, 5 Ah", "B5-01", "pc", 4, 4, 30, 90, 98.70),
    )),
    ("Auckland", "Safety", "2025-09-26", (
        ("SF-3001", "Safety glasses, clear", "C1-01", "pc", 420, 36, 150, 500, 7.80),
        ("SF-3010", "Work gloves, size 9", "C1-06", "pair", 265, 60, 200, 600, 11.35),
        ("SF-3044", "Ear defenders, 31 dB", "C2-02", "pc", 88, 5, 40, 120, 32.60),
    )),
    ("Christchurch", "Fasteners", "2025-10-01", (
        ("FA-1008", "Coach screw M8 × 60, zinc", "11-02", "box", 96, 12, 60, 180, 18.40),
        ("FA-1120", "Decking screw 65 mm, stainless", "11-05", "box", 71, 30, 80, 240, 41.25),
        ("FA-1455", "Frame fixing 10 × 115", "11-09", "box", 133, 0, 50, 160, 37.10),
    )),
    ("Christchurch", "Power tools", "2025-10-01", (
        ("PT-2001", "Drill driver 18 V", "14-01", "pc", 17, 3, 10, 30, 189.00),
        ("PT-2031", "Random orbit sander 125 mm", "14-04", "pc", 11, 1, 6, 18, 172.40),
        ("PT-2090", "Battery 18 V, 5 Ah", "14-08", "pc", 38, 9, 24, 72, 98.70),
    )),
    ("Christchurch", "Safety", "2025-09-24", (
        ("SF-3010", "Work gloves, size 9", "16-03", "pair", 240, 20, 120, 360, 11.35),
        ("SF-3028", "Half mask P3, reusable", "16-07", "pc", 19, 4, 20, 60, 54.90),
        ("SF-3060", "Helmet, vented, white", "16-10", "pc", 52, 0, 25, 75, 39.95),
    )),
)  # fmt: skip
# month, received and issued at cost, value at the end
MONTHS: Final = (
    ("2025-04", 31840, 28410, 59712),
    ("2025-05", 27260, 30155, 56817),
    ("2025-06", 34905, 29870, 61852),
    ("2025-07", 22480, 27640, 56692),
    ("2025-08", 38120, 31285, 63527),
    ("2025-09", 30415, 28530.30, 65411.70),
)

_DATA: Final[dict[str, Any]] = {
    "logo": _LOGO,
    "company": {"name": "Tidewater Supply", "address": "Level 2, 8 Wharf Road, Auckland 1010"},
    "as_of": "2025-10-01",
    "prepared_by": "Mere Tautahi",
    "items": [
        {
            "warehouse": warehouse,
            "category": category,
            "article": article,
            "name": name,
            "bin": place,
            "unit": unit,
            "on_hand": on_hand,
            "reserved": reserved,
            "reorder_at": reorder_at,
            "target": target,
            "cost": cost,
            "counted": counted,
        }
        for warehouse, category, counted, lines in STOCK
        for article, name, place, unit, on_hand, reserved, reorder_at, target, cost in lines
    ],
    "months": [
        {"month": f"{month}-01", "received": received, "issued": issued, "value": value}
        for month, received, issued, value in MONTHS
    ],
}

_VARIABLES = [
    logo_variable(),
    company_variable(),
    required("as_of", "date", "As of"),
    variable("prepared_by", label="Prepared by"),
    required(
        "items",
        "list",
        "Stock",
        fields=[
            required("warehouse"),
            required("category"),
            required("article"),
            required("name"),
            variable("bin"),
            variable("unit", default="pc"),
            required("on_hand", "number", format="integer"),
            variable("reserved", "number", default=0, format="integer"),
            variable("reorder_at", "number", default=0, format="integer"),
            variable("target", "number", default=0, format="integer"),
            required("cost", "currency"),
            variable("counted", "date"),
            variable("available", "number", value="on_hand - reserved", format="integer"),
            variable(
                "to_order",
                "number",
                value="if(available < reorder_at, target - available, 0)",
                format="integer",
            ),
            variable("value", "currency", value="round(on_hand * cost, 2)"),
            variable("order_value", "currency", value="round(to_order * cost, 2)"),
            variable("low", "number", value="if(available < reorder_at, 1, 0)"),
            variable("status", value="if(available <= 0, 'Out', if(low = 1, 'Reorder', 'OK'))"),
        ],
    ),
    variable(
        "months",
        "list",
        "Months",
        fields=[
            required("month", "date"),
            variable("received", "currency", default=0),
            variable("issued", "currency", default=0),
            required("value", "currency"),
        ],
    ),
    variable("articles", "number", "Lines of stock", value="count(items.article)", format="integer"),
    variable("low", "number", "Lines below their level", value="sum(items.low)", format="integer"),
    variable("value", "currency", "Value of the stock", value="sum(items.value)"),
    variable("order_value", "currency", "Cost of what is to be ordered", value="sum(items.order_value)"),
]


def _tile(name: str, value: str, color: str = SLATE) -> list[dict[str, Any]]:
    return [box(label(name, MUTED), text(f"**{value}**", size=17, color=color), background=PALE, padding=4)]


_FAINT: Final = "#b9c2cb"
_ALARM: Final = {"background": "#f9d9d5", "color": RED, "bold": True}
_WATCH: Final = {"background": "#fdeccb", "color": ORANGE, "bold": True}

_SECTIONS = [
    heading("Inventory"),
    text("{{company.name}} · as of {{as_of|date:long}}", color=MUTED),
    text("Prepared by {{prepared_by}}", color=MUTED, showIf=when("prepared_by")),
    space(2),
    columns(
        _tile("VALUE OF THE STOCK", "{{value}}", BLUE),
        _tile("LINES OF STOCK", "{{articles}}"),
        _tile("BELOW THEIR LEVEL", "{{low}}", RED),
        _tile("TO BE ORDERED", "{{order_value}}"),
        gap=5,
    ),
    space(3),
    # Not grouped: it is the worksheet to filter and sort, with live conditional formats.
    table(
        "items",
        [
            column("article", "Article", 19, bold=True),
            column("name", "Description", "*"),
            column("warehouse", "Warehouse", 25),
            column("bin", "Bin", 15),
            column("unit", "Unit", 12),
            column("on_hand", "On hand", 18, headGroup="Pieces"),
            column("reserved", "Reserved", 18, headGroup="Pieces"),
            column(
                "available",
                "Available",
                19,
                headGroup="Pieces",
                value="on_hand - reserved",
                format="integer",
                bold=True,
                styles=[{"when": when("available", "lessOrEqual", value=0), **_ALARM}],
            ),
            column("reorder_at", "Level", 14, headGroup="Reorder"),
            column("target", "Up to", 14, headGroup="Reorder"),
            column(
                "to_order",
                "Order",
                14,
                headGroup="Reorder",
                value="if(available < reorder_at, target - available, 0)",
                format="integer",
                styles=[
                    {"when": when("to_order", "greater", value=0), **_WATCH},
                    {"when": when("to_order", "equals", value=0), "color": _FAINT},
                ],
            ),
            column("cost", "Unit cost", 19, format="currency"),
            column(
                "order_value",
                "Order value",
                24,
                value="round(to_order * cost, 2)",
                format="currency",
                total="sum",
                styles=[{"when": when("order_value", "equals", value=0), "color": _FAINT}],
            ),
            column(
                "status",
                "Status",
                16,
                styles=[
                    {"when": when("status", "equals", value="Out"), **_ALARM},
                    {"when": when("status", "equals", value="Reorder"), **_WATCH},
                    {"when": when("status", "equals", value="OK"), "color": "#2e7d4f"},
                ],
            ),
        ],
        title="What there is, and what to order",
        size=8,
        padding=0.55,
        totalsLabel="To be ordered",
        carryForward={"brought": "Brought forward", "carried": "Carried forward"},
        sheet={"name": "Stock", "freezeColumns": 2, "autofilter": True},
    ),
    page_break(),
    table(
        "items",
        [
            column("article", "Article", 24, bold=True),
            column("name", "Description", "*"),
            column("counted", "Counted", 32, format="date", align="right"),
            column("on_hand", "On hand", 24),
            column("unit", "Unit", 18),
            column("cost", "Unit cost", 28, format="currency"),
            column("value", "Value", 34, value="round(on_hand * cost, 2)", format="currency", total="sum"),
            column("share", "Share", 22, value="value / sum(value)", format="percent:1"),
        ],
        title="What it is worth",
        size=8,
        padding=0.3,
        zebra=False,
        groupBy=[
            {
                "key": "warehouse",
                "title": "{{group.value}} · {{group.count}} lines",
                "label": "{{group.value}} in all",
            },
            {"key": "category", "label": "{{group.value}}"},
        ],
        totalsLabel="All warehouses",
        carryForward={"brought": "Brought forward", "carried": "Carried forward"},
        sheet={"name": "Value", "freezeColumns": 2},
    ),
    space(4),
    columns(
        [
            table(
                "months",
                [
                    column("month", "Month", "*", format="date:MMMM", bold=True),
                    column("received", "Received", 27, format="currency", total="sum"),
                    column("issued", "Issued", 27, format="currency", total="sum"),
                    column("value", "Value at the end", 32, format="currency"),
                ],
                title="Movements at cost",
                size=8.5,
                zebra=False,
                totalsLabel="Six months",
                sheet={"name": "Movements"},
            )
        ],
        [
            {
                "type": "chart",
                "chart": "column",
                "title": "Received and issued by month",
                "source": "months",
                "category": "{{item.month|date:MMM}}",
                "series": [
                    {"key": "received", "name": "Received", "color": BLUE},
                    {"key": "issued", "name": "Issued", "color": "#e0993a"},
                ],
                "format": "currency",
                "height": 62,
                "alt": "Received and issued goods by month",
            }
        ],
        gap=10,
        showIf=when("months"),
    ),
]

STARTER: Final = Starter(
    slug="inventory",
    name="Inventory",
    description=(
        "Workbook: stock and what to order, value by warehouse, a chart of movements; prints as well."
    ),
    body={
        "name": "Inventory",
        "description": "",
        "formats": ["xlsx", "pdf"],
        "variables": _VARIABLES,
        "sections": _SECTIONS,
        "page": {
            "size": "A4",
            "orientation": "landscape",
            "margins": {"top": 14, "right": 14, "bottom": 16, "left": 14},
            "firstHeader": {
                "sections": [
                    columns(
                        [image("{{logo}}", width=11, alt="{{company.name}}", showIf=when("logo"))],
                        [text("**{{company.name}}**\n{{company.address}}", size=8.5, color=MUTED)],
                        widths=(13, "*"),
                        gap=3,
                    ),
                    space(2),
                ]
            },
            "header": {"left": "{{company.name}}", "right": "Inventory as of {{as_of|date:long}}"},
            "footer": {
                "left": "Values at average cost",
                "right": "Page {{page.number}} of {{page.count}}",
            },
            "coverSheet": True,
            "theme": {
                "size": 9,
                "spacing": 0.6,
                "colors": {
                    "ink": SLATE,
                    "muted": MUTED,
                    "accent": BLUE,
                    "rule": "#dde4ea",
                    "ruleStrong": SLATE,
                    "tint": PALE,
                },
                "headings": {
                    "1": {"size": 22, "color": SLATE, "before": 0, "after": 2},
                },
            },
            "title": "Inventory {{as_of|date:yyyy-MM-dd}}",
            "author": "{{company.name}}",
            "locale": "en-NZ",
            "timezone": "Pacific/Auckland",
            "currency": "NZD",
        },
        "sampleData": _DATA,
    },
)
