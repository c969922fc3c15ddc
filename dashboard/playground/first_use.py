"""A first request for a published template: with the data that it is shown with, short enough to be read."""

from __future__ import annotations

from typing import Any, Final

from dashboard.editor.samples import PICTURE, shown_data
from dashboard.playground.snippets import curl
from templates_app.models import Template

MOST_ROWS: Final = 2
LONGEST_TEXT: Final = 400  # characters of a value
LONGEST: Final = 8_000  # characters of the command


def first_request(template: Template, url: str) -> str:
    """Return the command for a POSIX shell that renders a template with its sample, or with made-up data.

    Empty where even the shortened data is too long to be read: the playground has it all.
    """
    data = _shortened(shown_data(template.sample_data, template.variables).data)
    body = {"templateId": template.pk, "format": template.formats[0], "data": data}
    command = curl(f"{url}/v1/render", body)
    return command if len(command) <= LONGEST else ""


def _shortened(value: Any) -> Any:
    """Return data that renders as well: first entries of lists, a small picture for large ones, cut texts."""
    if isinstance(value, dict):
        return {name: _shortened(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_shortened(each) for each in value[:MOST_ROWS]]
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return PICTURE if value.startswith("data:image/") else f"{value[:LONGEST_TEXT]}…"
    return value
