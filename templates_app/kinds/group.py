"""The same sections for each entry of a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal

from config.api.models import Field, field_validator
from templates_app.expressions.grammar import parse_path
from templates_app.kinds.any_section import AnySection
from templates_app.kinds.base import Name, Path, Section, resolve_sections, sections_uses
from templates_app.kinds.box import Framed
from templates_app.kinds.uses import entry_uses
from templates_app.resolved import Frame, ResolvedGroup
from templates_app.scope import Scope
from templates_app.variables import ITEM, Use


class GroupSection(Framed):
    """The sections are repeated for each entry of a list, which they read by the name of `as`."""

    kind_label: ClassVar[str] = "Group"
    type: Literal["group"]
    source: Path = Field(description="The variable that holds the entries.", examples=["orders"])
    as_: Name = Field(
        default=ITEM, alias="as", description="What the sections call an entry.", examples=["order"]
    )
    sections: list[AnySection] = Field(
        min_length=1, description="Sections of an entry, which they read as `{{item.x}}`."
    )
    keep_together: bool = Field(
        default=False, description="An entry stays on one page, unless it is taller than one."
    )
    page_break: bool = Field(default=False, description="Each entry but the first begins a new page.")
    gap: float | None = Field(
        default=None,
        ge=0,
        le=200,
        description="Millimetres between two entries; without it as between boxes, where they have a frame.",
    )

    @field_validator("as_")
    @classmethod
    def _not_taken(cls, value: str) -> str:
        if value == "page":
            raise ValueError('"page" stands for the page already')
        return value

    def uses(self) -> Iterator[Use]:
        """Yield the list and what the sections read of its entries."""
        source = parse_path(self.source)
        yield Use(source, "list")
        yield from entry_uses(self.as_, source, sections_uses(self.sections))

    def parts(self) -> Sequence[Sequence[Section]]:
        """Return the sections of an entry."""
        return (self.sections,)

    def resolve(self, scope: Scope) -> ResolvedGroup:
        """Resolve the sections once for each entry."""
        entries = [resolve_sections(self.sections, entry) for entry in scope.entries(self.as_, self.source)]
        gap, frame = self.gap, self.frame()
        if gap is None and not self.framed and frame != Frame():
            gap = 0.0  # nothing is seen of the frame, but its padding counts
        return ResolvedGroup(entries, self.keep_together, self.page_break, gap, frame)
