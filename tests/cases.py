"""How many random cases a property is tried with: a fifth by default, all with HYPOTHESIS_PROFILE=deep.

Counts are written for the deep profile, which CI takes; a property without a count has 100 there.
"""

from __future__ import annotations

import os
from typing import Any

from hypothesis import settings

FULL = 100  # per cent
FEWEST = 10


def load_profile() -> None:
    """Register the profiles and load the one that HYPOTHESIS_PROFILE names: `suite` (the default) or `deep`.

    Cases are not timed: the first one pays for caches and imports, and machines differ. CI takes the same
    ones each time: what is found is found where it can be looked into.
    """
    common = settings(deadline=None, derandomize=os.environ.get("CI") == "true")
    settings.register_profile("suite", common, max_examples=20)
    settings.register_profile("deep", common, max_examples=FULL)
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or "suite")


def cases(count: int, **more: Any) -> settings:
    """Return the settings of a property that is tried with `count` cases in the deep profile.

    `more` are other settings of Hypothesis, such as `phases`.
    """
    return settings(max_examples=max(FEWEST, count * settings.default.max_examples // FULL), **more)
