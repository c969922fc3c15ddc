"""Parameters of a query, read one by one: what is wrong is collected by name, to be told all at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from config.api.errors import must_be_one_of
from config.api.ids import is_storable

Q = TypeVar("Q", bound=QuerySet[Any])

EXTERNAL_USER_ID = OpenApiParameter(
    "externalUserId",
    OpenApiTypes.STR,
    description="Only of this end user. A public key sees its own user's alone, whatever it sends.",
)


def status_parameter(statuses: Iterable[str]) -> OpenApiParameter:
    """Return the filter of a list by status."""
    known = [str(status) for status in statuses]
    return OpenApiParameter("status", OpenApiTypes.STR, enum=known, description="Only in this state.")


def whole_number(
    query: Mapping[str, str], name: str, low: int, high: int, default: int, wrong: dict[str, str]
) -> int:
    """Return a whole number from `low` to `high`; `default` where there is none, or a wrong one."""
    raw = query.get(name)
    if raw is None:
        return default
    if raw.isascii() and raw.isdigit() and len(raw) < 10 and low <= int(raw) <= high:
        return int(raw)
    wrong[name] = f"must be a whole number from {low} to {high}"
    return default


def choice(query: Mapping[str, str], name: str, known: Iterable[str], wrong: dict[str, str]) -> str | None:
    """Return one of the known words; None where there is none, or a wrong one."""
    raw, words = query.get(name), list(known)
    if raw is None or raw in words:
        return raw
    wrong[name] = must_be_one_of(words)
    return None


def where(rows: Q, query: Mapping[str, str], name: str, field: str) -> Q:
    """Return the rows whose `field` is what the query says by `name`: all of them where it says nothing.

    A text that names nothing matches nothing.
    """
    if (text := query.get(name)) is None:
        return rows
    return rows.filter(**{field: text}) if is_storable(text) else rows.none()


def selected(
    rows: Q,
    query: Mapping[str, str],
    statuses: Iterable[str],
    wrong: dict[str, str],
    *,
    is_public: bool,
    **named: str,
) -> Q:
    """Return the rows that a query asks for by status and end user, and by `named`: parameter and field."""
    for name, field in named.items():
        rows = where(rows, query, name, field)
    if (status := choice(query, "status", statuses, wrong)) is not None:
        rows = rows.filter(status=status)
    return rows if is_public else where(rows, query, "externalUserId", "external_user_id")
