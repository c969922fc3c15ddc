"""Stories of the editor in a browser: nothing that somebody wrote is changed or lost behind their back."""

from __future__ import annotations

from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.conftest import INVOICE, INVOICE_DATA
from tests.dashboard import browser
from tests.dashboard.browser import PHONE, Visit
from tests.dashboard.editor import EDIT, add, choose, field, held, make_drafting_world, opened, stored
from tests.dashboard.test_accessibility import violations_in_both_themes
from tests.dashboard.world import World
from tests.live.service import wait_for

pytestmark = browser.marks
NUMBER = {"name": "number", "type": "number", "required": True}
FOUND = {"name": "found", "type": "string", "inferred": True}
# Whether what is unsaved is told where nothing covers it.
CLEAR = """() => document.querySelector("#ed-saved").getBoundingClientRect().right
    <= document.querySelector("#ed-save").getBoundingClientRect().left"""
# How far below a field a list begins.
GAP = "(list, field) => list.getBoundingClientRect().top - field.getBoundingClientRect().bottom"
# What is waited for takes a hundredth of the time.
HURRY = """() => {
    const real = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (time) => real(time / 100);
}"""
# The next save is stored, and its answer does not arrive.
LOSE_AN_ANSWER = """() => {
    const real = window.fetch;
    window.fetch = async (url, options) => {
        const answer = await real(url, options);
        if (!String(url).endsWith("/save")) return answer;
        window.fetch = real;
        throw new TypeError("The connection is lost");
    };
}"""


@pytest.fixture
def world(transactional_db: None) -> World:
    return make_drafting_world()


def test_passing_through_a_field_with_suggestions_changes_nothing(world: World, visit: Visit) -> None:
    stored(world, sections=INVOICE["sections"], sample_data=INVOICE_DATA)
    page = opened(visit, world)
    choose(page, "Table")
    key = field(page, "sections[1].columns[1].key").get_by_label("Field", exact=True)
    before = key.input_value()
    offers = page.get_by_role("listbox")
    for way in ("Tab", "Shift+Tab", "Enter"):
        key.click()
        offers.wait_for()
        assert key.get_attribute("aria-activedescendant") is None
        key.press(way)
        expect(offers).to_be_hidden()
        expect(key).to_have_value(before)
        if way != "Enter":
            expect(key).not_to_be_focused()
    # The same where it was emptied on purpose.
    key.fill("")
    offers.wait_for()
    key.press("Tab")
    expect(key).to_have_value("")

    key.click()
    first = offers.get_by_role("option").first.locator(".ed-offer-name").inner_text()
    key.press("ArrowDown")
    expect(offers.get_by_role("option").first).to_have_attribute("aria-selected", "true")
    key.press("Tab")
    expect(key).to_have_value(first)


def test_json_is_saved_and_kept_the_moment_it_is_typed(world: World, visit: Visit) -> None:
    stored(world, sections=[{"type": "text", "content": "World"}], sample_data={"a": 1})
    page = opened(visit, world)
    page.get_by_role("tab", name="JSON").click()
    panel = page.locator("#ed-panel-json")
    panel.locator(".cm-line", has_text="World").click()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.type("s")
    page.keyboard.press("Control+s")
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    assert stored(world).sections[0]["content"] == "Worlds"

    page.get_by_role("tab", name="Sample data").click()
    page.locator("#ed-panel-samples .cm-line", has_text='"a"').click()
    page.keyboard.press("End")
    page.keyboard.type("2")
    page.keyboard.press("Control+s")
    expect(page.locator("#ed-version")).to_have_text("Version 3")
    assert stored(world).sample_data == {"a": 12}

    # Whoever leaves at once finds it again.
    page.get_by_role("tab", name="JSON").click()
    panel.locator(".cm-line", has_text="Worlds").click()
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.type("!")
    page.locator(".ed-bar a").evaluate("(link) => link.click()")
    page.wait_for_url("**/templates/*")
    page.goto(world.path(EDIT))
    page.locator("#ed-notice").get_by_role("button", name="Go on with it").click()
    expect(field(page, "sections[0].content").get_by_label("Text", exact=True)).to_have_value("Worlds!")


