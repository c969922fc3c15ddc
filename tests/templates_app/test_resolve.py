"""From content and data to resolved sections: tables, containers, conditions, computed values, the page."""

from __future__ import annotations

import datetime as dt
from copy import deepcopy
from datetime import UTC, datetime
from decimal import Decimal
from threading import Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.api.errors import ApiError
from rendering.engine import check_content
from rendering.resolve import resolve
from templates_app import compiled
from templates_app.bodies import TemplateCreate, parse_body
from templates_app.checks import KEPT_CELLS, Columns, check_data, iso_day
from templates_app.content import BrokenContent, BrokenExpression, Content
from templates_app.expressions.helpers import parse_date
from templates_app.resolved import (
    CellStyle,
    ConditionalStyle,
    Frame,
    ImageFile,
    ResolvedBand,
    ResolvedDocument,
    ResolvedTable,
    Span,
    Watermark,
    plain,
)
from templates_app.rows import gathered
from templates_app.scope import Numbering, ResolveError
from templates_app.services import complete_variables
from templates_app.tables import EAGER_CELLS
from templates_app.variables import Variable

IMAGE = ImageFile(b"x", "image/png", 4, 2)
ITEMS = [
    {"city": "Graz", "name": "Pen", "quantity": 2, "price": 1.1, "day": "2026-01-05"},
    {"city": "Linz", "name": "Ink", "quantity": 1, "price": 20, "day": "2026-01-06"},
    {"city": "Graz", "name": "Cap", "quantity": 3, "price": 0.1, "day": None},
]
LABEL = "Sum {{group.value}}"
AMOUNT = {"key": "amount", "value": "quantity * price", "total": "sum"}


def load_image(reference: str) -> ImageFile:
    if not reference.startswith("ast_"):
        raise ValueError("is no image")
    return IMAGE


def content(
    *sections: dict[str, Any], variables: Any = (), page: dict[str, Any] | None = None, name: str = "Name"
) -> Content:
    return Content(name, "", ["pdf"], list(sections), list(variables), page or {}, {})


def resolved(made: Content, data: dict[str, Any], **more: Any) -> ResolvedDocument:
    values = check_content(made, data)
    return resolve(made, values, load_image=load_image, created_at=datetime(2026, 1, 1, tzinfo=UTC), **more)


def sections_of(*sections: dict[str, Any], data: dict[str, Any], **more: Any) -> list[Any]:
    return list(resolved(content(*sections, **more), data).sections)


def table_of(data: Any = None, *, variables: Any = (), page: Any = None, **fields: Any) -> ResolvedTable:
    given = {"type": "table", "source": "items", "columns": [{"key": "name"}]} | fields
    rows = ITEMS if data is None else data
    (table,) = sections_of(
        given, data=rows if isinstance(rows, dict) else {"items": rows}, variables=variables, page=page
    )
    assert isinstance(table, ResolvedTable)
    assert all(len(column.values) == table.count for column in table.columns)
    return table


def refused(made: dict[str, Any], **more: Any) -> dict[str, str]:
    with pytest.raises(ApiError) as caught:
        parse_body(TemplateCreate, {"name": "a", "formats": ["pdf"], "sections": [made]} | more)
    return caught.value.errors


# ---------------------------------------------------------------- tables


def test_computed_columns_and_totals_are_exact() -> None:
    table = table_of(
        columns=[
            {"key": "name", "total": "count"},
            AMOUNT,
            {"key": "vat", "value": "amount * 0.2", "format": "currency:EUR", "total": "max"},
            {"value": "item.quantity + 1"},
        ],
        totalsLabel="Total",
    )
    # 2 * 1.1 and 3 * 0.1 are 2.2 and 0.3 exactly, not 0.30000000000000004.
    assert [list(column.values) for column in table.columns[1:]] == [
        [2.2, 20, 0.3],
        [0.44, 4, 0.06],
        [3, 2, 4],
    ]
    assert table.totals == [3, Decimal("22.5"), 4, None]
    assert table.totals_label == "Total"
    assert [column.align for column in table.columns] == ["left", "right", "right", "right"]
    assert table.columns[1].formula is not None
    assert table.columns[1].formula.excel(lambda path: path[0].upper()) == "QUANTITY*PRICE"


