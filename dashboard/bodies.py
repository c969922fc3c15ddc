"""Stored content in the form that the API takes and gives."""

from __future__ import annotations

from typing import Any

from templates_app.models import ContentFields


def body_of(row: ContentFields) -> dict[str, Any]:
    """Return the content of a template or a version as a body of `POST /v1/templates`.

    Variables are the declared ones: the inferred ones follow from the sections.
    """
    return {
        "name": row.name,
        "description": row.description,
        "formats": row.formats,
        "sections": row.sections,
        "variables": [variable for variable in row.variables if not variable.get("inferred")],
        "page": row.page,
        "sampleData": row.sample_data,
    }


def without_password(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body whose PDF everybody can open, for pictures of it."""
    page = {name: value for name, value in body["page"].items() if name != "protection"}
    return body | {"page": page}
