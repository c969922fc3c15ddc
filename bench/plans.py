"""How PostgreSQL finds what the service asks for: run by `bench.scale --plans`, with a service's settings."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from urllib.parse import parse_qsl

from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.caller import Caller
from accounts.models import Organization
from rendering.filters import filtered
from rendering.models import Document
from templates_app.models import Template
from usage.queries import month_usage, trend

# Queries of GET /v1/documents.
LISTS = (
    "",
    "status=failed",
    "format=xlsx",
    "externalUserId=user-7",
    "createdFrom=2026-06-01&createdTo=2026-06-01",
    "externalUserId=user-7&format=xlsx",
)


def main(organization_id: str) -> None:
    """Print a plan for each question of an organization."""
    caller = Caller(Organization.objects.get(pk=organization_id), False, None, "")
    documents = Document.objects.visible_to(caller)
    show("sweep", lambda: list(Document.objects.interrupted()[:500]))
    show("templates", lambda: list(Template.objects.visible_to(caller).listed().order_by("-pk")[:51]))
    for query in LISTS:
        rows = filtered(documents, dict(parse_qsl(query)), is_public=False).order_by("-pk")[:51]
        show(f"documents {query}", partial(list, rows))
    today = date.today()
    show(
        "usage", lambda: month_usage(caller=caller, year=today.year, month=today.month, external_user_id=None)
    )
    show("trend", lambda: trend(caller=caller, today=today))


def show(title: str, question: Callable[[], object]) -> None:
    """Run a question and print the plan of each of its queries."""
    with CaptureQueriesContext(connection) as queries:
        question()
    print(f"\n== {title}")
    for query in queries.captured_queries:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) {query['sql']}")
            print("\n".join(line for (line,) in cursor.fetchall()))
