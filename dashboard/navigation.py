"""What the side bar and the settings offer: tables that pages enter, in the order of the screen.

An entry whose address no area serves, or that the member's role may not open, is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from django.urls import NoReverseMatch, reverse

from accounts.models import Membership


@dataclass(frozen=True)
class Entry:
    """One link: `name` is the URL name within `dashboard`, also what a page gives as its `area`."""

    name: str
    label: str
    icon: str = ""
    role: str = Membership.Role.VIEWER


@dataclass(frozen=True)
class Link:
    """An entry as a page shows it."""

    name: str
    label: str
    icon: str
    url: str


MAIN: Final = (
    Entry("templates", "Templates", "layout-template"),
    Entry("documents", "Documents", "files"),
    Entry("playground", "Playground", "play"),
    Entry("usage", "Usage", "chart-column"),
    Entry("assets", "Assets", "image"),
    Entry("settings", "Settings", "settings"),
)

SETTINGS: Final = (
    Entry("settings", "General"),
    Entry("members", "Members"),
    Entry("keys", "API keys", role=Membership.Role.EDITOR),
    Entry("domains", "Allowed domains"),
    Entry("webhooks", "Webhooks", role=Membership.Role.EDITOR),
    Entry("retention", "Retention"),
    Entry("audit", "Audit log", role=Membership.Role.OWNER),
)


def links(entries: Iterable[Entry], membership: Membership) -> Iterator[Link]:
    """Yield the entries that a member may open."""
    for entry in entries:
        if not membership.may(entry.role):
            continue
        try:
            url = reverse(f"dashboard:{entry.name}", args=[membership.organization_id])
        except NoReverseMatch:
            continue
        yield Link(entry.name, entry.label, entry.icon, url)


def landing(membership: Membership) -> str:
    """Return the address of the page that an organization opens with."""
    return next(links(MAIN, membership)).url
