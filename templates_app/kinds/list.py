"""List with bullets or numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from templates_app.expressions.grammar import parse_path
from templates_app.kinds.base import Path, Section, Text
from templates_app.kinds.uses import text_uses
from templates_app.resolved import ResolvedList
from templates_app.scope import Scope
from templates_app.variables import ELEMENT, Use, find


class ListSection(Section):
    """Fixed items, or one item per entry of a list; `{{item}}` is the entry."""

    label: ClassVar[str] = "List"
    type: Literal["list"]
    items: Annotated[list[Text], Field(min_length=1, max_length=1000)] | None = Field(
        default=None,
        description="Fixed items; give these or `source`.",
        examples=[["Free of charge", "{{note}}"]],
    )
    source: Path | None = Field(default=None, description="The variable that holds the entries.")
    content: Text = Field(
        default="{{item}}",
        description="Text of one entry of `source`.",
        examples=["{{item.name}}: {{item.hours}} h"],
    )
    ordered: bool = Field(default=False, description="Numbers in place of bullets.")

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        if (self.items is None) == (self.source is None):
            raise ValueError("give either items or source")
        return self

    def uses(self) -> Iterator[Use]:
        """Yield what the items, or the entries of the list, read."""
        if self.source is None:
            yield from text_uses(*(self.items or ()))
            return
        source = parse_path(self.source)
        yield Use(source, "list")
        for use in text_uses(self.content):
            if use.path[0] != "item":
                yield use
            elif len(use.path) > 1:
                yield Use((*source, ELEMENT, *use.path[1:]), use.type)

    def resolve(self, scope: Scope) -> ResolvedList:
        """Fill the items."""
        if self.source is None:
            return ResolvedList([scope.text(item) for item in self.items or ()], self.ordered)
        variable = find(scope.variables, parse_path(self.source))
        entry_type = (
            variable.model_copy(update={"name": "item", "type": "object"})
            if variable and variable.fields
            else None
        )
        entries = [scope.child("item", entry, entry_type) for entry in scope.rows(self.source)]
        return ResolvedList([entry.text(self.content) for entry in entries], self.ordered)
