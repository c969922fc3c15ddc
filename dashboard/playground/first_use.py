"""A first request for a published template: with the data that it is shown with, short enough to be read."""

from __future__ import annotations

from typing import Any, Final

from dashboard.editor.samples import sample_data
from dashboard.playground.snippets import curl
from templates_app.models import Template

MOST_ROWS: Final = 2


def first_request(template: Template, url: str) -> str:
    """Return the command for a POSIX shell that renders a template with its sample, or with made-up data."""
    data = template.sample_data or sample_data(template.variables)
    body = {"templateId": template.pk, "format": template.formats[0], "data": _shortened(data)}
    return curl(f"{url}/v1/render", body)


def _shortened(value: Any) -> Any:
    """Return data with the first entries of each list only."""
    if isinstance(value, dict):
        return {name: _shortened(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_shortened(each) for each in value[:MOST_ROWS]]
    return value