def test_a_formula_reads_the_row_before_the_document() -> None:
    rate = {"name": "rate", "type": "number"}
    columns = [{"value": "quantity * rate"}]
    data = {"items": [{"quantity": 2, "rate": 5}], "rate": 10}
    assert table_of(data, columns=columns).columns[0].values == [10]
    assert table_of(data, columns=columns, variables=[rate]).columns[0].values == [20]
    shown = [*columns, {"key": "rate"}]  # what a worksheet would take for it
    assert table_of(data, columns=shown, variables=[rate]).columns[0].values == [10]
    both = [rate, {"name": "items", "type": "list", "fields": [rate]}]
    assert table_of(data, columns=columns, variables=both).columns[0].values == [10]


@pytest.mark.parametrize(("declared", "inferred"), [(True, {"quantity"}), (False, {"quantity", "rate"})])
def test_names_of_formulas_are_inferred_where_they_are_read(declared: bool, inferred: set[str]) -> None:
    made = content(
        {"type": "table", "source": "items", "columns": [AMOUNT | {"value": "quantity * rate"}]},
        variables=[{"name": "rate", "type": "number"}] if declared else [],
    )
    items = next(variable for variable in made.typed_variables if variable.name == "items")
    assert {field.name for field in items.fields or ()} == inferred


def test_rows_are_grouped_in_order_of_appearance() -> None:
    table = table_of(
        columns=[{"key": "name"}, AMOUNT],
        groupBy=[
            {
                "key": "city",
                "title": "In {{group.value|upper}}: {{group.count}}",
                "label": "Sum {{group.value}}",
            },
            {"key": "day", "format": "date:long", "subtotals": False},
        ],
    )
    assert table.columns[0].values == ["Pen", "Cap", "Ink"]
    assert [(g.level, plain(g.title), g.start, g.stop) for g in table.groups] == [
        (0, "In GRAZ: 2", 0, 2),
        (1, "January 5, 2026", 0, 1),
        (1, "—", 1, 2),
        (0, "In LINZ: 1", 2, 3),
        (1, "January 6, 2026", 2, 3),
    ]
    assert table.groups[0].subtotals == [None, Decimal("2.5")]
    assert (table.groups[0].label, table.groups[1].subtotals) == ("Sum Graz", None)
    assert table.totals == [None, Decimal("22.5")]


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from([None, "a", True, 1.0])), max_size=30))
def test_grouping_keeps_every_row_once(rows: list[tuple[Any, Any]]) -> None:
    keys = [list(column) for column in zip(*rows, strict=True)] or [[], []]
    order, groups = gathered(keys, len(rows))
    assert sorted(order) == list(range(len(rows)))
    for group in groups:
        inside = [
            [keys[level][i] for level in range(group.level + 1)] for i in order[group.start : group.stop]
        ]
        assert inside
        assert all(row == inside[0] for row in inside)
    assert sum(group.stop - group.start for group in groups if group.level == 1) == len(rows)
    for level in (0, 1):
        starts = [order[group.start] for group in groups if group.level == level]
        assert level or starts == sorted(starts)


def test_cells_can_be_texts_with_marks() -> None:
    table = table_of(
        columns=[
            {"content": "**{{item.name}}** {{t}}"},
            {"content": "{{item.name|upper}}: {{item.day|date:short}}", "header": "*H*"},
            {"key": "price", "content": "about {{item.price}}"},
        ],
        data={"items": ITEMS, "t": "*x*"},
    )
    first, second, third = table.columns
    assert first.values == ["Pen *x*", "Ink *x*", "Cap *x*"]
    assert first.texts is not None
    assert first.texts[0] == (Span("Pen", bold=True), Span(" *x*"))
    assert second.values == ["PEN: 1/5/26", "INK: 1/6/26", "CAP: "]
    assert second.texts is None
    assert (plain(second.header), third.values[0]) == ("H", 1.1)
    assert third.texts is not None
    assert third.texts[0] == "about 1.1"


def test_looks_under_conditions() -> None:
    red = {"when": {"field": "price", "is": "greater", "value": 10}, "color": "#ff0000"}
    table = table_of(
        columns=[{"key": "name"}, {"key": "price", "styles": [red]}],
        styles=[{"when": {"field": "item.city", "is": "equals", "value": "Graz"}, "bold": True}],
    )
    assert table.styles == [CellStyle(bold=True), CellStyle(color="#ff0000")]
    assert [column.styles for column in table.columns] == [[0, -1, 0], [0, 1, 0]]
    assert table.conditions == [ConditionalStyle(1, "greater", 10, 1)]


