"""Table: the kind that a spreadsheet holds too."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, ClassVar, Literal

from config.api.models import Field, WholeNumber, field_validator
from config.limits import limit
from templates_app.expressions.formulas import Formula, parse_formula
from templates_app.expressions.grammar import parse_path
from templates_app.kinds.base import Path, Text, Written
from templates_app.kinds.table_parts import (
    CarriesForward,
    ConditionalLook,
    RowGrouping,
    SheetSettings,
    TableColumn,
    Width,
)
from templates_app.kinds.uses import entry_uses, text_uses
from templates_app.paths import ELEMENT
from templates_app.resolved import ResolvedTable
from templates_app.scope import Scope
from templates_app.variables import ITEM, Use

__all__ = ["TableColumn", "TableSection", "Width"]


class TableSection(Written):
    """A table with one row per entry of a list."""

    kind_label: ClassVar[str] = "Table"
    type: Literal["table"]
    source: Path = Field(description="The variable that holds the rows.", examples=["items"])
    columns: list[TableColumn] = Field(min_length=1, description="Columns from left to right.")
    title: Text | None = Field(default=None, description="Title above the table, and name of the worksheet.")
    zebra: bool = Field(default=False, description="Shade every other row.")
    size: float | None = Field(
        default=None, ge=4, le=40, description="Font size in points; without one, the theme's, less one."
    )
    empty_text: Text = Field(default="", description="Printed in place of the rows when there are none.")
    head: bool = Field(default=True, description="Print the heads of the columns.")
    repeat_head: bool = Field(default=True, description="Repeat them on each page.")
    rules: Literal["horizontal", "grid", "none"] = Field(default="horizontal", description="Lines.")
    padding: float | None = Field(
        default=None, ge=0, le=20, description="Millimetres above and below the text of a row."
    )
    styles: Annotated[list[ConditionalLook], Field(max_length=20)] = Field(
        default=[], description="Looks of whole rows under conditions; those of a column come first."
    )
    group_by: Annotated[list[RowGrouping], Field(max_length=6)] = Field(
        default=[], description="Rows with equal values stand together, the outermost group first."
    )
    totals: bool = Field(default=True, description="Print the columns' totals below the rows.")
    totals_label: Text = Field(default="", description="In front of the totals.", examples=["Total"])
    carry_forward: CarriesForward = Field(
        default=False, description="Running totals of the columns with a sum at page ends; may give labels."
    )
    keep_rows: bool = Field(default=True, description="A row is not parted between two pages.")
    min_rows: WholeNumber = Field(
        default=2, ge=1, le=50, description="So many rows stay with the head, or with a group's heading."
    )
    keep_with_next: bool = Field(default=False, description="The last rows stay with the next section.")
    sheet: SheetSettings | None = Field(default=None, description="What only a worksheet shows.")

    @field_validator("columns")
    @classmethod
    def _not_too_many(cls, value: list[TableColumn]) -> list[TableColumn]:
        if len(value) > (most := limit("MAX_COLUMNS")):
            raise ValueError(f"must have at most {most} entries (MAX_COLUMNS)")
        return value

    @field_validator("columns")
    @classmethod
    def _computable(cls, value: list[TableColumn]) -> list[TableColumn]:
        reads: dict[str, list[str]] = {}
        for column in value:
            if column.value is not None and column.key is not None:
                if column.key in reads:
                    raise ValueError(f'two computed columns have the key "{column.key}"')
                reads[column.key] = [".".join(path) for path in parse_formula(column.value).row_names]
        graph = {key: [name for name in names if name in reads] for key, names in reads.items()}
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            circle = " -> ".join(error.args[1])
            message = f"computed columns must not depend on each other in a circle: {circle}"
            raise ValueError(message) from None
        return value

    @cached_property
    def formulas(self) -> dict[str, Formula]:
        """The computed columns that others may read, by key."""
        return {
            column.key: parse_formula(column.value)
            for column in self.columns
            if column.value is not None and column.key is not None
        }

    @cached_property
    def row_names(self) -> frozenset[str]:
        """The names that formulas and conditions take from the row because a column shows them."""
        return frozenset(column.key.split(".")[0] for column in self.columns if column.key is not None)

    def uses(self) -> Iterator[Use]:
        """Yield the list and the fields of its rows."""
        source = parse_path(self.source)
        computed = frozenset(self.formulas)
        yield Use(source, "list")
        for column in self.columns:
            yield from column.uses(source, computed, self.row_names)
        for style in self.styles:
            yield from style.uses(source, computed, self.row_names)
        for group in self.group_by:
            if group.key not in computed:
                yield Use((*source, ELEMENT, *parse_path(group.key)))
            for use in entry_uses(ITEM, source, text_uses(group.title, group.label)):
                if use.path[0] != "group":
                    yield use
        yield from text_uses(self.title, self.empty_text, self.totals_label)
        if self.sheet is not None:
            yield from text_uses(self.sheet.name)
        if not isinstance(self.carry_forward, bool):
            yield from text_uses(self.carry_forward.brought, self.carry_forward.carried)

    def resolve(self, scope: Scope) -> ResolvedTable:
        """Collect the rows by column as typed cells; raises ResolveError for a row that is no object."""
        # Imported here: that module is about this one.
        from templates_app.tables import resolve_table

        return resolve_table(self, scope)
