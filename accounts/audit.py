"""The audit log: `record` is called in the transaction of each change, by the function that makes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from accounts.models import AuditEntry, Organization, User

SYSTEM = "system"
# First part of an action -> what filters call it.
AREAS: Final = (
    ("template", "Templates"),
    ("keys", "API keys"),
    ("domains", "Allowed domains"),
    ("member", "Members"),
    ("webhook", "Webhooks"),
    ("asset", "Assets"),
    ("retention", "Retention"),
    ("organization", "Organization"),
)

_MAX_NAME = 255


def record(
    organization: Organization | str,
    actor: str,
    action: str,
    *,
    object_type: str = "",
    object_id: str = "",
    object_name: str = "",
    detail: Mapping[str, Any] | None = None,
) -> AuditEntry:
    """Write one entry for an organization (or its id) and return it.

    `actor` is the e-mail address of a person, `api` or `user:<id>` (`Caller.author`), or `system`. `action`
    is dotted, the area first: `template.updated`, `keys.rotated`. `detail` holds small JSON values that say
    what changed; never a key, a password or a caller's data.
    """
    return AuditEntry.objects.create(
        organization_id=organization if isinstance(organization, str) else organization.pk,
        actor=actor,
        actor_user=_person(actor),
        action=action,
        object_type=object_type,
        object_id=object_id,
        object_name=object_name[:_MAX_NAME],
        detail=dict(detail or {}),
    )


def actor_in_words(actor: str) -> str:
    """Return in words who did something, from the text that `Caller.author` signs it with."""
    if actor == "api":
        return "A server (secret key)"
    if actor.startswith("user:"):
        return f"End user {actor.removeprefix('user:')} (public key)"
    return "This service" if actor == SYSTEM else actor


def _person(actor: str) -> User | None:
    """Return the account behind an address; an end user's id may look like one and is none."""
    if "@" not in actor or actor.startswith("user:"):
        return None
    return User.objects.filter(email=actor).first()
