"""Rule across the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from config.api.models import Field
from templates_app.kinds.base import Color, Section
from templates_app.resolved import ResolvedDivider
from templates_app.scope import Scope
from templates_app.variables import Use


class DividerSection(Section):
    """A horizontal rule."""

    kind_label: ClassVar[str] = "Divider"
    type: Literal["divider"]
    thickness: float = Field(default=0.5, gt=0, le=20, description="Points.")
    color: Color | None = Field(default=None, description="Colour as #rrggbb; without one, the theme's.")

    def uses(self) -> Iterator[Use]:
        """Read nothing."""
        return iter(())

    def resolve(self, scope: Scope) -> ResolvedDivider:
        """Return the rule."""
        return ResolvedDivider(self.thickness, self.color)
