"""Stories of the editor in a browser: sections, on the pages and by keyboard."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, expect

from tests.conftest import INVOICE, INVOICE_DATA
from tests.dashboard import browser
from tests.dashboard.browser import PHONE, Visit
from tests.dashboard.editor import add, choose, field, fresh, held, make_drafting_world, opened, stored
from tests.dashboard.test_accessibility import WIDER, violations_in_both_themes
from tests.dashboard.world import World

pytestmark = browser.marks


@pytest.fixture
def world(transactional_db: None) -> World:
    return make_drafting_world()


def test_a_click_on_a_page_selects_the_section_that_stands_there(world: World, visit: Visit) -> None:
    box = {"type": "box", "sections": [{"type": "text", "content": "Inside of the box"}]}
    stored(
        world,
        sections=[*INVOICE["sections"], box],
        page={"header": {"left": "A header"}},
        sample_data=INVOICE_DATA,
    )
    page = opened(visit, world)
    sheet = page.locator(".ed-page")
    selected = page.locator(".ed-section[aria-current]")

    def click(place: str) -> None:
        """Click into the middle of an area, as the preview's answer tells it."""
        areas = answer.value.text().partition('"areas":')[2].partition('"sheets"')[0].rstrip(",")
        told = json.loads(areas)
        index = told["places"].index(place)
        _, x, y, width, height = next(area for area in told["pages"][0] if area[0] == index)
        scale = sheet.bounding_box()["width"] / 595.28
        where = {"x": (x + width / 2) * scale, "y": (y + height / 2) * scale}
        sheet.hover(position=where)
        sheet.click(position=where)

    with page.expect_response(re.compile("/preview")) as answer:
        page.locator("#ed-name").press_sequentially("!")
    fresh(page)
    click("sections[1]")
    expect(selected).to_contain_text("Table")
    expect(page.locator(".ed-inspector h2").first).to_have_text("Table")
    expect(page.locator(".ed-area:not(.ed-area-pointed)")).to_have_count(1)
    click("sections[2].sections[0]")
    expect(selected).to_contain_text("Inside of the box")
    # Where a section stood before it was moved, it is not looked for.
    with held(page, "preview"):
        page.locator(".ed-section", has_text="Heading").click()
        page.get_by_role("button", name="Move Heading down").click()
        click("sections[1]")
        expect(selected).to_contain_text("Heading")
        page.keyboard.press("Control+z")
        expect(page.locator("#ed-state")).to_have_text("Drawing…")
    fresh(page)
    page.get_by_role("tab", name="Variables").click()
    click("sections[0]")
    expect(selected).to_contain_text("Heading")
    expect(page.get_by_role("tabpanel", name="Sections")).to_be_visible()
    click("page.header")
    expect(page.get_by_role("tabpanel", name="Page")).to_be_visible()
    page.set_viewport_size(PHONE)
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Fit the width").click()
    click("sections[1]")
    expect(page.locator(".ed-inspector h2").first).to_be_visible()


def test_a_section_goes_to_another_template_by_the_clipboard(world: World, visit: Visit) -> None:
    box = {"type": "box", "sections": [{"type": "text", "content": "Inside"}]}
    stored(world, sections=[{"type": "heading", "content": "One"}, box, {"type": "divider"}])
    page = opened(visit, world)
    kinds = page.locator(".ed-section-kind")
    choose(page, "Box")
    page.locator(".ed-section", has_text="Box").focus()
    page.keyboard.press("Control+x")
    expect(kinds).to_have_text(["Heading", "Divider"])

    stored(world, sections=[{"type": "heading", "content": "Elsewhere"}, {"type": "spacer", "height": 5}])
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    other = page.context.new_page()
    other.goto(page.url)
    fresh(other)
    kinds = other.locator(".ed-section-kind")
    choose(other, "Elsewhere")
    other.locator(".ed-section", has_text="Elsewhere").focus()
    other.keyboard.press("Control+v")
    expect(kinds).to_have_text(["Heading", "Box", "Text", "Spacer"])
    expect(other.locator(".ed-section", has_text="Box")).to_be_focused()
    other.keyboard.press("Control+z")
    expect(kinds).to_have_text(["Heading", "Spacer"])
    # In a field it is text, and words are no section.
    choose(other, "Elsewhere")
    text = field(other, "sections[0].content").get_by_label("Text", exact=True)
    text.fill("Words")
    text.select_text()
    other.keyboard.press("Control+c")
    other.locator(".ed-section", has_text="Words").focus()
    other.keyboard.press("Control+v")
    expect(other.locator("#ed-toasts")).to_contain_text("what was copied is no section")
    expect(kinds).to_have_text(["Heading", "Spacer"])


