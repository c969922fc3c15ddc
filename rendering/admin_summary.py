"""The figures on the admin's first page. Named in settings.UNFOLD."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from accounts.admin_pages import change_url
from accounts.models import Organization
from rendering.models import Document
from templates_app.models import Template
from usage.queries import TrendRow, trend_of_all

# Failures are looked for among the newest documents only, so that the page stays quick beside millions.
NEWEST = 10_000
SHOWN_FAILURES = 5


def summary(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add what the user may see: this month's documents, templates by status, recent failures."""
    user: Any = request.user
    tiles = []
    if user.has_perm("usage.view_monthlycount"):
        trend = _trend(timezone.now().date())
        context["trend"] = trend
        tiles.append(
            {
                "title": "Documents this month",
                "number": trend[-1]["documents"],
                "note": f"{trend[-2]['documents']} last month",
                "link": reverse("admin:usage_monthlycount_changelist"),
            }
        )
    if user.has_perm("templates_app.view_template"):
        tiles.append(_templates())
    if user.has_perm("accounts.view_organization"):
        link = reverse("admin:accounts_organization_changelist")
        tiles.append(
            {
                "title": "Organizations",
                "number": f"{Organization.objects.count():,}",
                "note": "",
                "link": link,
            }
        )
    if user.has_perm("rendering.view_document"):
        failed = _failed_since(timezone.now() - timedelta(hours=24))
        number = failed.count()
        tiles.append(
            {
                "title": "Failed renders in 24 hours",
                "number": f"{number:,}",
                "note": "" if number else "all well",
                "alarming": number > 0,
                "link": reverse("admin:rendering_document_changelist") + "?status__exact=failed",
            }
        )
        context["failures"] = [
            {"document": document, "link": change_url(document)}
            for document in failed.select_related("organization").order_by("-pk")[:SHOWN_FAILURES]
        ]
    return {**context, "tiles": tiles}


def _templates() -> dict[str, Any]:
    by_status = dict(Template.objects.order_by().values_list("status").annotate(Count("pk")))
    note = " · ".join(f"{by_status.get(status, 0):,} {status}" for status in ("draft", "archived"))
    return {
        "title": "Published templates",
        "number": f"{by_status.get('published', 0):,}",
        "note": note,
        "link": reverse("admin:templates_app_template_changelist"),
    }


def _failed_since(moment: Any) -> QuerySet[Document]:
    newest = Document.objects.order_by("-pk").values("pk")[:NEWEST]
    return Document.objects.filter(pk__in=newest, status=Document.Status.FAILED, created_at__gte=moment)


def _trend(today: date) -> list[dict[str, Any]]:
    """Return the documents of the last months, this one last, with a bar height in percent of the largest."""
    rows = trend_of_all(today=today)
    largest = max(row["documents"] for row in rows) or 1
    return [_bar(row, largest) for row in rows]


def _bar(row: TrendRow, largest: int) -> dict[str, Any]:
    month, documents = date(row["year"], row["month"], 1), row["documents"]
    return {"month": month, "documents": f"{documents:,}", "percent": round(100 * documents / largest)}
