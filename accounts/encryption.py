"""Changing CREDENTIALS_KEYS: what is stored under an earlier key is written again under the first one.

Secrets that are encrypted can be read and written again here. API keys are kept as digests, which cannot:
each gets its new digest when it is used next (`OrganizationQuerySet.for_api_key`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cryptography.fernet import InvalidToken

from accounts.credentials import decrypt, encrypted_anew
from accounts.models import Organization
from accounts.webhooks.models import Webhook


@dataclass(frozen=True)
class Stored:
    """The encrypted secrets of a row: the present one, and those of a webhook that still sign beside it."""

    row: Organization | Webhook
    token: str
    earlier: tuple[str, ...] = ()


@dataclass
class Rotated:
    """How many secrets were written again, how many were current already, and how many no key can read."""

    rewritten: int = 0
    current: int = 0
    unreadable: int = 0


def rotate_encryption() -> Rotated:
    """Encrypt every stored secret with the current key; may be interrupted, repeated, and run while serving.

    Each row is changed only if nobody else has changed it meanwhile.
    """
    done = Rotated()
    for stored in stored_secrets():
        # One that cannot be read stays as it is: it signs nothing either way.
        token = _anew(stored.token, done)
        earlier = [_anew(old, done) or old for old in stored.earlier]
        if token is not None or tuple(earlier) != stored.earlier:
            _replace(stored, token or stored.token, earlier)
    return done


def unreadable_secrets() -> tuple[int, int]:
    """Return how many rows hold a secret that none of CREDENTIALS_KEYS can read, and how many there are."""
    unreadable = total = 0
    for stored in stored_secrets():
        total += 1
        unreadable += not all(_is_readable(token) for token in (stored.token, *stored.earlier))
    return unreadable, total


def stored_secrets() -> Iterator[Stored]:
    """Yield the secrets of every organization and webhook."""
    for organization in Organization.objects.order_by("pk").iterator(chunk_size=500):
        yield Stored(organization, organization.signing_secret_encrypted)
    for webhook in Webhook.objects.order_by("pk").iterator(chunk_size=500):
        earlier = tuple(entry["secret"] for entry in webhook.earlier_secrets)
        yield Stored(webhook, webhook.secret_encrypted, earlier)


def _replace(stored: Stored, token: str, earlier: list[str]) -> None:
    """Write a row's secrets, unless somebody else has changed it meanwhile."""
    pk = stored.row.pk
    if isinstance(stored.row, Organization):
        unchanged = Organization.objects.filter(pk=pk, signing_secret_encrypted=stored.token)
        unchanged.update(signing_secret_encrypted=token)
        return
    entries = [
        entry | {"secret": secret} for entry, secret in zip(stored.row.earlier_secrets, earlier, strict=True)
    ]
    Webhook.objects.filter(pk=pk, secret_encrypted=stored.token).update(
        secret_encrypted=token, earlier_secrets=entries
    )


def _is_readable(token: str) -> bool:
    try:
        decrypt(token)
    except InvalidToken:
        return False
    return True


def _anew(token: str, done: Rotated) -> str | None:
    """Return a secret under the current key; None where it is already, or cannot be read."""
    try:
        new = encrypted_anew(token)
    except InvalidToken:
        done.unreadable += 1
        return None
    if new is None:
        done.current += 1
    else:
        done.rewritten += 1
    return new