def test_sections_by_keyboard_and_back_again(world: World, visit: Visit) -> None:
    kinds = [{"type": "heading", "content": "One"}, {"type": "text", "content": "Two"}, {"type": "divider"}]
    stored(world, sections=kinds)
    page = opened(visit, world)

    def order() -> list[str]:
        return page.locator(".ed-section-kind").all_inner_texts()

    choose(page, "Two")
    page.locator(".ed-section", has_text="Two").focus()
    page.keyboard.press("Alt+ArrowUp")
    assert order() == ["Text", "Heading", "Divider"]
    expect(page.locator(".ed-section", has_text="Two")).to_be_focused()
    page.keyboard.press("Control+d")
    assert order() == ["Text", "Text", "Heading", "Divider"]
    page.keyboard.press("Delete")
    page.keyboard.press("Delete")
    assert order() == ["Text", "Divider"]
    page.locator("#ed-undo").click()
    assert order() == ["Text", "Heading", "Divider"]
    page.locator(".ed-section", has_text="One").focus()
    for _ in range(3):
        page.keyboard.press("Control+z")
    assert order() == ["Heading", "Text", "Divider"]
    page.keyboard.press("Control+Shift+z")
    assert order() == ["Text", "Heading", "Divider"]
    # By hand, with the mouse.
    page.locator(".ed-section", has_text="One").hover()
    page.locator(".ed-grip").nth(1).drag_to(
        page.locator(".ed-section", has_text="Divider"), target_position={"x": 20, "y": 26}
    )
    expect(page.locator(".ed-section-kind")).to_have_text(["Text", "Divider", "Heading"])
    # An image is chosen by its name, and told by it.
    add(page, "Image")
    image = field(page, "sections[3].source")
    image.get_by_label("Image", exact=True).click()
    page.get_by_role("option", name="Acme logo.png").click()
    expect(image).to_contain_text("Asset: Acme logo.png")
    image.get_by_label("Image", exact=True).fill("{{logo}}")
    expect(image).not_to_contain_text("Asset:")


def test_the_keyboard_goes_on_where_it_was(world: World, visit: Visit) -> None:
    kinds = [{"type": "heading", "content": "One {{a}}"}, {"type": "text", "content": "Two {{b}}"}]
    stored(world, sections=kinds, variables=[], sample_data={})
    page = opened(visit, world)

    def press(button: Locator) -> None:
        button.focus()
        page.keyboard.press("Enter")

    def tool(name: str) -> Locator:
        return page.locator("#ed-section-head").get_by_role("button", name=name)

    # The tools of a section stay under the fingers, whatever they do to it.
    choose(page, "Two")
    for name in ("Move Text up", "Move Text down", "Duplicate"):
        press(tool(name))
        expect(tool(name)).to_be_focused()
    press(tool("Delete"))
    expect(tool("Delete")).to_be_focused()
    expect(page.locator(".ed-section-kind")).to_have_text(["Heading", "Text"])

    # What was deleted and came back by the keyboard is not offered any longer.
    offer = page.locator(".ed-toast").get_by_role("button", name="Undo")
    expect(offer).to_be_visible()
    page.keyboard.press("Control+z")
    expect(page.locator(".ed-section-kind")).to_have_text(["Heading", "Text", "Text"])
    expect(offer).to_be_hidden()

    press(page.get_by_role("button", name="Add a condition"))
    press(page.get_by_role("button", name="Remove condition 1"))
    expect(page.get_by_role("button", name="Add a condition")).to_be_focused()

    page.get_by_role("tab", name="Variables").click()
    panel = page.locator("#ed-panel-variables")
    press(panel.get_by_role("button", name="Declare all"))
    expect(panel.locator(":focus")).to_have_count(1)
    press(panel.get_by_role("button", name="Remove b"))
    expect(panel.locator(":focus")).to_have_count(1)

    # Buttons that have nothing to do any more keep the focus.
    save, undo = page.locator("#ed-save"), page.locator("#ed-undo")
    press(save)
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    expect(save).to_be_disabled()
    expect(save).to_be_focused()
    undo.focus()
    while undo.is_enabled():
        page.keyboard.press("Enter")
    expect(undo).to_be_focused()
    expect(page.locator(".ed-section-kind")).to_have_text(["Heading", "Text"])