def test_images_and_links_in_cells() -> None:
    rows = [
        {"logo": "ast_1", "url": "https://example.com/?q=1"},
        {"logo": "", "url": "javascript:alert(1)"},
        {},
    ]
    table = table_of(
        rows,
        columns=[
            {"key": "logo", "display": "image", "link": "{{item.url}}"},
            {"key": "url", "display": "link"},
        ],
    )
    assert table.columns[0].images == [IMAGE, None, None]
    assert table.columns[0].links == table.columns[1].links == [rows[0]["url"], None, None]
    with pytest.raises(ResolveError, match=r"data.items\[1\].logo: is no image"):
        table_of([{"logo": "ast_1"}, {"logo": "x"}], columns=[{"key": "logo", "display": "image"}])
    grouped = [{"g": 1, "logo": "ast_1"}, {"g": 2}, {"g": 1, "logo": "x"}]
    with pytest.raises(ResolveError, match=r"data.items\[2\].logo: is no image"):
        table_of(grouped, columns=[{"key": "logo", "display": "image"}], groupBy=[{"key": "g"}])


def test_options_of_a_table() -> None:
    table = table_of(
        columns=[
            {"key": "price", "format": "number:2", "locale": "de-DE", "align": "decimal", "headGroup": "G"}
        ],
        carryForward={"brought": "Übertrag"},
        sheet={"name": "S", "freezeColumns": 1, "table": True},
    )
    column = table.columns[0]
    assert column.format.text(1234.5) == "1.234,50"
    assert (column.align, column.head_group) == ("decimal", "G")
    assert (table.carry, table.carry_labels) == (True, ("Übertrag", "Carried forward"))
    assert table.sheet is not None
    assert (table.sheet.name, table.sheet.freeze_columns, table.sheet.excel_table) == ("S", 1, True)
    assert (table.size, table.groups, table.totals) == (None, [], None)
    assert table_of([], columns=[AMOUNT]).totals is None


@pytest.mark.parametrize(
    ("columns", "field", "part"),
    [
        ([{}], "sections[0].columns[0].key", "required"),
        ([{"value": "1 +"}], "sections[0].columns[0].value", ""),
        ([{"key": "a", "value": "b"}, {"key": "b", "value": "a"}], "sections[0].columns", "circle"),
        ([{"key": "a", "value": "a + 1"}], "sections[0].columns", "circle"),
        ([{"key": "a", "value": "1"}, {"key": "a", "value": "2"}], "sections[0].columns", "the key"),
        (
            [{"key": "a", "styles": [{"when": {"field": "a"}}]}],
            "sections[0].columns[0].styles[0].when",
            'needs "is"',
        ),
    ],
)
def test_columns_that_are_refused(columns: Any, field: str, part: str) -> None:
    errors = refused({"type": "table", "source": "items", "columns": columns})
    assert list(errors) == [field]
    assert part in errors[field]


def test_a_very_long_table_makes_its_cells_on_demand() -> None:
    count = EAGER_CELLS // 10 + 1
    row = {"day": "2026-01-05", "n": 1}
    columns = [{"key": "day", "format": "date"}, {"key": "n", "total": "sum"}, *[{"key": "n"}] * 8]
    table = table_of([row] * count, columns=columns)
    days = table.columns[0].values
    assert not isinstance(days, list)
    assert days[5:7] == [dt.date(2026, 1, 5)] * 2
    assert (days[0], sum(1 for _ in days)) == (dt.date(2026, 1, 5), count)
    assert table.totals is not None
    assert table.totals[1] == count


def test_a_very_long_table_is_what_a_short_one_is(monkeypatch: pytest.MonkeyPatch) -> None:
    low = {"when": {"field": "n", "is": "less", "value": 3}, "color": "#ff0000"}
    odd = {"when": {"field": "twice", "is": "equals", "value": 6.5}, "bold": True}
    columns = [
        {"key": "day", "format": "date", "total": "count", "styles": [low]},
        {"key": "n", "total": "average"},
        {"key": "inner.x", "total": "min"},
        {"key": "twice", "value": "n * 2", "total": "sum"},
        {"key": "more", "value": "twice + rate", "total": "max", "styles": [odd, low]},
        {"key": "share", "value": "n / sum(n)"},
        {"key": "moreShare", "value": "share * 2"},
    ]
    items = [
        {"day": f"2026-01-{1 + row % 28:02}", "n": row % 9 + 0.25, "inner": {"x": row}} for row in range(100)
    ]
    given: dict[str, Any] = {"columns": columns, "styles": [odd], "totals": True}
    data, variables = {"items": items, "rate": 2}, [{"name": "rate", "type": "number"}]
    short = table_of(data, variables=variables, **given)
    monkeypatch.setattr("templates_app.tables.EAGER_CELLS", 10)
    monkeypatch.setattr("templates_app.tables.PART", 7)
    monkeypatch.setattr("templates_app.rows.PART", 7)
    monkeypatch.setattr("templates_app.cells._BLOCK", 7)
    monkeypatch.setattr("templates_app.checks.KEPT_CELLS", 0)
    monkeypatch.setattr("templates_app.checks.BLOCK", 7)
    long = table_of(data, variables=variables, **given)
    assert [isinstance(column.values, list) for column in long.columns] == [False] * 5 + [True] * 2
    assert [list(column.values) for column in long.columns] == [
        list(column.values) for column in short.columns
    ]
    assert [list(column.styles or ()) for column in long.columns] == [
        list(column.styles or ()) for column in short.columns
    ]
    assert (long.totals, long.conditions, long.styles) == (short.totals, short.conditions, short.styles)
    assert {-1, 0, 1} >= set(long.columns[4].styles or ()) >= {-1, 1}
    assert long.columns[3].values[-1] == short.columns[3].values[-1]


