"""Which templates mention a text, such as the id of an asset, anywhere in their content."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, TextField
from django.db.models.functions import Cast

from templates_app.models import TemplateQuerySet, TemplateSample

# Variables hold defaults, sample data what the author looks at.
_PLACES = ("sections", "page", "variables", "sample_data")


def mentioning(text: str, templates: TemplateQuerySet) -> TemplateQuerySet:
    """Return those of `templates` whose present content or named samples hold `text`, archived ones left out.

    `text` must look the same in JSON as it is: ids do. One query, in which the database looks through the
    content of one organization; nothing of it is sent.
    """
    rows = templates.listed()
    found = Q(pk__in=())
    for place in _PLACES:
        rows = rows.alias(**{f"{place}_text": Cast(place, TextField())})
        found |= Q(**{f"{place}_text__contains": text})
    samples = TemplateSample.objects.alias(data_text=Cast("data", TextField()))
    found |= Q(Exists(samples.filter(template=OuterRef("pk"), data_text__contains=text)))
    return rows.filter(found)
