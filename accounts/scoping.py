"""Visibility as one query: what a caller may see of the rows that organizations own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Self, TypeVar

from django.db import models

from accounts.caller import Caller
from accounts.models import Organization
from config.api.ids import is_storable
from config.api.rows import ByIdQuerySet
from config.statements import Lookup

M = TypeVar("M", bound=models.Model)


class OwnedQuerySet(ByIdQuerySet[M]):
    """Rows with an `organization` and a nullable `external_user_id`."""

    def visible_to(self, caller: Caller) -> Self:
        """Return the caller's rows: the whole organization's, or only the end user's for a public key.

        Specification section 5. What is not visible does not exist: views answer 404, never 403.
        """
        rows = self.filter(organization_id=caller.organization.pk)
        return rows.filter(external_user_id=caller.user_id) if caller.is_public else rows


class VisibleLookup(Generic[M]):
    """`rows().visible_to(caller).by_id(pk)`, composed once: for what is on the way of every render."""

    def __init__(self, rows: Callable[[], OwnedQuerySet[M]]) -> None:
        def compose(pk: str, organization_id: str, *user_id: str) -> models.QuerySet[M]:
            owner = user_id[0] if user_id else None
            caller = Caller(Organization(pk=organization_id), bool(user_id), owner, credential="")
            return rows().visible_to(caller).filter(pk=pk)

        self._lookup = Lookup(compose)

    def by_id(self, caller: Caller, pk: str) -> M | None:
        """Return the row with this id, None for one that the caller does not see or an id of any form."""
        if not is_storable(pk):
            return None
        user = (caller.user_id or "",) if caller.is_public else ()
        return self._lookup.first(pk, caller.organization.pk, *user)
