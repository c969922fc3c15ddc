"""How long what was begun may take, before somebody else tidies up after it."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings

# A render checks its deadline as it goes; storing and completing take their time after it.
LEASE_GRACE = timedelta(seconds=30)
# A document of a job belongs to the queue, which loses nothing; after so long a sweep looks after it even so.
JOB_LEASE = timedelta(hours=24)
# The most times that a job may begin one document or one file, and the pauses before the next time.
MAX_ATTEMPTS = 5
PAUSES = (1.0, 5.0, 20.0, 60.0)


def render_lease() -> timedelta:
    """Return how long after its begin a render may still write its file."""
    return timedelta(seconds=settings.RENDER_TIMEOUT) + LEASE_GRACE
