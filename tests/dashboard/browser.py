"""A real browser on the dashboard: `visit` opens pages of the test's own server as somebody.

Every page is watched: an error in its console, a violation of the Content-Security-Policy or a request to
another place fails the test that opened it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.chromium import needs_chromium
from tests.dashboard.world import World, make_world

PHONE = {"width": 390, "height": 844}
SCREEN = {"width": 1280, "height": 860}
# Milliseconds that a busy machine may take for anything.
PATIENCE = 60_000
expect.set_options(timeout=PATIENCE)

# Real browser, real server.
marks = [pytest.mark.browser, needs_chromium]

Visit = Callable[..., Page]


@pytest.fixture
def world(transactional_db: None) -> World:
    """The cast, committed, so that the server sees it."""
    return make_world()


@pytest.fixture
def visit(chromium: Browser, live_server: Any) -> Iterator[Visit]:
    """Return a function that opens a browser of its own for somebody: `visit(world, "owner", "/account")`."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def open_page(world: World, role: str = "nobody", path: str = "", **options: Any) -> Page:
        context = chromium.new_context(
            base_url=live_server.url, **({"viewport": SCREEN, "reduced_motion": "reduce"} | options)
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        if role != "nobody":
            cookie = world.client(role).cookies[settings.SESSION_COOKIE_NAME]
            context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": live_server.url}])
        page = context.new_page()
        watch(page, live_server.url, faults)
        if path:
            page.goto(world.path(path))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not faults, faults


def watch(page: Page, home: str, faults: list[str]) -> None:
    """Collect what must not happen on a page."""

    def console(message: Any) -> None:
        # A refused form answers 4xx, which Chromium reports like a missing file: no fault of the page.
        if message.type == "error" and "the server responded with a status of" not in message.text:
            faults.append(f"console: {message.text}")

    def request(sent: Any) -> None:
        if not sent.url.startswith((home, "data:", "blob:")):
            faults.append(f"request to {sent.url}")

    page.on("console", console)
    page.on("pageerror", lambda error: faults.append(f"error: {error}"))
    page.on("request", request)
