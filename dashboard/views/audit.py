"""The audit log: who changed what, for owners to read, filter and take away as CSV."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, time, timedelta

from django import forms
from django.conf import settings
from django.db.models import QuerySet
from django.http import FileResponse, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_GET

from accounts.audit import AREAS
from accounts.models import AuditEntry, Organization
from dashboard.access import MemberRequest, member
from dashboard.audit_words import actors_for, describe
from dashboard.exports import CSV_TYPE, csv_file
from dashboard.forms import DayField, Form
from dashboard.pages import by_key

CSV_COLUMNS = ("time", "actor", "action", "objectType", "objectId", "objectName", "detail")


class Filter(Form):
    """What of the log to show; the dates are days in UTC, both included."""

    area = forms.ChoiceField(label="What", required=False, choices=[("", "Everything"), *AREAS])
    actor = forms.CharField(
        label="Who",
        required=False,
        max_length=320,
        widget=forms.TextInput(attrs={"placeholder": "E-mail or end user"}),
    )
    since = DayField(label="From", required=False)
    until = DayField(label="To", required=False)


@require_GET
@member("owner")
def audit(request: MemberRequest) -> HttpResponse:
    """Show the log, the newest first."""
    form = Filter(request.GET)
    page = by_key(request, _entries(request.organization, form), parse=int)
    context = {
        "area": "settings",
        "tab": "audit",
        "form": form,
        "page": page,
        "rows": [(entry, describe(entry)) for entry in page.rows],
        "kept_days": settings.AUDIT_LOG_DAYS,
        "is_filtered": any(form.cleaned_data.values()),
        "query": request.GET.urlencode(),
    }
    return render(request, "dashboard/settings/audit.html", context)


@require_GET
@member("owner")
def export(request: MemberRequest) -> FileResponse:
    """Send the filtered log as CSV, the oldest first."""
    entries = _entries(request.organization, Filter(request.GET)).order_by("id")
    file = csv_file(CSV_COLUMNS, map(_cells, entries.iterator(chunk_size=1000)))
    name = f"audit-{date.today().isoformat()}.csv"
    return FileResponse(file, as_attachment=True, filename=name, content_type=CSV_TYPE)


def _entries(organization: Organization, form: Filter) -> QuerySet[AuditEntry]:
    """Return the entries that a filter leaves; a field that cannot be read filters nothing."""
    form.is_valid()
    given = form.cleaned_data
    entries = AuditEntry.objects.filter(organization=organization)
    if given.get("area"):
        entries = entries.filter(action__startswith=f"{given['area']}.")
    if given.get("actor"):
        entries = entries.filter(actor__in=actors_for(given["actor"]))
    if given.get("since"):
        entries = entries.filter(at__gte=_start(given["since"]))
    if given.get("until"):
        entries = entries.filter(at__lt=_start(given["until"]) + timedelta(days=1))
    return entries


def _start(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=UTC)


def _cells(entry: AuditEntry) -> tuple[str, ...]:
    return (
        entry.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        entry.actor,
        entry.action,
        entry.object_type,
        entry.object_id,
        entry.object_name,
        json.dumps(entry.detail, ensure_ascii=False, sort_keys=True) if entry.detail else "",
    )


urls = [
    path("settings/audit", audit, name="audit"),
    path("settings/audit.csv", export, name="audit_export"),
]
