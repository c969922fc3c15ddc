"""Examples of structure: columns, boxes, groups, contents, charts, bar codes, signatures, images, pages."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from tests.gallery.base import Example
from tests.gallery.texts import PROSE

MONTHS = [
    {"month": month, "sales": sales, "costs": costs, "profit": sales - costs}
    for month, sales, costs in (
        ("Jan", 120, 90),
        ("Feb", 132, 101),
        ("Mar", 101, 104),
        ("Apr", 154, 96),
        ("May", 190, 110),
        ("Jun", 176, 121),
    )
]
LETTERHEAD = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 150 100">
<path d="M0 0H150V25C105 33 55 17 0 29Z" fill="#eaf0f5"/><path d="M0 96H150V100H0Z" fill="#1f4e79"/></svg>"""
SERIES = [{"key": "sales", "name": "Sales"}, {"key": "costs", "name": "Costs"}]


def _chart(kind: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "chart",
        "chart": kind,
        "title": kind.replace("_", " ").capitalize(),
        "source": "months",
        "category": "{{item.month}}",
        "series": SERIES,
        "height": 48,
        **more,
    }


def _pair(left: dict[str, Any], right: dict[str, Any]) -> dict[str, Any]:
    return {"type": "columns", "gap": 8, "columns": [{"sections": [left]}, {"sections": [right]}]}


