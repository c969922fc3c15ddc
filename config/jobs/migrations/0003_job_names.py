"""Tasks under the name of jobs, for the admin: nothing changes in the database."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("jobs", "0002_queue_index"),
        ("django_tasks_database", "0021_conditional_partial_index_ordering"),
    ]

    operations = [
        migrations.CreateModel(
            name="Job",
            fields=[],
            options={"verbose_name": "job", "proxy": True, "indexes": [], "constraints": []},
            bases=("django_tasks_database.dbtaskresult",),
        ),
    ]
