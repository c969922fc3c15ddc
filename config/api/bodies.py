"""The models as pydantic's: request bodies, error messages, the JSON schema.

Loaded where these are wanted, not to render a document (`config/api/models.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import reduce
from operator import or_
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import pydantic
from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, TypeAdapter, create_model
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from config.api import models
from config.api.models import MISSING, FieldInfo, MissingValue, StrictModel, to_camel
from config.api.readers import hint_of

# Pydantic asks all that is installed for plug-ins. There are none here, and the question loads readers of
# mail, archives and tables: a fifth of its start.
if "pydantic.plugin._loader" not in sys.modules:
    _loader = ModuleType("pydantic.plugin._loader")
    _loader.get_plugins = tuple  # type: ignore[attr-defined]
    sys.modules[_loader.__name__] = _loader

Model = TypeVar("Model", bound=StrictModel)


class BodyModel(BaseModel):
    """The top level of a request body: as strict as the models in it, but unknown fields are ignored.

    What stands in it is typed by `for_pydantic`.
    """

    # A validator is built when it is first used, or by `build`.
    model_config = ConfigDict(
        alias_generator=to_camel, extra="ignore", strict=True, allow_inf_nan=False, defer_build=True
    )


def printable(value: str) -> str:
    """Return `value`; raises ValueError naming a character of it that shows nothing."""
    hidden = next((character for character in value if not character.isprintable()), None)
    if hidden is not None:
        raise ValueError(f"must have printable characters only, not U+{ord(hidden):04X}")
    return value


# A name that callers give to something of theirs, such as one of their users.
Label = Annotated[str, pydantic.Field(min_length=1, max_length=255), pydantic.AfterValidator(printable)]


def without_defaults(schema: dict[str, Any]) -> None:
    """Take the defaults out of the JSON schema of an object where not to send a field says something else.

    A client made from the schema sends defaults by itself.
    """
    for field in schema.get("properties", {}).values():
        field.pop("default", None)


class PartialBody(BodyModel):
    """A body of which any subset may be sent: what is not sent stays, so that no field has a default."""

    model_config = ConfigDict(json_schema_extra=without_defaults)


def judge(model: type[Model], value: Any) -> Model:
    """Return JSON as the model; raises pydantic's ValidationError that names every wrong field."""
    judged: Model = _adapter(model).validate_python(value)
    return judged


def build(*chosen: type[StrictModel] | type[BaseModel]) -> None:
    """Build the validators of models: before the service has threads."""
    for model in chosen:
        if issubclass(model, StrictModel):
            _adapter(model)
        else:
            model.model_rebuild()


_adapters: dict[type[StrictModel], TypeAdapter[Any]] = {}
_twins: dict[type[StrictModel], type[BaseModel]] = {}


def _adapter(model: type[StrictModel]) -> TypeAdapter[Any]:
    return _adapters.get(model) or _adapters.setdefault(model, TypeAdapter(model))


# ---------------------------------------------------------------- models


def schema_of(model: type[StrictModel], handler: GetCoreSchemaHandler) -> CoreSchema:
    """Return the schema by which pydantic checks a model of ours, and makes it."""

    def read(value: Any, check: Callable[[Any], Any]) -> Any:
        if isinstance(value, model):
            return value
        checked = check(value)
        return model.checked({name: getattr(checked, name) for name in checked.model_fields_set})

    return core_schema.no_info_wrap_validator_function(read, handler.generate_schema(twin(model)))


def twin(model: type[StrictModel]) -> type[BaseModel]:
    """Return pydantic's model of the same fields and checks."""
    return _twins.get(model) or _twins.setdefault(model, _twin(model))


def _twin(model: type[StrictModel]) -> type[BaseModel]:
    checks: dict[str, Any] = {
        f"_check_{name}": pydantic.field_validator(name)(_field_check(model, name))
        for name in model._field_checks
    }
    if model._before:
        checks["_check_given"] = _given_check(model)
    fields: Any = {
        name: (for_pydantic(hint_of(info)), _field(info)) for name, info in model.model_fields.items()
    }
    config = ConfigDict(
        alias_generator=to_camel,
        extra="forbid",
        strict=True,
        frozen=True,
        allow_inf_nan=False,
        defer_build=True,
        json_schema_extra=model.model_schema_extra,
    )
    made: type[BaseModel] = create_model(
        model.__name__,
        __config__=config,
        __doc__=model.__doc__,
        __module__=model.__module__,
        __validators__=checks,
        **fields,
    )
    return made


def _field_check(model: type[StrictModel], name: str) -> Any:
    def check(cls: Any, value: Any, info: pydantic.ValidationInfo) -> Any:
        try:
            return model.check_field(name, value, info.data)
        except MissingValue:
            raise PydanticCustomError("missing", "Field required") from None

    return classmethod(check)


def _given_check(model: type[StrictModel]) -> Any:
    def check(cls: Any, value: Any) -> Any:
        return model.check_given(value)

    return pydantic.model_validator(mode="before")(classmethod(check))  # type: ignore[arg-type]


_SAID = ("alias", "description", "examples", "ge", "gt", "le", "lt", "min_length", "max_length", "pattern")


def _field(info: FieldInfo) -> Any:
    """Return what is said of a field in pydantic's words."""
    said = {name: given for name in _SAID if (given := getattr(info, name)) not in (None, "")}
    if info.validate_default:
        said["validate_default"] = True
    if info.default is not MISSING:
        default = info.default
        said["default"] = (
            twin(type(default)).model_construct(**vars(default))
            if isinstance(default, StrictModel)
            else default
        )
    return pydantic.Field(**said)


# ---------------------------------------------------------------- types


def for_pydantic(hint: Any) -> Any:
    """Return a type of our models as one of pydantic's."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        # What changes a value before all checks comes last: pydantic shows no limits that it finds behind it.
        extras = sorted(parts[1:], key=lambda extra: isinstance(extra, models.BeforeValidator))
        return Annotated[(for_pydantic(parts[0]), *map(_metadata, extras))]
    if origin in (Union, UnionType):
        return _union(parts)
    if origin in (list, dict):
        return origin[tuple(map(for_pydantic, parts))]
    return hint


def _metadata(extra: Any) -> Any:
    match extra:
        case FieldInfo():
            return _field(extra)
        case models.BeforeValidator():
            return pydantic.BeforeValidator(extra.func)
        case models.AfterValidator():
            return pydantic.AfterValidator(extra.func)
        case models.WithJsonSchema():
            return pydantic.WithJsonSchema(extra.json_schema)
        case models.Tag():
            return pydantic.Tag(extra.tag)
        case models.Discriminator():
            return pydantic.Discriminator(extra.func)
    return extra


def _union(parts: tuple[Any, ...]) -> Any:
    """Return a union; a model in it has its own name in the paths of errors."""
    union = reduce(or_, map(for_pydantic, parts))
    several = [part for part in parts if part is not NoneType]
    if len(several) > 1 and any(isinstance(part, type) and issubclass(part, StrictModel) for part in several):
        return Annotated[union, _Named(tuple(several))]
    return union


class _Named:
    """Names the models of a union as pydantic names its own."""

    def __init__(self, parts: tuple[Any, ...]) -> None:
        self.parts = parts

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        choices: list[Any] = [
            (handler.generate_schema(part), part.__name__)
            if isinstance(part, type) and issubclass(part, StrictModel)
            else handler.generate_schema(part)
            for part in map(for_pydantic, self.parts)
        ]
        return core_schema.union_schema(choices)
