"""Whole stories in a real browser: an author makes, breaks, saves and publishes templates."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from pypdf import PdfReader

from dashboard.templatetags.dashboard import moment
from rendering.models import Document
from templates_app.models import Template
from tests.conftest import INVOICE, INVOICE_DATA, secret_client
from tests.dashboard import browser
from tests.dashboard.browser import PHONE, Visit
from tests.dashboard.test_accessibility import RULES, WIDER, violations, violations_in_both_themes
from tests.dashboard.world import World, make_world
from tests.live.service import wait_for

pytestmark = browser.marks
EDIT = "{o}/templates/{template}/edit"
# An object within an object, which has its fields declared.
ADDRESS = {"name": "address", "type": "object", "fields": [{"name": "city", "type": "string"}]}
CUSTOMER = {"name": "customer", "type": "object", "fields": [ADDRESS]}


@pytest.fixture
def world(transactional_db: None) -> World:
    """The cast with a draft: the gate in front of what is live has stories of its own."""
    world = make_world()
    Template.objects.filter(pk=world.ids["template"]).update(status=Template.Status.DRAFT)
    return world


def fresh(page: Page) -> None:
    """Wait until the preview shows what is there."""
    page.locator("#ed-state[data-state=fresh]").wait_for()


def opened(visit: Visit, world: World, role: str = "editor", **options: Any) -> Page:
    page = visit(world, role, EDIT, **options)
    fresh(page)
    return page


def stored(world: World, **changes: Any) -> Template:
    """Return the world's template, with other content."""
    if changes:
        Template.objects.filter(pk=world.ids["template"]).update(**changes)
    return Template.objects.get(pk=world.ids["template"])


@contextmanager
def held(page: Page, path: str) -> Iterator[None]:
    """Keep the requests for a path waiting, so that what goes on meanwhile can be looked at."""
    waiting: list[Route] = []
    page.route(f"**/{path}", lambda route: waiting.append(route))
    yield
    for route in waiting:
        route.continue_()
    page.unroute(f"**/{path}")


def choose(page: Page, words: str) -> None:
    page.locator(".ed-section", has_text=words).first.click()


def add(page: Page, kind: str) -> None:
    page.get_by_role("button", name="Add section").click()
    page.locator(".ed-kind").filter(has=page.get_by_text(kind, exact=True)).click()


def field(page: Page, path: str) -> Any:
    """Return the field of a place of the template."""
    return page.locator(f'[data-path="{path}"]')


def document_text(world: World, answer: Any) -> str:
    assert answer.status_code == 200, answer.content
    from django.core.files.storage import default_storage

    with default_storage.open(Document.objects.get(pk=answer.json()["documentId"]).file) as file:
        return "\n".join(page.extract_text() for page in PdfReader(BytesIO(file.read())).pages)


