"""Section kinds: the smallest one of each resolves, and no JSON breaks a kind."""

from __future__ import annotations

import datetime as dt
import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from config.api.errors import ApiError
from templates_app.bodies import TemplateCreate, parse_body
from templates_app.content import BrokenContent, Content
from templates_app.expressions.formulas import parse_formula
from templates_app.expressions.helpers import Style
from templates_app.kinds import KINDS
from templates_app.kinds.base import Section, nested
from templates_app.resolved import ImageFile, ResolvedTable, every_section
from templates_app.scope import ResolveError, Scope
from templates_app.services import complete_variables
from templates_app.variables import Variable

# The smallest section of each kind: a kind that is missing here fails a test.
MINIMAL: dict[str, dict[str, Any]] = {
    "heading": {"content": "{{title}}"},
    "text": {"content": "a {{b.c}}"},
    "table": {"source": "rows", "columns": [{"key": "x"}]},
    "image": {"source": "{{logo}}"},
    "key_value": {"items": [{"label": "Total", "value": "{{total}}"}]},
    "list": {"items": ["{{note}}"]},
    "divider": {},
    "spacer": {},
    "page_break": {},
    "columns": {"columns": [{"sections": [{"type": "text", "content": "{{note}}"}]}]},
    "group": {"source": "rows", "sections": [{"type": "text", "content": "{{item.x}}"}]},
    "box": {"sections": [{"type": "text", "content": "{{note}}"}]},
    "table_of_contents": {},
    "chart": {"source": "rows", "category": "{{item.x}}", "series": [{"key": "x"}]},
    "barcode": {"value": "12 {{note}}"},
    "signature": {"signers": [{"name": "{{note}}"}]},
}
DATA = {"title": "T", "b": {"c": 1}, "rows": [{"x": 1}, {}], "logo": "ast_1", "total": 5, "note": "n"}
ANY_VALUES = ["words", "", True, 0, -1, 10**30, 1e308, [], [1, {"x": "a"}], {"x": []}, None]
IMAGE = ImageFile(b"", "image/png", 1, 1)

FIELDS = [
    "type",
    "content",
    "level",
    "align",
    "source",
    "columns",
    "items",
    "label",
    "value",
    "key",
    "header",
    "width",
    "height",
    "format",
    "title",
    "zebra",
    "size",
    "color",
    "ordered",
    "thickness",
    "strong",
    "showIf",
    "sections",
    "as",
    "groupBy",
    "styles",
    "total",
    "series",
    "symbology",
    "nonsense",
]
leaves = (
    st.none()
    | st.booleans()
    | st.integers(-5, 5000)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(
        [
            "",
            "a",
            "a.b",
            "rows",
            "{{x}}",
            "{{x|currency}}",
            "{{ x }}",
            "\\{{",
            "#aabbcc",
            "left",
            "25%",
            "0%",
            "²%",
            "number:2",
            "date:long",
            "x * 2",
            "sum(x)",
            "**{{x}}**",
            *KINDS,
        ]
    )
    | st.text(max_size=8)
)
json_values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=5),
    max_leaves=12,
)
changed_sections = st.builds(
    lambda kind, change: {"type": kind} | MINIMAL[kind] | change,
    st.sampled_from(sorted(MINIMAL)),
    st.dictionaries(st.sampled_from(FIELDS[1:]), json_values, max_size=2),
)


def section(kind: str, **fields: Any) -> Section:
    return KINDS[kind].model_validate({"type": kind} | MINIMAL[kind] | fields)


def scope(values: Any, *variables: dict[str, Any], style: Style | None = None) -> Scope:
    typed = {v["name"]: Variable.model_validate(v) for v in variables}
    return Scope(values, typed, style or Style(), lambda reference: IMAGE)


def content(*sections: Any) -> Content:
    return Content("n", "", ["pdf"], sections, [], {}, {})


def row_of(table: ResolvedTable, index: int) -> list[Any]:
    return [column.values[index] for column in table.columns]


