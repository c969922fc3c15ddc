"""Stories of the editor in a browser: a contract is written, from the first clause to the annex."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.dashboard import browser
from tests.dashboard.browser import PHONE, Visit
from tests.dashboard.editor import add, choose, field, fresh, make_drafting_world, opened, stored
from tests.dashboard.test_accessibility import WIDER
from tests.dashboard.world import World

pytestmark = browser.marks


@pytest.fixture
def world(transactional_db: None) -> World:
    return make_drafting_world()


def item(page: Page, number: str) -> Locator:
    return page.get_by_role("textbox", name=f"Item {number}", exact=True)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def saved(page: Page, world: World) -> list[dict[str, object]]:
    """Save, and return the sections that are stored then."""
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    return stored(world).sections


def test_clauses_and_sub_clauses_are_typed_one_after_the_other(world: World, visit: Visit) -> None:
    stored(world, sections=[{"type": "list", "items": ["Definitions", "Fees"], "ordered": True}])
    page = opened(visit, world)
    choose(page, "Definitions")
    # What is typed after a button has gone into what it made.
    button(page, "+ Sub-item of item 1").click()
    expect(item(page, "1.1")).to_be_focused()
    page.keyboard.type("Services")
    page.keyboard.press("Enter")
    page.keyboard.type("Fee")
    button(page, "+ Sub-item of item 1.2").click()
    expect(item(page, "1.2.1")).to_be_focused()
    page.keyboard.type("a month")
    # Every button tells its item from those of other levels.
    button(page, "+ Add sub-item to item 1.2").click()
    expect(item(page, "1.2.2")).to_be_focused()
    button(page, "Remove item 1.2.2").click()
    # A button that moves an item stays under the fingers, and is the way back at the end.
    button(page, "Move item 1.2 up").focus()
    page.keyboard.press("Enter")
    expect(button(page, "Move item 1.1 down")).to_be_focused()
    page.keyboard.press("Enter")
    expect(button(page, "Move item 1.2 up")).to_be_focused()
    item(page, "2").press("Alt+ArrowUp")
    expect(item(page, "1")).to_be_focused()
    assert saved(page, world)[0]["items"] == [
        "Fees",
        {"content": "Definitions", "items": ["Services", {"content": "Fee", "items": ["a month"]}]},
    ]


def test_items_are_parted_and_pasted_as_in_a_word_processor(world: World, visit: Visit) -> None:
    stored(world, sections=[{"type": "list", "items": ["Fees and term"]}])
    page = opened(visit, world)
    choose(page, "Fees")
    item(page, "1").focus()
    page.keyboard.press("Home")
    for _ in "Fees":
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(item(page, "1")).to_have_value("Fees")
    page.keyboard.press("Delete")
    page.keyboard.type("The ")
    expect(item(page, "2")).to_have_value("The and term")

    def paste(text: str) -> None:
        page.evaluate(
            """text => {
              const clipboardData = new DataTransfer();
              clipboardData.setData("text/plain", text);
              const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
              document.activeElement.dispatchEvent(event);
            }""",
            text,
        )

    page.keyboard.press("Control+a")
    paste(
        "1.\t“Fee” means the price\r\n\r\n1.1\tDue at once\r\n•\tby transfer\vor in cash\r\n2026 budget\r\n"
    )
    expect(item(page, "5")).to_be_focused()
    page.keyboard.type("!")
    assert saved(page, world)[0]["items"] == [
        "Fees", "“Fee” means the price", "Due at once", "by transfer\nor in cash", "2026 budget!",
    ]  # fmt: skip
    item(page, "3").fill("")
    page.keyboard.press("Backspace")
    page.keyboard.type(".")
    expect(item(page, "2")).to_have_value("“Fee” means the price.")


def test_items_go_as_deep_as_they_may(world: World, visit: Visit) -> None:
    nested: object = "6"
    for level in range(5, 0, -1):
        nested = {"content": str(level), "items": [nested]}
    stored(world, sections=[{"type": "list", "items": [nested]}])
    page = opened(visit, world)
    choose(page, "List")
    expect(item(page, "1.1.1.1.1.1")).to_have_value("6")
    expect(page.get_by_role("button", name="+ Sub-item of item")).to_have_count(0)


def test_a_new_entry_begins_at_its_first_field(world: World, visit: Visit) -> None:
    stored(world, sections=[{"type": "signature", "signers": [{"name": "Client"}]}])
    page = opened(visit, world)
    choose(page, "Client")
    button(page, "+ Add signer").click()
    page.keyboard.type("Provider")
    expect(field(page, "sections[0].signers[1].name").locator("textarea")).to_have_value(
        re.compile("Provider")
    )
    button(page, "Remove signer 1").click()
    expect(field(page, "sections[0].signers[0].name").locator("textarea")).to_be_focused()


def test_a_section_that_asks_for_nothing_has_the_focus_in_the_outline(world: World, visit: Visit) -> None:
    page = opened(visit, world)
    add(page, "Page break")
    expect(page.locator(".ed-section[aria-current]")).to_be_focused()
    expect(page.locator(".ed-section[aria-current]")).to_contain_text("Page break")
    page.get_by_role("tab", name="Page", exact=True).click()
    button(page, "Use sections in place of the texts, such as a logo in Header").click()
    expect(page.locator('[data-section="page.header.sections[0]"]')).to_be_focused()


def test_the_way_from_a_section_to_its_form_and_back_is_a_key(world: World, visit: Visit) -> None:
    stored(world, sections=[{"type": "text", "content": text} for text in ("One", "Two", "{{name}}")])
    page = opened(visit, world)
    two = page.locator(".ed-section", has_text="Two")
    page.locator(".ed-section", has_text="One").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(two).to_have_attribute("aria-current", "true")
    expect(two).to_be_focused()
    page.keyboard.press("Enter")
    text = page.get_by_role("region", name="Selected section").get_by_role("textbox", name="Text")
    expect(text).to_be_focused()
    # An open list is closed by the same key.
    page.keyboard.type("{{")
    page.get_by_role("listbox").wait_for()
    page.keyboard.press("Escape")
    expect(text).to_be_focused()
    page.keyboard.press("Escape")
    expect(two).to_be_focused()


def test_what_was_typed_marked_or_chosen_is_taken_back_by_the_same_key(world: World, visit: Visit) -> None:
    stored(
        world,
        sections=[{"type": "text", "content": "Old"}, {"type": "list", "items": ["One", "Two"]}],
        variables=[{"name": "fee", "type": "currency"}],
    )
    page = opened(visit, world)
    choose(page, "Old")
    text = field(page, "sections[0].content").locator("textarea")
    text.focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("The fee ")
    page.keyboard.press("Control+Shift+ArrowLeft")
    page.keyboard.press("Control+b")
    expect(text).to_have_value("The **fee **")
    # Slanted as well, not slanted in place of bold.
    page.keyboard.press("Control+i")
    expect(text).to_have_value("The ***fee ***")
    page.keyboard.press("Control+i")
    page.keyboard.press("Control+b")
    expect(text).to_have_value("The fee ")
    for left in ("The **fee **", "The ***fee ***", "The **fee **", "The fee "):
        page.keyboard.press("Control+z")
        expect(text).to_have_value(left)
    page.keyboard.press("End")
    page.keyboard.type("{{f")
    page.get_by_role("listbox").wait_for()
    page.keyboard.press("Enter")
    expect(text).to_have_value("The fee {{fee}}")
    page.keyboard.press("Control+z")
    expect(text).to_have_value("The fee {{f")

    # In a field in which nothing was typed it takes back what was done last: here an item comes back.
    page.keyboard.press("Escape")
    choose(page, "One")
    button(page, "Remove item 1").click()
    expect(item(page, "1")).to_have_value("Two")
    expect(item(page, "1")).to_be_focused()
    page.keyboard.press("Control+z")
    expect(item(page, "2")).to_have_value("Two")
    # Items have marks by key as texts do.
    item(page, "2").select_text()
    page.keyboard.press("Control+b")
    expect(item(page, "2")).to_have_value("**Two**")


def test_no_line_of_a_text_is_cut_on_a_phone_that_is_turned(world: World, visit: Visit) -> None:
    clause = (
        "The Provider shall perform the Services with due care and skill, as agreed by both parties. " * 3
    )
    stored(world, sections=[{"type": "list", "items": [clause]}])
    page = opened(visit, world)
    choose(page, "The Provider")
    hidden = "area => area.scrollHeight - area.clientHeight"
    assert item(page, "1").evaluate(hidden) <= 0
    page.set_viewport_size(PHONE)
    expect(item(page, "1")).to_have_js_property(
        "clientHeight", item(page, "1").evaluate("area => area.scrollHeight")
    )


def test_a_form_has_room_on_a_magnified_page(world: World, visit: Visit) -> None:
    """At 200 % a screen of 1280 by 800 has 640 by 400; the bar, tabs and messages would leave nothing."""
    page = opened(visit, world)
    for width, height in ((640, 400), (844, 390), (320, 256)):
        page.set_viewport_size({"width": width, "height": height})
        form = page.locator("#ed-inspector").bounding_box()
        assert form is not None
        assert form["height"] > 180
        assert page.evaluate(WIDER) <= 0
        # What lies below is reached by scrolling the page.
        assert page.evaluate("document.documentElement.scrollHeight - innerHeight") > 0


def test_names_have_letters_of_any_script(world: World, visit: Visit) -> None:
    number = {"type": "number"}
    stored(
        world,
        sections=[{"type": "text", "content": "{{größe}} {{gr}}"}],
        variables=[
            {"name": "gr"} | number,
            {"name": "größe"} | number,
            {"name": "total", "value": "größe * gr + [unit-gr] - gr"} | number,
            {"name": "unit-gr"} | number,
        ],
        sample_data={"gr": 2, "größe": 3, "unit-gr": 4},
    )
    page = opened(visit, world)
    choose(page, "Text")
    text = field(page, "sections[0].content").locator("textarea")
    text.press("End")
    text.press_sequentially(" {{grö")
    page.get_by_role("option", name="größe").wait_for()
    text.press("Enter")
    expect(text).to_have_value("{{größe}} {{gr}} {{größe}}")
    page.get_by_role("tab", name="Variables").click()
    for index, name in ((0, "net-price"), (1, "الكمية")):
        box = page.locator(".ed-variable-name").nth(index)
        box.fill(name)
        box.press("Enter")
        expect(page.locator("#ed-toasts")).to_contain_text("Renamed")
    [section] = saved(page, world)
    assert section["content"] == "{{الكمية}} {{net-price}} {{الكمية}}"
    # What is no plain name stands in brackets in a formula, and no part of another name is taken for it.
    assert stored(world).variables[2]["value"] == "الكمية * [net-price] + [unit-gr] - [net-price]"
    assert stored(world).sample_data == {"net-price": 2, "الكمية": 3, "unit-gr": 4}


def test_numbers_are_chosen_in_one_step(world: World, visit: Visit) -> None:
    stored(world, sections=[{"type": "list", "items": ["Definitions"]}])
    page = opened(visit, world)
    choose(page, "Definitions")
    page.get_by_text("1., 1.1, 1.1.1", exact=True).click()
    expect(page.get_by_role("switch", name="Ordered")).to_be_checked()
    expect(page.get_by_role("radio", name="1., 1.1, 1.1.1")).to_be_checked()
    expect(page.get_by_role("radio", name="1., 1.1, 1.1.1")).to_be_focused()
    assert saved(page, world)[0] | {"ordered": True, "style": "outline"} == stored(world).sections[0]


def test_widths_are_taken_as_people_write_them(world: World, visit: Visit) -> None:
    empty = {"sections": [{"type": "text", "content": "x"}]}
    stored(world, sections=[{"type": "columns", "columns": [empty] * 4}])
    page = opened(visit, world)
    choose(page, "Columns")
    for index, text in enumerate(('"40 %"', "30 mm", "20,5", "2 *")):
        field(page, f"sections[0].columns[{index}].width").locator("input").fill(text)
    columns = saved(page, world)[0]["columns"]
    assert [column["width"] for column in columns] == ["40%", 30, 20.5, "2*"]  # type: ignore[index, attr-defined]


def test_kinds_are_found_by_the_words_of_an_office(world: World, visit: Visit) -> None:
    page = opened(visit, world)
    button(page, "Add section").click()
    search = page.get_by_role("searchbox", name="Search sections")
    told = page.get_by_role("dialog").get_by_role("status")
    for words, kind in {
        "clause": "List", "two columns": "Columns", "toc": "Table of contents", "sum": "Table",
        "new page": "Page break", "list": "List",
    }.items():  # fmt: skip
        search.fill(words)
        expect(page.locator(".ed-kind strong", has_text=re.compile(f"^{kind}$"))).to_be_visible()
        expect(told).to_have_text(re.compile(r"^\d+ found$"))
    search.fill("nonsense")
    expect(told).to_have_text("Nothing of that name.")


def test_the_preview_goes_to_what_is_selected(world: World, visit: Visit) -> None:
    stored(
        world,
        sections=[
            {"type": "heading", "content": "Contract"},
            {"type": "page_break"},
            {"type": "heading", "content": "Annex"},
        ],
    )
    page = opened(visit, world)
    frame = page.locator(".ed-area:not(.ed-area-pointed)")
    expect(frame).to_be_in_viewport()
    choose(page, "Annex")
    expect(frame).to_be_in_viewport()
    # Typing moves no page: somebody may look at another one meanwhile.
    page.locator("#ed-pdf").evaluate("pages => pages.scrollTop = 0")
    field(page, "sections[2].content").locator("textarea").fill("Annex A")
    fresh(page)
    expect(frame).not_to_be_in_viewport()
    add(page, "Text")
    page.keyboard.type("At the end")
    expect(frame).to_be_in_viewport()
    choose(page, "Contract")
    expect(frame).to_be_in_viewport()


def test_fields_are_told_with_what_they_belong_to(world: World, visit: Visit) -> None:
    stored(world, sections=[{"type": "text", "content": "{{client.name}} {{provider.name}}"}], variables=[])
    page = opened(visit, world)
    page.get_by_role("tab", name="Variables").click()
    expect(button(page, "Declare client object")).to_be_visible()
    button(page, "Declare all").click()
    expect(page.locator(".ed-variable-name").first).to_be_focused()
    expect(page.get_by_label("Type of provider.name")).to_have_value("string")
    expect(page.get_by_label("Name of a field of client")).to_have_value("name")
    button(page, "Add field to provider").click()
    expect(button(page, "Move provider.new_field up")).to_be_visible()
