"""Content made by hand and what it resolves to, for the tests of sections, tables, pages and formulas."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from config.api.errors import ApiError
from rendering.engine import check_content
from rendering.resolve import resolve
from templates_app.bodies import TemplateCreate, parse_body
from templates_app.content import Content
from templates_app.resolved import ImageFile, ResolvedDocument, ResolvedTable

IMAGE = ImageFile(b"x", "image/png", 4, 2)
ITEMS = [
    {"city": "Graz", "name": "Pen", "quantity": 2, "price": 1.1, "day": "2026-01-05"},
    {"city": "Linz", "name": "Ink", "quantity": 1, "price": 20, "day": "2026-01-06"},
    {"city": "Graz", "name": "Cap", "quantity": 3, "price": 0.1, "day": None},
]
AMOUNT = {"key": "amount", "value": "quantity * price", "total": "sum"}


def load_image(reference: str) -> ImageFile:
    """Return the one image for any asset; raises ValueError for what is no reference, as the real one."""
    if not reference.startswith("ast_"):
        raise ValueError("is no image")
    return IMAGE


def content(
    *sections: dict[str, Any], variables: Any = (), page: dict[str, Any] | None = None, name: str = "Name"
) -> Content:
    """Return the content of a template with these sections."""
    return Content(name, "", ["pdf"], list(sections), list(variables), page or {}, {})


def resolved(made: Content, data: dict[str, Any], **more: Any) -> ResolvedDocument:
    """Check data against content and return the document; raises as a render does."""
    values = check_content(made, data)
    options = {"load_image": load_image, "created_at": datetime(2026, 1, 1, tzinfo=UTC)} | more
    return resolve(made, values, **options)


def sections_of(*sections: dict[str, Any], data: dict[str, Any], **more: Any) -> list[Any]:
    """Return the resolved sections of a template."""
    return list(resolved(content(*sections, **more), data).sections)


def table_of(data: Any = None, *, variables: Any = (), page: Any = None, **fields: Any) -> ResolvedTable:
    """Return a resolved table of ITEMS, of other rows, or of whole data that has the list `items`."""
    given = {"type": "table", "source": "items", "columns": [{"key": "name"}]} | fields
    rows = ITEMS if data is None else data
    (table,) = sections_of(
        given, data=rows if isinstance(rows, dict) else {"items": rows}, variables=variables, page=page
    )
    assert isinstance(table, ResolvedTable)
    assert all(len(column.values) == table.count for column in table.columns)
    return table


def refused(made: dict[str, Any], **more: Any) -> dict[str, str]:
    """Return the errors by field of a template with this section, which must be refused."""
    with pytest.raises(ApiError) as caught:
        parse_body(TemplateCreate, {"name": "a", "formats": ["pdf"], "sections": [made]} | more)
    return caught.value.errors
