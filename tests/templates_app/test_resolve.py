"""From content and data to resolved sections: containers, conditions, lists, charts, codes, signatures."""

from __future__ import annotations

from typing import Any

import pytest

from config.api.errors import ApiError
from templates_app.bodies import TemplateCreate, parse_body
from templates_app.content import BrokenContent, BrokenExpression
from templates_app.resolved import Frame, plain
from templates_app.scope import ResolveError
from templates_app.services import complete_variables
from tests.templates_app.resolving import IMAGE, ITEMS, content, refused, resolved, sections_of

TEXT = {"type": "text", "content": "words"}


def test_sections_inside_sections() -> None:
    text = {"type": "text", "content": "{{order.id}} {{title}} {{order.total|currency}}"}
    group = {
        "type": "group",
        "source": "orders",
        "as": "order",
        "gap": 3,
        "border": 1,
        "sections": [
            text,
            {
                "type": "columns",
                "columns": [
                    {
                        "width": "2*",
                        "sections": [{"type": "table", "source": "order.lines", "columns": [{"key": "n"}]}],
                    },
                    {"sections": [{"type": "box", "accent": "#112233", "sections": [text]}]},
                ],
            },
        ],
    }
    orders = [{"id": "A", "total": 5, "lines": [{"n": 1}, {"n": 2}]}, {"id": "B"}]
    made = content(group)
    (found,) = resolved(made, {"orders": orders, "title": "T"}).sections
    assert [entry[0].text for entry in found.entries] == ["A T $5.00", "B T "]
    columns = found.entries[0][1]
    assert [column.width for column in columns.columns] == ["2*", None]
    assert columns.columns[0].sections[0].columns[0].values == [1, 2]
    box = columns.columns[1].sections[0]
    assert (box.frame.accent, box.sections[0].text) == ("#112233", "A T $5.00")
    assert found.frame == Frame(border=1, padding=4)
    assert made.kinds() == ["group", "text", "columns", "table", "box", "text"]
    stored = complete_variables(made)
    assert [variable["name"] for variable in stored] == ["orders", "title"]
    fields = {field["name"]: field for field in stored[0]["fields"]}
    assert fields.keys() == {"id", "total", "lines"}
    assert [field["name"] for field in fields["lines"]["fields"]] == ["n"]


def test_sections_with_a_language_of_their_own() -> None:
    column = {"language": "de-AT", "sections": [TEXT, TEXT | {"language": "fr"}, {"type": "divider"}]}
    columns = {"type": "columns", "language": "it", "columns": [column, {"sections": [TEXT]}]}
    (found,) = sections_of(columns, data={})
    assert (found.language, found.section.kind) == ("it", "columns")
    first, second = found.section.columns
    assert [inner.language for inner in first.sections] == ["de-AT", "fr", "de-AT"]
    assert [inner.kind for inner in second.sections] == ["text"]
    (placed,) = resolved(content(columns), {}, with_places=True).sections
    assert (placed.kind, placed.section.kind) == ("place", "language")
    assert placed.section.section.columns[0].sections[1].place == "columns[0].sections[1]"


@pytest.mark.parametrize("kind", ["divider", "spacer", "page_break", "barcode"])
def test_what_shows_no_text_has_no_language(kind: str) -> None:
    made = {"type": kind, "language": "de"} | ({"value": "1"} if kind == "barcode" else {})
    assert refused(made) == {"sections[0].language": "unknown field"}


def test_a_language_that_is_none() -> None:
    message = "must be a language such as en or de-CH"
    assert refused(TEXT | {"language": "German!"}) == {"sections[0].language": message}
    columns = {"type": "columns", "columns": [{"language": "{{x}}", "sections": [TEXT]}]}
    assert refused(columns) == {"sections[0].columns[0].language": message}


@pytest.mark.parametrize(
    ("given", "gap", "padding"),
    [
        ({}, None, 0),
        ({"padding": 3}, 0, 3),
        ({"radius": 2}, 0, 0),
        ({"background": "#eeeeee"}, None, 4),
        ({"border": 1, "padding": 0}, None, 0),
        ({"accent": "#cc0000", "gap": 0}, 0, 4),
    ],
)
def test_entries_in_frames_keep_the_distances_of_boxes(given: Any, gap: float | None, padding: float) -> None:
    group = {"type": "group", "source": "rows", "sections": [{"type": "text", "content": "x"}]} | given
    (made,) = sections_of(group, data={"rows": [{}]})
    assert (made.gap, made.frame.padding) == (gap, padding)


def test_groups_that_multiply_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("templates_app.scope.MAX_RESOLVED", 1000)
    group: dict[str, Any] = {"type": "text", "content": "x"}
    for _ in range(4):
        group = {"type": "group", "source": "rows", "sections": [group]}
    with pytest.raises(ResolveError, match="^data: makes more than 1000 sections"):
        sections_of(group, data={"rows": [{}] * 10})

    def check_time() -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        resolved(content(group), {"rows": [{}]}, check_time=check_time)


def test_errors_name_the_nested_place() -> None:
    image = {"type": "image", "source": "{{item.logo}}"}
    group = {"type": "group", "source": "rows", "sections": [{"type": "box", "sections": [image]}]}
    with pytest.raises(ResolveError) as caught:
        sections_of(group, data={"rows": [{}, {"logo": "x"}]})
    assert caught.value.errors == {"data.rows[1].logo": "is no image"}
    literal = {"type": "columns", "columns": [{"sections": [image | {"source": "x"}]}]}
    with pytest.raises(ResolveError) as caught:
        sections_of({"type": "divider"}, literal, data={})
    assert caught.value.errors == {"sections[1].columns[0].sections[0].source": "is no image"}


