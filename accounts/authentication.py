"""The guards of an API request in the contract's order, and their OpenAPI schemes.

Order and texts: CONTRACT.md "Authentication", specification sections 5 and 7. Refusals are ApiErrors,
which `config.api.failures.handle_exception` renders.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from cryptography.fernet import InvalidToken
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from accounts import errors
from accounts.caller import Caller
from accounts.credentials import PUBLIC_KEY_PREFIX
from accounts.models import Organization
from accounts.public_key import InvalidOrigin, is_allowed, is_user_hash, origin_host
from config.api.ids import is_storable

if TYPE_CHECKING:  # DRF imports this module while it is still loading its views
    from drf_spectacular.openapi import AutoSchema


logger = logging.getLogger(__name__)


class ApiKeyAuthentication(BaseAuthentication):
    """Turn the `x-api-key` header into a Caller, kept in `request.auth`; there is no `request.user`."""

    def authenticate(self, request: Request) -> tuple[None, Caller]:
        """Return the caller; raises ApiError 401, or 400 for a signed user id that cannot be stored."""
        key = header(request, "x-api-key")
        if not key:
            raise errors.missing_api_key()
        organization = Organization.objects.for_api_key(key)
        if organization is None:
            raise errors.invalid_api_key()
        if not key.startswith(PUBLIC_KEY_PREFIX.encode()):
            return None, Caller(organization, False, None, organization.secret_key_digest)
        check_origin(request, organization)
        user_id = end_user(request, organization)
        return None, Caller(organization, True, user_id, organization.public_key_digest)


def check_origin(request: Request, organization: Organization) -> None:
    """Raise ApiError 401 unless the request comes from a page on an allowed domain."""
    origin = header(request, "origin") or header(request, "referer")
    if not origin:
        raise errors.origin_required()
    try:
        host = origin_host(as_text(origin))
    except InvalidOrigin:
        raise errors.invalid_origin() from None
    if not is_allowed(host, organization.allowed_domains):
        raise errors.domain_not_allowed(host)


def end_user(request: Request, organization: Organization) -> str:
    """Return the signed end-user id; raises ApiError 401 unless it is there and its hash verifies."""
    raw_id, user_hash = header(request, "x-user-id"), header(request, "x-user-hash")
    if not raw_id or not user_hash:
        raise errors.user_required()
    user_id = as_text(raw_id)
    if not is_user_hash(user_hash, user_id=user_id, signing_secret=_signing_secret(organization)):
        raise errors.invalid_user_hash()
    if not is_storable(user_id):
        raise errors.invalid_user_id()
    return user_id


def _signing_secret(organization: Organization) -> str:
    """Return what end-user ids are signed with; raises ApiError 503 where no key of this server reads it."""
    try:
        return organization.signing_secret
    except InvalidToken:
        logger.error(
            "No key in CREDENTIALS_KEYS reads the signing secret of %s: put the earlier key back behind the "
            "others and run rotate_encryption, or rotate the organization's credentials",
            organization.pk,
        )
        raise errors.signing_secret_unreadable() from None


def header(request: Request, name: str) -> bytes:
    """Return the bytes of a header as they were sent, without surrounding blanks; empty when absent.

    WSGI hands bytes over as Latin-1. Blanks are cut from the bytes: cutting them from the text would
    take the last byte of a UTF-8 `à` for a no-break space.
    """
    value = request.META.get(f"HTTP_{name.upper().replace('-', '_')}", "")
    try:
        raw = value.encode("latin-1")
    except UnicodeEncodeError:
        raw = value.encode("utf-8", "backslashreplace")
    return raw.strip(b" \t")


def as_text(raw: bytes) -> str:
    """Decode a header value: UTF-8, or Latin-1 where it is not."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


class ApiKeyScheme(OpenApiAuthenticationExtension):
    """Describe both keys: the secret one alone, or the public one with its end user."""

    target_class = "accounts.authentication.ApiKeyAuthentication"
    name = ["secretKey", "publicKey", "endUserId", "endUserHash"]

    def get_security_requirement(self, auto_schema: AutoSchema) -> list[dict[str, list[Any]]]:
        """Return the two ways to call."""
        return [{"secretKey": []}, {"publicKey": [], "endUserId": [], "endUserHash": []}]

    def get_security_definition(self, auto_schema: AutoSchema) -> list[dict[str, Any]]:
        """Return the headers, in the order of `name`."""
        return [
            _header_scheme(
                "x-api-key",
                "Secret key (`sk_live_`), for servers only: full access to the organization.",
            ),
            _header_scheme(
                "x-api-key",
                "Public key (`pk_live_`), for browsers: limited to one end user. The page's Origin "
                "(or Referer) must be on one of the organization's allowed domains or a subdomain of one.",
            ),
            _header_scheme("x-user-id", "With a public key: the id of the end user, at most 255 characters."),
            _header_scheme(
                "x-user-hash",
                "With a public key: HMAC-SHA256 of the UTF-8 bytes of `x-user-id`, keyed with the whole "
                "signing secret (`ss_live_` included), as lower-case hex. Compute it on your server.",
            ),
        ]


def _header_scheme(name: str, description: str) -> dict[str, Any]:
    return {"type": "apiKey", "in": "header", "name": name, "description": description}
