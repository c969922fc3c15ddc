"""Managers of accounts: users by e-mail, organizations by key."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import BaseUserManager
from django.db import models

from accounts.credentials import PUBLIC_KEY_PREFIX, SECRET_KEY_PREFIX, possible_digests
from config.statements import Lookup

if TYPE_CHECKING:
    from accounts.models import Organization, User

KEY_FIELDS = {
    SECRET_KEY_PREFIX.encode(): "secret_key_digest",
    PUBLIC_KEY_PREFIX.encode(): "public_key_digest",
}


class UserManager(BaseUserManager["User"]):
    """Users are named by their e-mail address, in lower case."""

    @classmethod
    def normalize_email(cls, email: str | None) -> str:
        """Return the address as it is stored and looked up."""
        return (email or "").strip().lower()

    def get_by_natural_key(self, username: str | None) -> User:
        """Return the user who logs in with this address, however it is capitalised."""
        return self.get(email=self.normalize_email(username))

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Create a user; without a password nobody can log in. Raises ValueError without an address."""
        address = self.normalize_email(email)
        if not address:
            raise ValueError("An e-mail address is required")
        user = self.model(email=address, **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Create a user who may do everything in the admin."""
        return self.create_user(email, password, **fields | {"is_staff": True, "is_superuser": True})


class OrganizationQuerySet(models.QuerySet["Organization"]):
    """Organizations, found by their keys, and locked."""

    def for_api_key(self, key: bytes) -> Organization | None:
        """Return the organization that a key of either type names, in at most one query.

        The prefix tells the type; the digest is the look-up and is compared again in constant time. One that
        was made with an earlier one of CREDENTIALS_KEYS is replaced, with a second query.
        """
        column = KEY_FIELDS.get(key[: len(SECRET_KEY_PREFIX)])
        if column is None:
            return None
        digests = possible_digests(key)
        organization = _by_digest[column].first(*digests)
        if organization is None:
            return None
        stored = getattr(organization, column)
        matches = [hmac.compare_digest(stored, each) for each in digests]
        if not any(matches):
            return None
        if not matches[0]:
            self.filter(pk=organization.pk, **{column: stored}).update(**{column: digests[0]})
            setattr(organization, column, digests[0])
        return organization

    def locked(self, pk: str) -> Organization:
        """Return an organization under its lock until the transaction ends; raises DoesNotExist.

        The lock is not against new rows that refer to it: documents are stored meanwhile.
        """
        return self.select_for_update(no_key=True).get(pk=pk)


def _lookup(column: str) -> Lookup[Organization]:
    def compose(*digests: str) -> models.QuerySet[Organization]:
        from accounts.models import Organization

        return Organization.objects.filter(**{f"{column}__in": digests})

    return Lookup(compose)


_by_digest = {column: _lookup(column) for column in KEY_FIELDS.values()}
