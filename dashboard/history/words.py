"""The changes of versions in words, kept once they were found: versions never change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.core.cache import caches

from templates_app.changes import changes_between
from templates_app.models import Template, TemplateVersion

SHOWN: Final = 4
KEPT_SECONDS: Final = 7 * 24 * 3600


@dataclass(frozen=True)
class Words:
    """The first changes of a version, and how many more there are; `is_first`: there was none before it."""

    texts: Sequence[str] = ()
    more: int = 0
    is_first: bool = False


def words_of(template: Template, versions: Iterable[int]) -> dict[int, Words]:
    """Return for each of some versions what it changed; one query at most."""
    wanted = {_key(template, version): version for version in versions}
    kept: Mapping[str, Words] = caches["derived"].get_many(wanted)
    found = {wanted[key]: words for key, words in kept.items()}
    missing = set(wanted.values()) - set(found)
    if not missing:
        return found
    entries = entries_of(template, missing | {version - 1 for version in missing})
    made = {}
    for version in missing:
        words = _words(entries.get(version - 1), entries[version])
        found[version] = made[_key(template, version)] = words
    caches["derived"].set_many(made, KEPT_SECONDS)
    return found


def _key(template: Template, version: int) -> str:
    return f"words:{template.pk}:{version}"


def entries_of(template: Template, versions: Iterable[int]) -> dict[int, TemplateVersion]:
    """Return some versions with their content, those that exist."""
    numbers = {version for version in versions if 0 < version < 2**31}
    found = {entry.version: entry for entry in template.versions.filter(version__in=numbers)}
    if template.version in numbers:
        found[template.version] = TemplateVersion.of(template)
    for entry in found.values():
        entry.template = template
    return found


def _words(before: TemplateVersion | None, after: TemplateVersion) -> Words:
    if before is None:
        return Words(is_first=True)
    changes = changes_between(before.body(), after.body())
    return Words([change.text for change in changes[:SHOWN]], max(0, len(changes) - SHOWN))
