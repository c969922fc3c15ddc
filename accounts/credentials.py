"""Credentials of an organization: make, recognise, mask, encrypt.

A stolen database gives none of them away (CONTRACT, Authentication): the two keys are kept as a
keyed digest, the signing secret, which must be read back to verify user hashes, is encrypted.
Both use CREDENTIALS_KEYS: the first protects what is written, all of them read what is stored. A new one
is put in front; `manage.py rotate_encryption` writes the secrets again, and a key's digest is replaced
when it is used next, after which the old one is dropped.
"""

from __future__ import annotations

import base64
import hmac
import secrets
import string
from dataclasses import dataclass, field
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

PUBLIC_KEY_PREFIX = "pk_live_"
SECRET_KEY_PREFIX = "sk_live_"  # noqa: S105 (a prefix)
SIGNING_SECRET_PREFIX = "ss_live_"  # noqa: S105 (a prefix)
RANDOM_LENGTH = 48
HINT_LENGTH = 4
DIGEST_LENGTH = 64

_BASE62 = string.ascii_letters + string.digits


@dataclass(frozen=True)
class Credentials:
    """The three credentials in full; they exist only at creation and rotation."""

    public_key: str = field(repr=False)
    secret_key: str = field(repr=False)
    signing_secret: str = field(repr=False)


def make_credentials() -> Credentials:
    """Return new random credentials: prefix and 48 base62 characters (285 bits) each."""
    return Credentials(
        public_key=PUBLIC_KEY_PREFIX + _random(),
        secret_key=SECRET_KEY_PREFIX + _random(),
        signing_secret=SIGNING_SECRET_PREFIX + _random(),
    )


def digest(key: str | bytes) -> str:
    """Return the digest to store for an API key: 64 hex characters, keyed with the current key."""
    return _digest(key, settings.CREDENTIALS_KEYS[0])


def possible_digests(key: str | bytes) -> list[str]:
    """Return every digest under which an API key may be stored, the current one first."""
    return [_digest(key, master) for master in settings.CREDENTIALS_KEYS]


def encrypt(signing_secret: str) -> str:
    """Return the signing secret encrypted with the current key."""
    return _fernet().encrypt(signing_secret.encode()).decode()


def decrypt(token: str) -> str:
    """Return the signing secret; raises cryptography's InvalidToken when no key of ours made `token`."""
    return _fernet().decrypt(token.encode()).decode()


def encrypted_anew(token: str) -> str | None:
    """Return an encrypted secret under the current key, None when it is already; raises InvalidToken."""
    try:
        _current_fernet().decrypt(token.encode())
    except InvalidToken:
        return _fernet().rotate(token.encode()).decode()
    return None


def hint(credential: str) -> str:
    """Return the part of a credential that may be shown: its last four characters."""
    return credential[-HINT_LENGTH:]


def mask(prefix: str, hint: str) -> str:
    """Return a credential as it is shown after its first time, e.g. `sk_live_****abcd`."""
    return f"{prefix}****{hint}"


def _random() -> str:
    return "".join(secrets.choice(_BASE62) for _ in range(RANDOM_LENGTH))


def _digest(key: str | bytes, master: str) -> str:
    raw = key if isinstance(key, bytes) else key.encode()
    return hmac.digest(_derived(master, "api key digest"), raw, "sha256").hex()


@lru_cache(maxsize=64)
def _derived(master: str, purpose: str) -> bytes:
    """Return 32 bytes for one purpose, so that digests and encryption never share a key."""
    return hmac.digest(master.encode(), purpose.encode(), "sha256")


def _fernet() -> MultiFernet:
    return MultiFernet([_fernet_of(master) for master in settings.CREDENTIALS_KEYS])


def _current_fernet() -> Fernet:
    return _fernet_of(settings.CREDENTIALS_KEYS[0])


def _fernet_of(master: str) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(_derived(master, "signing secret encryption")))
