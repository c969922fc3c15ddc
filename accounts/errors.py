"""The refusals of authentication and of the account endpoints; texts of specification section 7."""

from __future__ import annotations

from config.api.errors import ApiError, invalid
from config.outages import Unavailable

SECRET_KEY_REQUIRED = "Secret key required to rotate credentials"  # noqa: S105 (a text)


def missing_api_key() -> ApiError:
    """Return the 401 of a request without a key."""
    return ApiError(401, "Missing x-api-key header")


def invalid_api_key() -> ApiError:
    """Return the 401 of a key that is unknown, mistyped or rotated away."""
    return ApiError(401, "Invalid API key")


def origin_required() -> ApiError:
    """Return the 401 of a public key that comes from no browser page."""
    return ApiError(401, "Public key requires Origin header")


def invalid_origin() -> ApiError:
    """Return the 401 of an Origin or Referer that is no absolute http(s) URL with a host."""
    return ApiError(401, "Invalid Origin header")


def domain_not_allowed(hostname: str) -> ApiError:
    """Return the 401 of a page whose host is not among the allowed domains."""
    return ApiError(401, f"Domain {hostname} is not in allowedDomains")


def user_required() -> ApiError:
    """Return the 401 of a public key without its end user."""
    return ApiError(401, "Public key requires x-user-id and x-user-hash headers")


def invalid_user_hash() -> ApiError:
    """Return the 401 of a user hash that does not verify."""
    return ApiError(401, "Invalid x-user-hash")


def invalid_user_id() -> ApiError:
    """Return the 400 of a rightly signed user id that cannot be stored."""
    return invalid({"x-user-id": "must be printable text of at most 255 characters"})


def secret_key_required() -> ApiError:
    """Return the 403 of a rotation asked for with a public key."""
    return ApiError(403, SECRET_KEY_REQUIRED)


def rate_limit_unavailable() -> ApiError:
    """Return the 503 while requests cannot be counted: the limit fails closed."""
    return Unavailable("cache")


def signing_secret_unreadable() -> ApiError:
    """Return the 503 where the operator has dropped the key that an organization's signing secret needs."""
    return ApiError(503, "The signing secret cannot be read; the operator of this service has to act")
