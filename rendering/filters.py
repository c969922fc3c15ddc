"""The filters of `GET /v1/documents`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from config.api.errors import invalid
from config.api.ids import first_id, is_storable
from config.api.parameters import choice
from rendering.models import DocumentQuerySet
from rendering.serializers import STATUSES
from templates_app import formats

# An id holds the millisecond in which it was made, just after the moment that is kept as createdAt.
_ID_SLACK = timedelta(minutes=1)
# Before the first document and after the last: `0001-01-01` and `9999-12-31` are how callers say "open".
_FIRST, _LAST = datetime(1971, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
_MOMENT = "must be a date such as 2026-11-21 or a time such as 2026-11-21T09:30:00Z"
_EXACT = {"templateId": "template_id", "batchId": "batch_id"}

_DATE_OR_TIME = {
    "anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}],
    "examples": ["2026-11-21", "2026-11-21T09:30:00Z"],
}

FILTER_PARAMETERS = [
    OpenApiParameter("templateId", OpenApiTypes.STR, description="Only of this template."),
    OpenApiParameter("batchId", OpenApiTypes.STR, description="Only the items of this batch."),
    OpenApiParameter(
        "status", OpenApiTypes.STR, enum=[str(s) for s in STATUSES], description="Only in this state."
    ),
    OpenApiParameter(
        "format", OpenApiTypes.STR, enum=list(formats.known()), description="Only in this output format."
    ),
    OpenApiParameter(
        "externalUserId",
        OpenApiTypes.STR,
        description="Only of this end user. A public key sees its own user's alone, whatever it sends.",
    ),
    OpenApiParameter(
        "createdFrom",
        _DATE_OR_TIME,
        description="Made at this time or later: ISO 8601, or a date, which means its beginning in UTC.",
    ),
    OpenApiParameter(
        "createdTo",
        _DATE_OR_TIME,
        description="Made before this time: ISO 8601, or a date, which means its end in UTC.",
    ),
]


def filtered(documents: DocumentQuerySet, query: Mapping[str, str], *, is_public: bool) -> DocumentQuerySet:
    """Return the documents that a query asks for; raises ApiError 400 naming every wrong filter."""
    chosen, errors = select(documents, query, is_public=is_public)
    if errors:
        raise invalid(errors)
    return chosen


def select(
    documents: DocumentQuerySet, query: Mapping[str, str], *, is_public: bool
) -> tuple[DocumentQuerySet, dict[str, str]]:
    """Return the documents that a query asks for, and what is wrong with it, by parameter.

    An id that names nothing matches nothing.
    """
    errors: dict[str, str] = {}
    for name, field in _EXACT.items():
        if name in query:
            documents = (
                documents.filter(**{field: query[name]}) if is_storable(query[name]) else documents.none()
            )
    if (status := choice(query, "status", STATUSES, errors)) is not None:
        documents = documents.filter(status=status)
    if (format := choice(query, "format", formats.known(), errors)) is not None:
        documents = documents.filter(format=format)
    if not is_public and (user := query.get("externalUserId")) is not None:
        documents = documents.filter(external_user_id=user) if is_storable(user) else documents.none()
    return _between(documents, query, errors), errors


def _between(
    documents: DocumentQuerySet, query: Mapping[str, str], errors: dict[str, str]
) -> DocumentQuerySet:
    # Ids are in the order of time: a span of time is a range of the index that the list is read from.
    if (since := _moment(query, "createdFrom", errors, end_of_day=False)) is not None:
        documents = documents.filter(created_at__gte=since, pk__gte=first_id("doc", since - _ID_SLACK))
    if (until := _moment(query, "createdTo", errors, end_of_day=True)) is not None:
        documents = documents.filter(created_at__lt=until, pk__lt=first_id("doc", until + _ID_SLACK))
    return documents


def _moment(
    query: Mapping[str, str], name: str, errors: dict[str, str], *, end_of_day: bool
) -> datetime | None:
    text = query.get(name)
    if text is None:
        return None
    try:
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text, re.ASCII):
            moment = min(datetime.combine(date.fromisoformat(text), time(), UTC), _LAST)
            moment += timedelta(days=end_of_day)
        else:
            # A `+` in a query string that nobody escaped arrives as a blank.
            moment = datetime.fromisoformat(text.replace(" ", "+"))
        if moment.tzinfo is not None:
            return min(max(moment, _FIRST), _LAST).astimezone(UTC)
    except ValueError:
        pass
    errors[name] = _MOMENT
    return None
