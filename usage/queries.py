"""Reading the counters."""

from __future__ import annotations

from datetime import date
from typing import TypedDict

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


def month_usage(*, caller: Caller, year: int, month: int, external_user_id: str | None) -> list[UsageRow]:
    """Return the month by template and format, largest first.

    A public key sees its own user (specification section 4); `external_user_id` filters for a secret key.
    """
    user = caller.user_id if caller.is_public else external_user_id
    counts = _counts(caller, user).filter(month=date(year, month, 1)).values("template_id", "format")
    rows = list(counts.annotate(total=Sum("documents")).order_by("-total", "template_id", "format"))
    names = dict(
        Template.objects.filter(
            organization=caller.organization, pk__in={row["template_id"] for row in rows}
        ).values_list("pk", "name")
    )
    return [
        UsageRow(
            templateId=row["template_id"],
            templateName=names.get(row["template_id"], ""),
            format=row["format"],
            documents=row["total"],
        )
        for row in rows
    ]


def trend(*, caller: Caller, today: date) -> list[TrendRow]:
    """Return the last six months, this one included, oldest first, empty months too."""
    last = today.year * 12 + today.month - 1
    months = [date(number // 12, number % 12 + 1, 1) for number in range(last - TREND_MONTHS + 1, last + 1)]
    counts = _counts(caller, caller.user_id).filter(month__gte=months[0], month__lte=months[-1])
    totals = dict(counts.values_list("month").annotate(total=Sum("documents")))
    return [TrendRow(year=month.year, month=month.month, documents=totals.get(month, 0)) for month in months]


def _counts(caller: Caller, user: str | None) -> QuerySet[MonthlyCount]:
    counts = MonthlyCount.objects.filter(organization=caller.organization)
    if user is None:
        return counts
    # An id of any form may be asked for; one that no database can hold names nobody.
    return counts.filter(external_user_id=user) if is_storable(user) else counts.none()
