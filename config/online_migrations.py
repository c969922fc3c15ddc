"""Changes of tables that are in use, and that grow without end.

A migration with them is `atomic = False`. PostgreSQL then builds an index without a lock that writers wait
for (a plain `AddIndex` keeps one, minutes for a table of millions of rows), and locks a table for a new
column for a moment, without waiting for a second table meanwhile: a request that uses both would wait for
the first one, and one of the two be undone. SQLite has no such ways, and does as always.
"""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db.migrations import AddField, AddIndex, RemoveIndex


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


class AddOnlineField(AddField):
    """Add a column, in a transaction of its own; what an interrupted attempt has added is right already."""

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Add the column where it is missing."""
        model = to_state.apps.get_model(app_label, self.model_name)
        connection = schema_editor.connection
        with connection.cursor() as cursor:
            columns = connection.introspection.get_table_description(cursor, model._meta.db_table)
        if model._meta.get_field(self.name).column not in {column.name for column in columns}:
            super().database_forwards(app_label, schema_editor, from_state, to_state)
