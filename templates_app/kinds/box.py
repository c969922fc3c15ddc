"""Frames around sections: fields that boxes and groups share, and the box itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final, Literal

from config.api.models import Field
from templates_app.kinds.any_section import AnySection
from templates_app.kinds.base import Color, Section, Written, resolve_sections, sections_uses
from templates_app.resolved import Frame, ResolvedBox
from templates_app.scope import Scope
from templates_app.variables import Use

PADDING: Final = 4  # millimetres


class Framed(Written):
    """A section with background and border."""

    background: Color | None = Field(default=None, description="Colour of the ground as #rrggbb.")
    border: float = Field(default=0, ge=0, le=20, description="Thickness of the border in points.")
    border_color: Color | None = Field(
        default=None, description="Colour of the border as #rrggbb; without one, the theme's."
    )
    padding: float | None = Field(
        default=None,
        ge=0,
        le=100,
        description="Millimetres between border and content; without it 4, where there is a frame.",
    )
    radius: float = Field(default=0, ge=0, le=50, description="Millimetres by which corners are rounded.")
    accent: Color | None = Field(
        default=None, description="A strong line of this colour (#rrggbb) at the left."
    )

    @property
    def framed(self) -> bool:
        """Whether a frame is seen around the sections."""
        return bool(self.background or self.border or self.accent)

    def frame(self) -> Frame:
        """Return the frame."""
        padding = self.padding
        if padding is None:
            padding = PADDING if self.framed else 0
        return Frame(self.background, self.border, self.border_color, padding, self.radius, self.accent)


class BoxSection(Framed):
    """Sections in a frame."""

    kind_label: ClassVar[str] = "Box"
    type: Literal["box"]
    sections: list[AnySection] = Field(min_length=1, description="Sections in the box, below each other.")
    padding: float = Field(
        default=PADDING, ge=0, le=100, description="Millimetres between border and content."
    )
    keep_together: bool = Field(default=True, description="On one page, unless it is taller than one.")

    def uses(self) -> Iterator[Use]:
        """Yield what the sections read."""
        return sections_uses(self.sections)

    def parts(self) -> Sequence[Sequence[Section]]:
        """Return the sections in the box."""
        return (self.sections,)

    def resolve(self, scope: Scope) -> ResolvedBox:
        """Resolve the sections in the box."""
        return ResolvedBox(resolve_sections(self.sections, scope), self.frame(), self.keep_together)
