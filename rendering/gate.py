"""The publish gate: what would go wrong if this content were live.

Before a template is published, or a published one saved, every sample is rendered once in every format, all
of them within the time of one render. Errors stop the publication; warnings are for the author to judge.
Nothing is stored and nothing counted.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import product
from typing import Any, Final, Literal

from accounts.models import Organization
from config.api.errors import ApiError
from rendering import engine
from rendering.formats.base import Limits
from rendering.formats.pdf.layout.cuts import CutTexts
from rendering.preview import content_of, preview
from templates_app.content import BrokenContent, BrokenExpression, Content

MOST_NAMES: Final = 8  # undeclared ones that are named
ALIKE: Final = 0.8  # from here on a name that nobody declared may be a declared one, misspelt
_DOCUMENT_SOURCES: Final = frozenset({"page", "document", "now", "today"})

Level = Literal["error", "warning"]


@dataclass(frozen=True)
class Sample:
    """Data to try a template with; `name` is what the author calls it.

    `is_made_up`: nobody gave it, so what goes wrong with it may be its own fault and only warns.
    """

    name: str
    data: dict[str, Any]
    is_made_up: bool = False


@dataclass(frozen=True)
class _Attempt:
    """One of the renders: its format, and the limits that all of them share."""

    format: str
    limits: Limits

    @property
    def is_late(self) -> bool:
        """Tell whether the time of all renders is over."""
        return time.monotonic() > self.limits.deadline


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong (`error`) or looks wrong (`warning`), as a sentence without its full stop.

    `field` is its path in the content (`sections[2].columns[0].key`) or in the data (`data.total`), where
    there is one; `sample` and `format` say which render showed it, empty for what holds for all. `code` names
    what pages have more to say about: `undeclared`, names that are used and not declared.
    """

    level: Level
    text: str
    field: str = ""
    sample: str = ""
    format: str = ""
    code: str = ""


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
    found += _all_tried(organization, body, samples, content.formats)
    found += _empty(content.sections, "sections")
    found += _empty(content.page, "page")
    undeclared = _undeclared(content)
    misspelt = dict(_misspelt(content, undeclared))
    found += misspelt.values()
    # To declare those would make the slip one for good.
    found += _told([name for name in undeclared if name not in misspelt])
    found += _unknown_names(samples, {variable.name for variable in typed})
    if live is not None:
        found += _breaks_callers(live, content)
    return sorted(_merged(found), key=lambda finding: finding.level != "error")


def _all_tried(
    organization: Organization, body: Mapping[str, Any], samples: Sequence[Sample], formats: Sequence[str]
) -> list[Finding]:
    """Render every sample in every format; what is not reached in the time of one render is only told."""
    limits = engine.limits_from_now()
    found: list[Finding] = []
    for number, (format, sample) in enumerate(product(formats, samples)):
        attempt = _Attempt(format, limits)
        tried = [] if attempt.is_late else _tried(organization, body, sample, attempt)
        # The first render had all the time that there is: that it takes longer is its own fault.
        if number and attempt.is_late:
            text = (
                f"not every sample could be tried: all together take longer than {limits.seconds} seconds "
                "(RENDER_TIMEOUT)"
            )
            return [*found, Finding("warning", text)]
        found += tried
    return found


def _refused(error: ApiError, sample: str = "", format: str = "") -> list[Finding]:
    if not error.errors:
        return [Finding("error", error.message, "", sample, format)]
    return [
        Finding("error", f"{field}: {text}", field, sample, format) for field, text in error.errors.items()
    ]


def _tried(
    organization: Organization, body: Mapping[str, Any], sample: Sample, attempt: _Attempt
) -> list[Finding]:
    """Render one sample in one format."""
    cut = CutTexts((sample.data, body.get("sections"), body.get("page")))
    try:
        preview(
            organization=organization,
            body=body,
            data=sample.data,
            format=attempt.format,
            limits=attempt.limits,
            watcher=cut,
        )
    except ApiError as error:
        found = _refused(error, sample.name, attempt.format)
        # Data that nobody gave is no reason to refuse: a made-up code may be none that scanners read.
        return [replace(each, level="warning") for each in found] if sample.is_made_up else found
    return [
        Finding("warning", f"text is cut off on page {page}: “{text}”", "", sample.name, attempt.format)
        for page, text in cut.found
    ]


def _empty(value: Any, place: str) -> Iterator[Finding]:
    """Yield the texts and headings within `value` in which nothing is written: begun, and forgotten."""
    if isinstance(value, list):
        for index, entry in enumerate(value):
            yield from _empty(entry, f"{place}[{index}]")
    elif isinstance(value, dict):
        if value.get("type") in {"text", "heading"} and not value["content"].strip():
            field = f"{place}.content"
            yield Finding("warning", f"{field}: nothing is written here, so that it prints nothing", field)
        for name, child in value.items():
            yield from _empty(child, f"{place}.{name}")


def _undeclared(content: Content) -> list[str]:
    """Return the names that are only used, with dots; an undeclared object or list stands for its own."""
    names: list[str] = []
    for path, variable in _variables(content.typed_variables):
        if variable.inferred and not path.startswith(tuple(f"{name}." for name in names)):
            names.append(path)
    return names


def _told(names: Sequence[str]) -> Iterator[Finding]:
    """Yield one finding for all undeclared names."""
    if len(names) == 1:
        text = f"“{names[0]}” is used but not declared: any data passes, and without it nothing prints"
        yield Finding("warning", text, f"variables.{names[0]}", code="undeclared")
    elif names:
        shown = [f"“{name}”" for name in names[:MOST_NAMES]]
        rest = f"{len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else shown.pop()
        text = f"{', '.join(shown)} and {rest} are used but not declared"
        text += ": any data passes, and without it nothing prints"
        yield Finding("warning", text, "variables", code="undeclared")


def _misspelt(content: Content, names: Sequence[str]) -> Iterator[tuple[str, Finding]]:
    """Yield the undeclared names that are very like a declared one, with what is told where they stand."""
    declared = [path for path, variable in _variables(content.typed_variables) if not variable.inferred]
    for name in names[:MOST_NAMES]:
        around = name.rpartition(".")[0]
        siblings = {path.lower(): path for path in declared if path.rpartition(".")[0] == around}
        for close in get_close_matches(name.lower(), siblings, n=1, cutoff=ALIKE):
            # line_1 beside line_2 is meant as it is.
            if _letters(close) == _letters(name.lower()) and close != name.lower():
                continue
            meant = siblings[close]
            field = _first_use(name, content.sections, "sections") or _first_use(name, content.page, "page")
            field = field or f"variables.{name}"
            text = f"“{name}” may be a misspelt “{meant}”: only the latter is declared"
            yield name, Finding("warning", f"{field}: {text}", field)


def _letters(name: str) -> str:
    return re.sub(r"\d", "", name)


def _first_use(name: str, value: Any, place: str) -> str:
    """Return the place of the first text within `value` that shows a name, empty where none does."""
    if isinstance(value, str):
        return place if re.search(rf"\{{\{{{re.escape(name)}[.|}}]", value) else ""
    inner: Iterable[tuple[str, Any]] = ()
    if isinstance(value, list):
        inner = ((f"{place}[{index}]", entry) for index, entry in enumerate(value))
    elif isinstance(value, dict):
        inner = ((f"{place}.{key}", entry) for key, entry in value.items())
    return next(filter(None, (_first_use(name, entry, where) for where, entry in inner)), "")


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
            seen[mark] = replace(
                first,
                sample=first.sample if first.sample == finding.sample else "",
                format=first.format if first.format == finding.format else "",
            )
    return list(seen.values())
