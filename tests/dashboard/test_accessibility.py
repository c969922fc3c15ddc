"""axe-core on every page, light and dark; nothing wider than a phone; everything reached by keyboard."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page as View

from tests.dashboard import browser
from tests.dashboard.browser import PHONE, SCREEN, Visit, world  # noqa: F401
from tests.dashboard.pages import PAGES
from tests.dashboard.world import World

pytestmark = browser.marks
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
# In the second theme only colours differ.
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
RUN = """async (options) => (await axe.run(document, options)).violations.flatMap(
  (each) => each.nodes.map((node) => `${each.id}: ${node.html}`))"""
# Once the page has drawn itself anew: a chart follows the width of its place a frame later.
WIDER = """() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(
  document.documentElement.scrollWidth - document.documentElement.clientWidth))))"""


def violations(view: View, options: dict[str, Any]) -> list[str]:
    """Return what axe finds on a page, with the places."""
    if not view.evaluate("Boolean(window.axe)"):
        view.evaluate(AXE_SCRIPT)
    # Nothing of ours is loaded from elsewhere, which axe would fetch again.
    found: list[str] = view.evaluate(RUN, options | {"resultTypes": ["violations"], "preload": False})
    return found


def violations_in_both_themes(view: View) -> list[str]:
    """Return what axe finds on a page as it is, and of its colours in the other theme, which it has then."""
    found = violations(view, RULES)
    is_dark = view.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    view.emulate_media(color_scheme="light" if is_dark else "dark")
    return found + violations(view, COLOURS)


def test_no_page_has_a_violation_or_is_wider_than_a_phone(world: World, visit: Visit) -> None:  # noqa: F811
    views = {role: visit(world, role, color_scheme="light") for role in ("nobody", "owner")}
    for view in views.values():
        view.add_init_script(AXE_SCRIPT)  # quicker than to send it to page after page
    for page in PAGES:
        if page.is_shot:
            view = views["nobody" if page.role == "nobody" else "owner"]
            view.goto(world.path(page.path))
            # Beginning as wide as the page before was left: each page is made wider or narrower once.
            for size in (SCREEN, PHONE) if view.viewport_size == SCREEN else (PHONE, SCREEN):
                if view.viewport_size != size:
                    view.set_viewport_size(size)
                if size == SCREEN:
                    assert violations_in_both_themes(view) == [], page.name
                else:
                    assert view.evaluate(WIDER) <= 0, f"{page.name} is wider than a phone"


def test_open_menus_and_dialogs_have_no_violation(world: World, visit: Visit) -> None:  # noqa: F811
    view = visit(world, "owner", "{o}/settings/members")
    for name in ("Organization", "Account"):
        view.locator("summary", has_text=name).click()
        assert violations(view, RULES) == [], name
    view.keyboard.press("Escape")
    view.get_by_role("link", name="Remove vera@acme.example").click()
    view.get_by_role("dialog").wait_for()
    assert violations(view, RULES) == []


def test_forms_with_errors_have_no_violation(world: World, visit: Visit) -> None:  # noqa: F811
    view = visit(world, "owner", "{o}/settings/domains")
    view.get_by_label("Add a domain").fill("https://nonsense")
    view.get_by_role("button", name="Add").click()
    view.get_by_text("is not a domain").wait_for()
    assert violations_in_both_themes(view) == []