def test_an_invoice_from_blank_to_a_document_of_the_api(world: World, visit: Visit) -> None:
    page = visit(world, "editor", "{o}/templates/new")
    page.get_by_label("Name").fill("Spring invoice")
    page.get_by_role("button", name="Create and open").click()
    fresh(page)

    # A heading with a variable that is declared nowhere yet, typed by hand.
    field(page, "sections[0].content").get_by_label("Text", exact=True).fill("Invoice {{invoice_number}}")
    add(page, "Text")
    text = field(page, "sections[1].content").get_by_label("Text", exact=True)
    text.press_sequentially("Dear ")
    text.press_sequentially("{{customer.name}},")

    # Nobody has given data yet, and the page is not empty where it will be.
    fresh(page)
    expect(page.locator("#ed-hint")).to_have_text("Made-up data")

    # Pairs, with the variable out of the list.
    add(page, "Key and value")
    field(page, "sections[2].items[0].label").get_by_label("Label", exact=True).fill("Customer")
    value = field(page, "sections[2].items[0].value").get_by_label("Value", exact=True)
    value.fill("")
    value.press_sequentially("{{cust")
    expect(page.get_by_role("option").first).to_have_text(re.compile("customer.name"))
    value.press("Enter")
    expect(value).to_have_value("{{customer.name}}")
    page.get_by_role("button", name="Add pair").click()
    field(page, "sections[2].items[1].label").get_by_label("Label", exact=True).fill("Due")
    field(page, "sections[2].items[1].value").get_by_label("Value", exact=True).fill("{{due|date:long}}")

    # A table with a computed column and its total.
    add(page, "Table")
    page.get_by_role("button", name="Remove column 4").click()
    page.get_by_role("button", name="Add column").click()
    field(page, "sections[3].columns[3].header").get_by_label("Head", exact=True).fill("Amount")
    field(page, "sections[3].columns[3].key").get_by_label("Field", exact=True).fill("amount")
    field(page, "sections[3].columns[3].format").get_by_label("Format", exact=True).fill("currency:EUR")
    field(page, "sections[3].columns[3].total").get_by_label("Total", exact=True).select_option("Sum")
    page.get_by_role("button", name="More of column 4").click()
    field(page, "sections[3].columns[3].value").get_by_label("Formula", exact=True).fill("quantity * price")

    # What is used is offered, declared, and data is made of it.
    page.get_by_role("tab", name="Variables").click()
    expect(page.locator("#ed-panel-variables")).to_contain_text("items")
    page.get_by_role("button", name="Declare all").click()
    page.get_by_label("due is required").check()
    page.get_by_role("tab", name="Sample data").click()
    page.locator(".ed-codemirror .cm-content", has_text="Desk lamp").wait_for()
    expect(page.locator("#ed-panel-samples")).to_contain_text("Made up from the variables.")
    page.locator("#ed-panel-samples .cm-content").focus()
    page.keyboard.press("Control+z")  # nobody has typed it: there is nothing to take back
    expect(page.locator(".ed-codemirror .cm-content")).to_contain_text("Desk lamp")
    page.get_by_role("button", name="Keep it as the sample").click()
    expect(page.locator("#ed-hint")).to_be_hidden()
    fresh(page)
    expect(page.locator(".ed-page canvas")).to_have_count(1)
    expect(page.locator("#ed-pages")).to_have_text("1 page")
    expect(page.locator("#ed-problems")).to_be_hidden()

    with page.expect_response(re.compile("publish-saved"), timeout=40_000) as answer:
        page.get_by_role("button", name="Publish").click()
    assert answer.value.ok, answer.value.text()
    done = page.get_by_role("dialog", name="Spring invoice is published")
    expect(done.locator("pre")).to_contain_text("curl http")
    assert violations(page, RULES) == []
    done.get_by_role("button", name="Go on editing").click()
    expect(page.locator("#ed-status")).to_have_text("Published")
    expect(page.locator("#ed-version")).to_have_text("Version 2")

    template = Template.objects.get(name="Spring invoice")
    assert {each["name"] for each in template.variables if not each.get("inferred")} == {
        "invoice_number", "customer", "due", "items",
    }  # fmt: skip
    world.organization.credentials = world.organization.credentials
    client = secret_client(world.organization)
    items = [{"name": "Pen", "quantity": 3, "price": 1.5}, {"name": "Ink", "quantity": 2, "price": 20}]
    data = {"invoice_number": "2026-7", "customer": {"name": "Ann"}, "due": "2026-05-04", "items": items}
    shown = document_text(world, client.render(template.pk, data))
    for words in (
        "Invoice 2026-7",
        "Dear Ann,",
        "May 4, 2026",
        "Amount",
        "€4.50",
        "€40.00",
        "Total",
        "€44.50",
    ):
        assert words in shown, shown
    assert client.render(template.pk, {key: data[key] for key in data if key != "due"}).status_code == 400


