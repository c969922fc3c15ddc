"""Stories of the editor in a browser: variables, samples of data, worksheets, JSON."""

from __future__ import annotations

import json
from typing import ClassVar, Literal

import pytest
from django.templatetags.static import static
from playwright.sync_api import expect

from dashboard.editor.forms import form_of, kind_forms
from templates_app.kinds.base import ImageSource, Path, Section
from templates_app.variables import FormulaText
from tests.conftest import INVOICE, INVOICE_DATA
from tests.dashboard import browser
from tests.dashboard.browser import PHONE, Visit
from tests.dashboard.editor import choose, field, fresh, make_drafting_world, opened, stored
from tests.dashboard.test_accessibility import violations_in_both_themes
from tests.dashboard.world import World

pytestmark = browser.marks
# An object within an object, which has its fields declared.
ADDRESS = {"name": "address", "type": "object", "fields": [{"name": "city", "type": "string"}]}
# Parts of the preview's bar of which something cannot be seen.
CUT = """() => [...document.querySelectorAll(".ed-preview-bar > *, #ed-hint, #ed-state, #ed-open")]
  .filter((each) => (each.clientWidth && each.scrollWidth > each.clientWidth + 1)
    || each.getBoundingClientRect().right > innerWidth)
  .map((each) => each.id || each.className)"""
SAMPLE = {**INVOICE_DATA, "due": 12.5}
CUSTOMER = {"name": "customer", "type": "object", "fields": [ADDRESS]}


@pytest.fixture
def world(transactional_db: None) -> World:
    return make_drafting_world()


def test_what_the_sample_does_not_give_is_told(world: World, visit: Visit) -> None:
    # A note that one row has is no matter; a price that none has is.
    columns = [{"key": "note"}, {"key": "amount", "value": "qty * price"}]
    table = {"type": "table", "source": "items", "columns": columns}
    stored(
        world,
        sections=[{"type": "text", "content": "{{number}} {{customer.city}}"}, table],
        variables=[],
        sample_data={"customer": {"name": "Ann"}, "items": [{"qty": 2, "note": "x"}, {"qty": 3}]},
    )
    page = opened(visit, world)
    hint = page.locator("#ed-hint")
    expect(hint).to_have_text("3 without a value")
    hint.click()
    panel = page.get_by_role("tabpanel", name="Sample data")
    expect(panel).to_contain_text("No value for number, customer.city, items.price.")
    panel.get_by_role("button", name="Fill in what is missing").click()
    expect(hint).to_be_hidden()
    fresh(page)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    kept = stored(world).sample_data
    assert kept["customer"]["name"] == "Ann"
    assert kept["number"]
    assert kept["customer"]["city"]
    assert [set(row) for row in kept["items"]] == [{"qty", "note", "price"}, {"qty", "price"}]


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
    expect(page.get_by_label("Type of customer.address.zip")).to_have_value("string")
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


