"""New credentials on their way to the one page that shows them.

The page after a POST is a GET, so that a reload neither creates nor rotates again. In between, the
credentials wait in the session, encrypted like the signing secret: a stolen database does not give them away.
"""

from __future__ import annotations

import json
import time

from cryptography.fernet import InvalidToken
from django.contrib.sessions.backends.base import SessionBase

from accounts.credentials import Credentials, decrypt, encrypt

LIFETIME_SECONDS = 600


def keep_for_next_page(session: SessionBase, organization_id: str, credentials: Credentials) -> None:
    """Leave credentials for one later `take`, at most LIFETIME_SECONDS from now."""
    content = {
        "until": time.time() + LIFETIME_SECONDS,
        "keys": [credentials.public_key, credentials.secret_key, credentials.signing_secret],
    }
    session[_name(organization_id)] = encrypt(json.dumps(content))


def take(session: SessionBase, organization_id: str) -> Credentials | None:
    """Return what was left for this organization and forget it; None when there is nothing (any more)."""
    token = session.pop(_name(organization_id), None)
    if token is None:
        return None
    try:
        content = json.loads(decrypt(token))
    except InvalidToken:
        return None
    return Credentials(*content["keys"]) if content["until"] > time.time() else None


def _name(organization_id: str) -> str:
    return f"new_credentials:{organization_id}"
