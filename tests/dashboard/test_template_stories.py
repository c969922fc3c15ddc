"""Stories in a real browser: a template found, a version restored, the publish gate."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from templates_app.models import Template
from tests.dashboard import browser
from tests.dashboard.browser import Visit, world  # noqa: F401
from tests.dashboard.test_accessibility import COLOURS, RULES, violations
from tests.dashboard.world import World

pytestmark = browser.marks
# The colour behind a status that the list can be kept to.
BEHIND = """(label) => {
  const found = [...document.querySelectorAll(".segments span")].find((each) => each.textContent === label);
  return getComputedStyle(found).backgroundColor;
}"""


def stored(world: World) -> Template:  # noqa: F811
    return Template.objects.get(pk=world.ids["draft"])


def shown(page: Page) -> Any:
    return page.locator(".template-card h2")


def test_found_looked_at_and_restored(world: World, visit: Visit) -> None:  # noqa: F811
    page = visit(world, "editor", "{o}/templates")
    expect(shown(page)).to_have_text(["Offer", "Invoice"])
    picture = page.locator(".template-card img").first
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 480
    page.get_by_label("Search templates").fill("off")
    expect(shown(page)).to_have_text(["Offer"])
    expect(page).to_have_url(re.compile(r"q=off"))
    # Back from a template is the page as it was found, and one step further the list before the search.
    page.get_by_role("link", name="Offer").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Offer")
    page.go_back()
    expect(page.get_by_label("Search templates")).to_have_value("off")
    expect(shown(page)).to_have_text(["Offer"])
    page.go_back()
    expect(page).to_have_url(re.compile(r"/templates$"))
    expect(shown(page)).to_have_text(["Offer", "Invoice"])
    page.get_by_label("Search templates").fill("inv")
    expect(shown(page)).to_have_text(["Invoice"])
    page.get_by_label("Search templates").fill("")
    expect(shown(page)).to_have_text(["Offer", "Invoice"])
    page.get_by_text("Published", exact=True).first.click()
    expect(shown(page)).to_have_text(["Invoice"])
    page.get_by_text("Drafts", exact=True).click()
    expect(shown(page)).to_have_text(["Offer"])
    # What is chosen is seen in high contrast as well; what is for the keyboard is not printed.
    page.emulate_media(forced_colors="active", media="print")
    chosen, other = page.evaluate(BEHIND, "Drafts"), page.evaluate(BEHIND, "Published")
    assert chosen != other
    expect(page.locator(".skip")).to_be_hidden()
    page.emulate_media(forced_colors="none", media="screen")
    page.get_by_role("link", name="Offer").click()

    page.get_by_role("link", name="History").click()
    page.get_by_role("link", name="See the changes of version 3").click()
    expect(page.locator(".paper")).to_have_count(2)
    expect(page.locator(".paper rect").first).to_be_attached()
    for picture in page.locator(".paper img").all():
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 960
    expect(page.locator(".diff ins").first).to_contain_text("key: unit")
    page.get_by_label("Compare with version").fill("1")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("From version 1 to version 3")

    page.get_by_role("link", name="History").click()
    page.get_by_role("link", name="Restore version 1").click()
    expect(page.get_by_text("Column Unit removed from section 2 (table items)")).to_be_visible()
    page.get_by_role("button", name="Restore as version 4").click()
    expect(page.get_by_text("Version 1 is back, as version 4.")).to_be_visible()
    assert stored(world).sections[0]["content"] == "Invoice {{number}}"


def test_the_gate_before_publishing_and_before_a_live_save(world: World, visit: Visit) -> None:  # noqa: F811
    page = visit(world, "editor", "{o}/templates/{draft}")
    page.get_by_role("link", name="Publish").click()
    expect(page.get_by_text("One thing looks wrong.")).to_be_visible()

    # A finding leads to its place in the editor, and the editor asks the same.
    page.get_by_role("link", name="Show variables in the editor").click()
    expect(page.get_by_role("tab", name="Variables")).to_have_attribute("aria-selected", "true")
    page.get_by_role("button", name="Publish").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("“number” and “items” are used but not declared")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert violations(page, RULES if scheme == "light" else COLOURS) == []
    dialog.get_by_role("button", name="Back to the editor").click()
    assert stored(world).status == "draft"

    page.goto(world.path("{o}/templates/{draft}/publish"))
    page.get_by_label("Publish anyway").check()
    page.get_by_role("button", name="Publish version 3").click()
    expect(page.get_by_text("Offer is published")).to_be_visible()

    page.goto(world.path("{o}/templates/{draft}/edit#at=sections[0].content"))
    text = page.locator('[data-path="sections[0].content"]').get_by_label("Text", exact=True)
    expect(text).to_be_focused()
    text.fill("Offer no. {{number}}")
    page.get_by_role("button", name="Save").click()
    expect(dialog).to_contain_text("This template is live")
    assert stored(world).version == 3
    dialog.get_by_role("button", name="Save anyway").click()
    expect(page.locator("#ed-version")).to_have_text("Version 4")
    assert stored(world).sections[0]["content"] == "Offer no. {{number}}"


def test_searched_published_and_archived_without_scripts(world: World, visit: Visit) -> None:  # noqa: F811
    page = visit(world, "editor", "{o}/templates", java_script_enabled=False)
    page.get_by_label("Search templates").fill("off")
    page.get_by_label("Search templates").press("Enter")
    expect(shown(page)).to_have_text(["Offer"])
    page.get_by_role("link", name="Offer").click()

    page.get_by_role("link", name="Publish").click()
    page.get_by_label("Publish anyway").check()  # its variables are not declared
    page.get_by_role("button", name=re.compile("Publish version")).click()
    expect(page.locator(".toasts")).to_contain_text("published")
    assert stored(world).status == Template.Status.PUBLISHED

    page.get_by_role("link", name="Archive…").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Archive Offer?")
    page.get_by_role("button", name="Archive").click()
    expect(page.locator(".toasts")).to_contain_text("archived")
    assert stored(world).is_archived
    page.goto(world.path("{o}/templates"))
    expect(shown(page)).to_have_text(["Invoice"])
