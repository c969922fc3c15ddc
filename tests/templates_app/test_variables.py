"""Variables: inference, the check of data, defaults, and look-ups."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from templates_app.checks import MAX_ERRORS, check_data
from templates_app.expressions.helpers import Style
from templates_app.paths import ELEMENT, walk
from templates_app.scope import ResolveError, Scope
from templates_app.variables import (
    Use,
    Variable,
    find,
    format_of,
    with_defaults,
    with_inferred,
)

TYPES = ["string", "number", "currency", "boolean", "date", "datetime", "image", "list", "object"]
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=10)
    | st.sampled_from(["2026-11-21", "2026-11-21T10:00:00Z", "data:image/png;base64,"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=12,
)
variables_of_any_kind = st.recursive(
    st.builds(
        lambda name, type, required, default: {
            "name": name,
            "type": type,
            "required": required,
            "default": default,
        },
        st.sampled_from("abc"),
        st.sampled_from(TYPES),
        st.booleans(),
        json_values,
    ),
    lambda inner: st.builds(
        lambda variable, fields: variable | {"fields": list({f["name"]: f for f in fields}.values())},
        inner,
        st.lists(inner, max_size=3),
    ),
    max_leaves=5,
)


def variables(*given: dict[str, Any]) -> list[Variable]:
    return [Variable.model_validate(one) for one in given]


def shape(found: list[Variable]) -> dict[str, Any]:
    """Return names with their types, or their fields where they have some."""
    return {v.name: (v.type, shape(v.fields)) if v.fields else v.type for v in found}


@pytest.mark.parametrize(
    ("uses", "expected"),
    [
        ([Use(("a",))], {"a": "string"}),
        ([Use(("a",), "currency"), Use(("a",), "date")], {"a": "currency"}),
        ([Use(("a",)), Use(("a",), "date")], {"a": "date"}),
        ([Use(("a", "b", "c"))], {"a": ("object", {"b": ("object", {"c": "string"})})}),
        (
            [Use(("rows",), "list"), Use(("rows", ELEMENT, "x"), "number")],
            {"rows": ("list", {"x": "number"})},
        ),
        ([Use(("rows", "0", "x"))], {"rows": ("list", {"x": "string"})}),
        ([Use(("2024",))], {"2024": "string"}),
        ([Use(("rows",), "list")], {"rows": "list"}),
        ([Use(("a", "rows", ELEMENT, "x"))], {"a": ("object", {"rows": ("list", {"x": "string"})})}),
        (
            [Use.with_helper(("a",), "time"), Use.with_helper(("b",), "upper")],
            {"a": "datetime", "b": "string"},
        ),
    ],
)
def test_inference(uses: list[Use], expected: dict[str, Any]) -> None:
    found = with_inferred([], uses)
    assert shape(found) == expected
    assert all(variable.inferred for variable in found)


def test_declared_variables_come_first_and_stay_as_they_are() -> None:
    declared = variables(
        {"name": "a", "type": "number"}, {"name": "o", "type": "object", "fields": [{"name": "x"}]}
    )
    found = with_inferred(declared, [Use(("b",)), Use(("a", "deep")), Use(("o", "y"))])
    assert shape(found) == {"a": "number", "o": ("object", {"x": "string", "y": "string"}), "b": "string"}
    assert [field.inferred for field in found[1].fields] == [False, True]


def test_inferred_ones_that_are_sent_back_are_inferred_anew() -> None:
    sent = variables(
        {"name": "gone", "inferred": True},
        {"name": "rows", "type": "list", "fields": [{"name": "old", "inferred": True}]},
        {"name": "kept", "type": "object", "fields": [{"name": "x"}]},
    )
    assert shape(with_inferred(sent, [])) == {"rows": "list", "kept": ("object", {"x": "string"})}


@pytest.mark.parametrize(
    ("variable", "good", "bad"),
    [
        ({"type": "string"}, ["", "a"], [1, True, [], {}]),
        ({"type": "number"}, [0, 1.5, -1], ["1", True, [], {}]),
        ({"type": "currency"}, [0, 1.5], ["1", False]),
        ({"type": "boolean"}, [True, False], [0, 1, "true"]),
        ({"type": "date"}, ["2026-11-21"], ["2026-13-01", "", 20261121]),
        ({"type": "datetime"}, ["2026-11-21T10:00:00Z", "2026-11-21T10:00"], ["2026-11-21", 5, ""]),
        (
            {"type": "image"},
            ["ast_01j00000000000000000000000", "data:x", " "],
            [5, {}, "http://x/y.png", "/etc/passwd"],
        ),
        ({"type": "list"}, [[], [1, "a", {}]], [{}, "a", 5]),
        (
            {"type": "list", "fields": [{"name": "x"}]},
            [[], [{}], [{"x": "a", "y": 1}]],
            [["a"], [None], [{"x": 1}]],
        ),
        ({"type": "object"}, [{}, {"any": 1}], [[], "a", 5]),
        (
            {"type": "object", "fields": [{"name": "x", "required": True}]},
            [{"x": "a"}],
            [{}, {"x": None}, {"x": 1}],
        ),
        ({"inferred": True}, ["a", 1, True, [1]], [{}]),
    ],
)
def test_data_against_a_type(variable: dict[str, Any], good: list[Any], bad: list[Any]) -> None:
    optional = variables({"name": "v"} | variable)
    required = variables({"name": "v", "required": True} | variable)
    assert check_data(optional, {}) == check_data(optional, {"v": None}) == {}
    assert check_data(required, {}) == check_data(required, {"v": None}) == {"data.v": "required"}
    for value in good:
        assert check_data(required, {"v": value}) == {}, value
    for value in bad:
        errors = check_data(optional, {"v": value})
        assert len(errors) == 1, value
        assert next(iter(errors)).startswith("data.v")


def test_nested_rows_are_checked_by_path() -> None:
    declared = variables(
        {
            "name": "groups",
            "type": "list",
            "fields": [
                {
                    "name": "rows",
                    "type": "list",
                    "required": True,
                    "fields": [{"name": "n", "type": "number"}],
                },
                {"name": "note", "inferred": True},
            ],
        }
    )
    data = {"groups": [{"rows": [{"n": 1}, {"n": "x"}]}, {"note": {}}, {"rows": [5]}]}
    assert check_data(declared, data) == {
        "data.groups[0].rows[1].n": "must be a number",
        "data.groups[1].rows": "required",
        "data.groups[1].note": "must be a single value, not an object",
        "data.groups[2].rows[0]": "must be an object",
    }


def test_a_flood_ends() -> None:
    declared = variables({"name": "rows", "type": "list", "fields": [{"name": "n", "required": True}]})
    assert len(check_data(declared, {"rows": [{}] * (MAX_ERRORS * 3)})) == MAX_ERRORS


@given(
    st.lists(variables_of_any_kind, max_size=3),
    st.dictionaries(st.sampled_from("abc"), json_values, max_size=3),
)
def test_no_data_breaks_the_check(given: list[dict[str, Any]], data: dict[str, Any]) -> None:
    try:
        declared = variables(*given)
    except ValidationError:
        return  # a default that does not fit
    errors = check_data(declared, data)
    assert all(path.startswith("data") and text for path, text in errors.items())
    with_defaults(declared, data)
    if not errors and not any(variable.required for variable in declared):
        assert check_data(declared, {}) == {}


def test_defaults_reach_into_objects_and_rows() -> None:
    declared = variables(
        {"name": "a", "default": "x"},
        {"name": "o", "type": "object", "fields": [{"name": "b", "default": "y"}]},
        {
            "name": "rows",
            "type": "list",
            "fields": [{"name": "deep", "type": "object", "fields": [{"name": "c", "default": "z"}]}],
        },
        {"name": "plain", "type": "list", "fields": [{"name": "c"}]},
    )
    rows = [{"c": 1}]
    data = {"o": {"b": None, "k": 1}, "rows": [{"deep": {}}, {}, 5], "plain": rows, "more": 1}
    result = with_defaults(declared, data)
    assert result == {
        "a": "x",
        "o": {"b": "y", "k": 1},
        "rows": [{"deep": {"c": "z"}}, {"deep": {"c": "z"}}, 5],
        "plain": rows,
        "more": 1,
    }
    assert result["plain"] is rows
    assert data["o"] == {"b": None, "k": 1}
    nothing = with_defaults(declared, {})
    assert (nothing["o"], nothing["rows"]) == ({"b": "y"}, None)


@pytest.mark.parametrize("name", ["", "a b", "a.b", "a|b", "x" * 101, "{{a}}", "a\n"])
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(ValidationError):
        Variable.model_validate({"name": name})


@pytest.mark.parametrize(
    "wrong",
    [
        {"type": "money"},
        {"format": "shout"},
        {"format": "upper:1"},
        {"typ": "string"},
        {"required": "yes"},
        {"fields": [{"name": "x"}, {"name": "x"}]},
    ],
)
def test_variables_that_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Variable.model_validate({"name": "a"} | wrong)


def test_finding_and_formatting() -> None:
    declared = {
        v.name: v
        for v in variables(
            {"name": "rows", "type": "list", "fields": [{"name": "price", "type": "currency"}]},
            {"name": "issued", "type": "date", "format": "date:long"},
            {"name": "guess", "type": "currency", "inferred": True},
        )
    }
    style = Style()
    price = find(declared, ("rows", "price"))
    assert price is find(declared, ("rows", ELEMENT, "price")) is find(declared, ("rows", "0", "price"))
    assert find(declared, ("rows", "no")) is find(declared, ("no", "price")) is None
    assert format_of(price, style).text(1) == "$1.00"
    assert format_of(declared["issued"], style).text("2026-11-21") == "November 21, 2026"
    assert format_of(declared["guess"], style).text(1) == "1"
    assert format_of(None, style).text(1) == "1"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("a",), 1),
        (("o", "b"), 2),
        (("rows", "1", "x"), 3),
        (("rows", "9", "x"), None),
        (("rows", "x"), None),
        (("a", "b"), None),
        (("no",), None),
        (("rows", "²"), None),
        (("rows", "9" * 5000), None),
    ],
)
def test_walking(path: tuple[str, ...], value: Any) -> None:
    assert walk({"a": 1, "o": {"b": 2}, "rows": [{}, {"x": 3}]}, path) == value


def test_a_scope() -> None:
    def load(reference: str) -> Any:
        raise ValueError("is no image")

    scope = Scope({"rows": [1], "text": "x", "n": 5}, {}, Style(), load)
    assert scope.value(("n",)) == 5
    assert scope.rows("rows") == [1]
    assert scope.rows("missing") == []
    assert scope.format_at(("n",)).text(5) == "5"
    with pytest.raises(ResolveError, match="data.text: must be a list"):
        scope.rows("text")
    assert scope.image("{{missing}}", "source") is None
    with pytest.raises(ResolveError, match="source: is no image"):
        scope.image("x{{text}}", "source")
    with pytest.raises(ResolveError, match="data.text: is no image"):
        scope.image("{{text}}", "source")
    assert scope.child("item", 7).text("{{item}} {{n}} \\{{") == "7 5 {{"
    bands = Scope({"x": "\ue000", "text": "x"}, {}, Style(), load, for_bands=True)
    assert bands.rich("{{page.number}}/{{page.count}} {{text}}") == "\ue000/\ue001 x"
    assert bands.rich("\ue001{{x}}") == ""
