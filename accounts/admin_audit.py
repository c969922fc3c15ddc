"""The audit logs of all organizations in the admin: to look at."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.decorators import display

from accounts.actors import actor_in_words
from accounts.admin_filters import OrganizationFilter
from accounts.admin_pages import ReadOnlyAdmin, identifier, moment, pretty_json
from accounts.audit import AREAS
from accounts.models import AuditEntry


class AreaFilter(admin.SimpleListFilter):
    """The first part of an action: what it was done to."""

    title = "area"
    parameter_name = "area"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the areas."""
        return list(AREAS)

    def queryset(self, request: HttpRequest, queryset: QuerySet[AuditEntry]) -> QuerySet[AuditEntry]:
        """Leave the entries of one area."""
        area = self.value()
        return queryset.filter(action__startswith=f"{area}.") if area in dict(AREAS) else queryset


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    """Who changed what, newest first. Nobody edits or deletes an entry, an administrator neither."""

    list_display = ("when", "organization", "who", "action", "what")
    list_filter = (AreaFilter, ("organization", OrganizationFilter))
    list_select_related = ("organization",)
    search_fields = ("=actor", "=object_id", "=organization__id", "object_name")
    search_help_text = "Who (e-mail address or api), id or name of what was changed, id of the organization"
    ordering = ("-id",)
    when = moment("at", "When (UTC)")
    fieldsets = (
        (None, {"fields": ("when", "organization", "who", "action")}),
        ("What was changed", {"fields": ("object_type", "object_name", "shown_id", "shown_detail")}),
    )
    readonly_fields = ("when", "who", "shown_id", "shown_detail")

    @display(description="Who", ordering="actor")
    def who(self, entry: AuditEntry) -> str:
        """A person's address, a key, or the service."""
        return actor_in_words(entry.actor)

    @display(description="What")
    def what(self, entry: AuditEntry) -> str:
        """The name of what was changed, else its id."""
        return entry.object_name or entry.object_id

    @display(description="Id")
    def shown_id(self, entry: AuditEntry) -> str | None:
        """The id as code."""
        return identifier(entry.object_id) if entry.object_id else None

    @display(description="Details")
    def shown_detail(self, entry: AuditEntry) -> str | None:
        """What changed, as it was recorded."""
        return pretty_json(entry.detail) if entry.detail else None
