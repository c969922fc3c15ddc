"""Who the key of a request stands for."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from rest_framework.request import Request

from accounts.actors import API, ORGANIZATION, end_user
from accounts.models import Organization, User


@dataclass(frozen=True)
class Caller:
    """An organization's server (secret key), one of its end users (public key) or one of its members.

    `user_id` is the end user, None for a secret key and a member. `credential` is the digest of the key and
    names its rate-limit bucket; a member has no key and `member:<id>` instead. `member` is the member's
    address.
    """

    organization: Organization
    is_public: bool
    user_id: str | None
    credential: str
    member: str | None = None

    @property
    def idempotency_scope(self) -> str:
        """Whose Idempotency-Key it is: the organization's servers together, or one end user.

        At most 80 ASCII characters. A rotation keeps it, so that a retry under the new secret key still
        finds its first result.
        """
        if self.member is not None:
            return f"{self.organization.pk}:{self.credential}"
        if self.user_id is None:
            return f"{self.organization.pk}:secret"
        return f"{self.organization.pk}:user:{hashlib.sha256(self.user_id.encode()).hexdigest()[:32]}"

    @property
    def author(self) -> str:
        """How the caller's changes are signed: a member's address, `api` for a secret key, or `user:<id>`."""
        if self.member is not None:
            return self.member
        return API if self.user_id is None else end_user(self.user_id)

    def author_as_told(self, author: str) -> str:
        """Return who signed a change, as the caller may know it.

        An end user learns neither a member's address nor another end user's id: both are `organization`.
        """
        return author if not self.is_public or author in {self.author, API} else ORGANIZATION


def member_caller(organization: Organization, user: User) -> Caller:
    """Return a member of the dashboard as a caller for the whole organization; roles are checked before."""
    return Caller(
        organization=organization,
        is_public=False,
        user_id=None,
        credential=f"member:{user.pk}",
        member=user.email,
    )


def caller_of(request: Request) -> Caller:
    """Return the caller that authentication left on the request."""
    caller = request.auth
    assert isinstance(caller, Caller), "the endpoint has no ApiKeyAuthentication"
    return caller
