"""Changing CREDENTIALS_KEYS: what is stored under an earlier key is written again under the first one.

Secrets that are encrypted can be read and written again here. API keys are kept as digests, which cannot:
each gets its new digest when it is used next (`OrganizationQuerySet.for_api_key`).
"""

from __future__ import annotations

from dataclasses import dataclass

from cryptography.fernet import InvalidToken

from accounts.credentials import encrypted_anew
from accounts.models import Organization
from accounts.webhooks.models import Webhook


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
    secrets = Organization.objects.order_by("pk").values_list("pk", "signing_secret_encrypted")
    for pk, token in secrets.iterator(chunk_size=500):
        if (new := _anew(token, done)) is not None:
            unchanged = Organization.objects.filter(pk=pk, signing_secret_encrypted=token)
            unchanged.update(signing_secret_encrypted=new)
    for webhook in Webhook.objects.order_by("pk").iterator(chunk_size=500):
        _rotate_webhook(webhook, done)
    return done


def _rotate_webhook(webhook: Webhook, done: Rotated) -> None:
    token, earlier = webhook.secret_encrypted, list(webhook.earlier_secrets)
    new = _anew(token, done)
    # One that cannot be read stays as it is: it signs nothing either way.
    new_earlier = [entry | {"secret": _anew(entry["secret"], done) or entry["secret"]} for entry in earlier]
    if new is not None or new_earlier != earlier:
        Webhook.objects.filter(pk=webhook.pk, secret_encrypted=token).update(
            secret_encrypted=new or token, earlier_secrets=new_earlier
        )


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
