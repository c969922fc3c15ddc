"""Rows by the id that a caller gives, which may be any text."""

from __future__ import annotations

from typing import TypeVar

from django.db import models

from config.api.ids import is_storable

M = TypeVar("M", bound=models.Model)


class ByIdQuerySet(models.QuerySet[M]):
    """Rows whose ids callers name."""

    def by_id(self, pk: str) -> M | None:
        """Return the row with this id, None for an id of any form that names none."""
        return next(iter(self.filter(pk=pk)[:1]), None) if is_storable(pk) else None
