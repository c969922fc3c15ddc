"""Sections that stories put into templates."""

from __future__ import annotations

from typing import Any

AMOUNT = {"key": "amount", "value": "quantity * price", "header": "Amount", "total": "sum"}
TABLE = {"type": "table", "source": "items", "columns": [{"key": "name", "header": "Item"}, AMOUNT]}
CHART = {"type": "chart", "source": "items", "category": "{{item.name}}", "series": [{"key": "price"}]}


def text(content: str, **more: Any) -> dict[str, Any]:
    """Return a text section."""
    return {"type": "text", "content": content, **more}


def barcode(symbology: str, value: str = "{{code}}") -> dict[str, Any]:
    """Return a bar code section."""
    return {"type": "barcode", "symbology": symbology, "value": value}
