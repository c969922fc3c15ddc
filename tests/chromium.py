"""One real browser for all tests of a process: Playwright runs only once in a thread."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

# The first one has no windows to draw around the pages: a quarter less to do.
COMMANDS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, COMMANDS)), None)

# Each window gets pages of its own for the address bar, which cost more than ours: off. Of two lists Chromium
# reads the last, so what Playwright turns off is here again, as far as it concerns pages of this machine.
OFF = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)

# CI installs one: there a missing browser is a failure.
needs_chromium = pytest.mark.skipif(
    not CHROMIUM and os.environ.get("CI") != "true", reason="no Chromium here"
)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Start the browser with the first test that asks for it."""
    # Playwright keeps an event loop in this thread, in which Django would refuse to reach its database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=[
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--disable-background-networking",
                f"--disable-features={','.join(OFF)}",
                # A page of a test ends before what is compiled to run fast has paid for its compilation.
                "--js-flags=--no-opt --no-maglev",
            ],
            timeout=120_000,
        )
        yield started
        started.close()
