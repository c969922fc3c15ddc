"""Sections that stories put into templates."""

from __future__ import annotations

from typing import Any

AMOUNT = {"key": "amount", "value": "quantity * price", "header": "Amount", "total": "sum"}
TABLE = {"type": "table", "source": "items", "columns": [{"key": "name", "header": "Item"}, AMOUNT]}
CHART = {"type": "chart", "source": "items", "category": "{{item.name}}", "series": [{"key": "price"}]}

ITEMS = [
    {"name": "Pen", "city": "Vienna", "quantity": 3, "price": 1.1},
    {"name": "Ink", "city": "Graz", "quantity": 2, "price": 20},
    {"name": "Pad", "city": "Vienna", "quantity": 1, "price": 0.7},
]


def text(content: str, **more: Any) -> dict[str, Any]:
    """Return a text section."""
    return {"type": "text", "content": content, **more}


def barcode(symbology: str, value: str = "{{code}}") -> dict[str, Any]:
    """Return a bar code section."""
    return {"type": "barcode", "symbology": symbology, "value": value}
