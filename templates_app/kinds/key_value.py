"""Labels with their values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from config.api.models import Field, StrictModel, WholeNumber
from templates_app.kinds.base import Text, Written
from templates_app.kinds.uses import text_uses
from templates_app.resolved import Align, ResolvedKeyValue, ResolvedPair
from templates_app.scope import Scope
from templates_app.variables import Use


class KeyValueItem(StrictModel):
    """A label and its value."""

    label: Text = Field(description="What it is.", examples=["Due date"])
    value: Text = Field(description="The value.", examples=["{{due_date|date:long}}"])
    strong: bool = Field(default=False, description="Print it with weight, as the last line of totals.")


class KeyValueSection(Written):
    """Labels with their values; aligned right they make a totals block."""

    kind_label: ClassVar[str] = "Key and value"
    type: Literal["key_value"]
    items: list[KeyValueItem] = Field(min_length=1, max_length=500, description="The pairs, in order.")
    columns: Annotated[WholeNumber, Field(ge=1, le=4)] = Field(
        default=1, description="Columns side by side, filled row by row."
    )
    align: Align = Field(default="left", description="Where the block stands.")
    label_width: float | None = Field(
        default=None, ge=5, le=500, description="Width of the labels in millimetres."
    )
    size: float | None = Field(
        default=None, ge=4, le=40, description="Font size in points; without one, almost the theme's."
    )

    def uses(self) -> Iterator[Use]:
        """Yield what labels and values read."""
        for item in self.items:
            yield from text_uses(item.label, item.value)

    def resolve(self, scope: Scope) -> ResolvedKeyValue:
        """Fill labels and values."""
        pairs = [
            ResolvedPair(scope.rich(item.label), scope.rich(item.value), item.strong, scope.typed(item.value))
            for item in self.items
        ]
        return ResolvedKeyValue(pairs, self.columns, self.align, self.label_width, self.size)
