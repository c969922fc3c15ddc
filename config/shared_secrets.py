"""Whether machines that share a database have the same secrets: each start leaves marks of its own there.

A mark is a digest: one keyed by CREDENTIALS_KEYS, one of SECRET_KEY keyed by both. Who finds the marks of
the last start among those of its own keys, earlier ones included, can read what that start writes. The marks
give nothing away that the database does not hold anyway: a weak one of CREDENTIALS_KEYS can be guessed from
any encrypted signing secret, and without it no guess of SECRET_KEY can be tried on a mark.
"""

from __future__ import annotations

import hmac
import logging
import socket
from typing import Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connections
from django.utils import timezone

from config.models import Start

logger = logging.getLogger(__name__)

_PURPOSE: Final = b"mark of a start"


def note_start() -> None:
    """Warn where the last start had other secrets, then leave the marks of this one.

    Leaves no connection open. A database that takes no writes keeps nobody from starting: reading goes on.
    """
    try:
        last = last_start()
        if last is not None and (name := differing_setting(last)):
            logger.warning("%s. Machines that share a database must be given the same one", told(name, last))
        marks = _current_marks()
        if last is None or (last.credentials_mark, last.secret_mark) != marks:
            _leave(*marks)
    except (DatabaseError, InterfaceError) as error:
        logger.warning("The secrets of this start are not noted: %s", type(error).__name__)
    finally:
        connections.close_all()


def last_start() -> Start | None:
    """Return what the last start with secrets of its own has left; None in a new database."""
    return Start.objects.filter(pk=Start.ONLY).first()


def differing_setting(last: Start) -> str | None:
    """Name the setting by which this process cannot read what the last start writes; None where it can."""
    for master in settings.CREDENTIALS_KEYS:
        if hmac.compare_digest(_credentials_mark(master), last.credentials_mark):
            own = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
            agrees = any(
                hmac.compare_digest(_secret_mark(master, secret), last.secret_mark) for secret in own
            )
            return None if agrees else "SECRET_KEY"
    return "CREDENTIALS_KEYS"


def told(name: str, last: Start) -> str:
    """Say that a setting differs, and where and when it was noted."""
    return (
        f"{name} is not what the service had when it started on {last.host} at {last.at:%Y-%m-%d %H:%M} UTC"
    )


def _leave(credentials_mark: str, secret_mark: str) -> None:
    Start.objects.update_or_create(
        pk=Start.ONLY,
        defaults={
            "credentials_mark": credentials_mark,
            "secret_mark": secret_mark,
            "host": socket.gethostname()[:255],
            "at": timezone.now(),
        },
    )


def _current_marks() -> tuple[str, str]:
    master = settings.CREDENTIALS_KEYS[0]
    return _credentials_mark(master), _secret_mark(master, settings.SECRET_KEY)


def _credentials_mark(master: str) -> str:
    return hmac.digest(master.encode(), _PURPOSE, "sha256").hex()


def _secret_mark(master: str, secret: str) -> str:
    # Both are keys here: whoever lacks one of them can try no guess of the other.
    keyed = hmac.digest(master.encode(), _PURPOSE + b": secret key", "sha256")
    return hmac.digest(keyed, secret.encode(), "sha256").hex()