def test_long_lists_are_checked_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("templates_app.checks.BLOCK", 3)
    variable = Variable.model_validate(
        {"name": "items", "type": "list", "fields": [{"name": "n", "type": "number", "required": True}]}
    )
    rows: list[dict[str, Any]] = [{"n": row} for row in range(10)]
    assert check_data([variable], {"items": rows}) == {}
    rows[7] = {"n": "x"}
    rows[8] = {}
    assert check_data([variable], {"items": rows}) == {
        "data.items[7].n": "must be a number",
        "data.items[8].n": "required",
    }


def test_columns_of_the_check_are_those_of_the_table() -> None:
    items = {
        "name": "items",
        "type": "list",
        "fields": [{"name": "day", "type": "date", "default": "2020-01-01"}],
    }
    table = table_of(variables=[items], columns=[{"key": "day"}])
    assert table.columns[0].values == [dt.date(2026, 1, 5), dt.date(2026, 1, 6), dt.date(2020, 1, 1)]
    columns = Columns()
    rows = [{"a": 1}] * 10
    assert columns.take(rows, "a") == ([1] * 10, {int})
    assert columns.take(rows, "a")[0] is columns.take(rows, "a")[0]
    many = [{}] * (KEPT_CELLS + 1)
    assert not columns.keeps(many, 1)
    assert columns.take(many, "a")[0] is not columns.take(many, "a")[0]


@given(st.text(max_size=12) | st.dates().map(str) | st.datetimes().map(str))
def test_days_are_what_the_helpers_take(text: str) -> None:
    assert iso_day(text) == parse_date(text)


# ---------------------------------------------------------------- containers


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
    assert found.frame == Frame(border=1)
    assert made.kinds() == ["group", "text", "columns", "table", "box", "text"]
    stored = complete_variables(made)
    assert [variable["name"] for variable in stored] == ["orders", "title"]
    fields = {field["name"]: field for field in stored[0]["fields"]}
    assert fields.keys() == {"id", "total", "lines"}
    assert [field["name"] for field in fields["lines"]["fields"]] == ["n"]


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
    }
    (found,) = sections_of(chart, data={"items": [*ITEMS, {"name": "x", "price": "n/a"}], "t": "T"})
    assert found.categories == ["Pen", "Ink", "Cap", "x"]
    assert [(s.name, list(s.values)) for s in found.series] == [
        ("price", [1.1, 20.0, 0.1, None]),
        ("Amount", [2.2, 20.0, 0.3, None]),
    ]
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


# ---------------------------------------------------------------- computed variables


def test_computed_variables_depend_on_each_other() -> None:
    variables = [
        {"name": "total", "type": "currency", "value": "net + vat", "required": True},
        {"name": "vat", "type": "currency", "value": "net * rate"},
        {"name": "net", "type": "currency", "value": "sum(items.amount)"},
        {"name": "rate", "type": "number", "default": 0.2},
        {
            "name": "items",
            "type": "list",
            "fields": [{"name": "amount", "type": "currency", "value": "quantity * price * (1 + rate)"}],
        },
    ]
    made = content(
        {"type": "text", "content": "{{total}} {{items.0.amount}}"},
        {"type": "table", "source": "items", "columns": [{"key": "amount", "total": "sum"}]},
        variables=variables,
    )
    data = {"items": [{"quantity": 2, "price": 1.1}, {"quantity": 1, "price": 20}], "total": "ignored"}
    text, table = resolved(made, data).sections
    assert text.text == "$31.97 $2.64"
    assert table.columns[0].values == [2.64, 24]
    assert table.columns[0].formula is None  # `rate` is none of its columns
    assert "amount" not in data["items"][0]
    items = next(variable for variable in made.typed_variables if variable.name == "items")
    assert {field.name for field in items.fields or ()} == {"amount", "quantity", "price"}
    assert complete_variables(made)[0]["value"] == "net + vat"


