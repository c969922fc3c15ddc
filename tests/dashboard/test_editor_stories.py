"""Whole stories in a real browser: an author makes, breaks, saves and publishes templates."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from dashboard.templatetags.dashboard import moment
from templates_app.models import Template
from tests.conftest import INVOICE, INVOICE_DATA, secret_client
from tests.dashboard import browser
from tests.dashboard.browser import Visit
from tests.dashboard.editor import (
    EDIT,
    add,
    choose,
    document_text,
    field,
    fresh,
    held,
    make_drafting_world,
    opened,
    stored,
)
from tests.dashboard.test_accessibility import RULES, violations
from tests.dashboard.world import World
from tests.live.service import wait_for

pytestmark = browser.marks


@pytest.fixture
def world(transactional_db: None) -> World:
    return make_drafting_world()


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
    page.locator("#ed-problems").get_by_role("button", name=re.compile("Section 2.*Width")).click()
    expect(field(page, "sections[1].columns[1].width").get_by_label("Width", exact=True)).to_be_focused()
    expect(field(page, "sections[1].columns[1].width").locator(".ed-error")).to_contain_text(
        "must be millimetres"
    )
    assert stored(world).version == 1


def test_one_author_in_two_tabs_is_told_so(world: World, visit: Visit) -> None:
    first, second = opened(visit, world), opened(visit, world)
    for page, words in ((first, "Earlier"), (second, "Later")):
        field(page, "sections[0].content").get_by_label("Text", exact=True).fill(words)
        page.keyboard.press("Control+s")
        if page is first:
            expect(first.locator("#ed-version")).to_have_text("Version 2")
    dialog = second.get_by_role("dialog", name="You have saved elsewhere meanwhile")
    dialog.get_by_role("button", name=re.compile("See both")).click()
    expect(dialog.get_by_role("columnheader")).to_have_text(["Where", "Here", "Version 2"])
    dialog.get_by_role("button", name="Load version 2").click()
    text = field(second, "sections[0].content").get_by_label("Text", exact=True)
    expect(text).to_have_value("Earlier")


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
    # What was accepted is not asked about twice; what is found besides is.
    text.fill("A {{thought}}")
    second.keyboard.press("Control+s")
    expect(second.locator("#ed-version")).to_have_text("Version 3")
    text.fill("A {{thought}} {{more}}")
    second.keyboard.press("Control+s")
    expect(gate).to_contain_text("more")
    gate.get_by_role("button", name="Back to the editor").click()
    # Nothing to warn of needs no acceptance.
    text.fill("For {{name}}")
    second.keyboard.press("Control+s")
    expect(second.locator("#ed-version")).to_have_text("Version 4")


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


def test_a_viewer_looks_and_changes_nothing(world: World, visit: Visit) -> None:
    page = opened(visit, world, "viewer")
    expect(page.get_by_role("button", name="Save", exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name="Add section")).to_have_count(0)
    expect(field(page, "sections[0].content").get_by_label("Text", exact=True)).not_to_be_editable()
    for tab in ("Variables", "Page", "JSON"):
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_role("tabpanel", name=tab)).to_be_visible()
    assert violations(page, RULES) == []
