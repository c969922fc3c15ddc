"""Create organizations, change them and replace their credentials; API, dashboard and admin run these."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from accounts import audit, errors
from accounts.actors import SYSTEM
from accounts.caller import Caller
from accounts.credentials import Credentials, make_credentials
from accounts.models import Membership, Organization, User
from accounts.public_key import normalise_domain
from accounts.webhooks.events import emit

MAX_NAME_LENGTH = 255
MAX_RETENTION_DAYS = 36_500


def normalise_name(name: str) -> str:
    """Return an organization's name without surrounding blanks; raises ValueError for an unusable one."""
    text = name.strip()
    if not text or len(text) > MAX_NAME_LENGTH or not text.isprintable():
        raise ValueError(f"the name must be printable text of 1 to {MAX_NAME_LENGTH} characters")
    return text


def normalise_domains(domains: Iterable[str]) -> list[str]:
    """Return domains normalised and without repetitions; raises ValueError for a wrong one."""
    return list(dict.fromkeys(normalise_domain(domain) for domain in domains))


def normalise_retention(days: int | None) -> int | None:
    """Return days after which documents are deleted, None for never; raises ValueError outside 1 to 36500."""
    if days is not None and not 1 <= days <= MAX_RETENTION_DAYS:
        raise ValueError(f"must be between 1 and {MAX_RETENTION_DAYS} days")
    return days


@transaction.atomic
def create_organization(
    *,
    name: str,
    allowed_domains: Iterable[str] = (),
    owner: User | None = None,
    actor: str = SYSTEM,
) -> tuple[Organization, Credentials]:
    """Create an organization; return it with its credentials, which cannot be read again.

    `owner` becomes its first member. Raises ValueError for an unusable name or domain.
    """
    credentials = make_credentials()
    organization = Organization(name=normalise_name(name), allowed_domains=normalise_domains(allowed_domains))
    organization.set_credentials(credentials)
    organization.save(force_insert=True)
    if owner is not None:
        Membership.objects.create(organization=organization, user=owner, role=Membership.Role.OWNER)
    _record(organization, actor, "organization.created")
    return organization, credentials


def rename_organization(*, organization: Organization, name: str, actor: str) -> None:
    """Give an organization another name; raises ValueError for an unusable one."""
    wanted = normalise_name(name)
    _change(organization, actor, "organization.renamed", "name", lambda _: wanted)


def change_domains(*, organization: Organization, allowed_domains: Iterable[str], actor: str) -> None:
    """Replace the domains whose pages may use the public key; raises ValueError for a wrong one."""
    wanted = normalise_domains(allowed_domains)
    _change(organization, actor, "domains.changed", "allowed_domains", lambda _: wanted)


def add_domain(*, organization: Organization, domain: str, actor: str) -> bool:
    """Allow one more domain; False when it was allowed already. Raises ValueError for a wrong one."""
    wanted = normalise_domain(domain)
    return _change(
        organization,
        actor,
        "domains.changed",
        "allowed_domains",
        lambda listed: listed if wanted in listed else [*listed, wanted],
    )


def remove_domain(*, organization: Organization, domain: str, actor: str) -> bool:
    """Allow a domain no longer; False when it was not on the list."""
    return _change(
        organization,
        actor,
        "domains.changed",
        "allowed_domains",
        lambda listed: [each for each in listed if each != domain],
    )


def change_retention(*, organization: Organization, days: int | None, actor: str) -> None:
    """Say after how many days documents are deleted, None for never; raises ValueError outside 1 to 36500."""
    wanted = normalise_retention(days)
    _change(organization, actor, "retention.changed", "retention_days", lambda _: wanted)


@transaction.atomic
def rotate_credentials(*, organization: Organization, actor: str) -> Credentials:
    """Replace all three credentials at once and return the new ones; the old ones stop at the commit.

    `organization` is changed too. Specification section 5, "Rotation".
    """
    _to_rotate().get(pk=organization.pk)
    return _replace(organization, actor)


@transaction.atomic
def rotate_credentials_of_caller(*, caller: Caller) -> Credentials:
    """Rotate for an API caller.

    Raises ApiError 403 for a public key, and 401 when another rotation replaced the caller's key since it was
    checked: of two rotations at the same moment one wins, and nobody is handed keys that are already dead.
    """
    if caller.is_public:
        raise errors.secret_key_required()
    current = _to_rotate().filter(pk=caller.organization.pk).first()
    if current is None or current.secret_key_digest != caller.credential:
        raise errors.invalid_api_key()
    return _replace(current, caller.author)


@transaction.atomic
def _change(
    organization: Organization, actor: str, action: str, field: str, changed: Callable[[Any], Any]
) -> bool:
    """Store what a field becomes from what it is, under the row's lock, and write both down.

    False where it stays what it is, and nothing is written.
    """
    before = getattr(Organization.objects.locked(organization.pk), field)
    after = changed(before)
    setattr(organization, field, after)
    if before == after:
        return False
    organization.save(update_fields=[field])
    _record(organization, actor, action, before=before, after=after)
    return True


def _to_rotate() -> QuerySet[Organization]:
    # Against new rows that refer to it too: digests are unique columns, and a change of those needs that lock
    # in PostgreSQL. To ask for it only then, on top of a weaker one, could end in a deadlock.
    return Organization.objects.select_for_update()


def _replace(organization: Organization, actor: str) -> Credentials:
    credentials = make_credentials()
    organization.set_credentials(credentials)
    organization.save(update_fields=Organization.CREDENTIAL_FIELDS)
    _record(organization, actor, "keys.rotated")
    rotated_at = organization.credentials_rotated_at
    emit(organization.pk, "credentials.rotated", {"organizationId": organization.pk, "rotatedAt": rotated_at})
    return credentials


def _record(organization: Organization, actor: str, action: str, **detail: Any) -> None:
    audit.record(
        organization,
        actor,
        action,
        object_type="organization",
        object_id=organization.pk,
        object_name=organization.name,
        detail=detail,
    )
