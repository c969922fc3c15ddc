"""Usage: six months at a glance, one month in detail, and all of it to take away."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any, Final, NamedTuple, cast

from django.http import FileResponse, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.views.decorators.http import require_GET

from dashboard.access import MemberRequest, member
from dashboard.exports import CSV_TYPE, WORKBOOK_TYPE, csv_file, workbook
from dashboard.pages import by_number
from usage.queries import (
    TREND_MONTHS,
    counters,
    month_total,
    months_back,
    names_of,
    template_totals,
    trend,
    user_totals,
)

COLUMNS: Final = ("Month", "Template id", "Template", "Format", "End user", "Documents")
MOST_MONTHS: Final = 60  # that the picker goes back
GROUPS: Final = (("", "Templates"), ("user", "End users"))


class _Month(NamedTuple):
    start: date
    documents: int


@require_GET
@member("viewer")
def usage(request: MemberRequest) -> HttpResponse:
    """Show the last months as a chart, and one of them by template or by end user."""
    today = timezone.now().date()
    month = _month(request.GET.get("month", ""), today)
    group = "user" if request.GET.get("by") == "user" else ""
    caller = request.caller
    total = month_total(caller=caller, month=month)
    if group == "user":
        page = by_number(request, cast(Any, user_totals(caller=caller, month=month)))
    else:
        page = by_number(request, cast(Any, template_totals(caller=caller, month=month)))
    rows = cast(list[dict[str, Any]], page.rows)
    names = names_of(caller, [row["template_id"] for row in rows]) if not group else {}
    for row in rows:
        row["name"] = names.get(row.get("template_id", ""), "")
        row["percent"] = 100 * row["total"] / total if total else 0
    months = [
        _Month(date(each["year"], each["month"], 1), each["documents"])
        for each in trend(caller=caller, today=today)
    ]
    context = {
        "area": "usage",
        "month": month,
        "group": group,
        "groups": GROUPS,
        "total": total,
        "page": page,
        "months": months,
        "chart": [{"documents": each.documents} for each in months],
        "sum": sum(each.documents for each in months),
        "picker": _picker(request, month, today),
        "older": months_back(month, 1),
        "newer": months_back(month, -1) if month < today.replace(day=1) else None,
    }
    return render(request, "dashboard/usage/usage.html", context)


@require_GET
@member("viewer")
def export_csv(request: MemberRequest) -> FileResponse:
    """Send the counters of one month, or of the last six, as CSV."""
    first, last = _span(request)
    found = counters(caller=request.caller, first=first, last=last)
    rows = ((f"{row.month:%Y-%m}", *row[1:]) for row in found)
    return FileResponse(
        csv_file(COLUMNS, rows),
        as_attachment=True,
        filename=f"{_name(first, last)}.csv",
        content_type=CSV_TYPE,
    )


@require_GET
@member("viewer")
def export_xlsx(request: MemberRequest) -> FileResponse:
    """Send the counters of one month, or of the last six, as a workbook."""
    first, last = _span(request)
    file = workbook("Usage", COLUMNS, counters(caller=request.caller, first=first, last=last))
    return FileResponse(
        file, as_attachment=True, filename=f"{_name(first, last)}.xlsx", content_type=WORKBOOK_TYPE
    )


def _span(request: MemberRequest) -> tuple[date, date]:
    """Return the first days of the months that are asked for: `?month=`, or six with `?months=6`."""
    last = _month(request.GET.get("month", ""), timezone.now().date())
    back = TREND_MONTHS - 1 if request.GET.get("months") == str(TREND_MONTHS) else 0
    return months_back(last, back), last


def _name(first: date, last: date) -> str:
    return f"usage-{first:%Y-%m}" if first == last else f"usage-{first:%Y-%m}-to-{last:%Y-%m}"


def _month(text: str, today: date) -> date:
    """Return the first day of `2026-11`; of the present month for anything else, and for a later one."""
    present = today.replace(day=1)
    try:
        given = datetime.strptime(text, "%Y-%m").date()
    except ValueError:
        return present
    return given if date(2000, 1, 1) <= given <= present else present


def _picker(request: MemberRequest, shown: date, today: date) -> Iterator[date]:
    """Yield the months to choose from, newest first: back to the organization's first, or the one shown."""
    first = min(request.organization.created_at.date().replace(day=1), shown)
    month = today.replace(day=1)
    for _ in range(MOST_MONTHS):
        yield month
        month = months_back(month, 1)
        if month < first:
            return


urls = [
    path("usage", usage, name="usage"),
    path("usage/export.csv", export_csv, name="usage_csv"),
    path("usage/export.xlsx", export_xlsx, name="usage_xlsx"),
]
