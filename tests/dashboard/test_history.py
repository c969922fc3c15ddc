"""Versions: what changed in words, side by side in the definition and on paper, and back again."""

from __future__ import annotations

import re
import time
from html import unescape
from io import BytesIO
from random import Random
from typing import Any

import pytest
from PIL import Image, ImageDraw
from pypdf import PdfReader

from dashboard.history import rendered
from dashboard.history.definition import blocks_of
from dashboard.history.lines import MOST_LINES, lines_of, side_by_side
from dashboard.history.marks import compare_words, marks_of_pixels
from dashboard.pictures.raster import Words
from rendering.preview import preview
from templates_app.models import Template, TemplateSample
from templates_app.services import update_template
from tests.conftest import INVOICE
from tests.dashboard.world import World, page

HISTORY = "{o}/templates/{draft}/history"


def stored(world: World) -> Template:
    return Template.objects.get(pk=world.ids["draft"])


def test_who_when_and_what_in_words(world: World) -> None:
    seen = page(world.client("viewer").get(world.path(HISTORY)))
    for words in (
        "Column Unit added to section 2 (table items)",
        "Content of section 1 (heading) changed from “Invoice {{number}}” to “Offer {{number}}”",
        "The beginning",
        "ed@acme.example",
    ):
        assert words in seen, words
    assert "Restore" not in seen, "a viewer looks"
    assert "Restore" in page(world.client("editor").get(world.path(HISTORY)))


def test_long_texts_are_compared_in_little_time() -> None:
    started = time.monotonic()
    before, after = "a b " * 20_000, "c " + "a b " * 20_000
    (row,) = side_by_side([before], [after])
    assert "".join(text for text, _ in row.left) == before
    assert "".join(text for text, _ in row.right) == after
    assert any(differs for _, differs in row.right)
    (row,) = side_by_side([before + "old " + before], [before + "new " + before])
    assert [piece for piece in row.left if piece[1]] == [("old", True)]
    words = ["lorem", "ipsum", "dolor", "sit", "amet", "elit"]
    olds, news = (
        [{"type": "text", "content": " ".join(pick.choices(words, k=600))} for _ in range(60)]
        for pick in (Random(1), Random(2))
    )
    assert blocks_of({"sections": olds}, {"sections": news})
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("path", ["/99999999999999999999", "/1?with=999999999"])
def test_a_version_that_no_template_can_have(world: World, path: str) -> None:
    assert world.client("viewer").get(world.path(HISTORY + path)).status_code == 404


def test_a_long_history_is_paged(world: World, django_assert_max_num_queries: Any) -> None:
    for number in range(45):
        update_template(
            templates=Template.objects.all(),
            template=Template.objects.get(pk=world.ids["draft"]),
            body={"description": f"Number {number}"},
            author="ed@acme.example",
            may_move=False,
        )
    client = world.client("editor")
    path, shown = world.path(HISTORY), []
    while path:
        with django_assert_max_num_queries(8):
            answer = client.get(path)
        shown += [entry.version for entry, _ in answer.context["lines"]]
        path = answer.context["page"].next and world.path(HISTORY) + answer.context["page"].next
    assert shown == list(range(48, 0, -1))


def test_two_versions_beside_each_other(world: World) -> None:
    client = world.client("viewer")
    answer = client.get(world.path(HISTORY + "/3"))
    seen = page(answer)
    assert "From version 2 to version 3" in seen
    assert "<ins> - key: unit</ins>" in seen or "<ins> - key: unit" in seen
    compared = answer.context["compared"]
    assert [len(page.after_marks) > 0 for page in compared.pages] == [True]
    assert "place" in seen.partition("Page 1 of version 3")[2][:40]

    whole = client.get(world.path(HISTORY + "/3?with=1"))
    assert "From version 1 to version 3" in page(whole)
    assert {block.after.partition(" ·")[0] for block in whole.context["blocks"]} == {"Section 1", "Section 2"}
    assert "From version 1 to version 3" in page(client.get(world.path(HISTORY + "/1?with=3")))
    for none in ("/9", "/3?with=9", "/0", "/2/pages/9.png", "/2/document?format=doc", "/9/pages/1.png"):
        assert client.get(world.path(HISTORY + none)).status_code == 404, none


def test_an_old_version_as_a_document(world: World) -> None:
    TemplateSample.objects.create(
        template=stored(world), name="Long & wide", data={"number": "77", "items": []}
    )
    client = world.client("viewer")
    first = client.get(world.path(HISTORY + "/1/document?format=pdf"))
    assert first["Content-Disposition"].startswith('inline; filename="Offer version 1.pdf"')
    assert "Invoice 42" in PdfReader(BytesIO(first.content)).pages[0].extract_text()
    other = client.get(world.path(HISTORY + "/2/document?format=pdf&sample=Long+%26+wide"))
    assert "Offer 77" in PdfReader(BytesIO(other.content)).pages[0].extract_text()
    assert client.get(world.path(HISTORY + "/1/document?format=xlsx")).content[:2] == b"PK"
    picture = client.get(world.path(HISTORY + "/1/pages/1.png"))
    assert Image.open(BytesIO(picture.content)).width == 960
    seen = page(client.get(world.path(HISTORY + "/2?sample=Long+%26+wide")))
    assert "pages/1.png?sample=Long+%26+wide" in seen


