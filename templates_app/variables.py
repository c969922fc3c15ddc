"""Typed variables: what data a template takes, inferred where nobody declared it.

A declared variable is strict about its type. An inferred one (a name that a section uses) takes any single
value, because nobody said more; where a table reads it, it has to be a list of objects. A computed one has a
formula for its value: the data does not give it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Annotated, Any, Literal

from config.api.models import AfterValidator, Field, StrictModel, ValidationInfo, field_validator
from config.value import dataclass
from templates_app import patterns
from templates_app.checks import check_value
from templates_app.expressions.formulas import parse_formula
from templates_app.expressions.helpers import (
    Format,
    HelperArgumentError,
    Style,
    babel_locale,
    parse_format,
)
from templates_app.paths import ELEMENT

VariableType = Literal[
    "string", "number", "currency", "boolean", "date", "datetime", "image", "list", "object"
]
ITEM = "item"  # what texts and formulas of a row call it
MAX_DEPTH = 20
_DEFAULT_HELPER = {
    "number": "number",
    "currency": "currency",
    "boolean": "yesno",
    "date": "date",
    "datetime": "datetime",
}
_HELPER_TYPE = {
    "number": "number",
    "integer": "number",
    "percent": "number",
    "currency": "currency",
    "date": "date",
    "datetime": "datetime",
    "time": "datetime",
    "yesno": "boolean",
}

FormatText = Annotated[
    str,
    Field(
        max_length=60,
        description="A formatting helper with its argument, as in an expression, such as `date:long`.",
        examples=["currency:EUR"],
    ),
]


def check_formula(value: str | None) -> str | None:
    """Return `value`; raises ValueError when it is no formula."""
    if value is not None:
        parse_formula(value)
    return value


def check_locale(value: str | None) -> str | None:
    """Return `value`; raises ValueError when Babel knows no such locale."""
    if value is not None:
        babel_locale(value)
    return value


FormulaText = Annotated[
    str,
    AfterValidator(check_formula),
    Field(
        min_length=1,
        max_length=1000,
        description="A formula over other values, such as `quantity * price` or `sum(items.total)`.",
        examples=["sum(items.total)"],
    ),
]
LocaleText = Annotated[
    str,
    AfterValidator(check_locale),
    Field(max_length=40, description="Written as in this locale, not the page's.", examples=["de-CH"]),
]


class Variable(StrictModel):
    """A name that the data may or must give."""

    name: Annotated[
        str,
        Field(
            min_length=1,
            max_length=100,
            pattern=patterns.NAME,
            description="Letters, digits, _ and -.",
            examples=["total"],
        ),
    ]
    type: VariableType = "string"
    required: bool = False
    label: Annotated[str, Field(max_length=200)] | None = None
    format: FormatText | None = None
    locale: LocaleText | None = None
    value: FormulaText | None = Field(
        default=None,
        description="Computed from other values by a formula; the data need not give it. In a list's fields, "
        "names are fields of the same entry.",
    )
    fields: list[Variable] | None = Field(
        default=None, description="Fields of an object, or of each entry of a list."
    )
    inferred: bool = Field(
        default=False,
        description="Found in a section, not declared. Ignored when sent: inferred anew at each save.",
    )

    # Behind the others, because its check needs them.
    default: Any = Field(default=None, description="Used when the data does not give a value.")

    @field_validator("format")
    @classmethod
    def _known_format(cls, value: str | None) -> str | None:
        return check_format(value)

    @field_validator("value")
    @classmethod
    def _single_value(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is not None and info.data.get("type") in {"list", "object", "image"}:
            raise ValueError("a list, object or image cannot be computed")
        return value

    @field_validator("fields")
    @classmethod
    def _unique_fields(cls, value: list[Variable] | None) -> list[Variable] | None:
        return check_unique(value)

    @field_validator("fields")
    @classmethod
    def _not_too_deep(cls, value: list[Variable] | None) -> list[Variable] | None:
        if _depth(value) > MAX_DEPTH:
            raise ValueError(f"must not nest deeper than {MAX_DEPTH} levels")
        return value

    @field_validator("default")
    @classmethod
    def _default_fits(cls, value: Any, info: ValidationInfo) -> Any:
        given = info.data
        if value is not None and not given.get("inferred") and {"name", "type", "fields"} <= given.keys():
            errors = check_value(Variable(**given), value)
            for path, message in errors.items():
                raise ValueError(f"{path.lstrip('.')}: {message}" if path else message)
        return value

    @property
    def children(self) -> dict[str, Variable]:
        """Fields by name."""
        return {child.name: child for child in self.fields or ()}


def _depth(variables: list[Variable] | None) -> int:
    return 0 if not variables else 1 + max(_depth(variable.fields) for variable in variables)


def check_format(value: str | None) -> str | None:
    """Return `value`; raises ValueError when it names no helper or misuses one."""
    if value is not None:
        try:
            parse_format(value)
        except HelperArgumentError as error:
            raise ValueError(str(error)) from None
    return value


def check_unique(value: list[Variable] | None) -> list[Variable] | None:
    """Return `value`; raises ValueError when two variables share a name."""
    seen: set[str] = set()
    for variable in value or ():
        if variable.name in seen:
            raise ValueError(f'the name "{variable.name}" is declared twice')
        seen.add(variable.name)
    return value


@dataclass(frozen=True, slots=True)
class Use:
    """A place that reads data: `("items", "[]", "price")`, and the type that its formatting suggests.

    A formula's name is a field of the row, unless only the document declares it: `outer` is its path then.
    """

    path: tuple[str, ...]
    type: str | None = None
    outer: tuple[str, ...] | None = None

    @classmethod
    def with_helper(cls, path: tuple[str, ...], helper: str | None) -> Use:
        """Return a use whose type follows from the helper that formats it."""
        return cls(path, _HELPER_TYPE.get(helper or ""))


def format_of(variable: Variable | None, style: Style) -> Format:
    """Return how values of `variable` are written where nothing else is said."""
    if variable is None or variable.inferred:
        return Format(None, None, style)
    if variable.locale is not None:
        style = replace(style, locale=variable.locale.replace("-", "_"))
    if variable.format is not None:
        return Format(*parse_format(variable.format), style)
    return Format(_DEFAULT_HELPER.get(variable.type), None, style)


def find(variables: Mapping[str, Variable], path: Iterable[str]) -> Variable | None:
    """Return the variable at a path (list steps are skipped), or None."""
    found: Variable | None = None
    level = variables
    for name in path:
        if name == ELEMENT or (found is not None and found.type == "list" and name.isdigit()):
            continue
        found = level.get(name)
        if found is None:
            return None
        level = found.children
    return found


@dataclass
class _Node:
    type: str | None = None
    is_list: bool = False
    children: dict[str, _Node] = field(default_factory=dict)


def with_inferred(declared: Sequence[Variable], uses: Iterable[Use]) -> list[Variable]:
    """Return the declared variables, completed by inferred ones for names that are used but not declared."""
    root = _Node()
    names = {variable.name: variable for variable in declared if not variable.inferred}
    for use in uses:
        node = root
        for name in use.outer if use.outer and _is_outer(use, names) else use.path:
            if name == ELEMENT or (name.isdigit() and node is not root):
                node.is_list = True
            else:
                node = node.children.setdefault(name, _Node())
        node.type = node.type or use.type
        node.is_list = node.is_list or use.type == "list"
    return _merge([_without_inferred(variable) for variable in declared if not variable.inferred], root)


def _is_outer(use: Use, declared: Mapping[str, Variable]) -> bool:
    """Tell whether the document declares the name and the row does not."""
    outer = use.outer or ()
    inner = find(declared, use.path[: len(use.path) - len(outer) + 1])
    return outer[0] in declared and (inner is None or inner.inferred)


def _without_inferred(variable: Variable) -> Variable:
    if not variable.fields:
        return variable
    kept = [_without_inferred(child) for child in variable.fields if not child.inferred]
    return variable.model_copy(update={"fields": kept or None})


def _merge(declared: Sequence[Variable], node: _Node) -> list[Variable]:
    result = []
    for variable in declared:
        found = node.children.get(variable.name)
        if found and found.children and variable.type in {"list", "object"}:
            variable = variable.model_copy(update={"fields": _merge(variable.fields or (), found)})
        result.append(variable)
    names = {variable.name for variable in declared}
    return result + [_infer(name, child) for name, child in node.children.items() if name not in names]


def _infer(name: str, node: _Node) -> Variable:
    kind: Any = "list" if node.is_list else "object" if node.children else node.type or "string"
    return Variable(
        name=name, type=kind, required=False, default=None, label=None, format=None, locale=None, value=None,
        fields=_merge((), node) or None, inferred=True,
    )  # fmt: skip


def with_defaults(variables: Iterable[Variable], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return checked data with defaults for missing values; what has no default is shared, not copied.

    A missing object is made of the defaults of its fields, where they have some.
    """
    result = dict(data)
    for variable in variables:
        value = result.get(variable.name)
        if value is None:
            value = result[variable.name] = variable.default
        if variable.fields and _has_default(variable.fields):
            if value is None and variable.type == "object":
                value = {}
            if isinstance(value, dict):
                result[variable.name] = with_defaults(variable.fields, value)
            elif isinstance(value, list):
                result[variable.name] = [
                    with_defaults(variable.fields, row) if isinstance(row, dict) else row for row in value
                ]
    return result


def _has_default(variables: Sequence[Variable]) -> bool:
    return any(child.default is not None or _has_default(child.fields or ()) for child in variables)
