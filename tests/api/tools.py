"""What the stories share: following links and pages, reading a PDF or a workbook, asserting a refusal."""

from __future__ import annotations

import re
from datetime import timedelta
from io import BytesIO
from typing import Any

import openpyxl
import pypdf

from rendering.models import Document
from tests.conftest import ApiClient
from tests.links import follow, kept
from usage.models import MonthlyCount

HEADING = {"type": "heading", "content": "Hello {{name}}"}
TABLE = {"type": "table", "source": "items", "columns": [{"key": "name", "header": "Item"}]}
RATE = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
LONG_AGO = timedelta(minutes=10)  # longer than any lease


def crash(*args: Any, **kwargs: Any) -> None:
    """Fail as no endpoint should."""
    raise RuntimeError("the password is swordfish")


def content_of(answer: Any) -> bytes:
    """Return the file that the answer to a render links to."""
    assert answer.status_code == 200, answer.content
    file = follow(answer.json()["downloadUrl"])
    assert file.status_code == 200
    return file.content


def pdf_of(answer: Any) -> pypdf.PdfReader:
    """Return the PDF that the answer to a render links to."""
    return pypdf.PdfReader(BytesIO(content_of(answer)))


def text_of(answer: Any) -> str:
    """Return the text of all pages with every run of white space as one blank."""
    return re.sub(r"\s+", " ", " ".join(page.extract_text() for page in pdf_of(answer).pages))


def workbook_of(answer: Any) -> openpyxl.Workbook:
    """Return the workbook that the answer to a render links to."""
    return openpyxl.load_workbook(BytesIO(content_of(answer)))


def assert_refused(answer: Any, status: int, message: str) -> None:
    """Assert a refusal: its status, its exact text and the shape of its body."""
    assert (answer.status_code, answer.json().get("message")) == (status, message)
    assert answer["Content-Type"] == "application/json"
    assert answer.json()["requestId"] == answer["X-Request-Id"] != ""
    assert answer["Access-Control-Allow-Origin"] == "*"


def errors_of(answer: Any) -> dict[str, str]:
    """Return the listed field errors of a 400 and assert that the message names each of them."""
    assert answer.status_code == 400, answer.content
    errors = {entry["field"]: entry["message"] for entry in answer.json()["errors"]}
    assert answer.json()["message"] == "; ".join(f"{field}: {text}" for field, text in errors.items())
    return errors


def stored(document: Document) -> bool:
    """Tell whether a file of the document is there, a half-written one included."""
    return any(document.pk in name for name in kept())


def counted() -> int:
    """Return how many documents are counted."""
    return sum(MonthlyCount.objects.values_list("documents", flat=True))


def next_of(answer: Any) -> str | None:
    """Return the path of the next page, None on the last one."""
    if "Link" not in answer:
        return None
    match = re.fullmatch(r'<http://testserver(/v1/[^>]+)>; rel="next"', answer["Link"])
    assert match, answer["Link"]
    return match[1]


def walk(client: ApiClient, path: str) -> list[list[Any]]:
    """Return every page from `path` on."""
    pages, address = [], path
    while address:
        answer = client.get(address)
        assert answer.status_code == 200
        pages.append(answer.json())
        address = next_of(answer)
    return pages


def rendered(secret: ApiClient, *sections: Any, data: Any = None, format: str = "pdf", **content: Any) -> Any:
    """Create, publish and render; return the answer to the render."""
    template_id = secret.published(sections=list(sections), **content)
    return secret.render(template_id, {} if data is None else data, format=format)
