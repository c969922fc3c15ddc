"""Entries of the audit log in words: a sentence per action, its details behind it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from accounts.actors import API, SYSTEM, actor_in_words, end_user, is_end_user
from accounts.models import AuditEntry

Detail = Mapping[str, Any]


def _domains(detail: Detail) -> str:
    before, after = detail.get("before") or [], detail.get("after") or []
    added = [f"added {each}" for each in after if each not in before]
    removed = [f"removed {each}" for each in before if each not in after]
    return ", ".join(added + removed) or "changed the order"


def _fields(detail: Detail) -> str:
    changed = [str(each).replace("_", " ") for each in detail.get("changed", [])]
    version = f"version {detail['version']}" if "version" in detail else ""
    return ": ".join(part for part in (version, ", ".join(changed)) if part)


def _days(value: Any) -> str:
    return f"{value} days" if value else "forever"


def _from_to(detail: Detail) -> str:
    before = f"from {detail['before']} " if "before" in detail else ""
    return f"{before}to {detail.get('after')}"


def _role(detail: Detail) -> str:
    return f"as {detail['role']}" if "role" in detail else ""


# Action -> the verb that stands before the object, and its details in words.
_WORDS: Final[dict[str, tuple[str, Callable[[Detail], str]]]] = {
    "organization.created": ("created the organization", lambda detail: ""),
    "organization.renamed": ("renamed the organization", _from_to),
    "keys.rotated": ("rotated the keys", lambda detail: ""),
    "domains.changed": ("changed the allowed domains", _domains),
    "retention.changed": (
        "changed the retention",
        lambda detail: f"from {_days(detail.get('before'))} to {_days(detail.get('after'))}",
    ),
    "member.invited": ("invited", _role),
    "member.invited_again": ("invited again", _role),
    "member.invitation_revoked": ("revoked the invitation of", lambda detail: ""),
    "member.joined": ("joined", _role),
    "member.added": ("added", _role),
    "member.removed": ("removed", lambda detail: f"was {detail['role']}" if "role" in detail else ""),
    "member.role_changed": ("changed the role of", _from_to),
    "template.created": ("created the template", lambda detail: ""),
    "template.updated": ("changed the template", _fields),
    "template.published": ("published the template", _fields),
    "template.archived": ("archived the template", lambda detail: ""),
    "asset.uploaded": ("uploaded", lambda detail: ""),
    "asset.renamed": ("renamed", _from_to),
    "asset.deleted": ("deleted the asset", lambda detail: ""),
    "webhook.created": ("created the webhook", lambda detail: ""),
    "webhook.updated": ("changed the webhook", _fields),
    "webhook.deleted": ("deleted the webhook", lambda detail: ""),
    "webhook.secret_rotated": ("replaced the secret of the webhook", lambda detail: ""),
    "webhook.disabled": ("gave up on the webhook", lambda detail: ""),
    "webhook.replayed": ("sent a delivery again to", lambda detail: ""),
}
# The object is the organization itself, or the actor: naming it again says nothing.
_WITHOUT_OBJECT: Final = {"organization.renamed", "keys.rotated", "domains.changed", "retention.changed"}


# Who is no person and no end user: as the log stores them, by what its pages call them, in lower case.
_SERVICES: Final = {name: name for name in (API, SYSTEM)} | {
    actor_in_words(name).lower(): name for name in (API, SYSTEM)
}
_END_USER: Final = re.compile(r"End user (.+) \(public key\)")


def actors_for(text: str) -> set[str]:
    """Return whom a text may stand for, as the log stores them: an address, an id, or what pages call them.

    Addresses are stored in lower case; end users' ids are theirs, and keep their letters.
    """
    if text.lower() in _SERVICES:
        return {_SERVICES[text.lower()]}
    if is_end_user(text):
        return {text}
    if told := _END_USER.fullmatch(text):
        return {end_user(told[1])}
    return {text.lower(), end_user(text)} if "@" in text else {end_user(text)}


def describe(entry: AuditEntry) -> dict[str, str]:
    """Return an entry as `actor`, `verb`, `object` and `detail`; an action not listed is named as it is."""
    verb, details = _WORDS.get(entry.action, (entry.action.replace(".", " ").replace("_", " "), _fields))
    named = entry.action not in _WITHOUT_OBJECT and entry.action != "member.joined"
    return {
        "actor": actor_in_words(entry.actor),
        "verb": verb,
        "object": (entry.object_name or entry.object_id) if named else "",
        "detail": details(entry.detail),
    }
