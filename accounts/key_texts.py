"""What dashboard and admin say about keys: what each is for, and what their rotation means."""

from __future__ import annotations

from typing import Final, NamedTuple

from accounts.credentials import Credentials

ROTATION_CONSEQUENCES: Final = (
    "The present public key and secret key stop working at once, on every server and every page that uses "
    "them: requests with them are answered with 401 “Invalid API key”.",
    "User hashes made with the present signing secret stop counting at once: pages need hashes made with "
    "the new one.",
    "Templates, documents, images and usage stay as they are, and links already handed out work until they "
    "expire.",
    "The new keys are shown once, on the next page. Have the place ready where you keep them.",
)
SHOWN_BEFORE: Final = "New keys are shown once. If they are lost, rotate the keys to get others."


class ShownKey(NamedTuple):
    """A new key as its page shows it."""

    label: str
    key: str
    help: str


def shown_keys(credentials: Credentials) -> tuple[ShownKey, ...]:
    """Return the three new keys with what each is for."""
    return (
        ShownKey(
            "Public key",
            credentials.public_key,
            "For web pages: visitors may see it. It works on the allowed domains only.",
        ),
        ShownKey(
            "Secret key",
            credentials.secret_key,
            "For your servers only: whoever has it acts as the organization.",
        ),
        ShownKey(
            "Signing secret",
            credentials.signing_secret,
            "For your servers only: it makes the user hashes of your visitors.",
        ),
    )
