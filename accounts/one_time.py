"""New secrets on their way to the one page that shows them.

The page after a POST is a GET, so that a reload neither creates nor rotates again. In between, the secrets
wait in the session, encrypted like the signing secret: a stolen database does not give them away. The session
is stored in the transaction that makes them count: keys that replace others are kept to be shown, or the
others stay.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence

from cryptography.fernet import InvalidToken
from django.contrib.sessions.backends.base import SessionBase, UpdateError
from django.contrib.sessions.exceptions import SessionInterrupted

from accounts.credentials import Credentials, decrypt, encrypt

LIFETIME_SECONDS = 600


def keep_for_next_page(session: SessionBase, organization_id: str, credentials: Credentials) -> None:
    """Leave an organization's credentials for one later `take`; in the transaction that makes them."""
    keys = [credentials.public_key, credentials.secret_key, credentials.signing_secret]
    keep_secrets(session, f"new_credentials:{organization_id}", keys)


def take(session: SessionBase, organization_id: str) -> Credentials | None:
    """Return what was left for this organization and forget it; None when there is nothing (any more)."""
    keys = take_secrets(session, f"new_credentials:{organization_id}")
    return Credentials(*keys) if keys else None


def keep_secrets(session: SessionBase, name: str, secrets: Sequence[str]) -> None:
    """Leave secrets for one later `take_secrets`, at most LIFETIME_SECONDS from now.

    The session is stored at once, in the transaction that makes them. Raises SessionInterrupted, a 400, for
    one that has ended meanwhile.
    """
    session[name] = encrypt(json.dumps({"until": time.time() + LIFETIME_SECONDS, "keys": list(secrets)}))
    try:
        session.save()
    except UpdateError:
        raise SessionInterrupted("the session ended before its secrets were stored") from None
    session.modified = False


def take_secrets(session: SessionBase, name: str) -> list[str]:
    """Return what was left under a name and forget it; nothing when it is not there (any more)."""
    token = session.pop(name, None)
    if token is None:
        return []
    try:
        content = json.loads(decrypt(token))
    except InvalidToken:
        return []
    keys: list[str] = content["keys"]
    return keys if content["until"] > time.time() else []
