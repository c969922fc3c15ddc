"""Examples of tables."""

from __future__ import annotations

from typing import Any

from tests.gallery.base import Example

CITIES = ("Vienna", "Vienna", "Vienna", "Graz", "Graz", "Linz")
GOODS = ("Ball bearing", "Carbon brush", "Drive shaft", "Gasket set", "Oil filter", "Pump seal")
ORDERS: list[dict[str, Any]] = [
    {
        "city": CITIES[n % 6],
        "rep": ("Anna", "Bernd")[n // 3 % 2],
        "item": GOODS[n % 6],
        "qty": (12, 4, 1, 30, 8, 16)[n % 6] + n,
        "price": (4.35, 12.9, 218.0, 1.125, 9.99, 0.5)[n % 6],
        "done": n % 3 != 1,
        "change": (0.12, -0.034, 0.0, 0.257, -0.18, 0.05)[n % 6],
        "url": f"https://example.com/{n}",
        "image": ("photo.jpg", "mark.svg", "seal.png")[n % 3],
    }
    for n in range(12)
]
MONEY = {"format": "currency:EUR"}


def _table(columns: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"type": "table", "source": "orders", "columns": columns, **more}


EXAMPLES = [
    Example(
        "table-plain",
        "Zebra, computed column, totals",
        [
            _table(
                [
                    {"key": "item", "header": "Item"},
                    {"key": "qty", "header": "Quantity", "format": "integer", "total": "sum"},
                    {"key": "price", "header": "Price", **MONEY, "total": "average"},
                    {"key": "amount", "value": "qty * price", "header": "Amount", **MONEY, "total": "sum"},
                ],
                title="Orders of the week",
                zebra=True,
                totalsLabel="Total",
            )
        ],
        {"orders": ORDERS},
        height=125,
    ),
    Example(
        "table-groups",
        "Two levels of groups with subtotals",
        [
            _table(
                [
                    {"key": "item", "header": "Item"},
                    {"key": "qty", "header": "Quantity", "format": "integer", "total": "sum"},
                    {"key": "amount", "value": "qty * price", "header": "Amount", **MONEY, "total": "sum"},
                ],
                groupBy=[
                    {"key": "city", "title": "{{group.value}}", "label": "Sum of {{group.value}}"},
                    {"key": "rep", "title": "{{group.value}} ({{group.count}})", "subtotals": False},
                ],
                totalsLabel="All cities",
            )
        ],
        {"orders": ORDERS},
        height=200,
    ),
    Example(
        "table-styles",
        "Grouped heads, conditional styles, decimal alignment",
        [
            _table(
                [
                    {"key": "item", "header": "Item"},
                    {"key": "qty", "header": "Pieces", "headGroup": "Ordered", "align": "right"},
                    {"key": "price", "header": "Price", "headGroup": "Ordered", "align": "decimal"},
                    {
                        "key": "change",
                        "header": "Change",
                        "headGroup": "Since last year",
                        "format": "percent:1",
                        "styles": [
                            {"when": {"field": "change", "is": "less", "value": 0}, "color": "#b3261e"},
                            {
                                "when": {"field": "change", "is": "greater", "value": 0.1},
                                "color": "#14602f",
                                "background": "#e3f4e8",
                                "bold": True,
                            },
                        ],
                    },
                    {
                        "key": "done",
                        "header": "Done",
                        "headGroup": "Since last year",
                        "display": "check",
                        "align": "center",
                    },
                ],
                rules="grid",
            )
        ],
        {"orders": ORDERS[:8]},
        height=88,
    ),
    Example(
        "table-cells",
        "Images, links, check marks and marked-up text in cells",
        [
            _table(
                [
                    {"key": "image", "header": "", "display": "image", "width": 22},
                    {"content": "**{{item.item}}**\nfor {{item.city}}", "header": "Item"},
                    {"key": "done", "header": "In stock", "display": "check", "align": "center"},
                    {"key": "url", "header": "More", "display": "link"},
                ]
            )
        ],
        {"orders": ORDERS[:4]},
        height=96,
    ),
    Example(
        "table-overflow",
        "Too long for the column: wrap, shrink, cut",
        [
            _table(
                [
                    {"key": "long", "header": "wrap", "width": 40},
                    {"key": "long", "header": "shrink", "width": 40, "overflow": "shrink"},
                    {"key": "long", "header": "cut", "width": 40, "overflow": "cut"},
                ],
                rules="grid",
            )
        ],
        {
            "orders": [
                {"long": "Short"},
                {"long": "Maintenance contract, quarterly"},
                {"long": "Donaudampfschifffahrtsgesellschaftskapitänsmütze"},
            ]
        },
        height=66,
    ),
    Example(
        "table-carry",
        "Over pages: repeated head, carried forward",
        [
            _table(
                [
                    {"key": "item", "header": "Item"},
                    {"key": "qty", "header": "Quantity", "format": "integer"},
                    {"key": "amount", "value": "qty * price", "header": "Amount", **MONEY, "total": "sum"},
                ],
                carryForward=True,
                totalsLabel="Total",
            )
        ],
        {"orders": ORDERS * 2},
        height=80,
        page={"footer": {"right": "Page {{page.number}} of {{page.count}}"}},
        pages=3,
    ),
]
