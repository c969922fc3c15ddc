"""The audit log: `record` is called in the transaction of each change, by the function that makes it.

Nobody deletes an entry, but for `purge_entries`, which forgets those that are older than AUDIT_LOG_DAYS.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings

from accounts.actors import is_end_user
from accounts.models import AuditEntry, Organization, User
from config.housekeeping import IsOver, never

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
_CHUNK = 500


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


def purge_entries(now: datetime, *, dry_run: bool = False, is_over: IsOver = never) -> int:
    """Delete the entries of all organizations that are older than AUDIT_LOG_DAYS at `now`.

    Returns how many there were, with `dry_run` how many would go. Deletes them in small transactions, until
    `is_over` says that the time for it is. Without AUDIT_LOG_DAYS nothing is too old.
    """
    if settings.AUDIT_LOG_DAYS is None:
        return 0
    cutoff = now - timedelta(days=settings.AUDIT_LOG_DAYS)
    if dry_run:
        return AuditEntry.objects.filter(at__lt=cutoff).count()
    deleted = 0
    while pks := _oldest(cutoff):
        deleted += AuditEntry.objects.filter(pk__in=pks).delete()[0]
        if is_over():
            break
    return deleted


def _oldest(cutoff: datetime) -> list[int]:
    """Return those of the first entries that are from before `cutoff`: `at` has no index, and ids grow."""
    first = AuditEntry.objects.order_by("pk").values_list("pk", "at")[:_CHUNK]
    return [pk for pk, at in first if at < cutoff]


def _person(actor: str) -> User | None:
    """Return the account behind an address."""
    if "@" not in actor or is_end_user(actor):
        return None
    return User.objects.filter(email=actor).first()
