"""Typed variables: what data a template takes, inferred where nobody declared it, and the check of data.

A declared variable is strict about its type. An inferred one (a name that a section uses) takes any single
value, because nobody said more; where a table reads it, it has to be a list of objects.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationInfo, field_validator

from config.api.models import StrictModel
from templates_app.expressions.helpers import (
    Format,
    HelperArgumentError,
    Style,
    parse_date,
    parse_datetime,
    parse_format,
)

VariableType = Literal[
    "string", "number", "currency", "boolean", "date", "datetime", "image", "list", "object"
]
ELEMENT = "[]"
MAX_ERRORS = 1001
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


class Variable(StrictModel):
    """A name that the data may or must give."""

    name: Annotated[
        str, Field(pattern=r"^[\w-]{1,100}$", description="Letters, digits, _ and -.", examples=["total"])
    ]
    type: VariableType = "string"
    required: bool = False
    label: Annotated[str, Field(max_length=200)] | None = None
    format: FormatText | None = None
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
            errors: dict[str, str] = {}
            _check_value(Variable.model_construct(**given), value, "", errors)
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
    """A place that reads data: `("items", "[]", "price")`, and the type that its formatting suggests."""

    path: tuple[str, ...]
    type: str | None = None

    @classmethod
    def with_helper(cls, path: tuple[str, ...], helper: str | None) -> Use:
        """Return a use whose type follows from the helper that formats it."""
        return cls(path, _HELPER_TYPE.get(helper or ""))


def format_of(variable: Variable | None, style: Style) -> Format:
    """Return how values of `variable` are written where nothing else is said."""
    if variable is None or variable.inferred:
        return Format(None, None, style)
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
    for use in uses:
        node = root
        for name in use.path:
            if name == ELEMENT or (name.isdigit() and node is not root):
                node.is_list = True
            else:
                node = node.children.setdefault(name, _Node())
        node.type = node.type or use.type
        node.is_list = node.is_list or use.type == "list"
    return _merge([_without_inferred(variable) for variable in declared if not variable.inferred], root)


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
    return Variable.model_construct(
        name=name, type=kind, required=False, default=None, label=None, format=None,
        fields=_merge((), node) or None, inferred=True,
    )  # fmt: skip


class _TooMany(Exception):
    """Enough errors are listed."""


def check_data(variables: Iterable[Variable], data: Mapping[str, Any]) -> dict[str, str]:
    """Return what does not fit, by path (`data.items[3].price`: `must be a number`); empty when all fits."""
    errors: dict[str, str] = {}
    with contextlib.suppress(_TooMany):
        _check_fields(list(variables), data, "data", errors)
    return errors


def _report(errors: dict[str, str], path: str, message: str) -> None:
    errors[path] = message
    if len(errors) >= MAX_ERRORS:
        raise _TooMany


def _check_fields(
    variables: Sequence[Variable], data: Mapping[str, Any], path: str, errors: dict[str, str]
) -> None:
    for variable in variables:
        value = data.get(variable.name)
        if value is None:
            if variable.required:
                _report(errors, f"{path}.{variable.name}", "required")
        else:
            _check_value(variable, value, f"{path}.{variable.name}", errors)


def _check_value(variable: Variable, value: Any, path: str, errors: dict[str, str]) -> None:
    if variable.type == "object":
        if not isinstance(value, dict):
            _report(errors, path, "must be an object")
        else:
            _check_fields(variable.fields or (), value, path, errors)
    elif variable.type == "list":
        _check_list(variable, value, path, errors)
    elif variable.inferred:
        if isinstance(value, dict):
            _report(errors, path, "must be a single value, not an object")
    elif not _FITS[variable.type](value):
        _report(errors, path, _MUST_BE[variable.type])


def _check_list(variable: Variable, value: Any, path: str, errors: dict[str, str]) -> None:
    if not isinstance(value, list):
        _report(errors, path, "must be a list")
        return
    fields = variable.fields
    if not fields:
        return
    # The common case, a long list of flat rows, takes one test per cell and builds no path.
    checks = [_quick(field) for field in fields]
    for index, row in enumerate(value):
        if not isinstance(row, dict):
            _report(errors, f"{path}[{index}]", "must be an object")
            continue
        get = row.get
        for name, fits, child in checks:
            cell = get(name)
            if fits is None or not fits(cell):
                _check_fields((child,), row, f"{path}[{index}]", errors)


def _quick(variable: Variable) -> tuple[str, Callable[[Any], bool] | None, Variable]:
    """Return a test that is True for cells that surely fit; others get the full check."""
    if variable.type in {"list", "object"}:
        return variable.name, None, variable
    if variable.inferred:
        return variable.name, lambda cell: not isinstance(cell, dict), variable
    fits, optional = _FITS[variable.type], not variable.required
    return (
        variable.name,
        lambda cell: (cell is None and optional) or (cell is not None and fits(cell)),
        variable,
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_FITS: dict[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "number": _is_number,
    "currency": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "date": lambda value: parse_date(value) is not None,
    "datetime": lambda value: parse_datetime(value) is not None,
    "image": lambda value: isinstance(value, str),
}
_MUST_BE = {
    "string": "must be a string",
    "number": "must be a number",
    "currency": "must be a number",
    "boolean": "must be true or false",
    "date": "must be a date (YYYY-MM-DD)",
    "datetime": "must be a date and time (ISO 8601)",
    "image": "must be an asset id or a data URI",
}


def with_defaults(variables: Iterable[Variable], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return checked data with defaults for missing values; what has no default is shared, not copied."""
    result = dict(data)
    for variable in variables:
        value = result.get(variable.name)
        if value is None:
            value = result[variable.name] = variable.default
        if variable.fields and _has_default(variable.fields):
            if isinstance(value, dict):
                result[variable.name] = with_defaults(variable.fields, value)
            elif isinstance(value, list):
                result[variable.name] = [
                    with_defaults(variable.fields, row) if isinstance(row, dict) else row for row in value
                ]
    return result


def _has_default(variables: Sequence[Variable]) -> bool:
    return any(child.default is not None or _has_default(child.fields or ()) for child in variables)
