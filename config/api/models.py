"""Base classes of the typed request bodies."""

import sys
from functools import partial
from types import ModuleType
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

# Pydantic asks all that is installed for plug-ins. There are none here, and the question loads readers of
# mail, archives and tables: a fifth of its start.
if "pydantic.plugin._loader" not in sys.modules:
    _loader = ModuleType("pydantic.plugin._loader")
    _loader.get_plugins = tuple  # type: ignore[attr-defined]
    sys.modules[_loader.__name__] = _loader


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


# JSON knows one kind of number: 2.0 is a whole one.
WholeNumber = Annotated[int, BeforeValidator(_whole)]


_partly = False
_built: type[BaseModel] | None = None
_incomplete: set[type[BaseModel]] = set()


class _Model(BaseModel):
    """What both bases share: a model may be built without the models of its fields."""

    # A validator is built when it is first used: a document needs few of them.
    model_config = ConfigDict(defer_build=True)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        if _partly:
            if cls is not _built:
                return core_schema.no_info_plain_validator_function(partial(_instance, cls))
            _incomplete.add(cls)
        elif cls in _incomplete:
            _incomplete.discard(cls)
            cls.model_rebuild(force=True)
        return handler(source)

    @classmethod
    def model_rebuild(cls, *, _parent_namespace_depth: int = 2, **options: Any) -> bool | None:
        """Build the validator; says so to `__get_pydantic_core_schema__`, which fields call as well."""
        global _built
        before, _built = _built, cls
        try:
            return super().model_rebuild(_parent_namespace_depth=_parent_namespace_depth + 1, **options)
        finally:
            _built = before


def build_partly(partly: bool) -> None:
    """Have models that are built from now on build the models of their fields when a value of one comes.

    For a process that renders one document: of what a template can hold, it needs little. Such models take
    and refuse the same values; what is wrong is told exactly only by those that are built whole, as they all
    are after `build_partly(False)`. Not for a process with threads.
    """
    global _partly
    _partly = partly


def is_partly_built() -> bool:
    """Tell whether models are built without the models of their fields."""
    return _partly


def _instance(model: type[BaseModel], value: Any) -> Any:
    return value if isinstance(value, model) else model.model_validate(value)


def to_camel(name: str) -> str:
    """Return a field's name as it is on the wire; pydantic's function takes two expressions for each."""
    first, *others = name.split("_")
    return first + "".join(other.capitalize() for other in others)


class StrictModel(_Model):
    """A section, variable or page setting: camelCase, no coercion, an unknown field is an error."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        extra="forbid",
        strict=True,
        frozen=True,
        allow_inf_nan=False,
    )


class BodyModel(_Model):
    """The top level of a request body: as strict, but unknown fields are ignored."""

    model_config = ConfigDict(alias_generator=to_camel, extra="ignore", strict=True, allow_inf_nan=False)
