"""Named samples of a template. The code before this knows nothing of the table."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("templates_app", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="TemplateSample",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=100)),
                ("data", models.JSONField(default=dict)),
                ("position", models.PositiveSmallIntegerField(default=0)),
                (
                    "template",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="samples",
                        to="templates_app.template",
                    ),
                ),
            ],
            options={
                "ordering": ["position", "id"],
                "constraints": [
                    models.UniqueConstraint(fields=("template", "name"), name="one_sample_per_name")
                ],
            },
        ),
    ]