def test_an_error_stands_at_its_field(world: World, visit: Visit) -> None:
    stored(world, sections=INVOICE["sections"], sample_data=INVOICE_DATA)
    page = opened(visit, world)
    pages = page.locator(".ed-page canvas")
    expect(pages).to_have_count(1)
    choose(page, "Heading")
    text = field(page, "sections[0].content").get_by_label("Text", exact=True)
    text.fill("Invoice {{ number }}")
    error = field(page, "sections[0].content").locator(".ed-error")
    expect(error).to_contain_text('"{{ number }}" is not a valid expression')
    expect(text).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#ed-state")).to_contain_text("Last good state")
    expect(pages).to_have_count(1)
    expect(page.locator(".ed-section", has_text="Heading").locator(".ed-section-mark")).to_be_visible()

    # From elsewhere the summary leads there, also to what is folded away.
    page.get_by_role("tab", name="Page").click()
    page.locator("#ed-problems").get_by_role("button", name=re.compile("Section 1")).click()
    expect(text).to_be_focused()
    text.fill("Invoice {{number}}")
    fresh(page)
    expect(page.locator("#ed-problems")).to_be_hidden()
    expect(error).to_be_hidden()
    # Offers that are left without a choice are no reason to wait any longer.
    text.press("End")
    text.press_sequentially(" {{nu")
    page.get_by_role("listbox").wait_for()
    text.press("Home")
    expect(error).to_contain_text('"{{nu" is not a valid expression')
    text.fill("Invoice {{number}}")

    choose(page, "Table")
    key = field(page, "sections[1].columns[1].key").get_by_label("Field", exact=True)
    named = key.input_value()
    key.fill("unit price-net")
    wrong = field(page, "sections[1].columns[1].key").locator(".ed-error")
    expect(wrong).to_be_visible()
    expect(wrong).not_to_contain_text("calculation")
    told = wrong.inner_text()
    key.fill("price * 2")
    expect(wrong).to_have_text(
        f"{told}. It names one field: a calculation goes into Formula, behind the three dots."
    )
    key.fill(named)
    page.get_by_role("button", name="More of column 2").click()
    field(page, "sections[1].columns[1].width").get_by_label("Width", exact=True).fill("wide")
    page.get_by_role("button", name="More of column 2").click()
    choose(page, "Heading")
    page.locator("#ed-problems").get_by_role("button", name=re.compile("Section 2")).click()
    expect(field(page, "sections[1].columns[1].width").get_by_label("Width", exact=True)).to_be_focused()
    expect(field(page, "sections[1].columns[1].width").locator(".ed-error")).to_contain_text(
        "must be millimetres"
    )
    assert stored(world).version == 1


