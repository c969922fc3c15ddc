"""Large tables are changed while they are in use, and again where that was interrupted."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.operations.models import IndexOperation

from config.online_migrations import AddOnlineIndex, RemoveOnlineIndex
from tests.parts.session import REAL

BEFORE = "0005_batch_with_key"
NAME = "document_by_user_and_format"


def indexes() -> dict[str, list[str]]:
    """Return the columns of the indexes of the table of documents, by name."""
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, "rendering_document")
    return {name: about["columns"] for name, about in found.items() if about["index"]}


@pytest.mark.django_db(transaction=True)
def test_to_and_fro_and_after_an_interruption() -> None:
    columns = ["organization_id", "external_user_id", "id", "format"]
    assert indexes()[NAME] == columns
    call_command("migrate", "rendering", BEFORE, verbosity=0)
    try:
        assert NAME not in indexes()
        assert indexes()["document_by_user"] == columns[:3]
        if REAL:  # a build that was interrupted leaves its name behind, on an index that no query uses
            with connection.cursor() as cursor:
                cursor.execute(f"CREATE INDEX {NAME} ON rendering_document (id)")
    finally:
        call_command("migrate", "rendering", verbosity=0)
    assert indexes()[NAME] == columns
    assert "document_by_user" not in indexes()


@pytest.mark.django_db(transaction=True)
def test_a_column_that_is_there_after_an_interruption() -> None:
    call_command("migrate", "rendering", "0006_document_by_user_and_format", verbosity=0)
    try:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE rendering_batch ADD COLUMN reference varchar(255) NULL")
    finally:
        call_command("migrate", "rendering", verbosity=0)
    for table in ("rendering_batch", "rendering_document"):
        with connection.cursor() as cursor:
            columns = connection.introspection.get_table_description(cursor, table)
        assert [column.name for column in columns].count("reference") == 1


def test_no_later_migration_locks_two_tables_at_a_time() -> None:
    """A request that uses both, in the other order, and the migration would wait for each other."""
    migrations = MigrationLoader(None).disk_migrations
    later = [each for (app, name), each in migrations.items() if app == "rendering" and name > BEFORE]
    for migration in later:
        assert not migration.atomic or len({change.model_name for change in migration.operations}) == 1


def test_no_later_migration_keeps_writers_of_documents_waiting() -> None:
    """A plain index locks the table as long as it is built."""
    migrations = MigrationLoader(None).disk_migrations
    later = [each for (app, name), each in migrations.items() if app == "rendering" and name > BEFORE]
    changes = [change for each in later for change in each.operations if isinstance(change, IndexOperation)]
    of_documents = [type(change) for change in changes if change.model_name_lower == "document"]
    assert of_documents
    assert set(of_documents) <= {AddOnlineIndex, RemoveOnlineIndex}
