"""The publish gate as pages and editor use it: what a change would do, and what was accepted of it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from dashboard.editor.samples import MADE_UP, shown_data
from dashboard.pages import whole_number
from rendering.gate import Finding, Sample, findings
from rendering.preview import variables_of
from templates_app.models import Template
from templates_app.places import path_of, place_of
from templates_app.samples import samples_of

FORMAT_NAMES: Final = {"pdf": "PDF", "xlsx": "XLSX"}


@dataclass(frozen=True)
class Line:
    """A finding as a page shows it: `place` in words, and the text without it."""

    level: str
    place: str
    text: str
    field: str
    sample: str


@dataclass(frozen=True)
class Group:
    """Findings of one render; `title` says which."""

    title: str
    lines: Sequence[Line]


@dataclass(frozen=True)
class Verdict:
    """What the gate found. Errors stop; warnings are to be accepted, by the `token` that stands for them."""

    findings: Sequence[Finding]
    body: Mapping[str, Any] = field(default_factory=dict)  # what it is about

    @property
    def errors(self) -> list[Finding]:
        """What stops a publication."""
        return [finding for finding in self.findings if finding.level == "error"]

    @property
    def warnings(self) -> list[Finding]:
        """What is for the author to judge."""
        return [finding for finding in self.findings if finding.level == "warning"]

    @property
    def token(self) -> str:
        """Stands for these very warnings: others that appear later are asked about again."""
        told = sorted((each.text, each.field, each.sample, each.format) for each in self.warnings)
        return hashlib.sha256(repr(told).encode()).hexdigest()[:32] if told else ""

    def lets_pass(self, accepted: str) -> bool:
        """Tell whether nothing is in the way, given the token of the warnings that the author accepted."""
        return not self.errors and self.token in {"", accepted}

    @property
    def groups(self) -> list[Group]:
        """The findings by the render that showed them; first those of every render."""
        found: dict[tuple[str, str], list[Line]] = {}
        for finding in self.findings:
            found.setdefault((finding.sample, finding.format), []).append(_line(finding, self.body))
        return [Group(_title(*key), found[key]) for key in sorted(found)]

    def as_json(self) -> dict[str, Any]:
        """Return what the editor is told."""
        told = []
        for finding in self.findings:
            line = _line(finding, self.body)
            told.append(
                {
                    "level": finding.level,
                    "place": line.place,
                    "message": line.text,
                    "field": finding.field,
                    "sample": finding.sample,
                    "format": finding.format,
                    "code": finding.code,
                }
            )
        return {"findings": told, "token": self.token, "stops": bool(self.errors)}


def seen_version(form: Mapping[str, str]) -> int:
    """Return the `version` of a form, which its page showed; one that is none cannot be the present one."""
    number = whole_number(form.get("version", ""))
    return -1 if number is None else number


def judge(
    template: Template,
    *,
    body: Mapping[str, Any] | None = None,
    samples: Sequence[Mapping[str, Any]] | None = None,
) -> Verdict:
    """Render what a template would become with all of its samples, in all of its formats.

    `body` (of an update) and `samples` (`{name, data}`) are what is to be stored; None stands for what is.
    A published template is compared with what its callers use now.
    """
    whole = template.body() | dict(body or {})
    named = samples if isinstance(samples, list) else samples_of(template)
    return Verdict(
        findings(
            organization=template.organization,
            body=whole,
            samples=_samples(whole, named),
            live=template.content() if template.status == Template.Status.PUBLISHED else None,
        ),
        whole,
    )


def _samples(body: Mapping[str, Any], named: Sequence[Mapping[str, Any]]) -> list[Sample]:
    """Return what is tried out: the content's own sample and the named ones, else data that is made up."""
    own = body.get("sampleData") or {}
    found = [Sample(str(sample["name"]), sample["data"]) for sample in named if _is_sample(sample)]
    if own or not found:
        shown = shown_data(own, variables_of(body))
        found.insert(0, Sample(shown.name, shown.data, is_made_up=shown.is_made_up))
    return found


def _is_sample(sample: Any) -> bool:
    """Leave out what saving will refuse anyway."""
    return isinstance(sample, dict) and isinstance(sample.get("data"), dict) and "name" in sample


def _line(finding: Finding, body: Mapping[str, Any]) -> Line:
    text = finding.text.removeprefix(f"{finding.field}: ") if finding.field else finding.text
    return Line(
        finding.level,
        place_in(body, finding.field) if text != finding.text else "",
        text if text != finding.text else text[:1].upper() + text[1:],
        finding.field,
        finding.sample,
    )


def place_in(body: Mapping[str, Any], field: str) -> str:
    """Return a path in words: `Key of column Price of section 3 (table items)`; data by its own names."""
    if field.startswith("data."):
        return f"Sample data, {field.removeprefix('data.')}"
    words = place_of(body, path_of(field))
    return words[:1].upper() + words[1:]


def _title(sample: str, format: str) -> str:
    name = FORMAT_NAMES.get(format, format.upper())
    if sample == MADE_UP:
        return f"With example data generated from the variables{f', as {name}' if format else ''}"
    if sample and format:
        return f"With the sample “{sample}”, as {name}"
    if sample:
        return f"With the sample “{sample}”"
    return f"With every sample, as {name}" if format else "In general"