def test_nested_mistakes_are_named_by_their_path() -> None:
    inner = [{"type": "text"}, {"type": "nope"}, {"type": "list", "items": ["a", {"content": 5}]}]
    errors = refused({"type": "box", "sections": [{"type": "columns", "columns": [{"sections": inner}]}]})
    place = "sections[0].sections[0].columns[0].sections"
    assert errors.keys() == {f"{place}[0].content", f"{place}[1].type", f"{place}[2].items[1].content"}


def test_a_broken_expression_is_found_at_any_depth() -> None:
    box = {"type": "box", "sections": [{"type": "text", "content": "{{a b}}"}]}
    with pytest.raises(ApiError, match='Section 2: "{{a b}}" is not a valid expression'):
        parse_body(TemplateCreate, {"name": "a", "formats": ["pdf"], "sections": [{"type": "divider"}, box]})
    with pytest.raises(BrokenExpression):
        content({"type": "divider"}, box).check()


def nest(section: dict[str, Any], levels: int) -> dict[str, Any]:
    for _ in range(levels):
        section = {"type": "box", "sections": [section]}
    return section


def test_nesting_has_its_limits(settings: Any) -> None:
    parse_body(TemplateCreate, {"name": "a", "formats": ["pdf"], "sections": [nest({"type": "spacer"}, 7)]})
    assert refused(nest({"type": "spacer"}, 8)) == {"sections": "must not nest deeper than 8 levels"}
    with pytest.raises(BrokenContent):
        content(nest({"type": "spacer"}, 8)).check()
    with pytest.raises(BrokenContent):
        content(nest({"type": "spacer"}, 400)).check()
    settings.MAX_SECTIONS = 3
    box = {"type": "box", "sections": [{"type": "spacer"}] * 3}
    assert refused(box) == {"sections": "must have at most 3 entries (MAX_SECTIONS)"}


def test_sections_show_under_conditions() -> None:
    condition = {"field": "vat", "is": "set"}
    shown = {"type": "text", "content": "VAT", "showIf": condition}
    assert sections_of(shown, data={}) == []
    assert len(sections_of(shown, data={"vat": "x"})) == 1
    assert content(shown).typed_variables[0].name == "vat"
    rows = {
        "type": "group",
        "source": "rows",
        "sections": [shown | {"showIf": {"field": "item.x", "is": "set"}}],
    }
    (group,) = sections_of(rows, data={"rows": [{"x": 1}, {}]})
    assert [len(entry) for entry in group.entries] == [1, 0]


def test_lists_with_items_below() -> None:
    fixed = {
        "type": "list",
        "items": ["a", {"content": "*{{b}}*", "items": ["c", {"content": "d"}]}],
        "start": 3,
    }
    made = content(fixed)
    (found,) = resolved(made, {"b": "B"}).sections
    assert [plain(item.text) for item in found.items] == ["a", "B"]
    assert [plain(item.text) for item in found.items[1].children] == ["c", "d"]
    assert (found.start, found.style) == (3, "decimal")
    tree = {"type": "list", "source": "parts", "content": "{{item.n}}", "childrenKey": "parts"}
    (found,) = sections_of(tree, data={"parts": [{"n": 1, "parts": [{"n": 2, "parts": [{"n": 3}]}]}]})
    assert found.items[0].children[0].children[0].text == "3"
    parsed = parse_body(TemplateCreate, {"name": "a", "formats": ["pdf"], "sections": [fixed]})
    assert parsed["sections"] == [fixed]


def test_charts_take_rows() -> None:
    chart = {
        "type": "chart",
        "source": "items",
        "category": "{{item.name}}",
        "series": [{"key": "price"}, {"name": "Amount", "value": "quantity * price", "color": "#112233"}],
        "title": "*{{t}}*",
        "categoryTitle": "{{t}} sold",
        "valueTitle": "Price",
    }
    (found,) = sections_of(chart, data={"items": [*ITEMS, {"name": "x", "price": "n/a"}], "t": "T"})
    assert found.categories == ["Pen", "Ink", "Cap", "x"]
    assert [(s.name, list(s.values)) for s in found.series] == [
        ("price", [1.1, 20.0, 0.1, None]),
        ("Amount", [2.2, 20.0, 0.3, None]),
    ]
    assert (found.category_title, found.value_title) == ("T sold", "Price")
    assert (found.legend, found.format.text(1234)) == ("bottom", "1,234")
    with pytest.raises(ResolveError, match="data.items: has 501 entries"):
        sections_of(chart, data={"items": [{}] * 501})


def test_bar_codes_hold_what_they_can() -> None:
    code = {"type": "barcode", "symbology": "ean13", "value": "{{ean}}"}
    (found,) = sections_of(code, data={"ean": "4006381333931"})
    assert found.value == "4006381333931"
    assert sections_of(code, data={}) == []
    with pytest.raises(ResolveError) as caught:
        sections_of(code, data={"ean": "4006381333932"})
    assert list(caught.value.errors) == ["data.ean"]
    with pytest.raises(ResolveError) as caught:
        sections_of(code | {"value": "x{{ean}}"}, data={"ean": "1"})
    assert list(caught.value.errors) == ["sections[0].value"]


def test_signatures() -> None:
    signers = [{"name": "**{{n}}**", "image": "{{sign}}"}, {"role": "CEO"}]
    (found,) = sections_of({"type": "signature", "signers": signers}, data={"n": "Ann", "sign": "ast_1"})
    assert [plain(signer.name) for signer in found.signers] == ["Ann", ""]
    assert [signer.image for signer in found.signers] == [IMAGE, None]
