"""Conditions: what holds, what is refused, and that whole columns agree with single values."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from templates_app.conditions import Condition
from templates_app.expressions.compare import Choice, equal, order
from templates_app.expressions.helpers import Style
from templates_app.scope import Scope
from templates_app.variables import Use

DATA = {
    "vat": 19.5,
    "zero": 0,
    "name": "Ada",
    "blank": "",
    "paid": True,
    "due": "2026-11-21",
    "sent": "2026-11-21T23:30:00Z",
    "tags": ["a", 2],
    "none": [],
    "nothing": None,
    "customer": {"vat": "ATU1"},
    "same": 19.5,
}
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(
        [0.1, Decimal("0.1"), "", "a", "b", "2026-11-21", "2026-11-21T00:00", "2026-11-22T01:00Z"]
    )
    | st.sampled_from([date(2026, 11, 21), datetime(2026, 11, 21), datetime(2026, 11, 21, 5)])
)


def condition(**fields: Any) -> Condition:
    return Condition.model_validate(fields)


def scope(data: dict[str, Any], style: Style | None = None) -> Scope:
    return Scope(data, {}, style or Style(), lambda reference: pytest.fail("no image"))


@pytest.mark.parametrize(
    ("field", "operator", "value", "held"),
    [
        ("vat", "set", None, True),
        ("zero", "set", None, True),
        ("blank", "set", None, False),
        ("none", "empty", None, True),
        ("nothing", "empty", None, True),
        ("missing.deep", "empty", None, True),
        ("customer.vat", "set", None, True),
        ("vat", "equals", 19.5, True),
        ("vat", "equals", "19.5", False),
        ("vat", "notEquals", "19.5", True),
        ("zero", "equals", False, False),
        ("paid", "equals", True, True),
        ("paid", "equals", 1, False),
        ("blank", "equals", "", True),
        ("nothing", "equals", "", True),
        ("vat", "greater", 19, True),
        ("vat", "greater", 19.5, False),
        ("vat", "greaterOrEqual", 19.5, True),
        ("vat", "less", 20, True),
        ("vat", "lessOrEqual", 19, False),
        ("vat", "greater", "1", False),
        ("vat", "less", "1", False),
        ("nothing", "less", 1, False),
        ("name", "greater", "Abe", True),
        ("due", "less", "2026-12-01", True),
        ("due", "equals", "2026-11-21T10:00", True),
        ("sent", "equals", "2026-11-21", True),
        ("name", "in", ["Ada", "Ben"], True),
        ("name", "notIn", ["Ada", "Ben"], False),
        ("vat", "in", [1, 19.50], True),
        ("due", "in", ["2026-11-21"], True),
        ("nothing", "in", ["x"], False),
        ("tags", "contains", "a", True),
        ("tags", "contains", 2.0, True),
        ("tags", "contains", "2", False),
        ("name", "contains", "da", True),
        ("vat", "contains", "9", False),
    ],
)
def test_comparisons(field: str, operator: str, value: Any, held: bool) -> None:
    given = {"field": field, "is": operator} | ({} if value is None else {"value": value})
    assert condition(**given).holds(scope(DATA)) is held
    found = condition(**given).rows(lambda path: [scope(DATA).value(path)] * 3, 3)
    assert found == [held] * 3


def test_two_fields_compare() -> None:
    test = condition(field="vat", **{"is": "equals"}, valueField="same")
    assert test.holds(scope(DATA))
    assert condition(field="vat", **{"is": "in"}, valueField="same").holds(scope(DATA))
    assert condition(field="vat", **{"is": "in"}, valueField="list").holds(scope({**DATA, "list": [19.5]}))
    assert test.rows(lambda path: [1, 2, None] if path == ("vat",) else [1, 3, ""], 3) == [True, False, True]


def test_moments_are_read_in_the_time_zone_of_the_template() -> None:
    test = condition(field="sent", **{"is": "equals"}, value="2026-11-22")
    assert test.holds(scope(DATA, Style(timezone="Europe/Vienna")))
    assert not test.holds(scope(DATA))


def test_conditions_combine() -> None:
    paid, named = {"field": "paid", "is": "equals", "value": True}, {"field": "name", "is": "empty"}
    assert not condition(all=[paid, named]).holds(scope(DATA))
    assert condition(any=[paid, named]).holds(scope(DATA))
    assert condition(all=[paid, {"not": named}]).holds(scope(DATA))
    nested = condition(any=[{"all": [paid, named]}, {"not": paid}])
    rows = {("paid",): [True, True, False, None], ("name",): ["", "x", "x", None]}
    assert nested.rows(lambda path: rows[path], 4) == [True, False, True, True]


def test_what_a_condition_reads() -> None:
    test = condition(
        all=[
            {"field": "a.b", "is": "greater", "value": 5},
            {"not": {"field": "c", "is": "equals", "valueField": "d"}},
            {"field": "e", "is": "equals", "value": True},
        ]
    )
    assert list(test.uses()) == [Use(("a", "b"), "number"), Use(("c",)), Use(("d",)), Use(("e",), "boolean")]


def test_what_a_spreadsheet_can_hold() -> None:
    assert condition(field="a.b", **{"is": "notEquals"}, value=5).live() == (("a", "b"), "not_equals", 5)
    assert condition(field="a", **{"is": "set"}).live() is None
    assert condition(field="a", **{"is": "equals"}, valueField="b").live() is None
    assert condition(all=[{"field": "a", "is": "equals", "value": 1}]).live() is None


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, 'exactly one of "field", "all", "any" and "not"'),
        ({"field": "a", "is": "set", "all": [{"field": "a", "is": "set"}]}, "exactly one of"),
        ({"field": "a"}, 'needs "is"'),
        ({"field": "a", "is": "set", "value": 1}, 'takes no "value"'),
        ({"field": "a", "is": "equals"}, 'either "value" or "valueField"'),
        ({"field": "a", "is": "equals", "value": 1, "valueField": "b"}, 'either "value" or "valueField"'),
        ({"field": "a", "is": "equals", "value": [1]}, "must be a single one"),
        ({"field": "a", "is": "in", "value": "x"}, "must be a list"),
        ({"field": "a", "is": "greater", "value": True}, "a number, a text or a date"),
        ({"field": "a", "is": "equals", "value": float("inf")}, "must be a text"),
        ({"field": "a", "is": "equals", "value": {"b": 1}}, "must be a text"),
        ({"field": "a", "is": "in", "value": [None]}, "must be a text"),
        ({"field": "a", "is": "equals", "value": "x" * 1001}, "at most 1000 characters"),
        ({"all": [{"field": "a", "is": "set"}], "value": 1}, 'belong to "field"'),
        ({"all": []}, "at least 1 item"),
        ({"field": "a b", "is": "set"}, "field"),
        ({"field": "a", "is": "bigger"}, "greaterOrEqual"),
        ({"field": "a", "is": "set", "is_": "set"}, "is_"),
        ({"all": [{"field": "a", "is": "set"}] * 101}, "at most 100 comparisons"),
    ],
)
def test_what_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        condition(**given)


def test_depth_is_bounded() -> None:
    given: dict[str, Any] = {"field": "a", "is": "set"}
    for _ in range(9):
        given = {"not": given}
    assert condition(**given)
    with pytest.raises(ValidationError, match="deeper than 10 levels"):
        condition(**{"not": given})
    for _ in range(5000):
        given = {"all": [given]}
    with pytest.raises(ValidationError, match="deeper than 10 levels"):
        condition(**given)


def test_the_schema_names_the_forms_and_survives_a_round_trip() -> None:
    schema = TypeAdapter(Condition).json_schema()
    properties = schema["$defs"]["Condition"]["properties"]
    assert set(properties) == {"field", "is", "value", "valueField", "all", "any", "not"}
    given = {"not": {"field": "a", "is": "equals", "value": 5}}
    assert condition(**given).model_dump(exclude_unset=True) == given


@given(
    st.lists(scalars, max_size=8), st.sampled_from(["equals", "notEquals", "greater", "lessOrEqual"]), scalars
)
def test_columns_agree_with_single_values(cells: list[Any], operator: str, value: Any) -> None:
    if value is None or isinstance(value, (bool, Decimal, date)):
        return
    test = condition(field="a", **{"is": operator}, value=value)
    assert test.rows(lambda path: cells, len(cells)) == [test.holds(scope({"a": cell})) for cell in cells]


@given(scalars, scalars)
def test_order_is_symmetric(left: Any, right: Any) -> None:
    forth, back = order(left, right), order(right, left)
    assert (forth is None) is (back is None)
    assert forth is None or back is None or forth == -back
    assert equal(left, right) is equal(right, left)


@given(scalars, st.lists(scalars, max_size=5))
def test_a_choice_is_any_equal_one(value: Any, values: list[Any]) -> None:
    assert (value in Choice(values)) is any(equal(value, other) for other in values)


def test_decimals_equal_the_float_that_shows_them() -> None:
    assert equal(0.1, Decimal("0.1"))
    assert order(1e23, 10**23) == 0
    assert order(float("nan"), 1) is None
    assert float("nan") not in Choice([float("nan")])
