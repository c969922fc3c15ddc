"""The batches that are at work, of which each new one counts the items."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("rendering", "0003_who_asked"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="batch",
            index=models.Index(
                condition=models.Q(("status", "queued"), ("status", "processing"), _connector="OR"),
                fields=["organization"],
                name="batch_at_work",
            ),
        ),
    ]