def test_renaming_a_variable_reaches_the_formulas_of_rows(world: World, visit: Visit) -> None:
    """But for names that rows have themselves: a column shows them, or the list declares them."""
    dear = [{"when": {"field": "rate", "is": "greater", "valueField": "price"}, "bold": True}]
    columns = [
        {"key": "price"},
        {"key": "sum", "value": 'price * rate + item.rate + if(rate > 1, "rate", 0)'},
    ]
    rated = [{"key": "rate"}, {"key": "sum", "value": "price * rate"}]
    series = {"name": "rate", "value": "price * rate"}
    chart = {
        "type": "chart",
        "chart": "pie",
        "source": "items",
        "category": "{{item.name}}",
        "series": [series],
    }
    stored(
        world,
        sections=[
            {"type": "table", "source": "items", "columns": columns, "styles": dear},
            {"type": "table", "source": "items", "columns": rated},
            {"type": "table", "source": "rates", "columns": [{"key": "x", "value": "rate * 2"}]},
            chart,
        ],
        variables=[
            {"name": "items", "type": "list", "fields": [{"name": "price", "type": "number"}]},
            {"name": "rates", "type": "list", "fields": [{"name": "rate", "type": "number"}]},
            {"name": "rate", "type": "number", "required": True},
        ],
        sample_data={"items": [{"price": 2, "rate": 9, "name": "a"}], "rates": [{"rate": 1}], "rate": 3},
    )  # fmt: skip
    page = opened(visit, world)
    page.get_by_role("tab", name="Variables").click()
    name = page.locator(".ed-variable-name").last
    expect(name).to_have_value("rate")
    name.fill("price")
    name.press("Enter")
    expect(page.locator(".ed-toasts")).to_contain_text('Rows that say "rate" have a field "price"')
    expect(name).to_have_value("rate")
    name.fill("factor")
    name.press("Enter")
    expect(page.locator(".ed-toasts")).to_contain_text("Renamed, in 4 places of the template too.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    first, second, third, chart = stored(world).sections
    renamed = 'price * factor + item.rate + if(factor > 1, "rate", 0)'
    assert first["columns"][1]["value"] == renamed
    assert first["styles"][0]["when"]["field"] == "factor"
    assert (second["columns"], third["columns"][0]["value"]) == (rated, "rate * 2")
    assert chart["series"][0] == {"name": "rate", "value": "price * factor"}


class GaugeSection(Section):
    """A kind that the editor has never heard of."""

    kind_label: ClassVar[str] = "Gauge"
    type: Literal["gauge"]
    value: FormulaText
    goal: Path
    picture: ImageSource


def test_renaming_a_variable_reaches_a_kind_by_its_form(world: World, visit: Visit) -> None:
    page = opened(visit, world)
    gauge = {
        "type": "gauge",
        "value": 'sum(items.rate) / rate + if(rate > 1, "rate", 0)',
        "goal": "rate.goal",
        "picture": "{{rate.picture}}",
    }
    kinds = [*kind_forms(), {"type": "gauge", "fields": form_of(GaugeSection, "gauge")}]
    inside = {"type": "group", "source": "rate.list", "as": "rate", "sections": [gauge]}
    doc = {"sections": [gauge, inside], "page": {}, "variables": [], "sampleData": {}, "samples": []}
    renamed, left = page.evaluate(
        """async ([script, doc, forms]) =>
          (await import(script)).renamed(doc, "rate", "factor", forms).sections""",
        [static("dashboard/editor/rename.js"), doc, {"kinds": kinds, "pageForm": []}],
    )
    assert renamed == {
        "type": "gauge",
        "value": 'sum(items.rate) / factor + if(factor > 1, "rate", 0)',
        "goal": "factor.goal",
        "picture": "{{factor.picture}}",
    }
    assert left == inside | {"source": "factor.list"}


def test_samples_sheets_and_json(world: World, visit: Visit) -> None:
    stored(world, sections=INVOICE["sections"], sample_data=SAMPLE)
    page = opened(visit, world)
    # Rows are grouped by what this table has: its first field of text, then another one.
    choose(page, "Table")
    page.get_by_text("More options").click()
    for level, key in enumerate(("name", "price")):
        page.get_by_role("button", name="Add level").click()
        expect(field(page, f"sections[1].groupBy[{level}].key").get_by_role("combobox")).to_have_value(key)
    for _ in range(2):
        page.locator("#ed-undo").click()
    page.locator("#ed-formats label", has_text="XLSX").click()
    expect(page.locator(".ed-sheet")).to_contain_text("$20.00")
    page.get_by_role("tab", name="Sample data").click()
    page.get_by_role("button", name="New sample").click()
    page.get_by_label("Name of the sample").fill("One row")
    page.get_by_label("Name of the sample").press("Enter")
    page.locator("#ed-panel-samples .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text('{"items": [{"name": "Nib", "price": 3}]}')
    expect(page.locator("#ed-hint")).to_have_text("No value for number")
    assert page.evaluate(CUT) == []
    page.set_viewport_size(PHONE)
    page.get_by_role("button", name="Preview", exact=True).click()
    assert page.evaluate(CUT) == []
    page.get_by_role("button", name="Edit", exact=True).click()
    page.set_viewport_size(browser.SCREEN)
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

    # What is compared with is of the type that the sample data has: nobody has declared it.
    page.get_by_role("tab", name="Sections").click()
    choose(page, "Hello")
    page.get_by_role("button", name="Add a condition").click()
    page.get_by_label("Name in the data").fill("due")
    page.get_by_label("Name in the data").press("Escape")
    page.get_by_label("Comparison").select_option("equals")
    page.get_by_label("Value", exact=True).fill("12,50")
    expect(page.locator(".ed-doubt")).to_contain_text("due is a number, and “12,50” is none.")
    page.get_by_label("Value", exact=True).fill("12.50")
    expect(page.locator(".ed-doubt")).to_be_empty()
    page.get_by_role("button", name="Add condition").click()
    page.get_by_label("Name in the data").last.fill("number")
    page.get_by_label("Name in the data").last.press("Escape")
    page.get_by_label("Comparison").last.select_option("notEquals")
    page.get_by_label("Value", exact=True).last.fill("7")
    fresh(page)

    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#ed-version")).to_have_text("Version 2")
    template = stored(world)
    assert (template.name, template.formats) == ("From text", ["pdf"])
    assert template.sections[0]["showIf"] == {
        "all": [
            {"field": "due", "is": "equals", "value": 12.5},
            {"field": "number", "is": "notEquals", "value": "7"},
        ]
    }
    assert [(sample.name, sample.data["number"]) for sample in template.samples.all()] == [("One row", "1")]
    assert template.sample_data == SAMPLE

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

    # What can be saved no more can still be taken along.
    stored(world, status="archived")
    page.get_by_label("Name of the template").fill("Too late")
    page.keyboard.press("Control+s")
    expect(page.locator("#ed-notice")).to_contain_text("has been archived meanwhile")
    expect(page.locator("#ed-notice")).to_contain_text("Export your work in the tab JSON")
    notice = page.locator("#ed-notice")
    page.reload()
    expect(notice).to_contain_text("You have unsaved work")
    expect(notice).to_contain_text("It cannot be saved here any more")
    with page.expect_download() as sent:
        notice.get_by_role("button", name="Export it").click()
    assert sent.value.suggested_filename == "Too late.json"
    assert json.loads(sent.value.path().read_text())["name"] == "Too late"
    notice.get_by_role("button", name="Discard").click()
    expect(notice).to_be_hidden()
    page.reload()
    fresh(page)
    expect(notice).to_be_hidden()


def test_json_that_is_not_right_yet_is_work_as_well(world: World, visit: Visit) -> None:
    page = opened(visit, world)
    note = page.locator(".ed-error[role=status]:visible")
    before = stored(world).sections
    asked: list[str] = []

    page.get_by_label("Name of the template").fill("Renamed")
    page.get_by_role("tab", name="JSON").click()
    text = page.get_by_role("textbox", name="Template as JSON")
    text.click()
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.type("x")
    expect(note).to_have_text(
        "Not used yet: line 3 is not valid JSON. Until then what was right before counts."
    )
    # It waits while one looks at something else.
    page.get_by_role("tab", name="Sections").click()
    page.get_by_role("tab", name="JSON").click()
    expect(note).to_contain_text("line 3")
    for said in ("Saved as version 2, without the JSON that", "Not saved: the JSON cannot be used yet."):
        page.keyboard.press("Control+s")
        expect(page.locator(".ed-toasts")).to_contain_text(said)
    text.click()
    page.keyboard.press("Control+z")
    expect(note).to_have_count(0)
    assert stored(world).sections == before

    page.get_by_role("tab", name="Sample data").click()
    data = page.get_by_role("textbox", name="Sample data as JSON")
    data.click()
    page.keyboard.press("Control+a")
    page.keyboard.type("3")
    expect(note).to_contain_text("it must be an object")
    page.get_by_role("tab", name="Page").click()
    page.get_by_role("tab", name="Sample data").click()
    expect(data).to_have_text("3")
    page.keyboard.press("Control+s")
    expect(note).to_contain_text("it must be an object")

    # It waits at its sample, while one looks at another, and comes back with a sample that was deleted.
    page.get_by_role("button", name="New sample").click()
    page.get_by_label("Name of the sample").fill("Half")
    page.get_by_label("Name of the sample").press("Enter")
    expect(note).to_have_count(0)
    data.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text('{"number": "1')
    chooser = page.get_by_label("Sample", exact=True)
    chooser.select_option("Default (unfinished)")
    expect(data).to_have_text("3")
    expect(note).to_contain_text("it must be an object")
    chooser.select_option("Half (unfinished)")
    expect(data).to_have_text('{"number": "1')
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(data).to_have_text("3")
    page.locator(".ed-toast").get_by_role("button", name="Undo").press("Enter")
    expect(page.locator("#ed-undo")).to_be_focused()
    chooser.select_option("Half (unfinished)")
    expect(data).to_have_text('{"number": "1')
    expect(note).to_contain_text("line 1 is not valid JSON")
    # What is changed elsewhere is shown, and the text is put aside.
    page.get_by_role("tab", name="JSON").click()
    text.click()
    page.keyboard.press("Control+Home")
    page.keyboard.type("x")
    expect(note).to_contain_text("line 1 is not valid JSON")
    page.get_by_label("Name of the template").fill("Elsewhere")
    page.get_by_role("tab", name="JSON").click()
    expect(text).to_contain_text('"name": "Elsewhere"')
    aside = page.locator("#ed-panel-json .callout")
    expect(aside).to_contain_text("What you typed here is put aside.")
    assert violations_in_both_themes(page) == []
    aside.get_by_role("button", name="Bring it back").press("Enter")
    expect(text).to_be_focused()
    expect(aside).to_be_hidden()
    expect(note).to_contain_text("line 1 is not valid JSON")
    page.get_by_label("Name of the template").fill("Elsewhere again")
    aside.get_by_role("button", name="Discard it").press("Enter")
    expect(aside).to_be_hidden()
    expect(note).to_have_count(0)
    page.get_by_role("tab", name="Sample data").click()

    # Nobody closes the page on it by accident.
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.close(run_before_unload=True)
    expect(note).to_be_visible()
    assert asked == ["beforeunload"]


def test_one_of_many_variables_is_searched_for(world: World, visit: Visit) -> None:
    many = [{"name": f"value_{number}", "type": "string"} for number in range(40)]
    row = {"name": "amount", "type": "number", "label": "Betrag"}
    stored(world, variables=[*many, {"name": "lines", "type": "list", "fields": [row]}])
    page = opened(visit, world)
    page.locator("#ed-tab-variables").click()
    shown = page.locator(".ed-outer > .ed-variable:visible")
    search = page.get_by_role("searchbox", name="Search variables")
    search.fill("betrag")
    expect(shown).to_have_count(1)
    expect(page.locator(".ed-sift [role=status]")).to_have_text("1 of 41")
    search.fill("VALUE_3")
    expect(shown).to_have_count(11)

    # One that is renamed stays until somebody is done with it; a new one is seen, whatever was searched for.
    name = shown.first.get_by_role("textbox", name="Name")
    name.fill("other")
    name.press("Enter")
    expect(name).to_have_value("other")
    expect(name).to_be_visible()
    page.get_by_role("button", name="Add variable").click()
    expect(search).to_have_value("")
    expect(shown).to_have_count(42)
    expect(page.locator(".ed-variable-name:focus")).to_have_value("new_variable")


def test_of_many_variables_those_on_the_screen_are_drawn(world: World, visit: Visit) -> None:
    stored(world, variables=[{"name": f"value_{number}", "type": "string"} for number in range(100)])
    page = opened(visit, world)
    page.locator("#ed-tab-variables").click()
    drawn = """rows => rows.map((row) => row.firstElementChild.checkVisibility({contentVisibilityAuto: true}))
      .filter(Boolean).length"""
    rows = page.locator(".ed-outer > .ed-variable")
    expect(rows).to_have_count(100)
    page.wait_for_function("() => document.querySelector('.ed-variable-row').checkVisibility()")
    assert 5 < rows.evaluate_all(drawn) < 60
    # What is far below is there for the keyboard and for who leads to it.
    last = rows.last.get_by_role("textbox", name="Name")
    last.focus()
    expect(last).to_be_in_viewport()
    last.press("Tab")
    expect(rows.last.get_by_role("combobox")).to_be_focused()
