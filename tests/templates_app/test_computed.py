"""Computed variables: they depend on each other, stand in lists of lists, and never run in circles."""

from __future__ import annotations

import pytest

from templates_app.computed import computations
from templates_app.content import BrokenContent
from templates_app.services import complete_variables
from templates_app.variables import Variable
from tests.templates_app.resolving import content, refused, resolved


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


def test_who_reads_a_whole_record_waits_for_what_is_computed_in_it() -> None:
    variables = [
        {"name": "some", "type": "string", "value": "if(count(rows) > 1, rest.note, 0)"},
        {"name": "rows", "type": "list", "fields": [{"name": "a", "type": "number", "value": "b + 1"}]},
        {"name": "rest", "type": "object", "fields": [{"name": "note", "type": "number", "value": "7"}]},
    ]
    plan = computations(list(map(Variable.model_validate, variables)))
    assert {step.path for step in plan[:2]} == {("rows", "[]", "a"), ("rest", "note")}
    circle = [variables[1] | {"fields": [{"name": "a", "type": "number", "value": "item.b + count(rows)"}]}]
    with pytest.raises(ValueError, match=r"in a circle: rows\.a -> rows\.a"):
        computations(list(map(Variable.model_validate, circle)))


def test_very_many_computed_fields_are_put_in_order() -> None:
    """Each of them compared with each of the others would take minutes."""
    fields = [{"name": f"f{number}", "type": "number", "value": "x + 1"} for number in range(4000)]
    readers = [field | {"value": "many"} for field in fields]
    variables = [
        {"name": "readers", "type": "object", "fields": readers},
        {"name": "many", "type": "object", "fields": fields},
    ]
    plan = computations(list(map(Variable.model_validate, variables)))
    assert [step.path[0] for step in plan] == ["many"] * 4000 + ["readers"] * 4000
