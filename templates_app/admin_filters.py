"""Filters of the admin by output format."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast
from django.http import HttpRequest

from templates_app.formats import known


class FormatFilter(admin.SimpleListFilter):
    """Rows whose column `format` is the chosen one."""

    title = "format"
    parameter_name = "format"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Offer every format that the service writes."""
        return [(name, name.upper()) for name in known()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the rows of the chosen format."""
        return queryset.filter(format=self.value()) if self.value() else queryset


class FormatsFilter(FormatFilter):
    """Rows whose JSON list `formats` holds the chosen one."""

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Keep the rows that have the chosen format; SQLite cannot look into JSON lists, text it can."""
        if self.value() not in known():
            return queryset
        as_text = Cast("formats", TextField())
        return queryset.alias(formats_text=as_text).filter(formats_text__contains=f'"{self.value()}"')
