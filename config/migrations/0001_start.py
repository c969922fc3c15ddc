"""What the last start had for secrets: a new table, which code from before does not look at."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Start",
            fields=[
                (
                    "id",
                    models.PositiveSmallIntegerField(
                        default=1, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("credentials_mark", models.CharField(max_length=64)),
                ("secret_mark", models.CharField(max_length=64)),
                ("host", models.CharField(max_length=255)),
                ("at", models.DateTimeField()),
            ],
        ),
    ]