def test_a_header_that_is_switched_off_leaves_no_sections_behind(world: World, visit: Visit) -> None:
    stored(world, page={"header": {"sections": [{"type": "text", "content": "Band words"}]}})
    page = opened(visit, world)
    outline = page.get_by_role("navigation", name="Sections")
    choose(page, "Band words")
    page.get_by_role("tab", name="Page").click()
    button = page.get_by_role("button", name="Edit its sections")
    expect(button).to_have_count(1)
    switch = page.locator("#ed-panel-page").get_by_role("switch", name="Header", exact=True)
    switch.focus()
    switch.press("Space")
    expect(switch).to_be_focused()
    expect(button).to_have_count(0)
    page.get_by_role("tab", name="Sections").click()
    expect(outline).not_to_contain_text("Band words")
    expect(page.locator("#ed-section-head")).to_contain_text("Heading")
    # Taken back, it is all there again.
    page.locator("#ed-undo").click()
    expect(outline).to_contain_text("Band words")
    page.get_by_role("tab", name="Page").click()
    expect(button).to_have_count(1)

    # A header of the first page alone, in the same way.
    stored(world, page={"firstHeader": {"sections": [{"type": "text", "content": "First words"}]}})
    page = opened(visit, world)
    choose(page, "First words")
    page.get_by_role("tab", name="Page").click()
    page.locator('[data-path="page.firstHeader"] label', has_text="None").click()
    page.get_by_role("tab", name="Sections").click()
    expect(page.get_by_role("navigation", name="Sections")).not_to_contain_text("First words")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    assert stored(world).page == {"firstHeader": None}


def test_an_embedded_image_goes_by_its_button_alone(world: World, visit: Visit) -> None:
    pixel = BytesIO()
    Image.new("RGB", (2, 2)).save(pixel, "PNG")
    stored(world, sections=[{"type": "image", "source": "{{logo}}", "alt": "Logo"}])
    page = opened(visit, world)
    image = field(page, "sections[0].source")
    file = {"name": "a.png", "mimeType": "image/png", "buffer": pixel.getvalue()}
    image.locator("input[type=file]").set_input_files([file])  # type: ignore[list-item]
    source = image.get_by_label("Image", exact=True)
    expect(source).to_have_value("Embedded image")
    expect(source).not_to_be_editable()
    source.click()
    page.keyboard.type("x")
    page.keyboard.press("Tab")
    expect(source).to_have_value("Embedded image")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    assert stored(world).sections[0]["source"].startswith("data:image/png;base64,")

    # One that is too large is refused in words, and another one can be chosen at once.
    large = {"name": "large.png", "mimeType": "image/png", "buffer": b"0" * 3_000_001}
    image.locator("input[type=file]").set_input_files([large])  # type: ignore[list-item]
    expect(page.locator(".ed-toast")).to_be_visible()
    expect(page.locator(".ed-toast")).to_have_text("The image is larger than 3 MB: upload it as an asset.")
    expect(image.locator("input[type=file]")).to_have_value("")

    image.get_by_role("button", name="Image: remove the embedded image").click()
    expect(source).to_be_focused()
    expect(source).to_be_editable()
    expect(source).to_have_value("")
    page.locator("#ed-undo").click()
    expect(source).to_have_value("Embedded image")
    expect(page.locator("#ed-saved")).to_be_empty()


def test_a_save_whose_answer_is_lost_is_no_conflict_with_oneself(world: World, visit: Visit) -> None:
    page = opened(visit, world)
    text = field(page, "sections[0].content").get_by_label("Text", exact=True)

    toasts = page.locator(".ed-toasts")

    def saved_unanswered(version: int) -> None:
        page.evaluate(LOSE_AN_ANSWER)
        page.keyboard.press("Control+s")
        wait_for(lambda: stored(world).version == version, 60, "the save")
        expect(toasts).to_contain_text("No connection")
        toasts.evaluate("(box) => box.replaceChildren()")

    text.fill("Stored, not answered")
    saved_unanswered(2)
    page.keyboard.press("Control+s")
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    expect(page.locator("#ed-saved")).to_be_empty()

    # The same for whoever has gone on writing meanwhile.
    text.fill("Lost again")
    saved_unanswered(3)
    text.fill("Lost again, and written since")
    page.keyboard.press("Control+s")
    expect(page.locator("#ed-version")).to_have_text("Version 4")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert stored(world).sections[0]["content"] == "Lost again, and written since"
    assert stored(world).versions.get(version=3).sections[0]["content"] == "Lost again"


def test_the_name_that_is_shown_is_that_of_the_document(world: World, visit: Visit) -> None:
    page = opened(visit, world)
    page.locator("#ed-name").fill("Not saved")
    page.locator(".ed-bar a").click()
    page.wait_for_url("**/templates/*")
    page.go_back()
    page.locator("#ed-app[data-ready]").wait_for(state="attached")
    expect(page.locator("#ed-notice")).to_contain_text("You have unsaved work")
    expect(page.locator("#ed-name")).to_have_value(stored(world).name)
    expect(page.locator("#ed-saved")).to_be_empty()


