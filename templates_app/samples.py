"""Named sample data of a template, beside the `sampleData` that belongs to its versions.

Samples are what an author looks at a template with: they are no part of a version, and no render reads them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Final

import orjson
from django.conf import settings
from django.db import transaction

from config.api.errors import invalid
from templates_app.errors import samples_were_changed
from templates_app.models import Template, TemplateSample
from templates_app.services import check_expected

DEFAULT_NAME: Final = "Default"  # what pages call `sampleData`
MOST_SAMPLES: Final = 50
LONGEST_NAME: Final = 100


def samples_of(template: Template) -> list[dict[str, Any]]:
    """Return the named samples in their order: `name` and `data` of each."""
    return [{"name": sample.name, "data": sample.data} for sample in template.samples.all()]


def digest_of(samples: Sequence[dict[str, Any]]) -> str:
    """Return what stands for these very samples, listed by `samples_of`: an author names what they saw."""
    # Not by orjson, which has no integers of any length; a database has.
    return hashlib.sha256(json.dumps(samples).encode()).hexdigest()[:32]


def replace_samples(
    *,
    template: Template,
    samples: Any,
    expected_version: int | None = None,
    expected_status: str | None = None,
    expected_digest: str | None = None,
) -> None:
    """Make `samples` (a list of `{name, data}`) the named ones of a template; raises ApiError 400.

    Those that stay as they are keep their rows. Where the template is no longer at `expected_version` or in
    `expected_status`, or its samples are no longer those of `expected_digest`, nothing is changed and the
    ApiError is a 409: the list is replaced as a whole, and so would what somebody else has written in it.
    """
    checked = _checked(samples)
    with transaction.atomic():
        # The lock makes the second of two saves find the rows of the first.
        locked = Template.objects.select_for_update(no_key=True).get(pk=template.pk)
        check_expected(locked, expected_version, expected_status)
        if expected_digest not in {None, digest_of(samples_of(locked))}:
            raise samples_were_changed()
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
