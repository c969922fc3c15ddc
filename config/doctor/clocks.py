"""Clocks that differ: signatures and leases count on them."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from config.doctor.findings import Level, Wrong

# Signed links and requests are refused by a bucket whose clock differs by a quarter of an hour.
SKEW: Final = timedelta(seconds=30)
WORST_SKEW: Final = timedelta(minutes=10)


def check_skew(part: str, skew: timedelta) -> None:
    """Raise Wrong where the clock of a part is `skew` apart from ours, and that is too much."""
    if abs(skew) > SKEW:
        level: Level = "error" if abs(skew) > WORST_SKEW else "warning"
        raise Wrong(
            f"the clocks of this machine and of the {part} are {abs(skew).total_seconds():.0f} seconds apart",
            "Set both by NTP: signatures and leases count on it.",
            level,
        )
