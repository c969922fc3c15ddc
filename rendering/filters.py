"""The filters of `GET /v1/documents` and `GET /v1/batches`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from config.api.errors import invalid
from config.api.ids import first_id
from config.api.parameters import EXTERNAL_USER_ID, choice, selected, status_parameter, where
from rendering.batch_serializers import STATUSES as BATCH_STATUSES
from rendering.models import BatchQuerySet, DocumentQuerySet
from rendering.serializers import STATUSES
from templates_app import formats

# An id holds the millisecond in which it was made, just after the moment that is kept as createdAt.
_ID_SLACK = timedelta(minutes=1)
# Before the first document and after the last: `0001-01-01` and `9999-12-31` are how callers say "open".
_FIRST, _LAST = datetime(1971, 1, 1, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
MOMENT = "must be a date such as 2026-11-21 or a time with its zone, such as 2026-11-21T09:30:00Z"

_DATE_OR_TIME = {
    "anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}],
    "examples": ["2026-11-21", "2026-11-21T09:30:00Z"],
}

_TEMPLATE_ID = OpenApiParameter("templateId", OpenApiTypes.STR, description="Only of this template.")
_NAMED = {"templateId": "template_id", "reference": "reference"}  # filters of both, by the field of the model
_REFERENCE = OpenApiParameter("reference", OpenApiTypes.STR, description="Only of this name of your own.")
BATCH_FILTER_PARAMETERS = [_TEMPLATE_ID, status_parameter(BATCH_STATUSES), EXTERNAL_USER_ID, _REFERENCE]
FILTER_PARAMETERS = [
    _TEMPLATE_ID,
    OpenApiParameter("batchId", OpenApiTypes.STR, description="Only the items of this batch."),
    status_parameter(STATUSES),
    OpenApiParameter(
        "format", OpenApiTypes.STR, enum=list(formats.known()), description="Only in this output format."
    ),
    EXTERNAL_USER_ID,
    _REFERENCE,
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
    """Return the documents that a query asks for, and what is wrong with it, by parameter."""
    errors: dict[str, str] = {}
    documents = selected(documents, query, STATUSES, errors, is_public=is_public, **_NAMED)
    documents = where(documents, query, "batchId", "batch_id")
    if (format := choice(query, "format", formats.known(), errors)) is not None:
        documents = documents.filter(format=format)
    return _between(documents, query, errors), errors


def select_batches(
    batches: BatchQuerySet, query: Mapping[str, str], *, is_public: bool
) -> tuple[BatchQuerySet, dict[str, str]]:
    """Return the batches that a query asks for, and what is wrong with it, by parameter."""
    errors: dict[str, str] = {}
    return selected(batches, query, BATCH_STATUSES, errors, is_public=is_public, **_NAMED), errors


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
    errors[name] = MOMENT
    return None
