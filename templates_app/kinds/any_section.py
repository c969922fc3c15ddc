"""Any section: the type of what holds sections, without the kinds themselves."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema
from typing_extensions import TypeAliasType

from config.api.models import is_partly_built


class _Union:
    """The kinds, told apart by `type`; `KINDS` is the only list."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        if is_partly_built():
            return core_schema.no_info_plain_validator_function(_section)
        from templates_app.kinds import KINDS

        union: Any = reduce(or_, KINDS.values())
        return handler.generate_schema(Annotated[union, Field(discriminator="type")])


if TYPE_CHECKING:
    from templates_app.kinds.base import Section as AnySection
else:
    # A named type, so that the schema has one component `Section` and clients one name for it.
    AnySection = TypeAliasType("Section", Annotated[Any, _Union()])


def _section(value: Any) -> Any:
    """Return a section as its model, of which only the kinds that occur are loaded."""
    from templates_app.kinds import KINDS
    from templates_app.kinds.base import Section

    if isinstance(value, Section):
        return value
    kind = value.get("type") if isinstance(value, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError("must be a section")
    return KINDS[kind].model_validate(value)
