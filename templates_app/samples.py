"""Named sample data of a template, beside the `sampleData` that belongs to its versions.

Samples are what an author looks at a template with: they are no part of a version, and no render reads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import orjson
from django.conf import settings
from django.db import transaction

from config.api.errors import invalid
from templates_app.models import Template, TemplateSample

DEFAULT_NAME: Final = "Default"  # what pages call `sampleData`
MOST_SAMPLES: Final = 50
LONGEST_NAME: Final = 100


def samples_of(template: Template) -> list[dict[str, Any]]:
    """Return the named samples in their order: `name` and `data` of each."""
    return [{"name": sample.name, "data": sample.data} for sample in template.samples.all()]


def replace_samples(*, template: Template, samples: Any) -> None:
    """Make `samples` (a list of `{name, data}`) the named ones of a template; raises ApiError 400.

    Those that stay as they are keep their rows.
    """
    checked = _checked(samples)
    with transaction.atomic():
        # The lock makes the second of two saves find the rows of the first.
        Template.objects.select_for_update(no_key=True).only("pk").get(pk=template.pk)
        kept = {sample.name: sample for sample in template.samples.all()}
        for position, (name, data) in enumerate(checked):
            sample = kept.pop(name, None) or TemplateSample(template=template, name=name)
            if sample.pk is None or sample.data != data or sample.position != position:
                sample.data, sample.position = data, position
                sample.save()
        TemplateSample.objects.filter(pk__in=[sample.pk for sample in kept.values()]).delete()


def _checked(samples: Any) -> Sequence[tuple[str, dict[str, Any]]]:
    errors: dict[str, str] = {}
    found: list[tuple[str, dict[str, Any]]] = []
    if not isinstance(samples, list) or len(samples) > MOST_SAMPLES:
        raise invalid({"samples": f"must be a list of at most {MOST_SAMPLES} samples"})
    for index, sample in enumerate(samples):
        given = sample if isinstance(sample, dict) else {}
        name, data = given.get("name"), given.get("data")
        if not isinstance(name, str) or not name.strip() or len(name) > LONGEST_NAME or "\0" in name:
            errors[f"samples[{index}].name"] = f"must be a text of at most {LONGEST_NAME} characters"
        elif name in {DEFAULT_NAME, *(taken for taken, _ in found)}:
            errors[f"samples[{index}].name"] = f'there is a sample "{name}" already'
        if not isinstance(data, dict):
            errors[f"samples[{index}].data"] = "must be an object"
        elif len(orjson.dumps(data)) > settings.MAX_BODY_BYTES:
            errors[f"samples[{index}].data"] = f"must have at most {settings.MAX_BODY_BYTES} bytes"
        if isinstance(name, str) and isinstance(data, dict):
            found.append((name, data))
    if errors:
        raise invalid(errors)
    return found
