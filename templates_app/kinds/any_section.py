"""Any section: the type of what holds sections, without the kinds themselves."""

from __future__ import annotations

from functools import cached_property, reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any

from config.api.models import Reading

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema


class _Union(Reading):
    """The kinds, told apart by `type`; `KINDS` is the only list."""

    def read(self, value: Any) -> Any:
        """Return a section as its model, of which only the kinds that occur are loaded."""
        from config.api.readers import Unfit, read_model
        from templates_app.kinds import KINDS

        kind = value.get("type") if isinstance(value, dict) else None
        if not isinstance(kind, str) or kind not in KINDS:
            raise Unfit
        return read_model(KINDS[kind], value)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return handler.generate_schema(self._named)

    @cached_property
    def _named(self) -> Any:
        """A type with a name, so that the schema has one component `Section` and clients one name for it."""
        from typing_extensions import TypeAliasType

        return TypeAliasType("Section", Annotated[Any, _Kinds()])


class _Kinds:
    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        from pydantic import Field

        from templates_app.kinds import KINDS

        union: Any = reduce(or_, KINDS.values())
        return handler.generate_schema(Annotated[union, Field(discriminator="type")])


if TYPE_CHECKING:
    from templates_app.kinds.base import Section as AnySection
else:
    AnySection = Annotated[Any, _Union()]
