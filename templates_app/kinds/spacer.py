"""Empty height."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from config.api.models import Field
from templates_app.kinds.base import Section
from templates_app.resolved import ResolvedSpacer
from templates_app.scope import Scope
from templates_app.variables import Use


class SpacerSection(Section):
    """Empty height between two sections."""

    kind_label: ClassVar[str] = "Spacer"
    type: Literal["spacer"]
    height: float = Field(default=5, gt=0, le=500, description="Millimetres.")

    def uses(self) -> Iterator[Use]:
        """Read nothing."""
        return iter(())

    def resolve(self, scope: Scope) -> ResolvedSpacer:
        """Return the height."""
        return ResolvedSpacer(self.height)