def pictures(answer: Any) -> list[str]:
    """Return the addresses of the pictures that a page shows."""
    return [
        unescape(found) for found in re.findall(r'<img src="([^"]+/pages/[^"]+)"', answer.content.decode())
    ]


def test_a_large_file_is_rendered_once_for_all_of_its_pictures(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rendered, "LARGEST_KEPT", 100)
    made = []
    monkeypatch.setattr(rendered, "preview", lambda **given: made.append(1) or preview(**given))
    client = world.client("viewer")
    for path, versions in (("/3", 2), ("/1", 1)):
        shown = pictures(client.get(world.path(HISTORY + path)))
        assert len(made) == len(shown) == versions
        for address in shown:
            picture = client.get(address)
            assert Image.open(BytesIO(picture.content)).width == 960
        assert len(made) == versions, "no picture rendered it again"
        made.clear()


def test_a_changed_sample_has_pictures_of_its_own(world: World) -> None:
    client, path = world.client("viewer"), world.path(HISTORY + "/3?sample=Other")
    sample = TemplateSample.objects.create(template=stored(world), name="Other", data={"number": 1.5})
    before = pictures(client.get(path))
    assert pictures(client.get(path)) == before
    sample.data = {"number": 10**30}
    sample.save()
    after = pictures(client.get(path))
    assert not set(before) & set(after)
    assert {client.get(address).status_code for address in after} == {200}


def test_a_version_that_does_not_render_says_so(world: World) -> None:
    row = stored(world)
    broken = [{"name": "due", "type": "date", "required": True}]
    Template.objects.filter(pk=row.pk).update(variables=broken)
    client = world.client("viewer")
    seen = page(client.get(world.path(HISTORY + "/3")))
    assert "Version 3 cannot be shown with this sample. due: required" in seen.replace("data.due", "due")
    answer = client.get(world.path(HISTORY + "/3/document?format=pdf"), follow=True)
    assert "Version 3 cannot be rendered with this sample" in page(answer)


# ---------------------------------------------------------------- restoring


def restore(world: World, role: str = "editor", number: int = 1, **form: str) -> Any:
    path = world.path(HISTORY + f"/{number}/restore")
    return world.client(role).post(path, {"version": str(stored(world).version)} | form)


def test_an_old_version_comes_back_as_a_new_one(world: World) -> None:
    shown = page(world.client("editor").get(world.path(HISTORY + "/1/restore")))
    assert "Its content becomes version 4" in shown
    assert "Column Unit removed from section 2" in shown
    assert restore(world).status_code == 302
    row = stored(world)
    assert (row.version, row.sections) == (4, INVOICE["sections"])
    assert row.content_created_by == "ed@acme.example"
    assert row.versions.count() == 3
    answer = world.client("editor").get(world.path(HISTORY + "/1/restore"), follow=True)
    assert "This is how it is already." in page(answer)


def test_a_save_in_between_is_not_overwritten(world: World) -> None:
    answer = world.client("editor").post(world.path(HISTORY + "/1/restore"), {"version": "2"}, follow=True)
    assert "Nothing was restored. The template was changed meanwhile" in page(answer)
    assert stored(world).version == 3


def test_what_was_restored_as_a_draft_does_not_go_live(world: World) -> None:
    path = world.path(HISTORY + "/1/restore")
    shown = world.client("editor").get(path)
    assert "This template is a draft." in page(shown)
    Template.objects.filter(pk=world.ids["draft"]).update(status="published")
    shown = page(world.client("editor").get(path))
    assert "is live immediately" in shown
    assert "Restore as version 4, live immediately" in shown
    token = restore(world).context["verdict"].token
    form = {"version": "3", "status": "draft", "accept": token}
    answer = world.client("editor").post(path, form, follow=True)
    assert "Nothing was restored. The template was changed meanwhile: it is published now." in page(answer)
    assert stored(world).version == 3


def test_a_published_template_passes_the_gate(world: World) -> None:
    Template.objects.update(status="published")
    asked = restore(world)
    assert asked.status_code == 422
    assert "This template is published. Every new document uses" in page(asked)
    assert stored(world).version == 3
    assert restore(world, accept=asked.context["verdict"].token).status_code == 302
    assert stored(world).version == 4


@pytest.mark.parametrize("path", [HISTORY, HISTORY + "/1", "{o}/templates/{draft}/publish"])
def test_the_editor_is_one_click_away(world: World, path: str) -> None:
    link = f'href="{world.path("{o}/templates/{draft}/edit")}"'
    assert link in page(world.client("editor").get(world.path(path)))
    if "history" in path:
        assert link not in page(world.client("viewer").get(world.path(path)))


def test_an_archived_template_stays(world: World) -> None:
    Template.objects.update(status="archived")
    assert restore(world).status_code == 302
    assert stored(world).version == 3
    assert world.client("viewer").get(world.path(HISTORY + "/3")).status_code == 200


