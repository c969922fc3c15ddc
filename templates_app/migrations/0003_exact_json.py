"""Content as it was sent: on PostgreSQL `json` instead of `jsonb`, which reorders names and rewrites numbers."""

from django.db import migrations

import config.exact_json

CONTENT = {"sections": list, "variables": list, "page": dict, "sample_data": dict}


def altered(model: str) -> list[migrations.AlterField]:
    return [
        migrations.AlterField(
            model, name, config.exact_json.ExactJSONField(default=default, **({} if name == "sections" else {"blank": True}))
        )
        for name, default in CONTENT.items()
    ]


class Migration(migrations.Migration):

    dependencies = [
        ("templates_app", "0002_samples"),
    ]

    operations = [
        *altered("template"),
        *altered("templateversion"),
        migrations.AlterField("templatesample", "data", config.exact_json.ExactJSONField(default=dict)),
    ]
