"""Which section drew what: the areas of sections on pages, and a file that is the same without them."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Organization
from rendering.formats.pdf.layout.places import Areas
from rendering.preview import preview

LINES = "\n\n".join(f"Paragraph {number} of a long text that goes on." for number in range(160))
NAMES = [{"name": "Ann"}, {"name": "Ben"}]
ITEM = {"type": "text", "content": "{{item.name}}"}
SECTIONS: list[dict[str, Any]] = [
    {"type": "heading", "content": "One"},
    {"type": "text", "content": "Hidden", "showIf": {"field": "nothing", "is": "set"}},
    {
        "type": "columns",
        "columns": [
            {"sections": [{"type": "text", "content": "Left"}]},
            {"sections": [{"type": "heading", "level": 2, "content": "Right"}, {"type": "divider"}]},
        ],
    },
    {"type": "box", "sections": [{"type": "text", "content": "Inside"}]},
    {"type": "group", "source": "names", "as": "item", "sections": [ITEM]},
    {"type": "table", "source": "names", "title": "Names", "columns": [{"key": "name", "header": "Name"}]},
    {"type": "heading", "content": "Held by what follows"},
    {"type": "text", "content": LINES},
    {"type": "columns", "columns": [{"sections": [{"type": "text", "content": LINES}]}, {"sections": []}]},
]
BOXES = {"sections[0]", "sections[2]"}
SPACER = {"type": "spacer", "height": 37}
PAGE = {
    "header": {"sections": [{"type": "text", "content": "Page {{page.number}}"}]},
    "firstHeader": {"left": "First"},
    "footer": {"right": "{{page.number}} of {{page.count}}"},
}


def areas(
    sections: Any, page: Any = None, names: Any = NAMES
) -> tuple[bytes, bytes, list[list[tuple[str, list[float]]]]]:
    """Return the file without and with places, and for each page its areas by place."""
    body = {"name": "All", "formats": ["pdf"], "sections": sections, "page": page or {}}
    told, now = Areas(), timezone.now()
    plain, watched = (
        preview(organization=Organization(), body=body, data={"names": names}, now=now, watcher=watcher).file
        for watcher in (None, told)
    )
    found = told.as_json()
    return (
        plain,
        watched,
        [[(found["places"][area[0]], list(area[1:])) for area in page] for page in found["pages"]],
    )


def test_every_section_has_its_area_and_the_file_is_the_same() -> None:
    plain, watched, pages = areas(SECTIONS, PAGE)
    assert plain == watched
    first = [place for place, _ in pages[0]]
    assert {
        "sections[0]",
        "sections[2]",
        "sections[2].columns[0].sections[0]",
        "sections[2].columns[1].sections[0]",
        "sections[2].columns[1].sections[1]",
        "sections[3]",
        "sections[3].sections[0]",
        "sections[4]",
        "sections[5]",
        "sections[6]",
        "sections[7]",
        "page.firstHeader",
        "page.footer",
    } == {*first} - {"sections[4].sections[0]"}
    assert first.count("sections[4].sections[0]") == len(NAMES), "a group draws its sections for each entry"
    second = [place for place, _ in pages[1]]
    assert {"page.header.sections[0]", "page.footer", "sections[7]"} <= {*second}
    assert "sections[8].columns[0].sections[0]" in [place for place, _ in pages[-1]]


def test_areas_lie_on_the_page_and_in_what_holds_them() -> None:
    _, _, pages = areas(SECTIONS, PAGE)
    for page in pages:
        for place, (x, y, width, height) in page:
            assert x >= 0, place
            assert y >= 0, place
            assert x + width <= 595.3, place
            assert y + height <= 841.9, place
    boxes = dict(pages[0])
    outer, inner = boxes["sections[3]"], boxes["sections[3].sections[0]"]
    assert outer[0] < inner[0]
    assert outer[1] < inner[1]
    assert inner[1] + inner[3] < outer[1] + outer[3]
    left = boxes["sections[2].columns[0].sections[0]"]
    right = boxes["sections[2].columns[1].sections[0]"]
    assert left[0] + left[2] < right[0]
    heading, text = boxes["sections[6]"], boxes["sections[7]"]
    assert heading[1] + heading[3] <= text[1] + 0.2, "a heading that waited is not its follower's"


MM = 72 / 25.4


def test_a_body_begins_where_the_guide_tells() -> None:
    box = {"type": "box", "padding": 0, "sections": [{"type": "text", "content": "Body"}]}
    margins = {"top": 20, "right": 20, "bottom": 20, "left": 25}
    header = {"height": 31.8, "sections": [{"type": "text", "content": "Sender"}]}
    _, _, pages = areas([box, {"type": "page_break"}, box], {"margins": margins, "firstHeader": header})
    (first,), (second,) = ([area for place, area in page if place in BOXES] for page in pages)
    assert (first[0], first[1]) == pytest.approx((25 * MM, 45 * MM), abs=0.2)
    assert second[1] == pytest.approx(20 * MM, abs=0.2)


def test_a_column_with_a_spacer_gives_the_others_their_height() -> None:
    names = [{"name": "Ann"}, {"name": "Ann\nof\nthree lines"}, {"name": ""}] * 10
    row = {"type": "columns", "gap": 0, "columns": [{"sections": [ITEM]}, {"width": 1, "sections": [SPACER]}]}
    group = {"type": "group", "source": "names", "gap": 0, "keepTogether": True, "sections": [row]}
    margins = dict.fromkeys(("top", "right", "bottom", "left"), 0)
    _, _, pages = areas([group], {"margins": margins}, names)
    assert len(pages) == 4
    tops = [area[1] / MM for place, area in pages[0] if place == "sections[0].sections[0]"]
    assert tops == pytest.approx([37 * row for row in range(8)], abs=0.1)


def test_a_table_whose_last_rows_wait_for_the_next_section() -> None:
    """They go to the next page with it, and have their area there."""
    column = {"key": "name", "value": "1", "header": "Name", "total": "sum"}
    held = {
        "type": "table",
        "source": "names",
        "columns": [column],
        "keepWithNext": True,
        "carryForward": True,
    }
    space = {"type": "spacer", "height": 195}
    box = {
        "type": "box",
        "keepTogether": True,
        "sections": [{"type": "text", "content": "One\nTwo\nThree\nFour"}],
    }
    plain, watched, pages = areas([space, {**held, "minRows": 1}, box], names=NAMES * 3)
    assert plain == watched
    assert [[place for place, _ in page].count("sections[1]") for page in pages] == [1, 1]


def test_there_is_an_end_to_areas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rendering.formats.pdf.layout.places.MOST_AREAS", 5)
    _, _, pages = areas([{"type": "divider"}] * 20)
    assert sum(map(len, pages)) == 5