def test_computed_fields_of_lists_in_lists() -> None:
    line = {"name": "sum", "type": "number", "value": "n * factor * order_rate"}
    lines = {"name": "lines", "type": "list", "fields": [line, {"name": "n", "type": "number"}]}
    order = [lines, {"name": "total", "type": "number", "value": "sum(lines.sum)"}, {"name": "order_rate"}]
    variables = [
        {"name": "all", "type": "number", "value": "sum(orders.total)"},
        {"name": "orders", "type": "list", "fields": [*order[:2], order[2] | {"type": "number"}]},
        {"name": "factor", "type": "number"},
    ]
    orders = [{"order_rate": 1, "lines": [{"n": 1}, {"n": 2}]}, {"order_rate": 10, "lines": [{"n": 3}]}, {}]
    made = content({"type": "text", "content": "{{all}} {{orders.1.total}}"}, variables=variables)
    assert resolved(made, {"orders": orders, "factor": 2}).sections[0].text == "66 60"


def test_circles_are_refused() -> None:
    variables = [
        {"name": "a", "value": "b + 1"},
        {"name": "b", "value": "sum(rows.c)"},
        {"name": "rows", "type": "list", "fields": [{"name": "c", "value": "a"}]},
    ]
    errors = refused({"type": "divider"}, variables=variables)
    assert list(errors) == ["variables"]
    assert "circle" in errors["variables"]
    with pytest.raises(BrokenContent):
        content({"type": "divider"}, variables=variables).check()
    assert refused({"type": "divider"}, variables=[{"name": "a", "type": "list", "value": "1"}]) == {
        "variables[0].value": "a list, object or image cannot be computed"
    }


# ---------------------------------------------------------------- page


def test_the_document_says_what_it_is() -> None:
    page = {"title": "No. {{n}}", "author": "{{by}}", "subject": "S", "locale": "de-AT", "coverSheet": True}
    document = resolved(content({"type": "divider"}, page=page), {"n": 5, "by": "Ann"})
    assert (document.title, document.author, document.subject) == ("No. 5", "Ann", "S")
    assert (document.language, document.cover_sheet, document.protection) == ("de-AT", True, None)
    plain_one = resolved(content({"type": "divider"}, page={"language": "fr"}), {})
    assert (plain_one.title, plain_one.language) == ("Name", "fr")


def test_bands_of_texts_and_of_sections() -> None:
    numbers = "{{page.number}} of {{page.count}}"
    page = {
        "header": {"left": "**{{co}}**", "right": numbers},
        "footer": {"sections": [{"type": "text", "content": numbers}, {"type": "divider"}], "height": 20},
        "firstHeader": None,
    }
    made = content({"type": "divider"}, page=page)
    found = resolved(made, {"co": "A\ue000"}).page
    assert found.header == ResolvedBand((Span("A", bold=True),), "", "\ue000 of \ue001")
    assert found.footer is not None
    assert [section.kind for section in found.footer.sections] == ["text", "divider"]
    assert (found.footer.sections[0].text, found.footer.height) == ("\ue000 of \ue001", 20)
    assert (found.first_header, found.first_footer) == (ResolvedBand(), None)
    assert [variable.name for variable in made.typed_variables] == ["co"]


def test_watermark_background_and_protection() -> None:
    page = {
        "watermark": {"text": "{{state}}", "opacity": 0.5},
        "background": "ast_1",
        "protection": {"userPassword": "{{born|date:ddMMyyyy}}", "allowCopy": False},
    }
    made = content({"type": "divider"}, page=page)
    document = resolved(made, {"state": "DRAFT", "born": "2000-02-03"})
    assert document.page.watermark == Watermark("DRAFT", opacity=0.5)
    assert document.page.background is IMAGE
    assert document.protection is not None
    assert (document.protection.user_password, document.protection.allow_copy) == ("03022000", False)
    assert resolved(made, {"born": "2000-02-03"}).page.watermark is None
    with pytest.raises(ResolveError) as caught:
        resolved(made, {})
    assert list(caught.value.errors) == ["page.protection.userPassword"]


