"""Who did something, as a text that stays true when the account behind it is gone. Pure.

A person's e-mail address, `api` for a secret key, `user:<id>` for an end user, or `system`.
"""

from __future__ import annotations

from typing import Final

API: Final = "api"
SYSTEM: Final = "system"
# What an end user is told instead of others of the organization; nothing is signed so.
ORGANIZATION: Final = "organization"
_END_USER: Final = "user:"


def end_user(user_id: str) -> str:
    """Return how an end user signs."""
    return f"{_END_USER}{user_id}"


def is_end_user(actor: str) -> bool:
    """Tell whether an end user has signed; the id may look like anything, an address too."""
    return actor.startswith(_END_USER)


def actor_in_words(actor: str) -> str:
    """Return in words who did something."""
    if actor == API:
        return "A server (secret key)"
    if is_end_user(actor):
        return f"End user {actor.removeprefix(_END_USER)} (public key)"
    return "This service" if actor == SYSTEM else actor
