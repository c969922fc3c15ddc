"""A template as a file: the body of `POST /v1/templates`, used without a database."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from templates_app import formats
from templates_app.compiled import MAX_VARIABLES, BrokenContent, check_nesting
from templates_app.content import LONGEST_NAME, Content

_FIELDS = ("name", "description", "formats", "sections", "variables", "page", "sample_data")


def content_of(body: Mapping[str, Any]) -> Content:
    """Return the content of a template; raises the ApiError that creating it would answer with.

    What is sound is only typed, as for a render: telling all that could be wrong takes pydantic and the
    models of every section kind, and they are loaded when something is.
    """
    content = _sound(body)
    if content is None:
        from templates_app.bodies import TemplateCreate, parse_body

        given = parse_body(TemplateCreate, body)
        content = _content({name: given.get(name) for name in _FIELDS})
    return content


def _sound(body: Mapping[str, Any]) -> Content | None:
    """Return the content when nothing is wrong with it; None leaves it to the whole check to say what is."""
    fields = {name: body.get(name) for name in _FIELDS} | {"sample_data": body.get("sampleData")}
    name, names, variables = fields["name"], fields["formats"], fields["variables"] or []
    if not (isinstance(name, str) and name.strip() and len(name) <= LONGEST_NAME):
        return None
    if not (isinstance(names, list) and names and all(known in formats.known() for known in names)):
        return None
    if not (isinstance(fields["sections"], list) and fields["sections"]):
        return None
    if not (isinstance(variables, list) and len(variables) <= MAX_VARIABLES and _distinct(variables)):
        return None
    if not all(isinstance(fields[field] or {}, dict) for field in ("page", "sample_data")):
        return None
    if fields["description"]:
        return None
    content = _content(fields)
    try:
        check_nesting(content.typed_sections)
    except (BrokenContent, ValueError):
        return None
    return content


def _distinct(variables: list[Any]) -> bool:
    names = [variable.get("name") for variable in variables if isinstance(variable, dict)]
    return all(isinstance(name, str) for name in names) and len(set(names)) == len(variables)


def _content(fields: Mapping[str, Any]) -> Content:
    return Content(
        name=fields["name"],
        description=fields["description"] or "",
        formats=fields["formats"],
        sections=fields["sections"],
        variables=fields["variables"] or [],
        page=fields["page"] or {},
        sample_data=fields["sample_data"] or {},
    )