def test_headings_are_numbered() -> None:
    levels = [2, 1, 2, 2, 3, 1, 2]
    numbering = Numbering()
    assert [numbering.next(level) for level in levels] == ["1", "1", "1.1", "1.2", "1.2.1", "2", "2.1"]
    headings = [{"type": "heading", "content": "x", "level": level} for level in (1, 2, 2)]
    headings[1]["numbered"] = False
    found = sections_of(*headings, data={}, page={"numberHeadings": True})
    assert [heading.numbered for heading in found] == ["1", "", "1.1"]
    assert sections_of(headings[0], data={})[0].numbered == ""


def test_a_broken_expression_of_the_page_is_named() -> None:
    with pytest.raises(ApiError, match='Page watermark: "{{a b}}"'):
        parse_body(
            TemplateCreate,
            {
                "name": "a",
                "formats": ["pdf"],
                "sections": [{"type": "divider"}],
                "page": {"watermark": {"text": "{{a b}}"}},
            },
        )


# ---------------------------------------------------------------- the cache


def copy_of(made: Content, **changes: Any) -> Content:
    fields = {"sections": made.sections, "variables": made.variables, "page": made.page} | changes
    return Content("n", "", ["pdf"], **deepcopy(fields), sample_data={})  # type: ignore[arg-type]


def test_equal_content_is_compiled_once() -> None:
    made = content({"type": "text", "content": "once {{a}}" * 50}, variables=[{"name": "a"}])
    assert copy_of(made).compiled is made.compiled
    assert copy_of(made, page={"size": "A5"}).compiled is not made.compiled
    longer = [{"type": "text", "content": "once {{a}}" * 50, "bold": True}]
    assert copy_of(made, sections=longer).typed_sections[0].bold


@pytest.mark.parametrize("values", [(1, True, 1.0), (0, False)])
def test_what_python_takes_for_the_same_is_other_content(values: tuple[Any, ...]) -> None:
    for value in values:
        shown = {"field": "paid", "is": "equals", "value": value}
        made = content({"type": "text", "content": "yes", "showIf": shown}, variables=[{"name": "paid"}])
        condition = copy_of(made).typed_sections[0].show_if
        assert type(condition.value) is type(value)


def test_content_that_was_broken_behind_the_service_is_found() -> None:
    made = content({"type": "text", "content": "{{fine}}"})
    made.check()
    with pytest.raises(BrokenExpression):
        copy_of(made, sections=[{"type": "text", "content": "{{fi ne}}"}]).check()
    with pytest.raises(BrokenContent):
        copy_of(made, variables=[{"name": "x y"}]).check()
    with pytest.raises(BrokenContent):
        copy_of(made, sections=[5]).check()


def test_the_cache_is_bounded_and_safe() -> None:
    def work(start: int) -> None:
        for number in range(start, start + 40):
            one = content({"type": "text", "content": f"{number % 60} {{{{a}}}}"})
            assert one.typed_sections[0].content == f"{number % 60} {{{{a}}}}"

    threads = [Thread(target=work, args=(start,)) for start in range(0, 320, 40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(compiled.MAX_ENTRIES + 10):
        assert (
            content({"type": "spacer", "height": 1 + number / 10}).typed_sections[0].height == 1 + number / 10
        )
    assert len(compiled._kept) <= compiled.MAX_ENTRIES
    assert 0 < compiled._kept.total <= compiled.MAX_BYTES


def test_a_wrong_cell_is_named_whatever_the_column() -> None:
    items = Variable.model_validate(
        {
            "name": "items",
            "type": "list",
            "fields": [
                {"name": "day", "type": "date"},
                {"name": "at", "type": "datetime"},
                {"name": "n", "type": "number", "required": True},
            ],
        }
    )
    rows: list[dict[str, Any]] = [{"day": "2026-01-05", "at": "2026-01-05T10:00", "n": 1} for _ in range(50)]
    assert check_data([items], {"items": rows}) == {}
    rows[3] = {"day": "20260105", "n": 1.5}
    rows[4] = {"day": "2026-W01-1", "at": "2026-01-05", "n": True}
    rows[5] = {}
    assert check_data([items], {"items": rows}) == {
        "data.items[3].day": "must be a date (YYYY-MM-DD)",
        "data.items[4].day": "must be a date (YYYY-MM-DD)",
        "data.items[4].at": "must be a date and time (ISO 8601)",
        "data.items[4].n": "must be a number",
        "data.items[5].n": "required",
    }
