"""Counting."""

from __future__ import annotations

from datetime import datetime

from django.db import connection

from usage.models import MonthlyCount

# One atomic statement, the same on SQLite and PostgreSQL: two renders at once lose no count.
_UPSERT = """
INSERT INTO {table} (organization_id, month, template_id, format, external_user_id, documents)
VALUES (%s, %s, %s, %s, %s, 1)
ON CONFLICT (organization_id, month, external_user_id, template_id, format)
DO UPDATE SET documents = {table}.documents + 1
"""


def count_document(
    *,
    organization_id: str,
    template_id: str,
    format: str,
    external_user_id: str | None,
    completed_at: datetime,
) -> None:
    """Add one document to its month (UTC); call it in the transaction that completes the document."""
    month = completed_at.date().replace(day=1).isoformat()
    statement = _UPSERT.format(table=connection.ops.quote_name(MonthlyCount._meta.db_table))
    with connection.cursor() as cursor:
        cursor.execute(statement, [organization_id, month, template_id, format, external_user_id or ""])
