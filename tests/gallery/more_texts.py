"""More examples of text: looks, hyphenation, lists of the data, pairs, conditions, computed values."""

from __future__ import annotations

from tests.gallery.base import Example
from tests.gallery.more import GOODS, columns, text
from tests.gallery.texts import PROSE

TEXTS = [
    Example(
        "text-looks",
        "Size, weight, colour; dividers and spacers",
        [
            text("Large and bold", size=20, bold=True, color="#1f4b73"),
            {"type": "divider", "thickness": 2, "color": "#de9e3f"},
            text("Small, slanted and grey, as a remark below a figure", size=8, italic=True, color="#5c6776"),
            {"type": "spacer", "height": 4},
            text("Newlines\nare kept,\n\nand an empty line parts paragraphs."),
            {"type": "divider"},
            text("A divider without options is a hairline.", size=9),
        ],
        height=90,
    ),
    Example(
        "hyphenate",
        "With and without hyphenation",
        [
            columns(
                [text(PROSE, align="justify", size=8)],
                [text(PROSE, align="justify", size=8, hyphenate=False)],
                [text(PROSE, size=8, hyphenate=False)],
            )
        ],
        height=70,
    ),
    Example(
        "list-of-data",
        "A list of the data, with entries below entries",
        [
            columns(
                [
                    {
                        "type": "list",
                        "source": "parts",
                        "content": "**{{item.name}}**, {{item.hours}} h",
                        "childrenKey": "steps",
                    }
                ],
                [
                    {
                        "type": "list",
                        "source": "parts",
                        "content": "{{item.name}}",
                        "childrenKey": "steps",
                        "ordered": True,
                    }
                ],
            )
        ],
        {
            "parts": [
                {
                    "name": "Survey",
                    "hours": 6,
                    "steps": [{"name": "Measure", "hours": 4}, {"name": "Draw", "hours": 2}],
                },
                {
                    "name": "Assembly",
                    "hours": 14,
                    "steps": [{"name": "Desks", "hours": 9}, {"name": "Lights", "hours": 5}],
                },
                {"name": "Handover", "hours": 1},
            ]
        },
        height=80,
    ),
    Example(
        "key-value-more",
        "Pairs in columns, with a label width, centred, small and large",
        [
            {
                "type": "key_value",
                "columns": 3,
                "items": [
                    {"label": label, "value": value}
                    for label, value in (
                        ("Order", "AB-31884"),
                        ("Date", "6 Oct 2025"),
                        ("Terms", "30 days"),
                        ("Carrier", "Murtal"),
                        ("Parcels", "45"),
                        ("Weight", "1,206 kg"),
                    )
                ],
            },
            {"type": "divider"},
            {
                "type": "key_value",
                "labelWidth": 55,
                "items": [
                    {"label": "A label that has its own width", "value": "and a value\nof two lines"},
                    {"label": "Strong", "value": "stands out", "strong": True},
                ],
            },
            {"type": "divider"},
            {
                "type": "key_value",
                "align": "center",
                "items": [{"label": "Seat", "value": "14 C"}, {"label": "Gate", "value": "B 22"}],
            },
            {"type": "divider"},
            {
                "type": "columns",
                "columns": [
                    {
                        "sections": [
                            {"type": "key_value", "size": size, "items": [{"label": "Train", "value": text}]}
                        ]
                    }
                    for size, text in ((6.5, "RJX 66 to Wien Hbf"), (16, "RJX 66"))
                ],
            },
        ],
        height=125,
    ),
    Example(
        "conditions",
        "Shown under a condition",
        [
            {
                "type": "group",
                "source": "goods",
                "gap": 2,
                "sections": [
                    text("**{{item.name}}**: {{item.stock}} in stock"),
                    text(
                        "[Sold out]{#b3261e}",
                        size=9,
                        showIf={"field": "item.stock", "is": "equals", "value": 0},
                    ),
                    text(
                        "[Few left]{#a05a00}",
                        size=9,
                        showIf={
                            "all": [
                                {"field": "item.stock", "is": "greater", "value": 0},
                                {"field": "item.stock", "is": "less", "value": 10},
                            ]
                        },
                    ),
                ],
            }
        ],
        {"goods": GOODS},
        height=80,
    ),
    Example(
        "computed",
        "Computed variables: the data holds quantities and prices",
        [
            {
                "type": "table",
                "source": "goods",
                "columns": [
                    {"key": "name", "header": "Item"},
                    {"key": "qty", "header": "Qty", "format": "integer"},
                    {"key": "price", "header": "Price", "format": "currency:EUR"},
                    {"key": "amount", "header": "Amount", "format": "currency:EUR"},
                    {"value": "amount / sum(amount)", "header": "Share", "format": "percent:1"},
                ],
            },
            {
                "type": "key_value",
                "align": "right",
                "items": [
                    {"label": "Net", "value": "{{net|currency:EUR}}"},
                    {"label": "VAT {{rate|percent}}", "value": "{{vat|currency:EUR}}"},
                    {"label": "Total", "value": "{{total|currency:EUR}}", "strong": True},
                ],
            },
        ],
        {"goods": [{key: row[key] for key in ("name", "qty", "price")} for row in GOODS], "rate": 0.2},
        height=100,
        variables=[
            {
                "name": "goods",
                "type": "list",
                "fields": [
                    {"name": "name", "type": "string"},
                    {"name": "qty", "type": "number"},
                    {"name": "price", "type": "number"},
                    {"name": "amount", "type": "number", "value": "qty * price"},
                ],
            },
            {"name": "rate", "type": "number"},
            {"name": "net", "type": "number", "value": "sum(goods.amount)"},
            {"name": "vat", "type": "number", "value": "round(net * rate, 2)"},
            {"name": "total", "type": "number", "value": "net + vat"},
        ],
    ),
    Example(
        "formats",
        "Helpers write values",
        [
            {
                "type": "key_value",
                "columns": 2,
                "labelWidth": 36,
                "items": [
                    {"label": f"`{written}`", "value": f"{{{{{written}}}}}"}
                    for written in (
                        "n|number:2",
                        "d|date:long",
                        "n|currency:EUR",
                        "d|date:full",
                        "n|currency:JPY",
                        "d|date:yyyy-MM-dd",
                        "n|integer",
                        "t|datetime:short",
                        "r|percent:1",
                        "t|time",
                        "yes|yesno:paid,open",
                        "tags|join",
                        "one|plural:item,items",
                        "word|upper",
                    )
                ],
            },
        ],
        {
            "n": 1234567.891,
            "d": "2026-11-21",
            "t": "2026-11-21T09:30:00Z",
            "r": 0.195,
            "yes": True,
            "tags": ["oak", "birch"],
            "one": 3,
            "word": "straße",
        },
        height=130,
        page={"theme": {"size": 8.5}},
        variables=[{"name": "tags", "type": "list"}],
    ),
]
