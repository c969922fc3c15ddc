"""Sections side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar, Literal

from config.api.models import Field, StrictModel
from templates_app.kinds.any_section import AnySection
from templates_app.kinds.base import LanguageTag, Section, Written, resolve_sections, sections_uses
from templates_app.kinds.table_parts import Width
from templates_app.resolved import ResolvedColumnOfSections, ResolvedColumns
from templates_app.scope import Scope
from templates_app.variables import Use


class ColumnOfSections(StrictModel):
    """Sections below each other, beside those of the other columns."""

    width: Width | None = Field(
        default=None,
        description='Millimetres, "25%" of the width, or a share of the rest ("*", "2*"); without one, "*".',
    )
    sections: list[AnySection] = Field(description="Sections of the column; none leaves it empty.")
    language: LanguageTag | None = Field(
        default=None, description="Language of the texts in this column, where it is another one than around."
    )


class ColumnsSection(Written):
    """Columns of sections side by side."""

    kind_label: ClassVar[str] = "Columns"
    type: Literal["columns"]
    columns: Annotated[list[ColumnOfSections], Field(min_length=1, max_length=12)] = Field(
        description="Columns from left to right."
    )
    gap: float = Field(default=6, ge=0, le=200, description="Millimetres between two columns.")

    def uses(self) -> Iterator[Use]:
        """Yield what the sections read."""
        for column in self.columns:
            yield from sections_uses(column.sections)

    def parts(self) -> Sequence[Sequence[Section]]:
        """Return the sections of each column."""
        return [column.sections for column in self.columns]

    def resolve(self, scope: Scope) -> ResolvedColumns:
        """Resolve the sections of each column."""
        columns = [
            ResolvedColumnOfSections(
                resolve_sections(column.sections, scope, f"columns[{index}].sections", column.language),
                column.width,
            )
            for index, column in enumerate(self.columns)
        ]
        return ResolvedColumns(columns, self.gap)
