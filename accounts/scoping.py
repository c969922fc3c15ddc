"""Visibility as one query: what a caller may see of the rows that organizations own."""

from __future__ import annotations

from typing import Self, TypeVar

from django.db import models

from accounts.caller import Caller
from config.api.ids import is_storable

M = TypeVar("M", bound=models.Model)


class OwnedQuerySet(models.QuerySet[M]):
    """Rows with an `organization` and a nullable `external_user_id`."""

    def visible_to(self, caller: Caller) -> Self:
        """Return the caller's rows: the whole organization's, or only the end user's for a public key.

        Specification section 5. What is not visible does not exist: views answer 404, never 403.
        """
        rows = self.filter(organization_id=caller.organization.pk)
        return rows.filter(external_user_id=caller.user_id) if caller.is_public else rows

    def by_id(self, pk: str) -> M | None:
        """Return the row with this id, None for an id of any form that names none."""
        return next(iter(self.filter(pk=pk)[:1]), None) if is_storable(pk) else None