EXAMPLES = [
    Example(
        "columns-and-boxes",
        "Columns and boxes",
        [
            {
                "type": "columns",
                "gap": 8,
                "columns": [
                    {
                        "width": "2*",
                        "sections": [
                            {"type": "heading", "level": 3, "content": "Two thirds"},
                            {"type": "text", "content": PROSE, "align": "justify"},
                        ],
                    },
                    {
                        "sections": [
                            {
                                "type": "box",
                                "background": "#f1f4f7",
                                "padding": 4,
                                "radius": 2,
                                "sections": [
                                    {"type": "heading", "level": 4, "content": "Please note"},
                                    {"type": "text", "content": "A box holds any sections.", "size": 9},
                                ],
                            },
                            {
                                "type": "box",
                                "border": 0.75,
                                "padding": 4,
                                "sections": [{"type": "text", "content": "Or has a border.", "size": 9}],
                            },
                        ]
                    },
                ],
            }
        ],
        height=78,
    ),
    Example(
        "group",
        "The same sections for each entry of a list",
        [
            {
                "type": "group",
                "source": "people",
                "as": "person",
                "gap": 3,
                "background": "#f1f4f7",
                "accent": "#2f8a8a",
                "radius": 1.5,
                "padding": 4,
                "keepTogether": True,
                "sections": [
                    {"type": "heading", "level": 4, "content": "{{person.name}}"},
                    {
                        "type": "text",
                        "content": "{{person.role}}",
                        "size": 9,
                        "showIf": {"field": "person.role", "is": "set"},
                    },
                    {"type": "list", "source": "person.tasks", "content": "{{item}}"},
                ],
            }
        ],
        {
            "people": [
                {"name": "Ada", "role": "Analyst", "tasks": ["Tables", "Diagrams"]},
                {"name": "Grace", "tasks": ["Compilers"]},
            ]
        },
        height=100,
    ),
    Example(
        "contents",
        "Table of contents and numbered headings",
        [
            {"type": "table_of_contents", "title": "Contents", "levels": 2},
            {"type": "page_break"},
            *[
                section
                for number in range(1, 4)
                for section in (
                    {"type": "heading", "level": 1, "content": f"Chapter of the number {number}"},
                    {"type": "heading", "level": 2, "content": "What it is about"},
                    {"type": "text", "content": PROSE, "align": "justify"},
                    {"type": "heading", "level": 2, "content": "What follows from it"},
                    {"type": "text", "content": PROSE, "align": "justify"},
                )
            ],
        ],
        height=100,
        page={"numberHeadings": True},
        pages=2,
    ),
    Example(
        "charts-1",
        "Charts: column, bar, line, area",
        [
            _pair(_chart("column"), _chart("bar")),
            _pair(_chart("line"), _chart("area")),
        ],
        {"months": MONTHS},
        height=130,
    ),
    Example(
        "charts-2",
        "Charts: stacked, pie, donut",
        [
            _pair(_chart("stacked_column"), _chart("stacked_bar")),
            _pair(_chart("pie"), _chart("donut", legend="right")),
        ],
        {"months": MONTHS},
        height=130,
    ),
    Example(
        "barcodes",
        "Bar codes",
        [
            {
                "type": "columns",
                "columns": [
                    {"sections": [{"type": "barcode", "value": "https://example.com/i/2026-0117"}]},
                    {"sections": [{"type": "barcode", "symbology": "datamatrix", "value": "2026-0117"}]},
                    {"sections": [{"type": "barcode", "symbology": "ean13", "value": "978316148410"}]},
                ],
            },
            {"type": "spacer", "height": 5},
            {
                "type": "columns",
                "columns": [
                    {
                        "sections": [
                            {"type": "barcode", "symbology": "code128", "value": "RF18 5390 0754 7034"}
                        ]
                    },
                    {"sections": [{"type": "barcode", "symbology": "pdf417", "value": "Carrier label 4711"}]},
                ],
            },
        ],
        height=90,
    ),
    Example(
        "signature",
        "Lines to sign on",
        [
            {
                "type": "signature",
                "signers": [
                    {
                        "name": "Maria Huber",
                        "role": "Managing director",
                        "date": "21 November 2026",
                        "image": "{{signature}}",
                    },
                    {"name": "{{customer}}", "role": "Customer"},
                ],
            }
        ],
        {"customer": "John Miller", "signature": "signature.svg"},
        height=52,
    ),
    Example(
        "images",
        "Images: fit, cover, exact; JPEG, PNG, WebP, SVG",
        [
            {
                "type": "columns",
                "columns": [
                    {
                        "sections": [
                            {
                                "type": "image",
                                "source": "{{photo}}",
                                "width": 38,
                                "height": 38,
                                "mode": mode,
                                "alt": mode,
                            },
                            {"type": "text", "content": mode, "size": 8},
                        ]
                    }
                    for mode in ("fit", "cover", "exact")
                ],
            },
            {
                "type": "columns",
                "columns": [
                    {"sections": [{"type": "image", "source": f"{{{{{name}}}}}", "height": 20, "alt": name}]}
                    for name in ("png", "webp", "svg", "seal")
                ],
            },
        ],
        {
            "photo": "photo.jpg",
            "png": "photo.png",
            "webp": "photo.webp",
            "svg": "mark.svg",
            "seal": "seal.png",
        },
        height=94,
    ),
    Example(
        "page",
        "Header of sections, another first page with its letterhead, watermark",
        [
            {"type": "heading", "content": "Terms and conditions"},
            *[{"type": "text", "content": PROSE, "align": "justify"} for _ in range(6)],
        ],
        {"logo": "logo", "paper": f"data:image/svg+xml;base64,{b64encode(LETTERHEAD).decode()}"},
        height=100,
        page={
            "firstBackground": "{{paper}}",
            "margins": {"top": 14, "right": 14, "bottom": 16, "left": 14},
            "firstHeader": {
                "sections": [
                    {
                        "type": "columns",
                        "columns": [
                            {"sections": [{"type": "image", "source": "{{logo}}", "height": 9}]},
                            {
                                "sections": [
                                    {
                                        "type": "text",
                                        "content": "**Fennmark**\nMarket Square 1",
                                        "size": 7,
                                        "align": "right",
                                    }
                                ]
                            },
                        ],
                    }
                ]
            },
            "header": {"left": "Terms and conditions", "right": "Fennmark"},
            "footer": {"center": "Page {{page.number}} of {{page.count}}"},
            "watermark": {"text": "DRAFT"},
        },
        pages=2,
    ),
    Example(
        "theme",
        "A theme of one's own",
        [
            {"type": "heading", "content": "Quarterly letter"},
            {"type": "text", "content": PROSE},
            {
                "type": "table",
                "source": "months",
                "columns": [
                    {"key": "month", "header": "Month"},
                    {"key": "sales", "header": "Sales", "format": "integer", "total": "sum"},
                ],
                "totalsLabel": "Total",
            },
            {"type": "text", "content": "More at [example.com](https://example.com)."},
        ],
        {"months": MONTHS[:4]},
        height=120,
        page={
            "theme": {
                "colors": {"ink": "#2b1a0f", "accent": "#a4460f", "tint": "#f9efe6", "rule": "#ead8c8"},
                "size": 11,
                "headings": {"1": {"size": 28, "color": "#a4460f"}},
            }
        },
    ),
]
