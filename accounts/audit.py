"""The audit log: `record` is called in the transaction of each change, by the function that makes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from accounts.actors import is_end_user
from accounts.models import AuditEntry, Organization, User

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

    `actor` signs it (`accounts.actors`). `action` is dotted, the area first: `template.updated`,
    `keys.rotated`. `detail` holds small JSON values that say what changed; never a key, a password or a
    caller's data.
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


def _person(actor: str) -> User | None:
    """Return the account behind an address."""
    if "@" not in actor or is_end_user(actor):
        return None
    return User.objects.filter(email=actor).first()