def test_why_nothing_was_saved_stands_until_the_next_save(world: World, visit: Visit) -> None:
    page = opened(visit, world)
    text = field(page, "sections[0].content").get_by_label("Text", exact=True)
    toasts = page.locator(".ed-toasts")
    text.fill("Hello {{ name }}")
    page.clock.install()
    page.keyboard.press("Control+s")
    told = toasts.get_by_text("Not saved: there is something to correct first.")
    expect(told).to_be_visible()
    page.clock.run_for(30_000)
    expect(told).to_be_visible()
    # What is said after it does not hide it, and goes.
    add(page, "Divider")
    page.get_by_role("button", name="Delete Divider").click()
    expect(toasts).to_contain_text("Divider deleted.")
    page.clock.run_for(30_000)
    expect(toasts).not_to_contain_text("Divider deleted.")
    assert violations_in_both_themes(page) == []
    toasts.get_by_role("button", name="Close").press("Enter")
    expect(told).to_be_hidden()
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_focused()

    page.keyboard.press("Control+s")
    expect(told).to_be_visible()
    choose(page, "Hello")
    text.fill("Hello {{name}}")
    page.keyboard.press("Control+s")
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    expect(told).to_be_hidden()


def test_a_save_that_hangs_keeps_nobody_from_saving(world: World, visit: Visit) -> None:
    page = opened(visit, world)
    text = field(page, "sections[0].content").get_by_label("Text", exact=True)
    # What is written while a save is under way is saved once it has ended.
    with held(page, "save"):
        text.fill("First")
        page.keyboard.press("Control+s")
        expect(page.get_by_role("button", name="Saving…")).to_be_disabled()
        text.fill("Second")
        page.keyboard.press("Control+s")
    expect(page.locator("#ed-version")).to_have_text("Version 3")
    expect(page.locator("#ed-saved")).to_be_empty()
    assert stored(world).sections[0]["content"] == "Second"

    # An answer that does not come is not waited for any longer.
    page.evaluate(HURRY)
    text.fill("Third")
    with held(page, "save"):
        page.keyboard.press("Control+s")
        expect(page.locator(".ed-toasts")).to_contain_text("No connection. Your work is kept")
    page.keyboard.press("Control+s")
    expect(page.locator("#ed-saved")).to_be_empty()
    assert stored(world).sections[0]["content"] == "Third"


def test_a_header_has_sections_or_texts(world: World, visit: Visit) -> None:
    stored(world, page={"header": {"sections": [{"type": "text", "content": "Band words"}], "height": 20}})
    page = opened(visit, world)
    # What is wrong there is said of the header as the page calls it.
    choose(page, "Band words")
    text = field(page, "page.header.sections[0].content").get_by_label("Text", exact=True)
    text.fill("{{ wrong }}")
    expect(page.locator("#ed-problems")).to_contain_text("Header (Text), Text:")
    text.fill("Band words")
    page.get_by_role("tab", name="Page").click()
    texts = page.locator('#ed-panel-page [data-path^="page.header."] textarea')
    expect(field(page, "page.header.height")).to_be_visible()
    expect(texts).to_have_count(0)
    page.get_by_role("button", name="Use three texts in place of the sections").click()
    expect(texts).to_have_count(3)
    expect(texts.first).to_have_value("Band words")
    expect(page.locator("#ed-outline")).not_to_contain_text("Band words")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    assert stored(world).page == {"header": {"left": "Band words", "height": 20}}


def test_the_texts_of_a_footer_stay_where_they_are_as_sections(world: World, visit: Visit) -> None:
    texts = {"left": "Acme", "right": "Page {{page.number}}"}
    stored(world, page={"footer": texts})
    page = opened(visit, world)
    page.get_by_role("tab", name="Page").click()
    footer = page.locator('#ed-panel-page [data-holds~="page.footer"]')
    footer.get_by_role("button", name="Use sections in place of the texts").nth(1).click()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    [line] = stored(world).page["footer"]["sections"]
    look = {"type": "text", "size": 8, "color": "#5c6776"}
    assert [column["sections"] for column in line["columns"]] == [
        [look | {"content": "Acme"}],
        [look | {"content": "Page {{page.number}}", "align": "right"}],
    ]
    page.get_by_role("tab", name="Page").click()
    page.get_by_role("button", name="Use three texts in place of the sections").click()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#ed-version")).to_have_text("Version 3")
    assert stored(world).page == {"footer": texts}


def test_a_problem_without_a_field_leads_to_its_part(world: World, visit: Visit) -> None:
    stored(world, sections=[{"type": "text", "content": "{{number}}"}], variables=[NUMBER])
    page = opened(visit, world)
    page.get_by_role("tab", name="Sample data").click()
    panel = page.locator("#ed-panel-samples")
    panel.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text('{"number": "many"}')
    problem = page.locator("#ed-problems").get_by_role("button")
    problem.wait_for()
    page.get_by_role("tab", name="Sections").click()
    problem.press("Enter")
    expect(panel).to_be_focused()


