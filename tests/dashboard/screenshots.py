"""`make screenshots`: every page of `pages.py`, light, dark and at phone width, to be looked at.

The files go to the folder that SCREENSHOTS names; `ONLY=name,name` takes some pages.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.dashboard.browser import PHONE, SCREEN, Visit, world  # noqa: F401
from tests.dashboard.pages import PAGES
from tests.dashboard.world import World

FOLDER = Path(os.environ.get("SCREENSHOTS", "var/screenshots"))
ONLY = {name for name in os.environ.get("ONLY", "").split(",") if name}
LOOKS = {
    "light": {"color_scheme": "light", "viewport": SCREEN},
    "dark": {"color_scheme": "dark", "viewport": SCREEN},
    "phone": {"color_scheme": "light", "viewport": PHONE, "device_scale_factor": 2},
}


@pytest.mark.parametrize("look", LOOKS)
def test_take_screenshots(look: str, world: World, visit: Visit) -> None:  # noqa: F811
    FOLDER.mkdir(parents=True, exist_ok=True)
    opened = {
        role: visit(world, role, **LOOKS[look])
        for role in ("nobody", "owner")  # type: ignore[arg-type]
    }
    for page in PAGES:
        if page.is_shot and (not ONLY or page.name in ONLY):
            view = opened["nobody" if page.role == "nobody" else "owner"]
            view.goto(world.path(page.path))
            view.wait_for_load_state("networkidle")
            view.screenshot(path=FOLDER / f"{page.name}-{look}.png", full_page=True)
