"""Stories of people in a real browser: logging in, with and without scripts, by keyboard, on a phone."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.dashboard import browser
from tests.dashboard.browser import PHONE, Visit, world  # noqa: F401
from tests.dashboard.world import PASSWORD, World

pytestmark = browser.marks


def log_in(page: Page, email: str = "ada@acme.example") -> None:
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()


def test_from_log_in_to_new_keys_and_out_again(world: World, visit: Visit) -> None:  # noqa: F811
    page = visit(world, path="{o}/settings/keys")
    log_in(page)
    page.wait_for_url("**/settings/keys")
    page.get_by_role("link", name="Rotate keys").click()
    dialog = page.get_by_role("dialog", name="Rotate the keys of Acme?")
    expect(dialog).to_contain_text("401 “Invalid API key”")
    dialog.get_by_role("link", name="Cancel").click()
    expect(dialog).to_be_hidden()
    page.get_by_role("link", name="Rotate keys").click()
    page.get_by_role("button", name="Rotate keys now").click()
    expect(page.get_by_label("Secret key", exact=True)).to_have_value(re.compile(r"sk_live_\w{48}"))
    page.reload()
    page.get_by_text("New keys are shown once").wait_for()
    page.locator("summary", has_text="Account").click()
    page.get_by_role("button", name="Log out").click()
    expect(page).to_have_url(re.compile("/login$"))
    page.go_back()
    expect(page).to_have_url(re.compile("/login"))


def test_everything_works_without_scripts(world: World, visit: Visit) -> None:  # noqa: F811
    page = visit(world, path="{o}/settings/members", java_script_enabled=False)
    log_in(page)
    page.get_by_label("E-mail address").fill("zoe@acme.example")
    page.get_by_label("Role").select_option("Viewer")
    page.get_by_role("button", name="Send invitation").click()
    expect(page.get_by_label("Link of the invitation")).to_have_value(re.compile("/invitations/"))
    page.get_by_role("link", name="Remove vera@acme.example").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Remove vera@acme.example?")
    page.get_by_role("button", name="Remove").click()
    expect(page.locator(".toasts")).to_contain_text("is no member any more")


def test_an_address_is_checked_while_typing(world: World, visit: Visit) -> None:  # noqa: F811
    page = visit(world, "viewer", "{o}/settings/domains")
    page.get_by_label("Address of a page").press_sequentially("https://app.acme.example/x")
    expect(page.locator("#verdict")).to_contain_text("Yes: app.acme.example is a subdomain of acme.example")


def test_by_keyboard_alone(world: World, visit: Visit) -> None:  # noqa: F811
    page = visit(world, "owner", "{o}/settings")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="General")).to_be_focused()
    summary = page.locator("summary", has_text="Organization")
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="All organizations")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="All organizations")).to_be_hidden()
    expect(summary).to_be_focused()


def test_the_side_bar_opens_on_a_phone(world: World, visit: Visit) -> None:  # noqa: F811
    page = visit(world, "owner", "{o}/settings/members", viewport=PHONE)
    settings = page.get_by_role("navigation", name="Main").get_by_role("link", name="Settings")
    expect(settings).to_be_hidden()
    page.get_by_role("button", name="Open the navigation").click()
    settings.click()
    expect(page).to_have_url(re.compile("/settings$"))


def test_the_theme_is_chosen_and_kept(world: World, visit: Visit) -> None:  # noqa: F811
    page = visit(world, "owner", "/account", color_scheme="light")
    canvas = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(canvas)
    page.locator("summary", has_text="Account").click()
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate(canvas) != light
