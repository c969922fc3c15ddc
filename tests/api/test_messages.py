"""Every message of the specification's section 7 with the request that provokes it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from accounts.models import Organization
from config.api.schema import COMMON_ERRORS
from tests.api.tools import HEADING, assert_refused
from tests.conftest import INVOICE, ApiClient
from tests.factories import DocumentFactory, TemplateFactory

REASON = "write one name without spaces, such as {{invoice_number}}, or \\{{ for literal braces"


def broken_template(cast: SimpleNamespace) -> str:
    """Return a template that was stored before expressions were checked."""
    sections = [HEADING, {"type": "text", "content": "Sum {{ total }}"}]
    return TemplateFactory(organization=cast.acme, sections=sections, published=True).pk


def archived_template(cast: SimpleNamespace) -> str:
    """Return a template that was published and then archived."""
    template_id = cast.secret.published()
    assert cast.secret.delete(f"/v1/templates/{template_id}").status_code == 200
    return template_id


def rotated(cast: SimpleNamespace) -> dict[str, str]:
    """Rotate and return the new credentials."""
    return cast.secret.post("/v1/auth/rotate-keys").json()


def after_rotation(cast: SimpleNamespace) -> Any:
    """Send a request with the key that a rotation replaced."""
    rotated(cast)
    return cast.secret.get("/v1/orgs")


def old_hash(cast: SimpleNamespace) -> Any:
    """Send the new public key with a hash made with the old signing secret."""
    return cast.ann.get("/v1/orgs", x_api_key=rotated(cast)["publicKey"])


@dataclass(frozen=True)
class Case:
    """A row of section 7: its text as specified, the exact text we send, and the request."""

    specified: str
    message: str
    status: int
    send: Callable[[SimpleNamespace], Any]


NOT_PUBLISHED = "Template is not published"
NO_TABLE = "No table sections found"
WRITE = 'Section N: "{{...}}" is not a valid expression ...'
STORED = "Template contains an invalid {{...}} expression (...)"
VALIDATION = "(validation messages)"
NO_USER = "Public key requires x-user-id and x-user-hash headers"
DOMAIN = "Domain <hostname> is not in allowedDomains"
NO_TEMPLATE, NO_DOCUMENT, NO_ASSET = "Template not found", "Document not found", "Asset not found"

# Copied from the specification: a text that is missing from the table below fails a test.
SPECIFIED = {
    "Template is not published",
    "No table sections found",
    'Section N: "{{...}}" is not a valid expression ...',
    "Template contains an invalid {{...}} expression (...)",
    "(validation messages)",
    "Missing x-api-key header",
    "Invalid API key",
    "Public key requires Origin header",
    "Invalid Origin header",
    "Domain <hostname> is not in allowedDomains",
    "Public key requires x-user-id and x-user-hash headers",
    "Invalid x-user-hash",
    "Secret key required to rotate credentials",
    "Template not found",
    "Document not found",
    "Asset not found",
}

CASES = [
    Case(NOT_PUBLISHED, NOT_PUBLISHED, 400, lambda c: c.secret.render(c.secret.create()["id"])),
    Case(NOT_PUBLISHED, NOT_PUBLISHED, 400, lambda c: c.secret.render(archived_template(c))),
    Case(
        NO_TABLE,
        NO_TABLE,
        400,
        lambda c: c.secret.render(c.secret.published(sections=[HEADING]), {}, format="xlsx"),
    ),
    Case(
        WRITE,
        f'Section 2: "{{{{ total }}}}" is not a valid expression: {REASON}',
        400,
        lambda c: c.secret.post(
            "/v1/templates", INVOICE | {"sections": [HEADING, {"type": "text", "content": "Sum {{ total }}"}]}
        ),
    ),
    Case(
        WRITE,
        f'Section 1: "{{{{invoice number}}}}" is not a valid expression: {REASON}',
        400,
        lambda c: c.secret.patch(
            f"/v1/templates/{c.secret.create()['id']}",
            {"sections": [{"type": "heading", "content": "{{invoice number}}"}]},
        ),
    ),
    Case(
        STORED,
        'Template contains an invalid {{...}} expression (section 2: "{{ total }}")',
        400,
        lambda c: c.secret.render(broken_template(c)),
    ),
    Case(
        VALIDATION,
        'data: must be an object; format: must be "pdf" or "xlsx"; templateId: required',
        400,
        lambda c: c.secret.post("/v1/render", {"data": [], "format": "docx"}),
    ),
    Case(VALIDATION, "data: required; templateId: required", 400, lambda c: c.secret.post("/v1/render", {})),
    Case(
        VALIDATION,
        "formats: required; sections: required",
        400,
        lambda c: c.secret.post("/v1/templates", {"name": "Invoice"}),
    ),
    Case(
        VALIDATION,
        "formats: required; name: required; sections: required",
        400,
        lambda c: c.secret.post("/v1/templates"),
    ),
    Case("Missing x-api-key header", "Missing x-api-key header", 401, lambda c: c.nobody.get("/v1/orgs")),
    Case(
        "Invalid API key", "Invalid API key", 401, lambda c: c.nobody.get("/v1/orgs", x_api_key="sk_live_x")
    ),
    Case("Invalid API key", "Invalid API key", 401, after_rotation),
    Case(
        "Public key requires Origin header",
        "Public key requires Origin header",
        401,
        lambda c: c.ann.get("/v1/orgs", origin=""),
    ),
    Case(
        "Invalid Origin header", "Invalid Origin header", 401, lambda c: c.ann.get("/v1/orgs", origin="null")
    ),
    Case(
        DOMAIN,
        "Domain evil.test is not in allowedDomains",
        401,
        lambda c: c.ann.get("/v1/orgs", origin="https://Evil.test:8443"),
    ),
    Case(NO_USER, NO_USER, 401, lambda c: c.ann.get("/v1/orgs", x_user_id="")),
    Case(NO_USER, NO_USER, 401, lambda c: c.ann.get("/v1/orgs", x_user_hash="")),
    Case("Invalid x-user-hash", "Invalid x-user-hash", 401, lambda c: c.ann.get("/v1/orgs", x_user_id="ben")),
    Case("Invalid x-user-hash", "Invalid x-user-hash", 401, old_hash),
    Case(
        "Secret key required to rotate credentials",
        "Secret key required to rotate credentials",
        403,
        lambda c: c.ann.post("/v1/auth/rotate-keys"),
    ),
    Case(NO_TEMPLATE, NO_TEMPLATE, 404, lambda c: c.secret.get("/v1/templates/tpl_unknown")),
    Case(NO_TEMPLATE, NO_TEMPLATE, 404, lambda c: c.globex.get(f"/v1/templates/{c.secret.create()['id']}")),
    Case(NO_TEMPLATE, NO_TEMPLATE, 404, lambda c: c.ben.get(f"/v1/templates/{c.ann.create()['id']}")),
    Case(NO_TEMPLATE, NO_TEMPLATE, 404, lambda c: c.ben.render(c.ann.published())),
    Case(NO_DOCUMENT, NO_DOCUMENT, 404, lambda c: c.secret.get("/v1/downloads/doc_unknown")),
    Case(
        NO_DOCUMENT,
        NO_DOCUMENT,
        404,
        lambda c: c.secret.get(f"/v1/downloads/{DocumentFactory(template__organization=c.acme).pk}"),
    ),
    Case(NO_DOCUMENT, NO_DOCUMENT, 404, lambda c: c.secret.get("/v1/documents/doc_unknown")),
    Case(NO_DOCUMENT, NO_DOCUMENT, 404, lambda c: c.secret.delete("/v1/documents/doc_unknown")),
    Case(NO_ASSET, NO_ASSET, 404, lambda c: c.secret.get("/v1/assets/ast_unknown")),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.status} {case.message[:60]}")
def test_message(
    case: Case,
    acme: Organization,
    secret: ApiClient,
    ann: ApiClient,
    ben: ApiClient,
    globex: ApiClient,
    nobody: ApiClient,
) -> None:
    cast = SimpleNamespace(acme=acme, secret=secret, ann=ann, ben=ben, globex=globex, nobody=nobody)
    answer = case.send(cast)
    assert_refused(answer, case.status, case.message)
    assert ("errors" in answer.json()) == (case.specified == VALIDATION)


def test_every_specified_message_is_in_the_table() -> None:
    assert {case.specified for case in CASES} == SPECIFIED


def test_who_is_not_let_in_finds_every_reason_in_the_schema() -> None:
    described = COMMON_ERRORS["401"][1].replace("shop.example.com", "<hostname>")
    assert set(re.findall("^- `(.+)`$", described, re.MULTILINE)) == {
        case.specified for case in CASES if case.status == 401
    }
