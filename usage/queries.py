"""Reading the counters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, NamedTuple, TypedDict

from django.db.models import QuerySet, Sum

from accounts.caller import Caller
from config.api.ids import is_storable
from templates_app.models import Template
from usage.models import MonthlyCount

TREND_MONTHS = 6


class UsageRow(TypedDict):
    """One line of the month: documents of a template in a format."""

    templateId: str
    templateName: str
    format: str
    documents: int


class TrendRow(TypedDict):
    """Documents of one month."""

    year: int
    month: int
    documents: int


class CounterRow(NamedTuple):
    """One counter: documents of a template in a format for an end user (empty: the organization itself)."""

    month: date
    template_id: str
    template_name: str
    format: str
    external_user_id: str
    documents: int


def month_usage(*, caller: Caller, year: int, month: int, external_user_id: str | None) -> list[UsageRow]:
    """Return the month by template and format, largest first.

    A public key sees its own user (specification section 4); `external_user_id` filters for a secret key.
    """
    user = caller.user_id if caller.is_public else external_user_id
    rows = list(template_totals(caller=caller, month=date(year, month, 1), external_user_id=user))
    names = names_of(caller, {row["template_id"] for row in rows})
    return [
        UsageRow(
            templateId=row["template_id"],
            templateName=names.get(row["template_id"], ""),
            format=row["format"],
            documents=row["total"],
        )
        for row in rows
    ]


def template_totals(
    *, caller: Caller, month: date, external_user_id: str | None = None
) -> QuerySet[MonthlyCount, Any]:
    """Return `template_id`, `format` and `total` of a month (its first day), largest first."""
    counts = _counts(caller, external_user_id).filter(month=month).values("template_id", "format")
    return counts.annotate(total=Sum("documents")).order_by("-total", "template_id", "format")


def user_totals(*, caller: Caller, month: date) -> QuerySet[MonthlyCount, Any]:
    """Return `external_user_id` (empty: the organization itself) and `total` of a month, largest first."""
    counts = _counts(caller, caller.user_id).filter(month=month).values("external_user_id")
    return counts.annotate(total=Sum("documents")).order_by("-total", "external_user_id")


def month_total(*, caller: Caller, month: date) -> int:
    """Return how many documents a month (its first day) has."""
    counts = _counts(caller, caller.user_id).filter(month=month)
    return counts.aggregate(total=Sum("documents"))["total"] or 0


def names_of(caller: Caller, template_ids: Iterable[str]) -> dict[str, str]:
    """Return the names of templates by their ids."""
    own = Template.objects.filter(organization=caller.organization, pk__in=set(template_ids))
    return dict(own.values_list("pk", "name"))


def counters(*, caller: Caller, first: date, last: date) -> Iterator[CounterRow]:
    """Yield every counter from one month to another (their first days), oldest first, a few at a time."""
    names = dict(Template.objects.filter(organization=caller.organization).values_list("pk", "name"))
    rows = _counts(caller, caller.user_id).filter(month__gte=first, month__lte=last)
    order = ("month", "template_id", "format", "external_user_id")
    for row in rows.order_by(*order).iterator(chunk_size=2000):
        name = names.get(row.template_id, "")
        yield CounterRow(row.month, row.template_id, name, row.format, row.external_user_id, row.documents)


def months_back(today: date, n: int) -> date:
    """Return the first day of the month that was `n` months before the one of `today`."""
    number = today.year * 12 + today.month - 1 - n
    return date(number // 12, number % 12 + 1, 1)


def trend(*, caller: Caller, today: date, template_id: str | None = None) -> list[TrendRow]:
    """Return the last six months with this one, oldest first, empty ones too; of one template or all."""
    counts = _counts(caller, caller.user_id)
    return _trend(counts if template_id is None else counts.filter(template_id=template_id), today)


def trend_of_all(*, today: date) -> list[TrendRow]:
    """Return the same of all organizations together, for the admin."""
    return _trend(MonthlyCount.objects.all(), today)


def _trend(counts: QuerySet[MonthlyCount], today: date) -> list[TrendRow]:
    months = [months_back(today, n) for n in reversed(range(TREND_MONTHS))]
    counted = counts.filter(month__gte=months[0], month__lte=months[-1]).order_by().values_list("month")
    totals = dict(counted.annotate(total=Sum("documents")))
    return [TrendRow(year=month.year, month=month.month, documents=totals.get(month, 0)) for month in months]


def _counts(caller: Caller, user: str | None) -> QuerySet[MonthlyCount]:
    counts = MonthlyCount.objects.filter(organization=caller.organization)
    if user is None:
        return counts
    # An id of any form may be asked for; an empty one and one that no database can hold name nobody.
    return counts.filter(external_user_id=user) if user and is_storable(user) else counts.none()
