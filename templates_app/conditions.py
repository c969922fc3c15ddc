"""Conditions on data: `showIf` of a section, conditional styles of a column.

`{"field": "vat", "is": "greater", "value": 0}` compares one value; `{"all": [...]}`, `{"any": [...]}` and
`{"not": {...}}` combine. How values compare is in `expressions/compare.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from config.api.models import AfterValidator, Field, StrictModel, WithJsonSchema, model_validator
from templates_app import patterns
from templates_app.expressions.compare import Choice, equal, is_empty, order
from templates_app.expressions.grammar import parse_path
from templates_app.expressions.helpers import Style
from templates_app.resolved import Cell
from templates_app.variables import Use

if TYPE_CHECKING:
    from templates_app.scope import Scope

MAX_DEPTH = 10
MAX_COMPARISONS = 100

Operator = Literal[
    "set",
    "empty",
    "equals",
    "notEquals",
    "greater",
    "greaterOrEqual",
    "less",
    "lessOrEqual",
    "in",
    "notIn",
    "contains",
]
_MAX_TEXT = 1000
_MAX_CHOICES = 1000
_FORMS = ("field", "all", "any", "not")
# What a spreadsheet's own conditional formats can hold, by the name that `ConditionalStyle` gives it.
_LIVE = {
    "equals": "equals",
    "notEquals": "not_equals",
    "greater": "greater",
    "greaterOrEqual": "greater_or_equal",
    "less": "less",
    "lessOrEqual": "less_or_equal",
}
_ORDER: dict[str, Callable[[int], bool]] = {
    "greater": lambda found: found > 0,
    "greaterOrEqual": lambda found: found >= 0,
    "less": lambda found: found < 0,
    "lessOrEqual": lambda found: found <= 0,
}
# Columns of numbers against a number: the whole column in one comprehension.
_QUICK: dict[str, Callable[[Sequence[Any], Any], list[bool]]] = {
    "equals": lambda cells, value: [cell == value for cell in cells],
    "notEquals": lambda cells, value: [cell != value for cell in cells],
    "greater": lambda cells, value: [cell > value for cell in cells],
    "greaterOrEqual": lambda cells, value: [cell >= value for cell in cells],
    "less": lambda cells, value: [cell < value for cell in cells],
    "lessOrEqual": lambda cells, value: [cell <= value for cell in cells],
}
_EXACT = 2**53  # below it, whole numbers and floats compare as their decimals do

Test = Callable[[Any, Any], bool]


def check_path(value: str) -> str:
    """Return `value`; raises ValueError when it is no name or dotted path."""
    parse_path(value)
    return value


def _literal(value: Any) -> Any:
    entries = value if isinstance(value, list) else [value]
    if len(entries) > _MAX_CHOICES or not all(map(_is_scalar, entries)):
        raise ValueError(
            f"must be a text of at most {_MAX_TEXT} characters, a number, true or false, "
            f"or a list of at most {_MAX_CHOICES} of these"
        )
    return value


def _is_scalar(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= _MAX_TEXT
    return isinstance(value, int) or (isinstance(value, float) and math.isfinite(value))


_SCALARS: list[dict[str, Any]] = [
    {"type": "string", "maxLength": _MAX_TEXT},
    {"type": "number"},
    {"type": "boolean"},
]
LiteralValue = Annotated[
    Any,
    AfterValidator(lambda value: None if value is None else _literal(value)),
    WithJsonSchema(
        {
            "anyOf": [
                *_SCALARS,
                {"type": "array", "items": {"anyOf": _SCALARS}, "maxItems": _MAX_CHOICES},
                {"type": "null"},
            ]
        }
    ),
]
FieldPath = Annotated[
    str,
    Field(pattern=patterns.PATH, max_length=200, examples=["customer.vat"]),
    AfterValidator(check_path),
]


class Condition(StrictModel):
    """A comparison (`field`, `is`, and `value` or `valueField`), or `all`, `any` or `not` of conditions."""

    model_schema_extra: ClassVar = {
        # Not as `anyOf` of what is required: clients made from the schema would have no type for conditions.
        "minProperties": 1,
        "dependentRequired": {"field": ["is"], "is": ["field"]},
        "examples": [{"field": "customer.vat", "is": "set"}],
    }

    field: FieldPath | None = Field(default=None, description="Name or dotted path in the data.")
    is_: Operator | None = Field(
        default=None,
        alias="is",
        description="`empty` means missing, an empty text, list or object; `set` is the contrary. Values of "
        "different types are unequal, and none is greater.",
    )
    value: LiteralValue = Field(
        default=None, description="What the field is compared with; a list for `in` and `notIn`."
    )
    value_field: FieldPath | None = Field(
        default=None, description="In place of `value`: another field to compare with."
    )
    all_: Annotated[list[Condition], Field(min_length=1)] | None = Field(
        default=None, alias="all", description="Conditions that all must hold."
    )
    any_: Annotated[list[Condition], Field(min_length=1)] | None = Field(
        default=None, alias="any", description="Conditions of which one must hold."
    )
    not_: Condition | None = Field(default=None, alias="not", description="A condition that must not hold.")

    @model_validator(mode="before")
    @classmethod
    def _bounded(cls, given: Any) -> Any:
        level, comparisons, depth = [given], 0, 0
        while level:
            depth += 1
            if depth > MAX_DEPTH:
                raise ValueError(f"must not nest deeper than {MAX_DEPTH} levels")
            inner: list[Any] = []
            for node in level:
                children = _raw_children(node)
                comparisons += not children
                inner += children
            if comparisons > MAX_COMPARISONS:
                raise ValueError(f"must have at most {MAX_COMPARISONS} comparisons")
            level = inner
        return given

    @model_validator(mode="after")
    def _one_form(self) -> Condition:
        given = [
            name
            for name, part in zip(_FORMS, (self.field, self.all_, self.any_, self.not_), strict=True)
            if part is not None
        ]
        if len(given) != 1:
            raise ValueError('must have exactly one of "field", "all", "any" and "not"')
        if given != ["field"]:
            if self.is_ is not None or self.value is not None or self.value_field is not None:
                raise ValueError(f'"is", "value" and "valueField" belong to "field", not to "{given[0]}"')
        elif self.is_ is None:
            raise ValueError('needs "is", such as "set" or "equals"')
        else:
            self._check_value(self.is_)
        return self

    def _check_value(self, operator: str) -> None:
        if operator in {"set", "empty"}:
            if self.value is not None or self.value_field is not None:
                raise ValueError(f'"is": "{operator}" takes no "value" and no "valueField"')
            return
        if (self.value is None) is (self.value_field is None):
            raise ValueError(f'"is": "{operator}" takes either "value" or "valueField"')
        if self.value is None:
            return
        if isinstance(self.value, list) is not (operator in {"in", "notIn"}):
            kind = "a list" if operator in {"in", "notIn"} else "a single one"
            raise ValueError(f'the "value" of "is": "{operator}" must be {kind}')
        if operator in _ORDER and isinstance(self.value, bool):
            raise ValueError(f'the "value" of "is": "{operator}" must be a number, a text or a date')

    @cached_property
    def _children(self) -> Sequence[Condition]:
        return self.all_ or self.any_ or ((self.not_,) if self.not_ else ())

    def uses(self) -> Iterator[Use]:
        """Yield every place of the data that the condition reads."""
        if self.field is not None:
            yield Use(parse_path(self.field), _type_of(self.value))
            if self.value_field is not None:
                yield Use(parse_path(self.value_field))
        for child in self._children:
            yield from child.uses()

    def holds(self, scope: Scope) -> bool:
        """Return whether the condition holds for the values of a scope."""
        if self.field is not None:
            other = scope.value(parse_path(self.value_field)) if self.value_field else self.value
            return self._test(scope.style)(scope.value(parse_path(self.field)), other)
        if self.not_ is not None:
            return not self.not_.holds(scope)
        combine = all if self.all_ else any
        return combine(child.holds(scope) for child in self._children)

    def rows(
        self, read: Callable[[tuple[str, ...]], Sequence[Any]], count: int, style: Style | None = None
    ) -> list[bool]:
        """Return for each of `count` rows whether the condition holds; `read(path)` gives a column."""
        if self.field is not None:
            return self._leaf_rows(read, style or Style())
        columns = [child.rows(read, count, style) for child in self._children]
        if self.not_ is not None:
            return [not held for held in columns[0]]
        return list(map(all if self.all_ else any, zip(*columns, strict=True)))

    def live(self) -> tuple[tuple[str, ...], str, Cell] | None:
        """Return path, operator and value when a spreadsheet can hold the condition itself, else None.

        The operator is named as in `ConditionalStyle`.
        """
        if self.field is None or self.is_ not in _LIVE or self.value is None or isinstance(self.value, list):
            return None
        return parse_path(self.field), _LIVE[self.is_], self.value

    def _test(self, style: Style) -> Test:
        """Return `test(value, other)` of a comparison."""
        operator = self.is_ or "set"
        if operator in {"in", "notIn"} and isinstance(self.value, list):
            choice, wanted = Choice(self.value, style), operator == "in"
            return lambda value, other: (value in choice) is wanted
        return _tests(operator, style)

    def _leaf_rows(self, read: Callable[[tuple[str, ...]], Sequence[Any]], style: Style) -> list[bool]:
        cells = read(parse_path(self.field or ""))
        test = self._test(style)
        if self.value_field is not None:
            return [test(*pair) for pair in zip(cells, read(parse_path(self.value_field)), strict=True)]
        value, quick = self.value, _QUICK.get(self.is_ or "")
        exact = type(value) in (int, float) and abs(value) < _EXACT
        if quick and exact and set(map(type, cells)) <= {int, float}:
            return quick(cells, value)
        known: dict[tuple[type, Any], bool] = {}
        held = []
        for cell in cells:
            if isinstance(cell, (list, dict)):
                held.append(test(cell, value))
                continue
            key = (cell.__class__, cell)
            if (found := known.get(key)) is None:
                found = known[key] = test(cell, value)
            held.append(found)
        return held


def _raw_children(node: Any) -> list[Any]:
    if isinstance(node, Condition):
        return list(node._children)
    if not isinstance(node, dict):
        return []
    found = [child for name in ("all", "any") if isinstance(node.get(name), list) for child in node[name]]
    return [*found, node["not"]] if isinstance(node.get("not"), dict) else found


def _type_of(value: Any) -> str | None:
    """Return the type of variable that a literal suggests; a text may stand for a date as well."""
    if isinstance(value, bool):
        return "boolean"
    return "number" if isinstance(value, (int, float)) else None


def _tests(operator: str, style: Style) -> Test:
    if operator in _ORDER:
        wanted = _ORDER[operator]
        return lambda value, other: (found := order(value, other, style)) is not None and wanted(found)
    return {
        "set": lambda value, other: not is_empty(value),
        "empty": lambda value, other: is_empty(value),
        "equals": lambda value, other: equal(value, other, style),
        "notEquals": lambda value, other: not equal(value, other, style),
        "in": lambda value, other: _among(value, other, style),
        "notIn": lambda value, other: not _among(value, other, style),
        "contains": lambda value, other: _contains(value, other, style),
    }[operator]


def _among(value: Any, other: Any, style: Style) -> bool:
    """Return whether a value is in a list of the data; what is no list counts as its only entry."""
    return value in Choice(other, style) if isinstance(other, list) else equal(value, other, style)


def _contains(value: Any, other: Any, style: Style) -> bool:
    if isinstance(value, list):
        return any(equal(entry, other, style) for entry in value)
    return isinstance(value, str) and isinstance(other, str) and other in value
