"""From rows to resolved tables: columns, totals, groups, texts and looks of cells, very long tables."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from templates_app.resolved import CellStyle, ConditionalStyle, ImageFile, Span, plain
from templates_app.rows import gathered
from templates_app.scope import ResolveError
from templates_app.tables import EAGER_CELLS
from tests.templates_app.resolving import AMOUNT, IMAGE, ITEMS, content, refused, resolved, table_of


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


def test_numbers_stand_right_whoever_says_that_they_are_some() -> None:
    columns = [
        {"key": "number"},
        {"key": "empty"},
        {"key": "mixed"},
        {"key": "flag"},
        {"key": "digits"},
        {"key": "number", "align": "left"},
        {"content": "{{item.number}}"},
        {"key": "flag", "display": "check"},
    ]
    rows = [
        {"number": 3, "empty": None, "mixed": 1, "flag": True, "digits": "12"},
        {"number": None, "empty": None, "mixed": "n/a", "flag": False, "digits": "7"},
        {"number": 2.5},
    ]
    table = table_of({"items": rows}, columns=columns)
    assert [column.align for column in table.columns] == ["right", *["left"] * 7]


def test_a_formula_of_words_stands_where_words_stand() -> None:
    columns = [
        {"value": "if(number > 2, 'over', 'ok')"},
        {"value": "if(number > 2, number, '')"},
        {"value": "missing * 2"},
        {"value": "if(number > 2, 'over', 'ok')", "format": "number"},
        {"value": "if(number > 2, 'over', 'ok')", "align": "right"},
    ]
    table = table_of({"items": [{"number": 3}, {"number": 1}]}, columns=columns)
    assert [column.align for column in table.columns] == ["left", *["right"] * 4]


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


@pytest.mark.parametrize("title", [{}, {"title": "{{group.value}}"}])
def test_titles_of_groups_speak_the_language_of_their_format(title: dict[str, str]) -> None:
    table = table_of(columns=[{"key": "day"}], groupBy=[{"key": "day", "format": "date:long@de"} | title])
    assert [group.title for group in table.groups] == ["5. Januar 2026", "6. Januar 2026", "—"]


def test_the_locale_of_a_column_leaves_the_time_zone_of_its_field() -> None:
    field = {"name": "at", "type": "datetime", "format": "datetime:short@Europe/Vienna"}
    (column,) = table_of(
        [{"at": "2026-01-05T23:30:00Z"}],
        variables=[{"name": "items", "type": "list", "fields": [field]}],
        columns=[{"key": "at", "locale": "de"}],
    ).columns
    assert column.format.text(column.values[0]) == "06.01.26, 00:30"


def test_titles_of_groups_have_a_dash_for_no_value() -> None:
    rows = [{"flag": flag, "day": day, "n": 1} for flag, day in ((True, "2026-01-05"), (None, None))]
    fields = [{"name": "flag", "type": "boolean"}, {"name": "day", "type": "date", "format": "date:long"}]
    for key, titles in (("day", ["On January 5, 2026", "On —"]), ("flag", ["On Yes", "On "])):
        table = table_of(
            {"items": rows},
            columns=[{"key": "n", "total": "sum"}],
            variables=[{"name": "items", "type": "list", "fields": fields}],
            groupBy=[{"key": key, "title": "On {{group.value}}"}],
        )
        assert [plain(group.title) for group in table.groups] == titles


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


@pytest.mark.parametrize(
    ("format", "value", "live"),
    [
        (None, "abc", True),
        ("upper", "abc", False),  # "Abc" is "ABC" as well
        ("yesno:a,b", True, True),
        ("yesno:a,b", "x", False),
        ("date", "2026-01-05", True),
    ],
)
def test_a_condition_is_live_where_cells_tell_values_apart(
    format: str | None, value: Any, live: bool
) -> None:
    look = {"when": {"field": "name", "is": "equals", "value": value}, "bold": True}
    table = table_of(columns=[{"key": "name", "format": format, "styles": [look]}])
    assert len(table.conditions) == live


def test_no_condition_is_live_behind_one_that_is_not() -> None:
    part = {"when": {"field": "name", "is": "contains", "value": "e"}, "bold": True}
    whole = {"when": {"field": "name", "is": "equals", "value": "Pen"}, "italic": True}
    live = [
        table_of(columns=[{"key": "name", "styles": looks}]).conditions
        for looks in ([part, whole], [whole, part])
    ]
    assert [[condition.style for condition in conditions] for conditions in live] == [[], [0]]


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


def test_the_clock_is_looked_at_before_each_image() -> None:
    def image_of(reference: str) -> ImageFile:
        seen.append(reference)
        return IMAGE

    seen: list[str] = []
    logo = {"type": "image", "source": "ast_9"}
    table = {"type": "table", "source": "rows", "columns": [{"key": "logo", "display": "image"}]}
    made, data = content(logo, table), {"rows": [{"logo": f"ast_{number}"} for number in range(3)]}
    resolved(made, data, load_image=image_of, check_time=lambda: seen.append("clock"))
    images = [at for at, what in enumerate(seen) if what != "clock"]
    assert [seen[at] for at in images] == ["ast_9", "ast_0", "ast_1", "ast_2"]
    assert {seen[at - 1] for at in images} == {"clock"}


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