def test_a_section_in_another_language(world: World, visit: Visit) -> None:
    page = opened(visit, world)
    add(page, "Text")
    place = f"sections[{len(stored(world).sections)}]"
    field(page, f"{place}.content").get_by_label("Text", exact=True).fill("שלום (ACME)")
    page.get_by_text("More options").click()
    language = field(page, f"{place}.language").get_by_label("Language", exact=True)
    language.fill("Hebrew!")
    expect(field(page, f"{place}.language")).to_contain_text("must be a language such as en or de-CH")
    language.fill("he")
    fresh(page)
    expect(field(page, f"{place}.language")).not_to_contain_text("must be a language")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    assert stored(world).sections[-1]["language"] == "he"


def test_every_part_is_accessible(world: World, visit: Visit) -> None:
    stored(world, sections=INVOICE["sections"], sample_data=INVOICE_DATA)
    page = opened(visit, world)
    choose(page, "Table")
    page.get_by_role("button", name="More of column 1").click()
    page.get_by_text("More options").click()
    page.get_by_role("button", name="Add a condition").last.click()
    assert violations_in_both_themes(page) == []
    page.get_by_role("button", name="Add section").click()
    assert violations_in_both_themes(page) == []
    # A press beside the dialog closes it; a selection of text that is dragged out does not.
    search = page.get_by_role("searchbox", name="Search sections")
    search.fill("text")
    box = search.bounding_box()
    assert box
    page.mouse.move(box["x"] + 60, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(5, 5)
    page.mouse.up()
    expect(search).to_be_visible()
    page.mouse.click(5, 5)
    expect(search).to_have_count(0)
    # Enter takes the kind of that name, not the first one in whose words it stands.
    page.get_by_role("button", name="Add section").click()
    search.fill("table")
    expect(page.locator(".ed-kind strong").first).to_have_text("Table")
    page.mouse.click(5, 5)
    expect(search).to_have_count(0)
    choose(page, "Heading")
    text = field(page, "sections[0].content").get_by_label("Text", exact=True)
    text.press("End")
    text.press_sequentially(" {{")
    page.get_by_role("listbox").wait_for()
    assert violations_in_both_themes(page) == []
    text.press("Escape")
    page.locator("#ed-problems").get_by_role("button").wait_for()
    for tab in ("Variables", "Sample data", "Page", "JSON"):
        page.get_by_role("tab", name=tab).click()
        if tab in {"Sample data", "JSON"}:
            page.get_by_role("tabpanel", name=tab).locator(".cm-content").wait_for()
        if tab == "Page":
            while page.locator("details.ed-group:not([open])").count():
                page.locator("details.ed-group:not([open]) > summary").first.click()
        assert violations_in_both_themes(page) == [], tab
    page.set_viewport_size(PHONE)
    assert page.evaluate(WIDER) <= 0
    page.get_by_role("button", name="Preview").click()
    assert violations_in_both_themes(page) == []


def test_each_wrong_expression_of_a_text_is_told_and_led_to(world: World, visit: Visit) -> None:
    page = opened(visit, world)
    choose(page, "Heading")
    text = field(page, "sections[0].content")
    text.locator("textarea").fill("Contract {{contract number}} of {{date|datum}}")
    problems = page.locator("#ed-problems").get_by_role("button")
    expect(problems).to_have_count(2)
    expect(text.locator(".ed-error")).to_contain_text("{{contract number}}")
    expect(text.locator(".ed-error")).to_contain_text("{{date|datum}}")
    problems.nth(1).click()
    assert page.evaluate("document.getSelection().toString()") == "{{date|datum}}"
    mark = page.locator(".ed-section .ed-section-mark").first.bounding_box()
    assert mark is not None
    assert mark["width"] >= 12, "long words beside it do not squeeze the mark"


def test_a_section_is_taken_elsewhere_without_dragging(world: World, visit: Visit) -> None:
    columns = {"type": "columns", "columns": [{"sections": [{"type": "text", "content": "In it"}]}]}
    stored(world, sections=[{"type": "heading", "content": "One"}, columns, {"type": "divider"}])
    page = opened(visit, world)
    page.set_viewport_size(PHONE)
    kinds = page.locator(".ed-section-kind")
    places = page.locator(".ed-place")

    choose(page, "One")
    page.get_by_role("button", name="Move or copy Heading elsewhere").click()
    expect(places).to_have_text(
        ["At the beginning", "After Text: In it", "After 2 Columns", "After 3 Divider"]
    )  # fmt: skip
    places.nth(2).click()
    expect(kinds).to_have_text(["Columns", "Text", "Heading", "Divider"])
    expect(page.locator(".ed-section", has_text="One")).to_be_focused()
    # Into a part, which Alt and an arrow leave only; and as a copy, from the keyboard.
    page.get_by_role("button", name="Move or copy Heading elsewhere").click()
    page.keyboard.press("ArrowRight")
    places.filter(has_text="After Text: In it").press("Enter")
    expect(kinds).to_have_text(["Columns", "Text", "Heading", "Heading", "Divider"])
    expect(page.locator('[data-section="sections[0].columns[0].sections[1]"]')).to_be_focused()

    # What was copied by a button waits in this browser for any other template.
    page.get_by_role("button", name="Move or copy Heading elsewhere").click()
    page.get_by_role("button", name="Copy for another template").click()
    choose(page, "Divider")
    page.get_by_role("button", name="Move or copy Divider elsewhere").click()
    page.get_by_role("button", name="Paste what was copied below").click()
    expect(kinds).to_have_text(["Columns", "Text", "Heading", "Heading", "Divider", "Heading"])


def test_items_of_a_list_are_written_as_in_a_word_processor(world: World, visit: Visit) -> None:
    stored(world, sections=[{"type": "list", "items": ["Fees"]}])
    page = opened(visit, world)
    choose(page, "Fees")
    items = page.get_by_role("textbox", name=re.compile("^Item"))
    items.first.focus()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.keyboard.type("Term")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("of a year")
    page.keyboard.press("Enter")
    expect(items).to_have_count(3)
    page.keyboard.press("Backspace")
    expect(items).to_have_count(2)
    expect(items.nth(1)).to_be_focused()
    page.get_by_role("button", name="Sub-item of item 1").click()
    page.get_by_role("textbox", name="Item 1.1").fill("Due at once")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    [section] = stored(world).sections
    assert section["items"] == [{"content": "Fees", "items": ["Due at once"]}, "Term\nof a year"]


def test_texts_are_written_from_the_side_that_they_are_read_from(world: World, visit: Visit) -> None:
    stored(
        world,
        sections=[{"type": "text", "content": "Dear Ada"}, {"type": "list", "items": ["שלום {{name}}"]}],
    )
    page = opened(visit, world)
    direction = "area => getComputedStyle(area).direction"
    choose(page, "Dear Ada")
    text = field(page, "sections[0].content").locator("textarea")
    assert text.evaluate(direction) == "ltr"
    text.fill("السيد {{customer.name}} المحترم،")
    assert text.evaluate(direction) == "rtl"
    page.locator(".ed-section", has_text="List").click()
    assert page.get_by_role("textbox", name="Item 1").evaluate(direction) == "rtl"