def test_every_kind_has_its_smallest_section_here() -> None:
    assert set(KINDS) ^ set(MINIMAL) == set(), "MINIMAL above and KINDS of templates_app/kinds"


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("data", [DATA, {}])
def test_the_smallest_section_of_each_kind_resolves(kind: str, data: dict[str, Any]) -> None:
    made = section(kind)
    assert KINDS[kind].kind_label
    assert made.resolve(scope(data)).kind == kind
    assert all(use.path for use in made.uses())


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_what_holds_sections_still_does_when_resolved(kind: str) -> None:
    made = section(kind)
    inside = [found.kind for found, _ in every_section([made.resolve(scope(DATA))], "en")][1:]
    assert set(inside) == {one.model_dump()["type"] for one in nested([made])} - {kind}, (
        "parts() of the resolved section"
    )


@pytest.mark.parametrize("value", ANY_VALUES, ids=repr)
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_any_value_in_the_data_is_taken_or_refused(kind: str, value: Any) -> None:
    for name in DATA:
        with suppress(ResolveError):
            section(kind).resolve(scope(DATA | {name: value}))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_says_what_it_reads(kind: str) -> None:
    read: set[str] = set()

    class Watched(dict[str, Any]):
        def get(self, name: str, default: Any = None) -> Any:
            read.add(name)
            return super().get(name, default)

    section(kind).resolve(scope(Watched(DATA)))
    assert read - {use.path[0] for use in section(kind).uses()} == set(), "uses() forgets them"


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_kind_says_what_its_fields_are(kind: str) -> None:
    schema = TypeAdapter(KINDS[kind]).json_schema()
    # One that holds sections refers to itself.
    schema = schema["$defs"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    for name, field in schema["properties"].items():
        if name not in {"type", "format"}:
            assert field.get("description"), name


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_an_unknown_field_is_named(kind: str) -> None:
    with pytest.raises(ApiError) as caught:
        parse_body(
            TemplateCreate,
            {"name": "a", "formats": ["pdf"], "sections": [{"type": kind} | MINIMAL[kind] | {"typo": 1}]},
        )
    assert caught.value.errors == {"sections[0].typo": "unknown field"}


def parses(sections: list[Any]) -> bool:
    """Parse a template body; True when it is accepted, False for a 400."""
    refusal = None
    try:
        fields = parse_body(TemplateCreate, {"name": "a", "formats": ["pdf"], "sections": sections})
    except ApiError as error:
        refusal = error
    if refusal is not None:
        assert (refusal.status, bool(refusal.message)) == (400, True)
        return False
    assert complete_variables(content(*fields["sections"])) is not None
    return True


@given(st.lists(json_values, max_size=3))
def test_any_json_in_place_of_sections_is_a_400_at_worst(sections: list[Any]) -> None:
    parses(sections)


@given(
    changed_sections,
    st.dictionaries(st.sampled_from(["rows", "x", "a", "title", "b"]), json_values, max_size=4),
)
def test_what_is_accepted_resolves_or_says_what_does_not_fit(
    given: dict[str, Any], data: dict[str, Any]
) -> None:
    if not parses([given]):
        return
    accepted = content(given)
    accepted.check()
    with suppress(ResolveError):
        accepted.typed_sections[0].resolve(scope(data))


@given(json_values)
def test_stored_content_of_any_kind_is_found_broken_or_usable(value: Any) -> None:
    stored = content(value)
    try:
        stored.check()
    except BrokenContent:
        return
    assert stored.kinds()


def test_typed_cells() -> None:
    columns = [
        {"key": "name"},
        {"key": "price", "format": "currency"},
        {"key": "made", "format": "date"},
        {"key": "at", "format": "datetime"},
        {"key": "code", "format": "upper"},
        {"key": "deep.er"},
        {"key": "tags"},
        {"key": "paid", "format": "yesno"},
    ]
    row = {
        "name": "Pen",
        "price": 1.5,
        "made": "2026-11-21",
        "at": "2026-11-21T10:00:00Z",
        "code": "ab",
        "deep": {"er": 5},
        "tags": ["a", "b"],
        "paid": True,
    }
    style = Style("de_AT", "Europe/Vienna", "EUR")
    table = section("table", columns=columns, title="{{t}}").resolve(
        scope({"rows": [row, {}], "t": "Stock"}, style=style)
    )
    assert isinstance(table, ResolvedTable)
    assert table.title == "Stock"
    assert row_of(table, 0) == [
        "Pen",
        1.5,
        dt.date(2026, 11, 21),
        dt.datetime(2026, 11, 21, 11),
        "AB",
        5,
        "a, b",
        "Yes",
    ]
    assert all(cell in (None, "") for cell in row_of(table, 1))
    align = [column.align for column in table.columns]
    assert align == ["left", "right", "left", "left", "left", "right", "left", "left"]
    assert [column.header for column in table.columns][:2] == ["name", "price"]


def test_cells_that_do_not_fit_their_format_stay_what_they_are() -> None:
    columns = [
        {"key": "a", "format": "currency"},
        {"key": "b", "format": "date"},
        {"key": "c", "format": "time"},
    ]
    table = section("table", columns=columns).resolve(scope({"rows": [{"a": "n/a", "b": "soon", "c": {}}]}))
    assert [str(cell) for cell in row_of(table, 0)][:2] == ["n/a", "soon"]


def test_columns_follow_their_variables() -> None:
    rows = {
        "name": "rows",
        "type": "list",
        "fields": [{"name": "x", "type": "currency"}, {"name": "d", "type": "date"}],
    }
    table = section("table", columns=[{"key": "x"}, {"key": "d"}]).resolve(
        scope({"rows": [{"x": 1, "d": "2026-01-02"}]}, rows)
    )
    assert table.columns[0].format.text(1) == "$1.00"
    assert table.columns[0].align == "right"
    assert row_of(table, 0) == [1, dt.date(2026, 1, 2)]


def test_rows_that_are_none_are_named() -> None:
    with pytest.raises(ResolveError, match=r"data.rows\[1\]: must be an object"):
        section("table").resolve(scope({"rows": [{}, 5]}))
    with pytest.raises(ResolveError, match="data.rows: must be a list"):
        section("table").resolve(scope({"rows": "x"}))


@pytest.mark.parametrize("width", [1, 50.5, "1%", "100%", "*", "2*", None])
def test_widths(width: Any) -> None:
    assert section("table", columns=[{"key": "x", "width": width}])


@pytest.mark.parametrize(
    "width", [0, 2001, True, "0%", "101%", "%", "²%", "50", "9" * 5000 + "%", "0*", "**", "", {}]
)
def test_what_is_no_width(width: Any) -> None:
    with pytest.raises(ValueError, match="must be millimetres"):
        section("table", columns=[{"key": "x", "width": width}])


@pytest.mark.parametrize("fields", [{"items": None}, {"source": "rows"}, {"items": []}])
def test_a_list_has_one_origin(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="items"):
        section("list", **fields)


def test_a_list_of_entries() -> None:
    made = section("list", items=None, source="rows", content="{{item.x}} of {{t}}", ordered=True)
    rows = {"name": "rows", "type": "list", "fields": [{"name": "x", "type": "currency"}]}
    found = made.resolve(scope({"rows": [{"x": 1}, {"x": 2}], "t": "T"}, rows)).items
    assert [item.text for item in found] == ["$1.00 of T", "$2.00 of T"]
    plain = section("list", items=None, source="rows")
    assert [item.text for item in plain.resolve(scope({"rows": ["a", 2, None]})).items] == ["a", "2", ""]
    assert {use.path for use in plain.uses()} == {("rows",)}


def test_a_formula_over_the_document_reads_entries_and_lists() -> None:
    around = scope({"rates": [{"x": 1}, {"x": 2}]}).child("item", {"quantity": 3})
    formula = parse_formula("item.quantity * sum(rates.x)")
    assert formula.value(around.gather) == 9
    assert formula.value(scope({}).gather) is None


MANUAL = (Path(__file__).parents[2] / "docs/authors.md").read_text()


@pytest.mark.parametrize("example", re.findall(r"```json\n(.*?)```", MANUAL, re.DOTALL))
def test_the_examples_of_the_manual_are_accepted(example: str) -> None:
    value = json.loads(example if example[0] in "{[" else f"{{{example}}}")
    table = {"type": "table", "source": "rows", "columns": [{"key": "x"}]}
    body: dict[str, Any] = {"name": "a", "formats": ["pdf"], "sections": [{"type": "divider"}]}
    if isinstance(value, list):
        body["variables"] = value
    elif "page" in value:
        body |= value
    elif "size" in value or "theme" in value:
        body["page"] = value
    elif "type" in value:
        body["sections"] = [value]
    elif "key" in value:
        body["sections"] = [table | {"columns": [value]}]
    else:
        body["sections"] = [table | value]
    assert parse_body(TemplateCreate, body)
