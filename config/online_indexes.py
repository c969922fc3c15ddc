"""Indexes that are built and dropped while the table is in use: for tables that grow without end.

A migration with them is `atomic = False`. PostgreSQL then keeps no lock that writers wait for (a plain
`AddIndex` does, minutes for a table of millions of rows); SQLite has no such way, and does as always.
"""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db.migrations import AddIndex, RemoveIndex


class _Online:
    """Does as the plain operation does where the database is not PostgreSQL."""

    plain: Any

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Change the database."""
        if schema_editor.connection.vendor == "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)  # type: ignore[misc]
        else:
            self.plain.database_forwards(self, app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Change it back."""
        if schema_editor.connection.vendor == "postgresql":
            super().database_backwards(app_label, schema_editor, from_state, to_state)  # type: ignore[misc]
        else:
            self.plain.database_backwards(self, app_label, schema_editor, from_state, to_state)


class AddOnlineIndex(_Online, AddIndexConcurrently):
    """Add an index. Where building it was interrupted, the next `migrate` begins anew."""

    plain = AddIndex

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Build the index; what an interrupted attempt has left is never used by a query."""
        if schema_editor.connection.vendor == "postgresql":
            name = schema_editor.quote_name(self.index.name)
            schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        super().database_forwards(app_label, schema_editor, from_state, to_state)


class RemoveOnlineIndex(_Online, RemoveIndexConcurrently):
    """Drop an index."""

    plain = RemoveIndex
