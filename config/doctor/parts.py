"""The parts beside the database: the cache and the mail server."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.core.cache import cache
from django.core.mail import get_connection

from config.doctor.findings import ADVICE, Wrong


def check_cache() -> str:
    """Count as the rate limit does."""
    name = f"doctor:{secrets.token_hex(4)}"
    added = cache.add(name, 1, 30)
    counted = cache.incr(name) if added else None
    again = cache.add(name, 1, 30)
    cache.delete(name)
    if (added, counted, again) != (True, 2, False):
        raise Wrong(f"it does not count: 1 + 1 gave {counted}", ADVICE["cache"])
    return "it counts"


def check_mail() -> str:
    """Log in at the mail server; nothing is sent."""
    if not settings.HAS_MAIL_SERVER:
        raise Wrong(
            "EMAIL_URL is not set: invitations and password resets are not sent",
            "Set EMAIL_URL to your mail server.",
            "warning",
        )
    mail = get_connection()
    mail.open()
    mail.close()
    return "the mail server lets us in"
