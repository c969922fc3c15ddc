"""Create organizations and replace their credentials."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from accounts import errors
from accounts.caller import Caller
from accounts.credentials import Credentials, make_credentials
from accounts.models import Organization
from accounts.public_key import normalise_domain

MAX_NAME_LENGTH = 255

__all__ = [
    "create_organization",
    "normalise_domain",
    "normalise_domains",
    "normalise_name",
    "rotate_credentials",
    "rotate_credentials_of_caller",
]


def normalise_name(name: str) -> str:
    """Return an organization's name without surrounding blanks; raises ValueError for an unusable one."""
    text = name.strip()
    if not text or len(text) > MAX_NAME_LENGTH or not text.isprintable():
        raise ValueError(f"the name must be printable text of 1 to {MAX_NAME_LENGTH} characters")
    return text


def normalise_domains(domains: Iterable[str]) -> list[str]:
    """Return domains normalised and without repetitions; raises ValueError for a wrong one."""
    return list(dict.fromkeys(normalise_domain(domain) for domain in domains))


def create_organization(
    *, name: str, allowed_domains: Iterable[str] = ()
) -> tuple[Organization, Credentials]:
    """Create an organization; return it with its credentials, which cannot be read again.

    Raises ValueError for an unusable name or domain.
    """
    credentials = make_credentials()
    organization = Organization(name=normalise_name(name), allowed_domains=normalise_domains(allowed_domains))
    organization.set_credentials(credentials)
    organization.save(force_insert=True)
    return organization, credentials


@transaction.atomic
def rotate_credentials(*, organization: Organization) -> Credentials:
    """Replace all three credentials at once and return the new ones; the old ones stop at the commit.

    `organization` is changed too. Specification section 5, "Rotation".
    """
    Organization.objects.select_for_update().get(pk=organization.pk)
    return _replace(organization)


@transaction.atomic
def rotate_credentials_of_caller(*, caller: Caller) -> Credentials:
    """Rotate for an API caller.

    Raises ApiError 403 for a public key, and 401 when another rotation replaced the caller's key since it was
    checked: of two rotations at the same moment one wins, and nobody is handed keys that are already dead.
    """
    if caller.is_public:
        raise errors.secret_key_required()
    current = Organization.objects.select_for_update().filter(pk=caller.organization.pk).first()
    if current is None or current.secret_key_digest != caller.credential:
        raise errors.invalid_api_key()
    return _replace(current)


def _replace(organization: Organization) -> Credentials:
    credentials = make_credentials()
    organization.set_credentials(credentials)
    organization.save(update_fields=Organization.CREDENTIAL_FIELDS)
    return credentials
