"""Previews for the editor: unsaved content drawn with sample data, and data made from variables."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from io import BytesIO
from typing import Any

import orjson
from django.conf import settings
from django.http import HttpResponse
from django.template.defaultfilters import filesizeformat
from django.urls import path
from django.views.decorators.http import require_POST

from config.api.errors import ApiError, invalid
from config.api.json import JsonParser
from dashboard.access import MemberRequest, member
from dashboard.editor.problems import problems_of
from dashboard.editor.samples import sample_data
from dashboard.previews import spend_preview
from rendering.formats.base import Renderer
from rendering.formats.pdf.layout.places import Areas
from rendering.preview import preview, variables_of
from templates_app import formats


@require_POST
@member("viewer")
def show(request: MemberRequest) -> HttpResponse:
    """Draw `{content, data, format}`; where `data` is null, it is made from the variables.

    The answer is `multipart/form-data`: `result`, JSON with the variables, the data that was made up, the
    password that opens the document, the areas of sections on pages (`Areas.as_json`) or the sheets of a
    workbook, and the time it took; and `file`, the document. What is wrong with content or data comes as a
    400 with `problems`: each with the path of its `field`, such as `sections[2].columns[1].key` or
    `data.items[0].price`. Nothing is stored or counted; a person who asks too often gets a 429.
    """
    content: dict[str, Any] = {}
    areas = Areas()
    try:
        spend_preview(request)
        body = json_body(request)
        content = _object(body, "content")
        made = preview(
            organization=request.organization,
            body=content,
            data=sample_data if body.get("data", {}) is None else _object(body, "data"),
            format=_format(body),
            watcher=areas,
        )
    except ApiError as error:
        problems = problems_of(error, content)
        found = variables_of(content)
        told = {"message": error.message, "problems": problems, "variables": found}
        return json_answer(told, status=error.status, headers=error.headers)
    result = {
        "variables": made.variables,
        "data": made.data if body["data"] is None else None,
        "password": made.password,
        "areas": areas.as_json(),
        "sheets": made.sheets,
        "milliseconds": made.milliseconds,
    }
    return two_parts(result, made.file, made.renderer)


@require_POST
@member("viewer")
def sample(request: MemberRequest) -> HttpResponse:
    """Return plausible data for the declared and inferred variables of `{content}`, as `{data}`."""
    try:
        found = variables_of(_object(json_body(request), "content"))
    except ApiError as error:
        return json_answer({"message": error.message}, status=error.status)
    if found is None:
        return json_answer({"message": "Correct the template first: its variables are not known"}, status=400)
    return json_answer({"data": sample_data(found)})


def json_body(request: MemberRequest) -> dict[str, Any]:
    """Return the JSON object of a request; raises ApiError 400 or 413 as the API does."""
    if len(request.body) > settings.MAX_BODY_BYTES:
        limit = filesizeformat(settings.MAX_BODY_BYTES)
        raise ApiError(413, f"Template and sample data are too large: together they may have {limit}")
    body: dict[str, Any] = JsonParser().parse(BytesIO(request.body))
    return body


def json_answer(value: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """Return JSON, as quick as the API's."""
    content = orjson.dumps(value, default=str)
    return HttpResponse(content, status=status, content_type="application/json", headers=headers or {})


def two_parts(result: dict[str, Any], content: bytes, renderer: Renderer) -> HttpResponse:
    """Return `result` and a document, as a browser's `response.formData()` reads them."""
    boundary = secrets.token_hex(16)
    file = f'name="file"; filename="preview.{renderer.extension}"'
    lines = (
        f"--{boundary}",
        'Content-Disposition: form-data; name="result"',
        "",
        orjson.dumps(result),
        f"--{boundary}",
        f"Content-Disposition: form-data; {file}",
        f"Content-Type: {renderer.content_type}",
        "",
        content,
        f"--{boundary}--",
        "",
    )
    body = b"\r\n".join(line.encode() if isinstance(line, str) else line for line in lines)
    return HttpResponse(body, content_type=f"multipart/form-data; boundary={boundary}")


def _object(body: dict[str, Any], name: str) -> dict[str, Any]:
    value = body.get(name)
    if not isinstance(value, dict):
        raise invalid({name: "must be an object"})
    return value


def _format(body: dict[str, Any]) -> str | None:
    wanted = body.get("format")
    if wanted is not None and wanted not in formats.known():
        raise invalid({"format": formats.must_be()})
    return wanted


urls = [
    path("preview", show, name="preview"),
    path("sample", sample, name="sample"),
]
