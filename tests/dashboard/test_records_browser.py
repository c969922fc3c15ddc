"""Stories of documents, the playground, usage and assets in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from rendering.models import Batch, Document
from templates_app.models import Template
from tests.dashboard import browser
from tests.dashboard.browser import Visit, world  # noqa: F401
from tests.dashboard.editor import held
from tests.dashboard.records import picture
from tests.dashboard.world import World

pytestmark = browser.marks

LOGO = {"name": "mark.png", "mimeType": "image/png", "buffer": picture()}
PROGRAM = {"name": "setup.exe", "mimeType": "image/png", "buffer": b"MZ"}


def test_upload_assets_and_see_them(world: World, visit: Visit) -> None:  # noqa: F811
    page = visit(world, "editor", "{o}/assets")
    page.get_by_label("Upload images and fonts").set_input_files([LOGO])
    card = page.get_by_role("listitem").filter(has=page.get_by_role("link", name="mark.png"))
    expect(card).to_be_visible()
    assert (
        card.locator("img").evaluate("async (image) => { await image.decode(); return image.naturalWidth; }")
        == 240
    )
    page.get_by_label("Upload images and fonts").set_input_files([PROGRAM, LOGO | {"name": "second.png"}])
    refused = page.get_by_role("list", name="Uploads").get_by_role("listitem").filter(has_text="setup.exe")
    expect(refused.locator(".errors")).to_have_text(re.compile(r"\."))
    page.get_by_role("link", name="second.png").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("second.png")
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator(".toasts")).to_contain_text("second.png is deleted")


def test_a_file_that_is_too_large_is_told_the_limit(world: World, visit: Visit) -> None:  # noqa: F811
    page = visit(world, "editor", "{o}/assets")
    sent: list[str] = []
    page.route("**/assets/upload", lambda route: (sent.append("x"), route.fulfill(status=413)))
    page.locator("#upload").evaluate("form => { form.dataset.most = '1000'; }")
    page.get_by_label("Upload images and fonts").set_input_files(
        [LOGO | {"buffer": b"0" * 1001}, LOGO | {"name": "refused.png", "buffer": b"0"}]
    )
    words = re.compile("The file is too large: images may have 10.0.MB, fonts 20.0.MB.")
    expect(page.locator("#uploads .errors")).to_have_text([words, words])
    assert sent == ["x"], "what no kind of file may have is not sent"


def test_drop_an_asset_place_it_and_see_where_it_is_used(world: World, visit: Visit) -> None:  # noqa: F811
    Template.objects.filter(pk=world.ids["draft"]).update(name="Letterhead")
    page = visit(world, "editor", "{o}/assets")
    dropped = page.evaluate_handle(
        """(bytes) => {
            const carried = new DataTransfer();
            carried.items.add(new File([new Uint8Array(bytes)], "seal.png", { type: "image/png" }));
            return carried;
        }""",
        list(picture()),
    )
    content = page.locator("#content")
    content.dispatch_event("dragenter", {"dataTransfer": dropped})
    expect(page.locator("#upload")).to_have_class(re.compile(r"\bover\b"))
    content.dispatch_event("dragover", {"dataTransfer": dropped})
    content.dispatch_event("drop", {"dataTransfer": dropped})
    page.get_by_role("link", name="seal.png").click()
    expect(page.get_by_text("No template names it")).to_be_visible()
    asset_page = page.url

    page.goto(world.path("{o}/templates/{draft}/edit"))
    page.get_by_role("button", name="Add section").click()
    page.locator(".ed-kind").filter(has=page.get_by_text("Image", exact=True)).click()
    image = page.locator('[data-path="sections[1].source"]').get_by_role("combobox")
    image.fill("seal")
    page.get_by_role("option", name=re.compile("seal.png")).click()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#ed-version")).to_have_text("Version 4")

    page.goto(asset_page)
    expect(page.get_by_role("link", name="Delete")).to_have_count(0)
    page.get_by_role("region", name="Where used").get_by_role("link", name="Letterhead").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Letterhead")


def test_a_render_in_the_background_is_shown_when_it_is_done(world: World, visit: Visit) -> None:  # noqa: F811
    waiting = Document.objects.filter(status="processing", batch=None).latest("id")
    page = visit(world, "viewer", f"{{o}}/documents/{waiting.pk}")
    bar = page.get_by_role("progressbar", name="Rendering")
    bar.evaluate("bar => { bar.id = 'first'; }")
    with page.expect_response(lambda answer: answer.status == 204):
        pass
    assert bar.get_attribute("id") == "first", "its animation began anew"
    Document.objects.filter(pk=waiting.pk).update(status="failed", error="data.total: required")
    expect(page.get_by_text("The render failed.")).to_be_visible()
    expect(page.get_by_text("data.total: required")).to_be_visible()
    Document.objects.filter(pk=waiting.pk).update(status="processing", error="")
    page.reload()
    expect(bar).to_be_visible()
    Document.objects.filter(pk=waiting.pk).delete()
    expect(page.get_by_role("heading", name="Nothing is here")).to_be_visible()


def test_upload_without_scripts(world: World, visit: Visit) -> None:  # noqa: F811
    page = visit(world, "editor", "{o}/assets", java_script_enabled=False)
    page.get_by_label("Upload images and fonts").set_input_files([LOGO, PROGRAM])
    page.get_by_role("button", name="Upload", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("setup.exe")
    expect(page.get_by_role("link", name="mark.png")).to_be_visible()


def test_play_with_data_and_take_the_code(world: World, visit: Visit) -> None:  # noqa: F811
    Template.objects.filter(pk=world.ids["template"]).update(
        sample_data={"name": "Ada"}, variables=[{"name": "name", "type": "string", "required": True}]
    )
    page = visit(world, "editor", "{o}/playground?template={template}")
    expect(page.locator("#pdf canvas")).to_be_visible()
    expect(page.locator("#facts")).to_contain_text("1 page")
    data = page.get_by_role("textbox", name="Data")
    data.click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text('{"name": 7}')
    expect(page.locator("#code-curl")).to_contain_text('"name": 7')
    page.keyboard.press("Control+Enter")
    expect(page.locator("#problems")).to_contain_text("data.name")
    page.keyboard.press("Control+A")
    page.keyboard.insert_text('{"name": "O\'Hara"}')
    page.get_by_text("Python", exact=True).click()
    expect(page.locator("#code-python")).to_contain_text("O'Hara")
    page.get_by_label("Keep as a document").check()
    page.get_by_role("button", name="Render").press("Enter")
    expect(page.locator("#problems")).to_be_hidden()
    expect(page.get_by_role("button", name="Render")).to_be_focused()
    page.get_by_role("link", name="Open document").click()
    expect(page.locator("#pages-view canvas").first).to_be_visible()
    expect(page.get_by_text("Within the request")).to_be_visible()


def test_typed_data_outlives_a_look_elsewhere(world: World, visit: Visit) -> None:  # noqa: F811
    Template.objects.filter(pk=world.ids["template"]).update(sample_data={"name": "Ada"})
    page = visit(world, "editor", "{o}/playground?template={template}")
    data, own = page.get_by_role("textbox", name="Data"), page.locator("#own-data")
    expect(page.locator(".ed-codemirror")).to_be_visible()
    expect(data).to_contain_text("Ada")
    data.click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text('{"name": "Grace"')
    page.goto(world.path("{o}/templates"))
    page.goto(world.path("{o}/playground?template={template}"))
    expect(data).to_contain_text("Grace")  # as it was, finished or not
    expect(own).to_be_visible()
    page.get_by_role("button", name="Back to the sample").click()
    expect(data).to_contain_text("Ada")
    expect(own).to_be_hidden()
    page.reload()
    expect(data).to_contain_text("Ada")
    expect(own).to_be_hidden()


def test_keys_pressed_twice_keep_one_document(world: World, visit: Visit) -> None:  # noqa: F811
    page = visit(world, "editor", "{o}/playground?template={template}")
    expect(page.locator("#facts")).to_contain_text("1 page")
    before = Document.objects.count()
    page.get_by_label("Keep as a document").check()
    with held(page, "playground/render"):
        for _ in range(3):
            page.keyboard.press("Control+Enter")
        expect(page.get_by_role("button", name="Render")).to_be_disabled()
    expect(page.locator("#facts")).to_contain_text("kept")
    expect(page.get_by_role("button", name="Render")).to_be_enabled()
    assert Document.objects.count() == before + 1


def test_a_batch_is_followed_while_it_works(world: World, visit: Visit) -> None:  # noqa: F811
    page = visit(world, "viewer", "{o}/documents/batches/{batch}")
    expect(page.get_by_role("heading", name="2 of 40 done")).to_be_visible()
    Batch.objects.filter(pk=world.ids["batch"]).update(completed=30)
    expect(page.get_by_role("heading", name="31 of 40 done")).to_be_visible()
    Batch.objects.filter(pk=world.ids["batch"]).update(completed=39, status="completed")
    expect(page.get_by_role("heading", name="39 of 40 rendered")).to_be_visible()
    expect(page.locator(".lead .badge")).to_have_text("Completed")


def test_usage_is_drawn(world: World, visit: Visit) -> None:  # noqa: F811
    page = visit(world, "viewer", "{o}/usage")
    expect(page.locator("#usage-chart canvas")).to_be_visible()
    page.get_by_role("link", name="End users").click()
    expect(page.get_by_role("link", name="customer-17")).to_be_visible()
    page.get_by_label("Month", exact=True).select_option(index=0)
    # The page comes anew: a menu that is opened before that is closed again.
    expect(page).to_have_url(re.compile(r"\?by=user&month="))
    page.locator("summary", has_text="Export").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Excel workbook").first.click()
    assert re.fullmatch(r"usage-\d{4}-\d{2}\.xlsx", download.value.suggested_filename)
