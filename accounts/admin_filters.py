"""The filter of the admin by organization."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from accounts.models import Organization
from config.api.ids import is_storable

MAX_OFFERED = 200


class OrganizationFilter(admin.RelatedFieldListFilter):
    """Rows of one organization: the first by name are offered, and others found by their id in the search.

    Thousands of names on every list would be more than the list itself.
    """

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> Any:
        """Return id and name of the organizations to choose from; the chosen one is always among them."""
        names = Organization.objects.order_by("name", "id").values_list("pk", "name")
        offered = list(names[:MAX_OFFERED])
        missing = set(self.lookup_val or ()).difference(pk for pk, _ in offered)
        chosen = list(names.filter(pk__in=[pk for pk in missing if is_storable(pk)])) if missing else []
        return [*chosen, *offered]
