"""The publish gate: what would go wrong if this content were live.

Before a template is published, or a published one saved, every sample is rendered in every format. Errors
stop the publication; warnings are for the author to judge. Nothing is stored and nothing counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from django.utils import timezone

from accounts.models import Organization
from config.api.errors import ApiError
from rendering import engine
from rendering.formats.pdf.layout.document import pages_of
from rendering.formats.pdf.layout.items import Group, Item, TextBlock, TextLine
from rendering.formats.pdf.layout.tables.wrapping import ELLIPSIS
from rendering.images import font_loader, image_loader
from rendering.preview import content_of, preview
from rendering.resolve import resolve
from templates_app.content import BrokenContent, BrokenExpression, Content

MOST_CUT_TEXTS: Final = 5  # that are named for one sample
_DOCUMENT_SOURCES: Final = frozenset({"page", "document", "now", "today"})

Level = Literal["error", "warning"]


@dataclass(frozen=True)
class Sample:
    """Data to try a template with; `name` is what the author calls it."""

    name: str
    data: dict[str, Any]


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong (`error`) or looks wrong (`warning`), as a sentence without its full stop.

    `field` is its path in the content (`sections[2].columns[0].key`) or in the data (`data.total`), where
    there is one; `sample` and `format` say which render showed it, empty for what holds for all.
    """

    level: Level
    text: str
    field: str = ""
    sample: str = ""
    format: str = ""


def findings(
    *,
    organization: Organization,
    body: Mapping[str, Any],
    samples: Sequence[Sample],
    live: Content | None = None,
) -> list[Finding]:
    """Return what is wrong with a template's body (the fields of a create), errors first.

    `samples` are rendered in every format of the body; `live` is the content that callers use now, None where
    the template is not published.
    """
    try:
        content = content_of(body)
        typed = content.typed_variables
    except BrokenExpression as error:
        return _refused(error.refusal())
    except ApiError as error:
        return _refused(error)
    except BrokenContent as error:
        return [Finding("error", str(error))]
    found: list[Finding] = []
    if not samples:
        found.append(Finding("warning", "there is no sample data, so that nothing could be tried out"))
    for format in content.formats:
        for sample in samples:
            found += _tried(organization, body, sample, format)
    found += _undeclared(content)
    found += _unknown_names(samples, {variable.name for variable in typed})
    if live is not None:
        found += _breaks_callers(live, content)
    return sorted(_merged(found), key=lambda finding: finding.level != "error")


def _refused(error: ApiError, sample: str = "", format: str = "") -> list[Finding]:
    if not error.errors:
        return [Finding("error", error.message, "", sample, format)]
    return [
        Finding("error", f"{field}: {text}", field, sample, format) for field, text in error.errors.items()
    ]


def _tried(organization: Organization, body: Mapping[str, Any], sample: Sample, format: str) -> list[Finding]:
    """Render one sample in one format."""
    try:
        preview(organization=organization, body=body, data=sample.data, format=format)
    except ApiError as error:
        return _refused(error, sample.name, format)
    if format != "pdf":
        return []
    return [
        Finding("warning", f"text is cut off on page {page}: “{text}”", "", sample.name, format)
        for page, text in _cut_texts(organization, content_of(body), sample)
    ]


def _cut_texts(organization: Organization, content: Content, sample: Sample) -> list[tuple[int, str]]:
    """Return the first texts that had no room, with their pages."""
    limits = engine.limits_from_now()
    values = engine.check_content(content, sample.data, limits.check_time)
    resolved = resolve(
        content,
        values,
        load_image=image_loader(organization),
        load_font=font_loader(organization),
        check_time=limits.check_time,
        created_at=timezone.now(),
    )
    given = repr((sample.data, content.sections, content.page))
    found: list[tuple[int, str]] = []
    for page in pages_of(resolved, limits):
        for text in _texts(page.items):
            # One that the author or the data wrote so is not cut.
            if text.endswith(ELLIPSIS) and text not in given:
                found.append((page.number, text))
                if len(found) == MOST_CUT_TEXTS:
                    return found
    return found


def _texts(items: Sequence[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item, TextLine):
            yield item.text
        elif isinstance(item, TextBlock):
            yield from (line.text for line in item.lines())
        elif isinstance(item, Group):
            yield from _texts(item.items)


def _undeclared(content: Content) -> Iterator[Finding]:
    """Yield names that are only used; of an object or list that nobody declared, that one alone."""
    told: tuple[str, ...] = ()
    for path, variable in _variables(content.typed_variables):
        if variable.inferred and not path.startswith(told):
            told = (*told, f"{path}.")
            text = f"“{path}” is used but not declared: any data passes, and without it nothing prints"
            yield Finding("warning", text, f"variables.{path}")


def _unknown_names(samples: Sequence[Sample], known: set[str]) -> Iterator[Finding]:
    for sample in samples:
        for name in sample.data:
            if name not in known and name not in _DOCUMENT_SOURCES:
                text = f"the sample gives “{name}”, which the template does not use"
                yield Finding("warning", text, f"data.{name}", sample.name)


def _breaks_callers(live: Content, content: Content) -> Iterator[Finding]:
    """Yield what programs that call the live template would trip over."""
    for format in live.formats:
        if format not in content.formats:
            yield Finding("warning", f"{format} is switched off: requests for it will be refused", "formats")
    try:
        before = dict(_variables(live.typed_variables))
    except BrokenContent:
        return  # no caller gets anything out of it today
    for path, variable in _variables(content.typed_variables):
        old = before.get(path)
        field = f"variables.{path}"
        if variable.value is not None or variable.inferred:
            continue
        if variable.required and (old is None or not old.required or old.inferred):
            text = f"“{path}” becomes required: requests without it will be refused"
            yield Finding("warning", text, field)
        if old is not None and not old.inferred and old.type != variable.type and old.value is None:
            text = f"“{path}” was {old.type} and becomes {variable.type}: other values will be refused"
            yield Finding("warning", text, field)


def _variables(variables: Sequence[Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for variable in variables:
        path = f"{prefix}{variable.name}"
        yield path, variable
        yield from _variables(variable.fields or (), f"{path}.")


def _merged(found: Sequence[Finding]) -> list[Finding]:
    """Name what goes wrong in every format, or with every sample, once."""
    seen: dict[tuple[str, str, str], Finding] = {}
    for finding in found:
        mark = finding.level, finding.text, finding.field
        first = seen.setdefault(mark, finding)
        if first != finding:
            seen[mark] = Finding(
                *mark,
                sample=first.sample if first.sample == finding.sample else "",
                format=first.format if first.format == finding.format else "",
            )
    return list(seen.values())
