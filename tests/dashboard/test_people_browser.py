"""Stories of people in a real browser: logging in, with and without scripts, by keyboard, on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import APIResponse, Page, expect

from tests.dashboard import browser
from tests.dashboard.browser import PHONE, Visit, world  # noqa: F401
from tests.dashboard.pages import CHANGES, PAGES
from tests.dashboard.test_access import facts
from tests.dashboard.world import PASSWORD, World

pytestmark = browser.marks
# What every visible element of a part of a page says.
SHOWN_TEXTS = """main => [...main.querySelectorAll("*")].filter(
  (each) => each.checkVisibility({visibilityProperty: true}) && each.getClientRects().length,
).map((each) => (each.matches("input") ? each.value : each.textContent).replace(/\\s+/g, " ").trim())"""


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


def test_rotated_keys_work_from_the_next_request_on(world: World, visit: Visit) -> None:  # noqa: F811
    old = world.organization.credentials.secret_key  # type: ignore[attr-defined]
    page = visit(world, "owner", "{o}/settings")

    def ask_api(key: str) -> APIResponse:
        return page.request.get("/v1/orgs", headers={"x-api-key": key})

    assert ask_api(old).status == 200
    page.get_by_role("link", name="API keys").click()
    page.get_by_role("link", name="Rotate keys").click()
    dialog = page.get_by_role("dialog", name="Rotate the keys of Acme?")
    for told in ("stop working at once", "User hashes", "Templates, documents, images and usage stay"):
        expect(dialog).to_contain_text(told)
    assert ask_api(old).status == 200, "asking alone changes nothing"
    dialog.get_by_role("button", name="Rotate keys now").click()
    new = page.get_by_label("Secret key", exact=True).input_value()
    refused = ask_api(old)
    assert (refused.status, refused.json()["message"]) == (401, "Invalid API key")
    answer = ask_api(new)
    assert (answer.status, answer.json()["secretKey"][-4:]) == (200, new[-4:])
    public = page.get_by_label("Public key", exact=True).input_value()
    assert ask_api(public).json()["message"] == "Public key requires Origin header"
    page.get_by_role("button", name=re.compile("Copy.*Secret key")).click()
    page.reload()
    page.get_by_text("New keys are shown once").wait_for()
    assert new not in page.content()
    expect(page.get_by_text(new[-4:]).first).to_be_visible()
    page.get_by_role("link", name="Audit log").click()
    expect(page.get_by_role("row").nth(1)).to_contain_text("ada@acme.example")
    expect(page.get_by_role("row").nth(1)).to_contain_text("rotated the keys")


@pytest.mark.parametrize("is_secure", [True, False])
def test_an_id_is_copied(is_secure: bool, world: World, visit: Visit) -> None:  # noqa: F811
    """Browsers hide the clipboard from pages that come over plain http from another machine."""
    page = visit(world, "owner")
    if is_secure:
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    else:
        page.add_init_script("delete Navigator.prototype.clipboard")
    page.goto(world.path("{o}/settings"))
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_focused()
    page.get_by_role("button", name="Copied").click()
    expect(page.get_by_role("button", name="Copy", exact=True)).to_be_visible()
    field = page.get_by_label("Name", exact=True)
    field.fill("")
    field.press("Control+V")
    expect(field).to_have_value(world.organization.pk)


def test_a_viewer_sees_and_may_not_change(world: World, visit: Visit) -> None:  # noqa: F811
    """No page offers what the role may not do, and whoever asks nevertheless is refused and told why."""
    words = {"New template", "Edit", "Archive", "Publish", "Duplicate", "Delete", "Cancel", "Invite somebody"}

    def offered(page: Page, path: str) -> set[str]:
        answer = page.goto(world.path(path))
        assert answer is not None
        assert answer.status == 200, path
        return words & set(page.locator("main").evaluate(SHOWN_TEXTS))

    page, owner = visit(world, "viewer"), visit(world, "owner")
    seen = [
        listed for listed in PAGES if listed.role == "viewer" and listed.is_shot and listed.name != "leave"
    ]
    places = {"templates", "template", "draft", "document", "batch", "members"}
    assert set.union(*(offered(owner, each.path) for each in seen if each.name in places)) == words
    for listed in seen:
        assert offered(page, listed.path) == set(), listed.name
    others = [listed for listed in PAGES if listed.role in {"editor", "owner"} and listed.is_shot]
    page.goto(world.path(others[0].path))
    expect(page.get_by_role("heading", level=1)).to_have_text("You may not do this")
    refusal = page.title()
    for listed in others:
        answer = page.request.get(world.path(listed.path))
        assert answer.status == 403, listed.name
        assert f"<title>{refusal}</title>" in answer.text(), listed.name
    page.goto("/account")
    token = page.locator("[name=csrfmiddlewaretoken]").first.input_value()
    before = facts(world)
    for change in CHANGES:
        if change.role in {"editor", "owner"}:
            refused = page.request.post(
                world.path(change.path), form=change.body, headers={"X-CSRFToken": token}
            )
            assert refused.status == 403, change.path
            assert "Ask an owner to change your role" in refused.text(), change.path
    assert facts(world) == before


def test_everything_works_without_scripts(world: World, visit: Visit) -> None:  # noqa: F811
    page = visit(world, path="{o}/settings/members", java_script_enabled=False)
    log_in(page)
    page.get_by_label("E-mail address").fill("zoe@acme.example")
    page.get_by_label("Role").select_option("Viewer")
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_label("Link of the invitation")).to_have_value(re.compile("/invitations/"))
    page.get_by_role("link", name="Remove vera@acme.example").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Remove vera@acme.example?")
    page.get_by_role("button", name="Remove").click()
    expect(page.locator(".toasts")).to_contain_text("is no longer a member")


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
