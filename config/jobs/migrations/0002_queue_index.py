"""The index of the queue, on the table of django_tasks_db: each claim reads the first entry of one range.

PostgreSQL may prefer the index that comes with the table, which knows nothing of queues: a claim would read past
every due job of another one. There it goes; SQLite chooses rightly.
"""

from django.db import migrations


def drop_other(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX IF EXISTS tasks_db_new_ordering_idx")


def restore_other(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            "CREATE INDEX tasks_db_new_ordering_idx ON django_tasks_database_dbtaskresult"
            " (status, priority DESC, run_after, enqueued_at) WHERE status = 'READY'"
        )


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0001_initial"),
        ("django_tasks_database", "0021_conditional_partial_index_ordering"),
    ]

    operations = [
        migrations.RunSQL(
            "CREATE INDEX jobs_queue ON django_tasks_database_dbtaskresult"
            " (status, queue_name, priority, run_after)",
            "DROP INDEX jobs_queue",
        ),
        migrations.RunPython(drop_other, restore_other),
    ]
