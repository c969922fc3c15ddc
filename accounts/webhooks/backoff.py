"""When a failed delivery is tried again. Pure.

Eleven attempts over about 26 hours: soon at first, for a receiver that restarts, then for one that is down
until tomorrow.
"""

from __future__ import annotations

import random
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

DELAYS = (5, 30, 120, 600, 1800, 3600, 7200, 14400, 28800, 36000)  # seconds after the first attempt, ...
MAX_ATTEMPTS = len(DELAYS) + 1
JITTER = 0.2
MAX_RETRY_AFTER = 12 * 3600


def delay_after(attempts: int, retry_after: float | None = None) -> float | None:
    """Return the seconds to wait after the `attempts`-th failed attempt (from 1); None to give up.

    Each delay is stretched by up to a fifth at random, so that receivers that came back are not hit by all
    waiting deliveries at once. What the receiver asks for by Retry-After counts where it is longer, up to
    MAX_RETRY_AFTER.
    """
    if not 1 <= attempts <= len(DELAYS):
        return None
    delay = DELAYS[attempts - 1] * (1 + random.uniform(0, JITTER))  # noqa: S311 (spreads load, keeps no secret)
    return max(delay, min(retry_after or 0, MAX_RETRY_AFTER))


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """Return the seconds of a Retry-After header, given as such or as a date; None for anything else."""
    text = (value or "").strip()
    if text.isascii() and text.isdigit() and len(text) < 10:
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())