def test_a_phone_has_the_way_back_and_says_what_is_unsaved(world: World, visit: Visit) -> None:
    page = visit(world, "editor", EDIT, viewport=PHONE)
    page.locator("#ed-app[data-ready]").wait_for(state="attached")
    text = field(page, "sections[0].content").get_by_label("Text", exact=True)
    before = text.input_value()
    text.fill("Written on the way")
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 700})
        expect(page.locator("#ed-saved")).to_be_visible()
        # It stands beside the buttons, not behind them.
        assert page.evaluate(CLEAR)
    page.get_by_role("button", name="Undo (").click()
    expect(text).to_have_value(before)
    expect(page.locator("#ed-saved")).to_be_empty()
    page.get_by_role("button", name="Redo (").click()
    expect(text).to_have_value("Written on the way")
    page.get_by_role("button", name="Preview", exact=True).click()
    page.get_by_role("button", name="Undo (").click()
    expect(page.locator("#ed-saved")).to_be_empty()
    # Turned on its side it has room for all in one row.
    page.set_viewport_size({"width": 844, "height": 390})
    expect(page.locator(".ed-actions #ed-undo")).to_be_visible()


def test_suggestions_stay_at_their_field(world: World, visit: Visit) -> None:
    columns = [{"key": f"k{number}", "header": f"Head {number}"} for number in range(20)]
    row = {f"k{number}": number for number in range(20)}
    table = {"type": "table", "source": "items", "columns": columns}
    stored(world, sections=[table], sample_data={"items": [row]})
    page = opened(visit, world)
    key = field(page, "sections[0].columns[2].key").get_by_label("Field", exact=True)
    offers = page.get_by_role("listbox")
    key.click()
    offers.wait_for()

    def gap() -> float:
        """Return how far below the field the list begins."""
        return float(offers.evaluate(GAP, key.element_handle()))

    before = gap()
    top = key.evaluate("(each) => each.getBoundingClientRect().top")
    page.locator("#ed-inspector").evaluate("(each) => each.scrollBy(0, 60)")
    wait_for(lambda: key.evaluate("(each) => each.getBoundingClientRect().top") < top, 60, "the scrolling")
    wait_for(lambda: abs(gap() - before) < 1, 60, "the list at its field")
    page.locator("#ed-inspector").evaluate("(each) => each.scrollBy(0, 3000)")
    expect(offers).to_be_hidden()


def test_lines_that_change_no_value_are_no_change(world: World, visit: Visit) -> None:
    stored(world, sections=[{"type": "text", "content": "{{found}}"}], variables=[FOUND])
    page = opened(visit, world)
    page.get_by_role("tab", name="JSON").click()
    page.locator("#ed-panel-json .cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.press("Enter")
    page.get_by_role("tab", name="Sections").click()
    expect(page.locator("#ed-saved")).to_be_empty()
    expect(page.get_by_role("button", name="Undo (")).to_be_disabled()


def test_names_follow_a_save_and_the_focus_a_decision(world: World, visit: Visit) -> None:
    page = opened(visit, world)
    name = page.locator("#ed-name")
    name.fill("Renamed " * 12)
    name.hover()
    expect(name).to_have_attribute("title", "Renamed " * 12)
    name.fill("Renamed")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    expect(page).to_have_title("Renamed · Acme · Documents")
    expect(page.get_by_role("heading", level=1)).to_have_text("Template Renamed")

    for words in ("One", "Two"):
        name.fill(words)
        expect(page).to_have_title("• Renamed · Acme · Documents")
        page.reload()
        page.locator("#ed-app[data-ready]").wait_for(state="attached")
    discard = page.locator("#ed-notice").get_by_role("button", name="Discard")
    discard.press("Enter")
    expect(discard).to_be_focused()
    discard.press("Enter")
    expect(page.locator("#ed-notice")).to_be_hidden()
    expect(name).to_be_focused()
    # What was discarded by mistake comes back, and stays over a reload.
    page.locator("#ed-toasts").get_by_role("button", name="Undo").click()
    page.reload()
    page.locator("#ed-app[data-ready]").wait_for(state="attached")
    page.locator("#ed-notice").get_by_role("button", name="Go on with it").click()
    expect(name).to_have_value("One")


def test_going_back_to_the_editor_shows_what_was_saved(world: World, visit: Visit) -> None:
    page = opened(visit, world)
    page.locator("#ed-name").fill("Saved")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    page.locator("#ed-back").click()
    page.wait_for_url(lambda url: not url.endswith("/edit"))
    page.go_back()
    page.locator("#ed-app[data-ready]").wait_for(state="attached")
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    expect(page.locator("#ed-name")).to_have_value("Saved")
    expect(page.locator("#ed-notice")).to_be_hidden()
