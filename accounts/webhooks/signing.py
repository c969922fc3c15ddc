"""Signatures of the Standard Webhooks convention. Pure: no settings, no database.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

from __future__ import annotations

import base64
import hmac
import secrets
from collections.abc import Iterable

SECRET_PREFIX = "whsec_"  # noqa: S105 (a prefix)
SECRET_BYTES = 32


def make_secret() -> str:
    """Return a new secret: the prefix and 32 random bytes as base64."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def signature(secret: str, *, message_id: str, timestamp: int, body: bytes) -> str:
    """Return `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`; `timestamp` is in Unix seconds."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    signed = b".".join((message_id.encode(), str(timestamp).encode(), body))
    return "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()


def signed_headers(
    signing_secrets: Iterable[str], *, message_id: str, timestamp: int, body: bytes
) -> dict[str, str]:
    """Return the three headers of a message, with one signature for each secret that is valid now."""
    signatures = [
        signature(secret, message_id=message_id, timestamp=timestamp, body=body) for secret in signing_secrets
    ]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(signatures),
    }
