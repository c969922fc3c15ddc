"""Clocks that differ: signatures and leases count on them."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from config.clocks import SKEW
from config.doctor.findings import Level, Wrong

# Signed links and requests are refused by a bucket whose clock differs by a quarter of an hour.
WORST_SKEW: Final = timedelta(minutes=10)
# Renders are taken for dead by RENDER_TIMEOUT and 30 seconds; two machines may differ to either side.
WORST_SKEW_OF_DATABASE: Final = timedelta(minutes=1)


def check_skew(part: str, skew: timedelta, worst: timedelta = WORST_SKEW) -> None:
    """Raise Wrong where the clock of a part is `skew` apart from ours: an error when by more than `worst`."""
    if abs(skew) > SKEW:
        level: Level = "error" if abs(skew) > worst else "warning"
        raise Wrong(
            f"the clocks of this machine and of the {part} are {abs(skew).total_seconds():.0f} seconds apart",
            "Set both by NTP: signatures and leases count on it.",
            level,
        )
