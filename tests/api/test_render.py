"""Rendering: the order of the checks, what a body may say, and what the documents hold."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from accounts.models import Organization
from templates_app.models import Template, TemplateVersion
from tests.api.tools import (
    HEADING,
    TABLE,
    assert_refused,
    content_of,
    errors_of,
    pdf_of,
    text_of,
    workbook_of,
)
from tests.conftest import INVOICE, INVOICE_DATA, ApiClient
from tests.factories import TemplateFactory

BROKEN = {"type": "text", "content": "{{ broken }}"}
NO_NAME = "must be a file name: without slashes, and more than dots and blanks"


def test_a_pdf(secret: ApiClient) -> None:
    template_id = secret.published()
    answer = secret.render(template_id)
    body = answer.json()
    assert body.keys() == {
        "documentId",
        "status",
        "downloadUrl",
        "fileSizeBytes",
        "renderTimeMs",
        "format",
        "templateId",
        "templateVersion",
        "filename",
        "externalUserId",
        "reference",
        "batchId",
        "batchIndex",
        "error",
        "createdAt",
        "completedAt",
        "expiresAt",
    }
    assert body["documentId"].startswith("doc_")
    assert (body["status"], body["format"], body["templateId"]) == ("completed", "pdf", template_id)
    assert (body["templateVersion"], body["filename"]) == (1, "Invoice.pdf")
    assert body["fileSizeBytes"] == len(content_of(answer))
    assert isinstance(body["renderTimeMs"], int)
    assert body["renderTimeMs"] >= 1
    assert body["createdAt"].endswith("Z")
    assert body["createdAt"] < body["expiresAt"]
    text = text_of(answer)
    for expected in ("Invoice 42", "Item", "Price", "Pen", "$1.50", "Ink", "$20.00"):
        assert expected in text


def test_an_xlsx_with_typed_cells(secret: ApiClient) -> None:
    columns = [
        {"key": "name", "header": "Item"},
        {"key": "price", "header": "Price", "format": "currency:EUR"},
        {"key": "count", "header": "Count", "format": "integer"},
        {"key": "made", "header": "Made"},
        {"key": "sold", "header": "Sold"},
    ]
    variables = [
        {
            "name": "items",
            "type": "list",
            "fields": [{"name": "made", "type": "date"}, {"name": "sold", "type": "boolean"}],
        }
    ]
    sections = [HEADING, TABLE | {"columns": columns, "title": "Stock"}, TABLE]
    template_id = secret.published(sections=sections, variables=variables)
    row = {"name": "=1+1", "price": 1.5, "count": 3, "made": "2026-11-21", "sold": True}
    answer = secret.render(template_id, {"items": [row, {}]}, format="xlsx")
    assert answer.json()["filename"] == "Invoice.xlsx"
    book = workbook_of(answer)
    assert len(book.sheetnames) == 2
    sheet = book["Stock"]
    assert [cell.value for cell in sheet[1]] == ["Item", "Price", "Count", "Made", "Sold"]
    name, price, count, made, _ = sheet[2]
    assert (name.value, name.data_type) == ("=1+1", "s")
    assert (price.value, price.data_type) == (1.5, "n")
    assert "€" in price.number_format
    assert (count.value, count.number_format) == (3, "#,##0")
    assert made.value == dt.datetime(2026, 11, 21)
    assert [cell.value for cell in sheet[3]] == [None] * 5


@pytest.mark.parametrize(
    ("formats", "wanted", "made"),
    [
        (["pdf", "xlsx"], {}, "pdf"),
        (["xlsx", "pdf"], {}, "pdf"),
        (["xlsx"], {}, "xlsx"),
        (["pdf"], {}, "pdf"),
        (["xlsx"], {"format": None}, "xlsx"),
        (["pdf", "xlsx"], {"format": "xlsx"}, "xlsx"),
    ],
)
def test_the_format(formats: list[str], wanted: dict[str, Any], made: str, secret: ApiClient) -> None:
    answer = secret.render(secret.published(formats=formats), **wanted)
    assert (answer.json()["format"], content_of(answer)[:2]) == (made, {"pdf": b"%P", "xlsx": b"PK"}[made])


def test_the_checks_come_in_the_order_of_the_contract(acme: Organization, secret: ApiClient) -> None:
    """Mend one fault after the other: each time the next one is told."""
    template = TemplateFactory(
        organization=acme, formats=["pdf"], sections=[BROKEN], variables=[{"name": "total", "required": True}]
    )
    body: dict[str, Any] = {"templateId": "", "data": [], "format": "xlsx"}
    message = "data: must be an object; templateId: required"
    assert_refused(secret.post("/v1/render", body), 400, message)
    body |= {"templateId": "tpl_unknown", "data": {}}
    assert_refused(secret.post("/v1/render", body), 404, "Template not found")
    body |= {"templateId": template.pk}
    assert_refused(secret.post("/v1/render", body), 400, "Template is not published")
    Template.objects.update(status="published")
    assert_refused(secret.post("/v1/render", body), 400, "No table sections found")
    Template.objects.update(sections=[BROKEN, TABLE])
    message = "format: is not enabled in this template; enabled: pdf"
    assert_refused(secret.post("/v1/render", body), 400, message)
    body |= {"format": "pdf"}
    message = 'Template contains an invalid {{...}} expression (section 1: "{{ broken }}")'
    assert_refused(secret.post("/v1/render", body), 400, message)
    Template.objects.update(sections=[TABLE])
    assert_refused(secret.post("/v1/render", body), 400, "data.total: required")
    body |= {"data": {"total": "1"}}
    assert secret.post("/v1/render", body).status_code == 200


@pytest.mark.parametrize(
    ("change", "errors"),
    [
        ({"templateId": ""}, {"templateId": "required"}),
        ({"templateId": 5}, {"templateId": "must be a string"}),
        ({"templateId": None}, {"templateId": "must be a string"}),
        ({"data": None}, {"data": "must be an object"}),
        ({"data": "x"}, {"data": "must be an object"}),
        ({"format": "PDF"}, {"format": 'must be "pdf" or "xlsx"'}),
        ({"format": ""}, {"format": 'must be "pdf" or "xlsx"'}),
        ({"format": ["pdf"]}, {"format": 'must be "pdf" or "xlsx"'}),
        ({"format": {"a": 1}}, {"format": 'must be "pdf" or "xlsx"'}),
        ({"filename": ""}, {"filename": "must not be empty"}),
        ({"filename": "../x"}, {"filename": NO_NAME}),
        ({"filename": "a\nb"}, {"filename": "must have printable characters only, not U+000A"}),
        ({"filename": "n°\u00a012"}, {"filename": "must have printable characters only, not U+00A0"}),
        ({"filename": ".. "}, {"filename": NO_NAME}),
        ({"filename": "x" * 201}, {"filename": "must have at most 200 characters"}),
        ({"externalUserId": ""}, {"externalUserId": "must not be empty"}),
        ({"externalUserId": "a\x07"}, {"externalUserId": "must have printable characters only, not U+0007"}),
        ({"templateVersion": 0}, {"templateVersion": "must be at least 1"}),
        ({"templateVersion": "1"}, {"templateVersion": "must be a whole number"}),
        ({"templateVersion": True}, {"templateVersion": "must be a whole number"}),
        (
            {"data": 1, "format": "x", "templateId": None},
            {
                "data": "must be an object",
                "format": 'must be "pdf" or "xlsx"',
                "templateId": "must be a string",
            },
        ),
    ],
)
def test_bodies_that_are_refused(change: dict[str, Any], errors: dict[str, str], secret: ApiClient) -> None:
    body = {"templateId": "tpl_unknown", "data": {}}
    assert errors_of(secret.post("/v1/render", body | change)) == errors


@pytest.mark.parametrize("template_id", ["x", "tpl_" + "z" * 500, "a\x7f", "ä", "🙂", "' OR 1=1"])
def test_a_template_id_of_any_form_is_a_404(template_id: str, secret: ApiClient) -> None:
    assert_refused(secret.render(template_id), 404, "Template not found")


def test_unknown_fields_are_ignored(secret: ApiClient) -> None:
    assert secret.render(secret.published(), colour="red", documentId="x").status_code == 200


@pytest.mark.parametrize(
    ("given", "filename"),
    [
        ("invoice-42", "invoice-42.pdf"),
        ("invoice.pdf", "invoice.pdf"),
        ("a:b?c", "a-b-c.pdf"),
        ("Rechnung Öl", "Rechnung Öl.pdf"),
    ],
)
def test_the_filename(given: str, filename: str, secret: ApiClient) -> None:
    assert secret.render(secret.published(), filename=given).json()["filename"] == filename


def test_without_one_the_filename_comes_from_the_template(secret: ApiClient) -> None:
    answer = secret.render(secret.published(name="Bill: 1/2"))
    assert answer.json()["filename"] == "Bill- 1-2.pdf"


def test_an_earlier_version(secret: ApiClient) -> None:
    template_id = secret.published(sections=[{"type": "heading", "content": "First"}])
    secret.patch(f"/v1/templates/{template_id}", {"sections": [{"type": "heading", "content": "Second"}]})
    first = secret.render(template_id, {}, templateVersion=1)
    assert (first.json()["templateVersion"], text_of(first).strip()) == (1, "First")
    second = secret.render(template_id, {}, templateVersion=2)
    assert (second.json()["templateVersion"], text_of(second).strip()) == (2, "Second")
    assert secret.render(template_id, {}).json()["templateVersion"] == 2
    answer = secret.render(template_id, {}, templateVersion=3)
    assert errors_of(answer) == {"templateVersion": "is not a version of this template"}


def test_an_earlier_version_with_its_own_formats_and_expressions(
    acme: Organization, secret: ApiClient
) -> None:
    template = TemplateFactory(organization=acme, published=True, version=2, sections=[TABLE])
    TemplateVersion.of(template)
    entry = TemplateVersion.of(template)
    entry.version, entry.formats, entry.sections = 1, ["pdf"], [BROKEN]
    entry.save(force_insert=True)
    body = {"templateVersion": 1}
    assert_refused(secret.render(template.pk, {}, format="xlsx", **body), 400, "No table sections found")
    message = 'Template contains an invalid {{...}} expression (section 1: "{{ broken }}")'
    assert_refused(secret.render(template.pk, {}, **body), 400, message)
    assert str(entry) == f"{template.name} v1"


def test_who_owns_the_document(secret: ApiClient, ann: ApiClient, ben: ApiClient) -> None:
    def readers(document_id: str) -> list[int]:
        return [client.get(f"/v1/downloads/{document_id}").status_code for client in (secret, ann, ben)]

    own, anns = secret.published(), ann.published()
    assert readers(secret.render(own).json()["documentId"]) == [302, 404, 404]
    assert readers(secret.render(own, externalUserId="ben").json()["documentId"]) == [302, 404, 302]
    assert readers(secret.render(anns).json()["documentId"]) == [302, 302, 404]
    assert readers(secret.render(anns, externalUserId="ben").json()["documentId"]) == [302, 404, 302]
    assert readers(ann.render(anns, externalUserId="ben").json()["documentId"]) == [302, 302, 404]


def test_the_page(secret: ApiClient) -> None:
    page = {"size": "A5", "orientation": "landscape"}
    sections = [HEADING, {"type": "page_break"}, HEADING]
    reader = pdf_of(secret.render(secret.published(page=page, sections=sections), {"name": "Ada"}))
    assert len(reader.pages) == 2
    box = reader.pages[0].mediabox
    assert (round(float(box.width) / 72 * 25.4), round(float(box.height) / 72 * 25.4)) == (210, 148)


@pytest.mark.parametrize(
    "stored",
    [
        {"sections": [{"type": "gone"}]},
        {"sections": ["x"]},
        {"sections": [{"type": "heading"}]},
        {"sections": [{}]},
        {"page": {"size": "B9"}},
        {"variables": [{"name": "a b"}]},
        {"variables": [5]},
    ],
)
def test_stored_content_that_cannot_be_used_is_a_400(
    stored: dict[str, Any], acme: Organization, secret: ApiClient
) -> None:
    template = TemplateFactory(organization=acme, published=True, **stored)
    message = "Template cannot be rendered: its stored content is not valid"
    assert_refused(secret.render(template.pk, {}), 400, message)


def test_a_stored_broken_expression_in_the_footer(acme: Organization, secret: ApiClient) -> None:
    template = TemplateFactory(organization=acme, published=True, page={"footer": {"left": "{{x|no}}"}})
    message = 'Template contains an invalid {{...}} expression (page footer: "{{x|no}}")'
    assert_refused(secret.render(template.pk, {}), 400, message)


def test_the_time_is_limited(settings: Any, secret: ApiClient) -> None:
    template_id = secret.published()
    settings.RENDER_TIMEOUT = 0
    assert_refused(secret.render(template_id), 400, "Rendering took longer than 0 seconds (RENDER_TIMEOUT)")


def test_the_pages_are_limited(settings: Any, secret: ApiClient) -> None:
    settings.MAX_PAGES = 2
    template_id = secret.published(sections=[HEADING, {"type": "page_break"}] * 3)
    assert_refused(secret.render(template_id, {}), 400, "Document has more than 2 pages (MAX_PAGES)")


def test_the_invoice_of_the_cast_needs_nothing_else(secret: ApiClient, ann: ApiClient) -> None:
    for client in (secret, ann):
        assert client.render(client.published(), INVOICE_DATA).status_code == 200
    assert INVOICE["formats"] == ["pdf", "xlsx"]


def test_a_render_is_of_the_template_that_was_named(secret: ApiClient) -> None:
    ids = [secret.published(name=name) for name in ("First", "Second")]
    for template_id in ids:
        document_id = secret.render(template_id).json()["documentId"]
        assert secret.get(f"/v1/documents/{document_id}").json()["templateId"] == template_id
    assert_refused(secret.render("tpl_" + "0" * 26), 404, "Template not found")
