"""Counters in the admin: to look at."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from unfold.decorators import display

from accounts.admin_filters import OrganizationFilter
from accounts.admin_pages import ReadOnlyAdmin, badge, identifier
from templates_app.admin_filters import FormatFilter
from templates_app.models import Template
from usage.models import MonthlyCount
from usage.queries import months_back

OFFERED_MONTHS = 24


class MonthFilter(admin.SimpleListFilter):
    """One of the last two years' months; the list is computed, not read from millions of rows."""

    title = "month"
    parameter_name = "month"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Offer the months, newest first."""
        today = timezone.now().date()
        months = [months_back(today, n) for n in range(OFFERED_MONTHS)]
        return [(month.isoformat(), date_format(month, "F Y")) for month in months]

    def queryset(self, request: HttpRequest, queryset: QuerySet[MonthlyCount]) -> QuerySet[MonthlyCount]:
        """Keep one month; an address with another value shows everything."""
        try:
            return queryset.filter(month=date.fromisoformat(self.value() or ""))
        except ValueError:
            return queryset


@admin.register(MonthlyCount)
class MonthlyCountAdmin(ReadOnlyAdmin):
    """Completed documents by month, organization, template, format and end user."""

    list_display = ("shown_month", "organization", "template", "shown_format", "user", "shown_documents")
    list_filter = (MonthFilter, FormatFilter, ("organization", OrganizationFilter))
    list_select_related = ("organization",)
    search_fields = ("=template_id", "external_user_id", "=organization__id")
    search_help_text = "Id of template or organization, or external user"
    ordering = ("-month", "-documents")
    readonly_fields = (*list_display, "template_line")
    fields = (("shown_month", "organization"), ("template_line", "shown_format"), ("user", "shown_documents"))

    def get_queryset(self, request: HttpRequest) -> QuerySet[MonthlyCount]:
        """Fetch the templates' present names with the rows."""
        counts: QuerySet[MonthlyCount] = super().get_queryset(request)
        name = Template.objects.filter(pk=OuterRef("template_id")).values("name")
        return counts.annotate(template_name=Subquery(name))

    @display(description="Month", ordering="month")
    def shown_month(self, count: MonthlyCount) -> str:
        """E.g. November 2026."""
        return date_format(count.month, "F Y")

    @display(description="Template", header=True, ordering="template_name")
    def template(self, count: Any) -> tuple[Any, ...]:
        """Present name over id."""
        return count.template_name or "(deleted)", identifier(count.template_id)

    @display(description="Template")
    def template_line(self, count: Any) -> str:
        """Present name and id."""
        return format_html("{}<br>{}", count.template_name or "(deleted)", identifier(count.template_id))

    @display(description="Format", ordering="format")
    def shown_format(self, count: MonthlyCount) -> str:
        """The format as a badge."""
        return badge(count.format)

    @display(description="External user", ordering="external_user_id")
    def user(self, count: MonthlyCount) -> str:
        """The end user, empty for the organization itself."""
        return count.external_user_id or "—"

    @display(description="Documents", ordering="documents")
    def shown_documents(self, count: MonthlyCount) -> str:
        """How many."""
        return f"{count.documents:,}"
