"""What stands around the forms of the editor: pages and sheets on the screen, the paper, files in and out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import expect

from templates_app.models import Template
from tests.conftest import INVOICE, INVOICE_DATA
from tests.dashboard import browser
from tests.dashboard.browser import Visit
from tests.dashboard.editor import EDIT, fresh, opened
from tests.dashboard.world import World, make_world

pytestmark = browser.marks

# The drawing of a zoomed page replaces the one before it.
DRAWN = """(density) => {
    const canvas = document.querySelector(".ed-page canvas");
    return canvas && Math.abs(canvas.width - density * canvas.getBoundingClientRect().width) < 2;
}"""


@pytest.fixture
def world(transactional_db: None) -> World:
    """The cast with an invoice of two tables, a draft."""
    world = make_world()
    table = next(section for section in INVOICE["sections"] if section["type"] == "table")
    Template.objects.filter(pk=world.ids["template"]).update(
        status=Template.Status.DRAFT,
        sections=[*INVOICE["sections"], {"type": "page_break"}, table | {"title": "Again"}],
        sample_data=INVOICE_DATA,
    )
    return world


@pytest.mark.parametrize("density", [1, 2])
def test_pages_are_counted_zoomed_and_sharp(density: int, world: World, visit: Visit) -> None:
    page = opened(visit, world, device_scale_factor=density)
    expect(page.locator("#ed-pages")).to_have_text("2 pages")
    canvas = page.locator(".ed-page canvas").first
    fitting = page.locator("#ed-zoom-fit").inner_text()

    def shown() -> float:
        """Return the width of a page on the screen, once as many points are drawn as the screen has."""
        page.wait_for_function(DRAWN, arg=density)
        return float(canvas.evaluate("(canvas) => canvas.getBoundingClientRect().width"))

    at_first = shown()
    page.get_by_role("button", name="Larger").click()
    expect(page.locator("#ed-zoom-fit")).not_to_have_text(fitting)
    assert shown() > at_first
    page.get_by_role("button", name="Smaller").click()
    page.get_by_role("button", name="Smaller").click()
    assert shown() < at_first
    page.get_by_role("button", name="Fit the width").click()
    expect(page.locator("#ed-zoom-fit")).to_have_text(fitting)
    assert shown() == pytest.approx(at_first, abs=1)


def test_a_workbook_has_its_sheets_as_tabs(world: World, visit: Visit) -> None:
    page = opened(visit, world)
    page.locator("#ed-formats label", has_text="XLSX").click()
    expect(page.locator("#ed-pages")).to_have_text("2 sheets")
    tabs = page.get_by_role("tablist", name="Worksheets").get_by_role("tab")
    expect(tabs).to_have_count(2)
    tabs.nth(1).click()
    expect(tabs.nth(1)).to_have_attribute("aria-selected", "true")
    expect(page.locator(".ed-sheet")).to_contain_text("$20.00")
    expect(page.get_by_role("button", name="Larger")).to_be_hidden()


def test_the_paper_is_drawn_as_the_page_settings_make_it(world: World, visit: Visit) -> None:
    page = opened(visit, world)
    page.get_by_role("tab", name="Page").click()
    paper = page.locator(".ed-paper").get_by_role("img")
    expect(paper).to_have_attribute("aria-label", "Paper of 210 by 297 mm, content of 170 by 257 mm")
    expect(paper.locator(".ed-paper-band")).to_have_count(0)
    page.locator('[data-path="page.orientation"] label', has_text="Landscape").click()
    expect(paper).to_have_attribute("aria-label", re.compile("^Paper of 297 by 210 mm"))

    # What is far below scrolls in its tab: the bar with the buttons stays where it is.
    page.locator('[data-path="page.firstFooter"] label', has_text="Its own").click()
    page.get_by_text("Passwords", exact=True).click()
    page.get_by_label("Passwords and permissions", exact=True).click()
    assert page.evaluate("[scrollY, document.scrollingElement.scrollHeight - innerHeight]") == [0, 0]
    page.locator('[data-path="page.margins.left"] input').fill("400")
    expect(page.locator("#ed-problems")).to_contain_text("Page: the margins leave no room for content")
    page.locator('[data-path="page.margins.left"] input').fill("-1")
    expect(page.locator("#ed-problems")).to_contain_text("Page, Margins, Left: must be at least 0")
    page.locator('[data-path="page.margins.left"] input').fill("20")
    # Whoever sets a password goes on seeing the document.
    page.get_by_label("Password to open", exact=True).fill("4711")
    fresh(page)
    expect(page.locator("#ed-pages")).to_have_text(re.compile("^[12] pages?$"))
    expect(page.locator(".ed-page").first).to_be_visible()


def test_a_template_goes_out_as_a_file_and_comes_back(world: World, visit: Visit, tmp_path: Path) -> None:
    sample = {"name": "Long", "data": {"number": "7"}}
    samples = Template.objects.get(pk=world.ids["template"]).samples
    samples.create(name="Long", data={"number": "7"}, position=0)
    page = opened(visit, world)
    page.get_by_role("tab", name="JSON").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    stored = Template.objects.get(pk=world.ids["template"])
    assert download.value.suggested_filename == f"{stored.name}.json"
    file = tmp_path / "template.json"
    download.value.save_as(file)
    exported = json.loads(file.read_text())
    assert (exported["sections"], exported["sampleData"]) == (stored.sections, stored.sample_data)
    assert exported["samples"] == [sample]

    file.write_text(
        json.dumps(exported | {"name": "From a file", "samples": [sample, sample | {"name": "More"}]})
    )
    page.locator("#ed-panel-json input[type=file]").set_input_files(file)
    name = page.get_by_label("Name of the template")
    expect(name).to_have_value("From a file")
    name.fill("Written since")
    page.locator(".ed-toasts").get_by_role("button", name="Undo").click()
    expect(page.locator(".ed-toasts")).to_contain_text("There are later changes")
    expect(name).to_have_value("Written since")
    page.get_by_role("button", name="Undo (").click()
    page.locator("#ed-panel-json input[type=file]").set_input_files(file)
    expect(page.locator(".ed-toasts")).to_contain_text("it says the same as the template")
    expect(name).to_have_value("From a file")
    page.get_by_role("button", name="Undo (").click()
    expect(name).to_have_value(stored.name)

    # Named samples come along; a file that says nothing of them leaves those that there are.
    page.get_by_role("tab", name="Sample data").click()
    options = page.get_by_label("Sample", exact=True).get_by_role("option")
    expect(options).to_have_count(2)
    page.locator("#ed-panel-json input[type=file]").set_input_files(file)
    expect(options).to_have_count(3)
    del exported["samples"]
    file.write_text(json.dumps(exported))
    page.locator("#ed-panel-json input[type=file]").set_input_files(file)
    expect(name).to_have_value(stored.name)
    expect(options).to_have_count(3)

    file.write_text('{"sections": []}')
    page.locator("#ed-panel-json input[type=file]").set_input_files(file)
    expect(page.locator(".ed-toasts")).to_contain_text("template.json holds no template: sections")
    expect(name).to_have_value(stored.name)


def test_long_numbers_keep_their_digits(world: World, visit: Visit) -> None:
    long = 9_007_199_254_740_993  # the first whole number that a double of a browser does not hold
    section = {"type": "text", "content": "Number {{long}}"}
    template = Template.objects.filter(pk=world.ids["template"])
    template.update(sections=[section], sample_data={"long": long}, variables=[])
    sent: list[str] = []
    page = visit(world, "editor")
    page.on("request", lambda request: sent.append(request.post_data or ""))
    page.goto(world.path(EDIT))
    fresh(page)
    assert [json.loads(body)["data"] for body in sent if body] == [{"long": long}]
    page.get_by_role("tab", name="Sample data").click()
    panel = page.get_by_role("tabpanel", name="Sample data")
    expect(panel.locator(".cm-content")).to_contain_text(str(long))
    panel.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(json.dumps({"long": long + 2, "other": -long}))
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    assert template.get().sample_data == {"long": long + 2, "other": -long}
    page.get_by_role("tab", name="JSON").click()
    expect(page.get_by_role("tabpanel", name="JSON").locator(".cm-content")).to_contain_text(str(long + 2))


def test_a_log_in_that_ended_is_told_whole_and_over_once_there_is_another(world: World, visit: Visit) -> None:
    page = opened(visit, world)
    session = [each for each in page.context.cookies() if each["name"] == settings.SESSION_COOKIE_NAME]
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    page.locator("#ed-name").fill("Later")
    state = page.locator("#ed-state")
    expect(state).to_have_text("You have been logged out. Log in in another tab, then go on here.")
    assert state.evaluate("each => each.scrollWidth <= each.clientWidth")
    assert page.locator("#ed-formats").evaluate("each => each.clientHeight < 40")

    # Saving is refused in the same words, whatever else the browser has forgotten, and leads to the login.
    page.context.clear_cookies()
    page.keyboard.press("Control+s")
    toasts = page.locator("#ed-toasts")
    expect(toasts).to_contain_text("You have been logged out.")
    with page.context.expect_page() as login:
        toasts.get_by_role("button", name="Log in").click()
    expect(login.value.get_by_label("Password")).to_be_visible()
    login.value.close()

    page.context.add_cookies(session)
    page.keyboard.press("Control+s")
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    fresh(page)


def test_a_new_sample_is_what_the_preview_shows(world: World, visit: Visit) -> None:
    Template.objects.filter(pk=world.ids["template"]).update(sample_data={})
    page = opened(visit, world)
    hint = page.locator("#ed-hint")
    expect(hint).to_have_text("Made-up data")
    page.get_by_role("tab", name="Sample data").click()
    page.get_by_role("button", name="New sample").click()
    expect(hint).to_be_hidden()
