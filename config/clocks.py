"""The clocks of machines that share a database: the database's own is the one that all of them see.

What one machine writes and another one compares with the present (leases, turns, what is due) is compared by
that one, so that a machine whose clock is ahead ends nothing of the others.
"""

from __future__ import annotations

import logging
import threading
from datetime import datetime, timedelta
from typing import Final

from django.db import DatabaseError, InterfaceError, connection
from django.db.models.functions import Now
from django.utils import timezone

logger = logging.getLogger(__name__)

# Signed links begin and end by the clocks of two machines, and leases are given by one's own.
SKEW: Final = timedelta(seconds=30)

_differs = threading.Event()


def shared_now() -> Now | datetime:
    """Return the present for queries: by the clock of PostgreSQL; over SQLite there is one machine."""
    return Now() if connection.vendor == "postgresql" else timezone.now()


def ahead_of_database() -> timedelta:
    """Return by how much this machine's clock is ahead of PostgreSQL's, negative where it is behind."""
    if connection.vendor != "postgresql":
        return timedelta(0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return timezone.now() - cursor.fetchone()[0]


def watch() -> None:
    """Warn once where this machine's clock differs from the database's, and say once that it does no more."""
    try:
        ahead = ahead_of_database()
    except (DatabaseError, InterfaceError):
        return  # told by those who need more of it than the time
    if abs(ahead) > SKEW and not _differs.is_set():
        _differs.set()
        logger.warning(
            "The clock of this machine is %.0f seconds %s that of the database: set both by NTP, or renders "
            "in work are taken for dead and jobs wait",
            abs(ahead).total_seconds(),
            "ahead of" if ahead > timedelta(0) else "behind",
        )
    elif abs(ahead) <= SKEW and _differs.is_set():
        _differs.clear()
        logger.info("The clocks of this machine and of the database agree again")
