"""Who the key of a request stands for."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from rest_framework.request import Request

from accounts.models import Organization


@dataclass(frozen=True)
class Caller:
    """An organization's server (secret key) or one of its end users (public key).

    `user_id` is the end user, None for a secret key. `credential` is the digest of the key and names
    its rate-limit bucket.
    """

    organization: Organization
    is_public: bool
    user_id: str | None
    credential: str

    @property
    def idempotency_scope(self) -> str:
        """Whose Idempotency-Key it is: the organization's servers together, or one end user.

        At most 80 ASCII characters. A rotation keeps it, so that a retry under the new secret key still
        finds its first result.
        """
        if self.user_id is None:
            return f"{self.organization.pk}:secret"
        return f"{self.organization.pk}:user:{hashlib.sha256(self.user_id.encode()).hexdigest()[:32]}"

    @property
    def author(self) -> str:
        """How changes made with this key are signed: `api` for a secret key, else the end user."""
        return "api" if self.user_id is None else f"user:{self.user_id}"


def caller_of(request: Request) -> Caller:
    """Return the caller that authentication left on the request."""
    caller = request.auth
    assert isinstance(caller, Caller), "the endpoint has no ApiKeyAuthentication"
    return caller
