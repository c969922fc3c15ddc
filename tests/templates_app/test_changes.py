"""What changed, in words."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from templates_app.changes import MAX_CHANGES, changes_between

BASE: dict[str, Any] = {
    "name": "Invoice",
    "description": "",
    "formats": ["pdf"],
    "sections": [
        {"type": "heading", "content": "Invoice {{number}}", "level": 1},
        {"type": "text", "content": "Dear customer"},
        {"type": "divider"},
        {
            "type": "table",
            "source": "items",
            "columns": [{"key": "item", "header": "Item"}, {"key": "qty", "header": "Quantity", "width": 20}],
        },
    ],
    "variables": [{"name": "number", "type": "string", "required": True}],
    "page": {"size": "A4", "margins": {"top": 20, "left": 20}},
    "sampleData": {"number": "1"},
}


def edited(change: Any) -> list[str]:
    after = copy.deepcopy(BASE)
    change(after)
    return [found.text for found in changes_between(BASE, after)]


def _swap(content: dict[str, Any]) -> None:
    content["sections"].append(content["sections"].pop(0))


STORIES: list[tuple[Any, list[str]]] = [
    (lambda c: None, []),
    (lambda c: c.update(name="Bill"), ["name changed from “Invoice” to “Bill”"]),
    (lambda c: c.update(formats=["pdf", "xlsx"]), ["formats changed from pdf to pdf, xlsx"]),
    (
        lambda c: c["sections"][3]["columns"].append({"key": "price", "header": "Price"}),
        ["column Price added to section 4 (table items)"],
    ),
    (lambda c: c["sections"][3]["columns"].pop(0), ["column Item removed from section 4 (table items)"]),
    (
        lambda c: c["sections"][3]["columns"][1].update(width=30),
        ["width of column Quantity of section 4 (table items) changed from 20 to 30"],
    ),
    (
        lambda c: c["sections"].append({"type": "image", "source": "data:image/png;base64,iVBORw0KGgo="}),
        ["section 5 (image) added"],
    ),
    (lambda c: c["sections"][3].update(zebra=True), ["zebra of section 4 (table items) set to on"]),
    (
        lambda c: c["sections"].insert(0, {"type": "spacer", "height": 5}),
        ["section 1 (spacer) added"],
    ),
    (lambda c: c["sections"].pop(1), ["section 2 (text “Dear customer”) removed"]),
    (
        lambda c: c["sections"][1].update(content="Dear {{name}}"),
        ["content of section 2 (text) changed from “Dear customer” to “Dear {{name}}”"],
    ),
    (
        lambda c: c["sections"][1].update(type="heading", level=2),
        ["section 2 (text “Dear customer”) removed", "section 2 (heading “Dear customer”) added"],
    ),
    (_swap, ["heading “Invoice {{number}}” moved from place 1 to 4"]),
    (
        lambda c: c["variables"].append({"name": "due", "type": "date"}),
        ["variable due added"],
    ),
    (
        lambda c: c["variables"][0].update(required=False),
        ["required of variable number changed from on to off"],
    ),
    (
        lambda c: c["page"]["margins"].update(top=25),
        ["top of margins of the page changed from 20 to 25"],
    ),
    (
        lambda c: c["page"].update(firstHeader={"left": "{{name}}", "sections": [{"type": "divider"}]}),
        ["first header of the page set"],
    ),
    (lambda c: c.update(sampleData={}), ["sample data changed"]),
]


@pytest.mark.parametrize(("change", "expected"), STORIES)
def test_a_change_is_told_in_words(change: Any, expected: list[str]) -> None:
    assert edited(change) == expected


NESTED: dict[str, Any] = {
    "sections": [
        {"type": "text", "content": "Hello"},
        {
            "type": "columns",
            "columns": [
                {"sections": []},
                {
                    "sections": [
                        {"type": "key_value", "items": [{"label": "Due", "value": "1"}]},
                        {"type": "text", "content": "Thanks"},
                    ]
                },
            ],
        },
    ],
    "variables": [
        {"name": "customer", "type": "object", "fields": [{"name": "contact", "type": "string"}]},
    ],
    "page": {"header": {"left": "Acme", "sections": [{"type": "text", "content": "{{x}}"}]}},
}


def nested(change: Any) -> list[str]:
    after = copy.deepcopy(NESTED)
    change(after)
    return [found.text for found in changes_between(NESTED, after)]


def test_places_inside_of_others_are_named_as_the_editor_shows_them() -> None:
    def column(content: Any) -> Any:
        return content["sections"][1]["columns"][1]["sections"]

    inner = "column 2 of section 2 (columns)"
    assert nested(lambda c: column(c)[0]["items"][0].update(value="2")) == [
        f"value of entry Due of key and value of {inner} changed from “1” to “2”"
    ]
    assert nested(lambda c: column(c).pop(1)) == [f"text Thanks removed from {inner}"]
    assert nested(lambda c: c["variables"][0]["fields"].append({"name": "contakt", "type": "string"})) == [
        "field contakt added to variable customer"
    ]
    assert nested(lambda c: c["page"]["header"].update(left="Globex")) == [
        "left of the header changed from “Acme” to “Globex”"
    ]
    assert nested(lambda c: c["page"]["header"]["sections"][0].update(content="{{y}}")) == [
        "content of text of the header changed from “{{x}}” to “{{y}}”"
    ]


def test_paths_point_into_both_contents() -> None:
    after = copy.deepcopy(BASE)
    after["sections"].insert(0, {"type": "divider", "thickness": 2})
    after["sections"][4]["columns"][1]["width"] = 25
    added, changed = changes_between(BASE, after)
    assert (added.before, added.after) == ("", "sections[0]")
    assert (changed.before, changed.after) == ("sections[3].columns[1].width", "sections[4].columns[1].width")


def test_very_long_lists_compare() -> None:
    """Every way through 20,000 fields would take gigabytes; equal entries, each with each, minutes."""
    fields = [{"name": f"f{number}"} for number in range(20_000)]
    after = [*fields[:15_000], fields[15_001], fields[15_000], *fields[15_002:], {"name": "new"}]
    old, new = ({"variables": [{"name": "rows", "fields": each}]} for each in (fields, after))
    assert [change.text for change in changes_between(old, new)] == [
        "field f15000 moved from place 15001 to 15002 in variable rows",
        "field new added to variable rows",
    ]
    items = [
        [entry for number in range(500) for entry in ({"content": ""}, {"content": f"{word} {number}"})]
        for word in ("old", "new")
    ]
    old, new = ({"sections": [{"type": "list", "items": each}]} for each in items)
    assert len(changes_between(old, new)) == MAX_CHANGES


def test_long_lists_of_changes_are_cut() -> None:
    columns = [{"key": f"c{number}", "header": "C"} for number in range(MAX_CHANGES + 50)]
    section = {"type": "table", "source": "items"}
    before = BASE | {"sections": [section | {"columns": []}]}
    after = BASE | {"sections": [section | {"columns": columns}]}
    assert len(changes_between(before, after)) == MAX_CHANGES


json_values = st.recursive(
    st.booleans() | st.integers() | st.text(max_size=5),  # null is the same as absent
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["type", "key", "name", "content", "columns", "x"]), inner, max_size=4
        )
    ),
    max_leaves=15,
)


@given(json_values, json_values)
def test_any_two_contents_compare(old: Any, new: Any) -> None:
    before, after = {"sections": old}, {"sections": new}
    found = changes_between(before, after)
    assert all(change.text for change in found)
    if old == new and repr(old) == repr(new):
        assert found == []
    elif old != new:
        assert found