# ---------------------------------------------------------------- pure parts


def test_values_as_lines() -> None:
    value = {
        "type": "table",
        "bold": True,
        "columns": [{"key": "a", "style": {}}, {"key": "b"}],
        "note": "x\ny",
    }
    assert lines_of(value) == [
        "type: table",
        "bold: true",
        "columns:",
        "  - key: a",
        "    style: {}",
        "  - key: b",
        "note: x",
        "  y",
    ]
    assert lines_of([[1, None], []]) == ["- - 1", "  - null", "- "]


def test_lines_side_by_side() -> None:
    before = [str(number) for number in range(20)]
    after = [*before[:10], "ten and more", *before[11:], "20"]
    rows = side_by_side([*before[:10], "ten", *before[11:]], after)
    assert [row.state for row in rows] == [
        "gap", "same", "same", "same", "changed", "same", "same", "same", "gap", "same", "same", "same",
        "added",
    ]  # fmt: skip
    assert rows[0].left == [("7 lines unchanged", False)]
    assert rows[4].right == [("ten", False), (" and more", True)]
    assert side_by_side(before, before) == []


def test_a_change_behind_a_thousand_lines_is_shown() -> None:
    before = [str(number) for number in range(2000)]
    rows = side_by_side(before, [*before[:1500], "new", *before[1500:]])
    assert [row.state for row in rows] == ["gap", *["same"] * 3, "added", *["same"] * 3, "gap"]
    assert rows[0].left == [("1497 lines unchanged", False)]
    assert rows[-1].left == [("497 lines unchanged", False)]


def test_of_very_many_changed_lines_the_first_are_shown_and_the_rest_is_counted() -> None:
    around = [str(number) for number in range(10)]
    rows = side_by_side([*around, *["old"] * 500, *around], [*around, *["new"] * 451, *around])
    assert [row.state for row in rows].count("changed") == MOST_LINES
    gaps = [text for row in rows if row.state == "gap" for text, _ in row.left]
    assert gaps == ["7 lines unchanged", "100 more lines are not shown", "7 lines unchanged"]
    assert side_by_side(["old"] * 401, ["new"] * 401)[-1].left == [("1 more line is not shown", False)]


def test_blocks_of_sections_that_move_come_and_go() -> None:
    one, two, three = ({"type": "text", "content": name * 30} for name in "abc")
    new = {"type": "divider"}
    blocks = blocks_of({"sections": [one, two, three]}, {"sections": [three, one, new]})
    assert {(block.state, block.before[:9], block.after[:9]) for block in blocks} >= {
        ("added", "", "Section 3"),
        ("removed", "Section 2", ""),
        ("moved", "Section 3", "Section 1"),
    }
    assert blocks_of({"sections": [one], "page": {}}, {"sections": [one], "page": {}}) == []


def test_marks_are_around_what_differs() -> None:
    before = Image.new("L", (340, 480), 255)
    after = before.copy()
    assert marks_of_pixels(before, after) == []
    ImageDraw.Draw(after).rectangle((100, 100, 140, 110), fill=0)
    ImageDraw.Draw(after).rectangle((100, 400, 140, 410), fill=0)
    upper, lower = marks_of_pixels(before, after)
    assert upper.x < 100 / 3.4 < 140 / 3.4 < upper.x + upper.width
    assert upper.y < 100 / 4.8 < 110 / 4.8 < upper.y + upper.height < lower.y
    assert [mark.width for mark in marks_of_pixels(before, Image.new("L", (480, 340)))] == [100]
    ImageDraw.Draw(after).point([(x, y) for x in range(0, 340, 30) for y in range(0, 480, 30)], fill=0)
    assert len(marks_of_pixels(before, after)) == 1, "too many to look at are one"


def test_words_that_moved_are_not_marked() -> None:
    def line(text: str, top: float) -> Words:
        return Words(text, 0.1, top, 0.9, top + 0.02)

    before = [[line("a", 0.1), line("b", 0.2), line("c", 0.3)], [line("d", 0.1)]]
    after = [[line("a", 0.1), line("new", 0.2), line("b", 0.3)], [line("c", 0.1), line("d", 0.2)]]
    found = compare_words(before, after)
    assert found.gone == {}
    assert [(page, mark.y) for page, marks in found.come.items() for mark in marks] == [(1, 19.6)]
    assert found.moved == {1, 2}
    assert compare_words(before, before).moved == set()


def test_what_pushes_the_rest_away_is_marked_alone(world: World) -> None:
    """A line more at the top of the page: every pixel below differs, one line is new."""
    row = stored(world)
    sections = [{"type": "text", "content": f"Line {number} of the text"} for number in range(40)]
    for body in (sections, [{"type": "heading", "content": "Quite new"}, *sections]):
        update_template(
            templates=Template.objects.all(),
            template=row,
            body={"sections": body, "formats": ["pdf"]},
            author="ed@acme.example",
            may_move=False,
        )
    compared = world.client("viewer").get(world.path(HISTORY + "/5")).context["compared"]
    assert [len(page.after_marks) for page in compared.pages][:1] == [1]
    assert compared.pages[0].before_marks == []
