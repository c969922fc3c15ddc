"""Documents and counters: looked at."""

from __future__ import annotations

from datetime import date
from urllib.parse import urlsplit

import pytest
from django.contrib.admin.utils import quote
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import admin_pages
from accounts.models import Organization
from rendering.models import Document
from tests.admin.conftest import document, text
from tests.conftest import ApiClient
from tests.factories import TemplateFactory
from tests.links import follow
from usage.models import MonthlyCount

LIST = "/admin/rendering/document/"
COUNTS = "/admin/usage/monthlycount/"
DONE = {
    "status": "completed",
    "file_size_bytes": 2048,
    "render_time_ms": 1234,
    "completed_at": timezone.now(),
}


def page(row: Document, name: str = "change") -> str:
    return f"{LIST}{quote(row.pk)}/{name}/"


def names(answer: object) -> list[str]:
    return sorted(row.filename for row in answer.context["cl"].result_list)  # type: ignore[attr-defined]


def test_a_rendered_document_is_found_and_downloaded(browser: Client, secret: ApiClient) -> None:
    rendered = secret.render(secret.published(), filename="Invoice 42").json()
    row = Document.objects.get()
    listed = text(browser.get(LIST))
    assert page(row, "download") in listed
    assert page(row, "download") in text(browser.get(page(row)))
    link = browser.get(page(row, "download"))["Location"]
    file = follow(link)
    assert file.headers["Content-Type"] == "application/pdf"
    assert "Invoice 42.pdf" in file.headers["Content-Disposition"]
    assert file.content.startswith(b"%PDF")
    assert urlsplit(link).path == urlsplit(rendered["downloadUrl"]).path


def test_a_failed_document_says_why_and_has_no_download(browser: Client) -> None:
    row = document(status="failed", error="data.total: must be a number")
    assert page(row, "download") not in text(browser.get(LIST))
    shown = text(browser.get(page(row)))
    assert "data.total: must be a number" in shown
    assert page(row, "download") not in shown
    refused = browser.get(page(row, "download"), follow=True)
    assert "This document has no file" in text(refused)


def test_documents_are_read_only(browser: Client) -> None:
    row = document(**DONE)
    assert browser.get(f"{LIST}add/").status_code == 403
    assert browser.post(page(row), {"filename": "other"}).status_code == 403
    assert browser.post(page(row, "delete"), {"post": "yes"}).status_code == 403
    assert browser.get(f"{LIST}nothing/change/").status_code == 302
    assert browser.get(f"{LIST}nothing/download/").status_code == 404


def test_search_and_filters(browser: Client) -> None:
    template = TemplateFactory(name="Reminder")
    one = document(filename="one.pdf", template=template, **DONE)
    document(filename="two.xlsx", format="xlsx")
    assert names(browser.get(LIST, {"q": "one"})) == ["one.pdf"]
    assert names(browser.get(LIST, {"q": "remind"})) == ["one.pdf"]
    assert names(browser.get(LIST, {"q": one.pk})) == ["one.pdf"]
    assert names(browser.get(LIST, {"q": template.pk})) == ["one.pdf"]
    assert names(browser.get(LIST, {"q": "ONE remind"})) == ["one.pdf"]
    assert names(browser.get(LIST, {"q": "two remind"})) == []
    assert names(browser.get(LIST, {"q": '"one remind"'})) == []
    assert names(browser.get(LIST, {"q": "'two.xl'"})) == ["two.xlsx"]
    assert names(browser.get(LIST, {"q": '"'})) == []
    assert names(browser.get(LIST, {"q": "doc_"})) == ["one.pdf", "two.xlsx"]
    assert names(browser.get(LIST, {"format": "xlsx"})) == ["two.xlsx"]
    assert names(browser.get(LIST, {"status__exact": "completed"})) == ["one.pdf"]
    now = timezone.now()
    assert len(names(browser.get(LIST, {"created_at__year": now.year}))) == 2


def test_a_long_list_is_counted_up_to_a_bound(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admin_pages, "MAX_LISTED", 4)
    template = TemplateFactory()
    for _ in range(6):
        document(template=template)
    answer = browser.get(LIST)
    assert "the first 4" in text(answer)
    assert answer.context["cl"].date_hierarchy is None


def test_counting_sorts_nothing_and_computes_no_column(browser: Client) -> None:
    """Both would be done for every row there is, of which millions are counted up to the bound."""
    for path in (LIST, "/admin/usage/monthlycount/"):
        with CaptureQueriesContext(connection) as captured:
            assert browser.get(path, {"o": "3"}).status_code == 200
        counted = [each["sql"] for each in captured if "LIMIT 10001" in each["sql"]]
        assert len(counted) == 1
        assert "ORDER BY" not in counted[0]
        assert "templates_app_template" not in counted[0]


def count(
    template_id: str, organization: Organization, month: date, documents: int, **fields: str
) -> MonthlyCount:
    return MonthlyCount.objects.create(
        organization=organization,
        month=month,
        template_id=template_id,
        format="pdf",
        documents=documents,
        **fields,
    )


def test_counters_show_present_names_and_are_filtered_by_month(browser: Client) -> None:
    template = TemplateFactory(name="Reminder")
    this_month = timezone.now().date().replace(day=1)
    row = count(template.pk, template.organization, this_month, 1234, external_user_id="ann")
    count("tpl_gone", template.organization, date(2020, 1, 1), 5)
    shown = text(browser.get(COUNTS))
    assert all(each in shown for each in ("Reminder", "1,234", "ann", "(deleted)", "January 2020"))
    assert len(browser.get(COUNTS, {"month": this_month.isoformat()}).context["cl"].result_list) == 1
    assert len(browser.get(COUNTS, {"month": "nonsense"}).context["cl"].result_list) == 2
    assert "Reminder" in text(browser.get(f"{COUNTS}{row.pk}/change/"))
    assert browser.post(f"{COUNTS}{row.pk}/delete/", {"post": "yes"}).status_code == 403


def test_the_first_page_sums_up(browser: Client) -> None:
    template = TemplateFactory(published=True)
    count(template.pk, template.organization, timezone.now().date().replace(day=1), 1234)
    document(template=template, status="failed", filename="broken.pdf", error="Too many pages")
    answer = browser.get("/admin/")
    tiles = {tile["title"]: tile["number"] for tile in answer.context["tiles"]}
    assert tiles == {
        "Documents this month": "1,234",
        "Published templates": "1",
        "Organizations": "1",
        "Failed renders in 24 hours": "1",
    }
    assert "broken.pdf" in text(answer)
    assert "Too many pages" in text(answer)
