"""More examples of tables and structure: rules, boxes, options of charts and codes, papers."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from tests.gallery.base import Example
from tests.gallery.structure import MONTHS

GOODS: list[dict[str, Any]] = [
    {"name": "Ball bearing", "qty": 12, "price": 4.35, "stock": 140},
    {"name": "Carbon brush", "qty": 5, "price": 12.9, "stock": 0},
    {"name": "Drive shaft", "qty": 3, "price": 218.0, "stock": 8},
]
ANN = {"name": "Ann Whitfield", "role": "Organizer"}
LONG = {"name": "Maximilian von Hohenstaufen-Schwarzenberg", "role": "Chamber of commerce"}
CUTS = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 150 111">
<path d="M0 37H150M0 74H150M50 0V111M100 0V111" fill="none" stroke="#aeb7c2" stroke-width="0.3"/></svg>"""


def columns(*parts: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """Return sections side by side."""
    return {"type": "columns", "columns": [{"sections": part} for part in parts], **more}


def text(content: str, **more: Any) -> dict[str, Any]:
    """Return a text."""
    return {"type": "text", "content": content, **more}


def _label(place: str) -> list[dict[str, Any]]:
    name = text(f"**{{{{row.{place}.name}}}}**", align="center")
    role = text(f"{{{{row.{place}.role}}}}", align="center", size=8, color="#5c6776")
    return [{"type": "spacer", "height": 9}, name, role]


def _goods(title: str, **more: Any) -> dict[str, Any]:
    names = [{"key": "name", "header": "Item"}, {"key": "qty", "header": "Qty", "format": "integer"}]
    return {"type": "table", "source": "goods", "title": title, "columns": names, "size": 8, **more}


def _chart(kind: str, title: str, **more: Any) -> dict[str, Any]:
    series = [{"key": "sales", "name": "Sales"}, {"key": "costs", "name": "Costs"}]
    return {
        "type": "chart",
        "chart": kind,
        "title": title,
        "source": "months",
        "category": "{{item.month}}",
        "series": series,
        "height": 44,
        **more,
    }


TABLES = [
    Example(
        "table-rules",
        "Rules, padding, zebra, without a head",
        [
            columns(
                [_goods("horizontal (usual)"), _goods("padding 0.5", padding=0.5)],
                [_goods("grid", rules="grid"), _goods("zebra", zebra=True, rules="none")],
                [_goods("none", rules="none"), _goods("without head", head=False)],
            )
        ],
        {"goods": GOODS},
        height=110,
    ),
    Example(
        "table-empty",
        "Without rows; looks of rows; labels of carried lines in another language",
        [
            {
                "type": "table",
                "source": "none",
                "columns": [{"key": "name", "header": "Item"}, {"key": "qty", "header": "Qty"}],
                "title": "No rows",
                "emptyText": "There were no orders in this period.",
            },
            {
                "type": "table",
                "source": "goods",
                "title": "Rows under conditions",
                "columns": [
                    {"key": "name", "header": "Item"},
                    {"key": "stock", "header": "Stock", "format": "integer"},
                    {
                        "key": "price",
                        "header": "Price in Germany",
                        "format": "currency:EUR",
                        "locale": "de-DE",
                    },
                    {"key": "price", "header": "in the US", "format": "currency:USD", "locale": "en-US"},
                ],
                "styles": [
                    {
                        "when": {"field": "stock", "is": "equals", "value": 0},
                        "background": "#fdecea",
                        "color": "#b3261e",
                        "italic": True,
                    },
                    {"when": {"field": "stock", "is": "greater", "value": 100}, "bold": True},
                ],
            },
        ],
        {"none": [], "goods": GOODS},
        height=90,
    ),
]

STRUCTURE = [
    Example(
        "boxes",
        "Boxes: ground, border, radius, accent, in one another",
        [
            columns(
                [
                    {
                        "type": "box",
                        "background": "#f1f4f7",
                        "accent": "#1f4b73",
                        "sections": [text("**Note**\nA strong line at the left.", size=9)],
                    }
                ],
                [
                    {
                        "type": "box",
                        "border": 1.2,
                        "borderColor": "#2f8a8a",
                        "radius": 3,
                        "sections": [text("**Hint**\nRound corners, a border in a colour.", size=9)],
                    }
                ],
            ),
            {
                "type": "box",
                "background": "#fdf6ea",
                "radius": 2,
                "padding": 6,
                "sections": [
                    text("A box in a box, with columns:", size=9),
                    columns(
                        *(
                            [
                                {
                                    "type": "box",
                                    "background": "#ffffff",
                                    "padding": 3,
                                    "radius": 1,
                                    "sections": [
                                        text(label, size=8, color="#5c6776"),
                                        text(value, size=15, bold=True),
                                    ],
                                }
                            ]
                            for label, value in (
                                ("Revenue", "€ 49.8 m"),
                                ("Margin", "40.8 %"),
                                ("Growth", "8.1 %"),
                            )
                        ),
                        gap=4,
                    ),
                ],
            },
        ],
        height=90,
    ),
    Example(
        "charts-3",
        "Charts: labels, formats, colours, negative values, legends",
        [
            columns(
                [
                    _chart(
                        "column",
                        "With labels",
                        labels=True,
                        series=[{"key": "sales", "name": "Sales"}],
                        legend="none",
                    )
                ],
                [
                    _chart(
                        "bar",
                        "Profit, a formula",
                        series=[{"value": "sales - costs", "name": "Profit", "color": "#2f8a8a"}],
                        labels=True,
                        legend="none",
                    )
                ],
                gap=8,
            ),
            columns(
                [
                    _chart(
                        "line",
                        "Titles of axes, legend at the right",
                        format="currency:EUR",
                        categoryTitle="First half of 2026",
                        valueTitle="Euros a month",
                        legend="right",
                        series=[
                            {"key": "sales", "name": "Sales", "color": "#7a3e9d"},
                            {"key": "costs", "name": "Costs", "color": "#c97b12"},
                        ],
                    )
                ],
                [
                    _chart(
                        "column",
                        "Below zero",
                        series=[{"value": "(sales - costs) / sales - 0.2", "name": "To goal"}],
                        format="percent",
                        legend="none",
                    )
                ],
                gap=8,
            ),
        ],
        {"months": MONTHS},
        height=130,
    ),
    Example(
        "barcode-options",
        "Bar codes: size, place, correction, without text",
        [
            columns(
                [
                    {"type": "barcode", "value": "L", "errorCorrection": "L", "width": 18, "height": 18},
                    text("L, 18 mm", size=8),
                ],
                [
                    {
                        "type": "barcode",
                        "value": "https://example.com/a/rather/long/address?with=parameters",
                        "errorCorrection": "H",
                        "width": 26,
                        "height": 26,
                        "align": "center",
                    },
                    text("H, centred", size=8, align="center"),
                ],
                [
                    {
                        "type": "barcode",
                        "symbology": "code128",
                        "value": "LS-2025-04417",
                        "text": False,
                        "width": 42,
                        "height": 12,
                        "align": "right",
                    },
                    text("without text, at the right", size=8, align="right"),
                ],
            )
        ],
        height=60,
    ),
    Example(
        "background",
        "Background image and a watermark of an image",
        [
            {"type": "spacer", "height": 6},
            text("INVITATION", size=11, bold=True, align="center", color="#ffffff"),
            text("An evening of light", size=26, bold=True, align="center", color="#ffffff"),
            text("21 November 2026 · Fairhaven", align="center", color="#ffffff"),
        ],
        {"photo": "photo.jpg", "seal": "seal.png"},
        height=94,
        page={
            "background": "{{photo}}",
            "watermark": {"image": "{{seal}}", "opacity": 0.35, "angle": 0, "size": 110},
        },
    ),
    Example(
        "label",
        "A paper of one's own: a label to ship a parcel",
        [
            {
                "type": "columns",
                "columns": [
                    {
                        "sections": [
                            text("Fennmark · Lagergasse 221 · 8020 Graz", size=6.5, color="#5c6776"),
                            text("**{{name}}**\n{{street}}\n{{city}}", size=11),
                        ]
                    },
                    {
                        "width": 18,
                        "sections": [
                            {
                                "type": "barcode",
                                "symbology": "datamatrix",
                                "value": "{{parcel}}",
                                "width": 18,
                                "height": 18,
                                "align": "right",
                            }
                        ],
                    },
                ],
            },
            {"type": "divider", "thickness": 1.5, "color": "#1b2430"},
            {
                "type": "barcode",
                "symbology": "code128",
                "value": "{{parcel}}",
                "width": 84,
                "height": 18,
                "align": "center",
            },
        ],
        {
            "name": "Kanzlei Leitgeb & Partner OG",
            "street": "Sporgasse 114",
            "city": "8010 Graz",
            "parcel": "AT4417000031884",
        },
        page={
            "size": {"width": 100, "height": 70},
            "margins": {"top": 6, "right": 6, "bottom": 6, "left": 6},
        },
    ),
    Example(
        "label-sheet",
        "Labels on a sheet: a column with a spacer gives each row its height, a background the lines to cut",
        [
            {
                "type": "group",
                "source": "rows",
                "as": "row",
                "gap": 0,
                "keepTogether": True,
                "sections": [
                    {
                        "type": "columns",
                        "gap": 0,
                        "columns": [
                            {"width": 50, "sections": _label("a")},
                            {"width": 50, "sections": _label("b")},
                            {"sections": _label("c")},
                            {"width": 1, "sections": [{"type": "spacer", "height": 37}]},
                        ],
                    }
                ],
            }
        ],
        {
            "rows": [
                {"a": ANN, "b": LONG, "c": {"name": "Bo Li", "role": ""}},
                {"a": {"name": "Sam Okafor", "role": "Speaker"}, "b": ANN, "c": LONG},
                {"a": LONG},
            ],
            "cuts": f"data:image/svg+xml;base64,{b64encode(CUTS).decode()}",
        },
        height=111,
        page={"margins": dict.fromkeys(("top", "right", "bottom", "left"), 0), "background": "{{cuts}}"},
    ),
]