def test_two_authors_at_one_template(world: World, visit: Visit) -> None:
    stored(world, sample_data={"name": "Ann"})
    first, second = opened(visit, world, "owner"), opened(visit, world, "editor")
    for page, words in ((first, "Hers"), (second, "His")):
        field(page, "sections[0].content").get_by_label("Text", exact=True).fill(words)
    with held(first, "save"):
        first.keyboard.press("Control+s")
        expect(first.get_by_role("button", name="Publish")).to_be_disabled()
    expect(first.locator("#ed-version")).to_have_text("Version 2")

    second.keyboard.press("Control+s")
    dialog = second.get_by_role("dialog")
    expect(dialog).to_contain_text("ada@acme.example saved version 2")
    # The time is written as every page writes it.
    when = dialog.locator("time").evaluate("(time) => time.outerHTML")
    assert when == moment(stored(world).content_created_at)
    dialog.get_by_role("button", name=re.compile("See both")).click()
    expect(dialog.get_by_role("row", name=re.compile("Section 1"))).to_contain_text("Heading: His")
    assert violations(second, RULES) == []
    assert stored(world).sections[0]["content"] == "Hers"
    dialog.get_by_role("button", name="Load theirs").click()
    text = field(second, "sections[0].content").get_by_label("Text", exact=True)
    expect(text).to_have_value("Hers")
    expect(second.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    # His own is kept, also when the page is loaded anew.
    second.reload()
    fresh(second)
    expect(second.locator("#ed-notice")).to_contain_text("It began with version 1")
    second.get_by_role("button", name="Go on with it").click()
    expect(text).to_have_value("His")

    field(second, "sections[0].content").get_by_label("Text", exact=True).fill("Both")
    first.get_by_label("Name of the template").fill("Hers again")
    first.get_by_role("button", name="Save", exact=True).click()
    expect(first.locator("#ed-version")).to_have_text("Version 3")
    second.get_by_role("button", name="Save", exact=True).click()
    second.get_by_role("dialog").get_by_role("button", name="Keep mine as version 4").click()
    expect(second.locator("#ed-version")).to_have_text("Version 4")
    template = stored(world)
    assert template.sections[0]["content"] == "Both"
    assert template.versions.get(version=3).name == "Hers again"

    # She has version 3 before her: the fourth does not go live unseen.
    first.get_by_role("button", name="Publish").click()
    expect(first.get_by_role("dialog")).to_contain_text("ed@acme.example saved version 4")
    assert stored(world).status == "draft"


def test_what_was_written_for_a_draft_does_not_go_live_unseen(world: World, visit: Visit) -> None:
    stored(
        world,
        sections=[{"type": "heading", "content": "For {{name}}"}],
        variables=[{"name": "name", "type": "string"}],
        sample_data={"name": "Ann"},
        formats=["pdf"],
    )
    first, second = opened(visit, world, "owner"), opened(visit, world, "editor")
    field(second, "sections[0].content").get_by_label("Text", exact=True).fill("Half a {{thought}}")
    first.get_by_role("button", name="Publish").click()
    first.get_by_role("dialog", name=re.compile("is published")).wait_for()

    second.keyboard.press("Control+s")
    dialog = second.get_by_role("dialog", name="Somebody else has published it meanwhile")
    expect(dialog).to_contain_text("Version 1 is live")
    assert violations(second, RULES) == []
    # Keys of the editor do nothing behind a dialog.
    second.keyboard.press("Control+z")
    second.keyboard.press("Control+s")
    expect(second.get_by_role("dialog")).to_have_count(1)
    second.keyboard.press("Escape")
    text = field(second, "sections[0].content").get_by_label("Text", exact=True)
    expect(text).to_have_value("Half a {{thought}}")
    assert (stored(world).status, stored(world).version) == ("published", 1)
    second.keyboard.press("Control+s")
    with second.expect_response(re.compile("/save"), timeout=40_000):
        dialog.get_by_role("button", name="Keep mine as version 2").click()
    gate = second.get_by_role("dialog", name=re.compile("This template is live"))
    with held(second, "save"):
        gate.get_by_role("button", name="Save anyway").click()
        expect(second.get_by_role("button", name="Saving…")).to_be_disabled()
    expect(second.locator("#ed-version")).to_have_text("Version 2")
    expect(second.locator("#ed-status")).to_have_text("Published")


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


def test_what_the_sample_does_not_give_is_told(world: World, visit: Visit) -> None:
    stored(
        world,
        sections=[{"type": "text", "content": "{{number}} {{customer.city}}"}],
        variables=[],
        sample_data={"customer": {"name": "Ann"}},
    )
    page = opened(visit, world)
    hint = page.locator("#ed-hint")
    expect(hint).to_have_text("2 without a value")
    hint.click()
    panel = page.get_by_role("tabpanel", name="Sample data")
    expect(panel).to_contain_text("No value for number, customer.city.")
    panel.get_by_role("button", name="Fill in what is missing").click()
    expect(hint).to_be_hidden()
    fresh(page)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    kept = stored(world).sample_data
    assert kept["customer"]["name"] == "Ann"
    assert kept["number"]
    assert kept["customer"]["city"]


def test_unsaved_work_survives_a_closed_tab(world: World, visit: Visit) -> None:
    page = opened(visit, world)
    field(page, "sections[0].content").get_by_label("Text", exact=True).fill("Not saved")
    # A browser that closes the tab in this moment has it already.
    wait_for(lambda: "Not saved" in page.evaluate("JSON.stringify(localStorage)"), 60, "the unsaved work")
    again = page.context.new_page()
    page.close()
    again.goto(world.path(EDIT))
    notice = again.locator("#ed-notice")
    expect(notice).to_contain_text(
        re.compile(r"You have unsaved work from \d+ [A-Z][a-z]{2} \d{4}, \d\d:\d\d\.")
    )
    # It stays until somebody decides: looking at it, another tab and other work are no decision.
    text = field(again, "sections[0].content").get_by_label("Text", exact=True)
    text.fill("Other work")
    again.reload()
    expect(notice).to_contain_text("You have unsaved work")
    other = again.context.new_page()
    other.goto(world.path(EDIT))
    fresh(other)
    other.goto("about:blank")
    other.close()
    # What was written for a draft is not saved to what is live now without a question.
    stored(world, status="published")
    again.reload()
    notice.get_by_role("button", name="Go on with it").click()
    expect(text).to_have_value("Other work")
    notice.get_by_role("button", name="Go on with it").click()
    expect(text).to_have_value("Not saved")
    again.get_by_role("button", name="Save", exact=True).click()
    dialog = again.get_by_role("dialog", name="Somebody else has published it meanwhile")
    dialog.get_by_role("button", name="Close").click()
    assert stored(world).version == 1

    stored(world, status="draft")
    # Whoever has logged in again meanwhile has other tokens against forged requests.
    again.context.add_cookies([{"name": "csrftoken", "value": "a" * 32, "url": again.url}])
    again.get_by_role("button", name="Save", exact=True).click()
    expect(again.locator("#ed-version")).to_have_text("Version 2")
    notice.get_by_role("button", name="Discard").click()
    again.reload()
    fresh(again)
    expect(again.locator("#ed-notice")).to_be_hidden()


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
    page.get_by_role("button", name="Undo", exact=True).click()
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


def test_renaming_a_variable_reaches_every_place(world: World, visit: Visit) -> None:
    stored(
        world,
        sections=[
            {
                "type": "heading",
                "content": "{{number}} {{number|upper}} {{numbers}} {{customer.address.zip}}",
                "showIf": {"field": "number", "is": "set"},
            }
        ],
        variables=[{"name": "number", "type": "string"}, CUSTOMER],
        sample_data={"number": "7"},
    )  # fmt: skip
    page = opened(visit, world)
    page.get_by_role("tab", name="Variables").click()
    expect(page.locator("#ed-panel-variables")).to_contain_text("2 used, not declared.")
    page.get_by_role("button", name="Declare all").click()
    expect(page.get_by_label("Type of zip")).to_have_value("string")
    expect(page.get_by_role("button", name="Declare all")).to_have_count(0)
    name = page.locator(".ed-variable-name").first
    name.fill("invoice_no")
    name.press("Enter")
    fresh(page)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    template = stored(world)
    assert template.sections[0]["content"].startswith("{{invoice_no}} {{invoice_no|upper}} {{numbers}}")
    assert template.sections[0]["showIf"]["field"] == "invoice_no"
    assert template.sample_data == {"invoice_no": "7"}


def test_samples_sheets_and_json(world: World, visit: Visit) -> None:
    stored(world, sections=INVOICE["sections"], sample_data=INVOICE_DATA)
    page = opened(visit, world)
    page.locator("#ed-formats label", has_text="XLSX").click()
    expect(page.locator(".ed-sheet")).to_contain_text("$20.00")
    page.get_by_role("tab", name="Sample data").click()
    page.get_by_role("button", name="New sample").click()
    page.get_by_label("Name of the sample").fill("One row")
    page.get_by_label("Name of the sample").press("Enter")
    page.locator("#ed-panel-samples .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text('{"number": "1", "items": [{"name": "Nib", "price": 3}]}')
    expect(page.locator(".ed-sheet")).to_contain_text("Nib")
    page.locator("#ed-sample").select_option("Default sample")
    expect(page.locator(".ed-sheet")).to_contain_text("$20.00")
    page.locator("#ed-panel-samples .cm-content").click()
    page.keyboard.press("Control+z")  # what was typed into the one sample is none of the other's
    expect(page.locator("#ed-panel-samples .cm-content")).to_contain_text(INVOICE_DATA["items"][0]["name"])

    page.get_by_role("tab", name="JSON").click()
    page.locator("#ed-panel-json .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(
        '{"name": "From text", "formats": ["pdf"], "sections": [{"type": "text", "content": "Hello"}]}'
    )
    expect(page.get_by_label("Name of the template")).to_have_value("From text")
    fresh(page)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    template = stored(world)
    assert (template.name, template.formats) == ("From text", ["pdf"])
    assert [(sample.name, sample.data["number"]) for sample in template.samples.all()] == [("One row", "1")]
    assert template.sample_data == INVOICE_DATA

    # Samples that somebody else has changed meanwhile are not replaced without a question.
    template.samples.update(data={"number": "theirs"})
    page.get_by_role("tab", name="Sample data").click()
    page.get_by_role("button", name="New sample").click()
    page.keyboard.press("Control+s")
    dialog = page.get_by_role("dialog", name="Somebody else has changed the samples meanwhile")
    dialog.get_by_role("button", name="Keep mine").click()
    expect(page.locator("#ed-saved")).to_be_empty()
    assert [(sample.name, sample.data["number"]) for sample in template.samples.all()] == [
        ("One row", "1"), ("New sample", INVOICE_DATA["number"]),
    ]  # fmt: skip


def test_a_viewer_looks_and_changes_nothing(world: World, visit: Visit) -> None:
    page = opened(visit, world, "viewer")
    expect(page.get_by_role("button", name="Save", exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name="Add section")).to_have_count(0)
    expect(field(page, "sections[0].content").get_by_label("Text", exact=True)).not_to_be_editable()
    for tab in ("Variables", "Page", "JSON"):
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_role("tabpanel", name=tab)).to_be_visible()
    assert violations(page, RULES) == []


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
